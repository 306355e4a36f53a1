// SPDX-License-Identifier: MIT
#include "widgets/units.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/panels/measures/measure.h"

#define UNIT "odl-unit" // of a session
#define OF_FULL_SCALE "of full scale" // in the tables of parameters

const char *const odl_unit_keys[] = { "file", "share", "8-bit", NULL };

// Shares that are places in the range, as black and white are, not amounts.
static const struct {
  OdlFilterKind filter;
  const char *key; // NULL: all of them
} places[] = {
  { ODL_FILTER_TONE_CURVE, NULL },
  { ODL_FILTER_TROUGH_THRESHOLD, "threshold" },
  { ODL_FILTER_DECOUPLE, "brightness" },
  { ODL_FILTER_DECOUPLE, "least" },
};

OdlUnit
odl_unit_from_key (const char *key)
{
  OdlUnit unit = ODL_UNIT_8_BIT;
  while (unit > ODL_UNIT_FILE && g_strcmp0 (odl_unit_keys[unit], key) != 0)
    unit--;
  return unit;
}

OdlUnit
odl_units_of (OdlSession *session)
{
  return (OdlUnit) GPOINTER_TO_INT (g_object_get_data (G_OBJECT (session), UNIT));
}

void
odl_units_set (OdlSession *session, OdlUnit unit)
{
  if (unit == odl_units_of (session))
    return;
  g_object_set_data (G_OBJECT (session), UNIT, GINT_TO_POINTER (unit));
  g_signal_emit_by_name (session, "annotations-changed");
  g_object_notify (G_OBJECT (session), "recipe");
}

// NULL: there is no picture.
static const OdlImageInfo *
info_of (OdlSession *session)
{
  const OdlFrame *frame = odl_session_frame (session);
  return frame ? odl_image_info (frame->input) : NULL;
}

bool
odl_units_are_of (const OdlParameter *parameter)
{
  return g_str_equal (parameter->unit, OF_FULL_SCALE);
}

static bool
is_place (const OdlFilter *filter, const OdlParameter *parameter)
{
  for (size_t i = 0; i < G_N_ELEMENTS (places); i++)
    if (filter->kind == places[i].filter
        && (!places[i].key || g_str_equal (places[i].key, parameter->key)))
      return true;
  return false;
}

OdlUnitRange
odl_units_range (OdlSession *session,
                 const OdlFilter *filter,
                 const OdlParameter *parameter)
{
  const OdlImageInfo *info = info_of (session);
  if (!info || !odl_units_are_of (parameter))
    return (OdlUnitRange){ 0, 1 };
  const OdlUnitRange range
      = odl_unit_range (info, info->channels == 1, odl_units_of (session));
  if (range.one == range.zero)
    return (OdlUnitRange){ 0, 1 };
  return is_place (filter, parameter)
             ? range
             : (OdlUnitRange){ 0, fabs (range.one - range.zero) };
}

const char *
odl_units_caption (OdlSession *session)
{
  const OdlImageInfo *info = info_of (session);
  const OdlUnit unit = info ? odl_units_of (session) : ODL_UNIT_SHARE;
  const bool has_name = info && info->channels == 1 && *info->value_map.unit;
  return unit == ODL_UNIT_SHARE   ? _ (OF_FULL_SCALE)
         : unit == ODL_UNIT_8_BIT ? _ ("of 255")
         : has_name               ? info->value_map.unit
                    // Translators: numbers are values as the file has them.
                    : _ ("as the file's values");
}

double
odl_units_scale_in (const OdlImage *image, OdlUnit unit)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlUnitRange range = odl_unit_range (info, info->channels == 1, unit);
  return fabs (range.one - range.zero);
}

char *
odl_units_amount_in (const OdlImage *image, OdlUnit unit, double share)
{
  const OdlImageInfo *info = odl_image_info (image);
  const bool grey = info->channels == 1;
  g_autofree char *number = odl_measure_number (share * odl_units_scale_in (image, unit));
  const char *name = odl_unit_name (info, grey, unit);
  return g_strdup_printf ("%s%s%s", number, *name ? " " : "", name);
}

char *
odl_units_amount (OdlSession *session, double share)
{
  const OdlFrame *frame = odl_session_frame (session);
  return frame ? odl_units_amount_in (frame->input, odl_units_of (session), share)
               : odl_measure_number (share);
}

// With as many digits as people read.
static double
rounded (double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (digits, sizeof digits, "%.6g", value);
  return g_ascii_strtod (digits, NULL);
}

void
odl_units_tell (OdlSession *session, OdlRecipe *recipe)
{
  for (int i = 0; i < recipe->n_items; i++) {
    OdlRecipeItem *item = &recipe->items[i];
    for (size_t p = 0; p < item->filter->n_parameters; p++) {
      const OdlParameter *parameter = &item->filter->parameters[p];
      const OdlUnitRange range = odl_units_range (session, item->filter, parameter);
      if ((range.zero == 0 && range.one == 1)
          || (parameter->tacit && odl_recipe_item_has_default (item, parameter)))
        continue;
      for (int k = 0; k < parameter->count; k++) {
        double *value = &item->values[parameter->offset + k];
        if (!odl_parameter_word (parameter, *value))
          *value = rounded (range.zero + (range.one - range.zero) * *value);
      }
    }
  }
}
