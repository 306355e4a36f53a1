// SPDX-License-Identifier: MIT
#include "plan/title.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/text.h"
#include "filter/inside.h"
#include "filter/strength.h"
#include "image/area.h"
#include "plan/result_window.h"
#include "wavelet/transform.h"

#define DOT " · "

static void
add (GString *text, const char *separator, char *part)
{
  g_autofree char *owned = part;

  if (owned == NULL || *owned == '\0')
    return;
  if (text->len > 0)
    g_string_append (text, separator);
  g_string_append (text, owned);
}

static char *
levels_text (int levels)
{
  return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%d level", "%d levels", (gulong) levels), levels);
}

static char *
value_text (const OdlParameter *parameter, double value)
{
  const char *word = odl_parameter_word (parameter, value);

  return word != NULL ? g_strdup (_ (word))
                      : odl_text_with_minus (odl_number_to_text (value));
}

// The numbers of a matrix for the levels in use, those of another one where it follows
// that; several per level only if its bands differ.
static char *
values_text (const OdlRecipeItem *item, const OdlParameter *parameter, int levels)
{
  double all[ODL_MAX_LEVELS * ODL_DEEP_BANDS];
  const double *values = all;
  if (parameter->kind != ODL_PARAMETER_MATRIX)
    return value_text (parameter, item->values[parameter->offset]);
  for (int i = 0; i < parameter->count; i++) {
    all[i] = item->values[parameter->offset + i];
    if (parameter->follows && all[i] == ODL_VALUE_AUTO)
      all[i] = odl_recipe_item_followed (item, parameter, i);
  }
  GString *text = g_string_new (NULL);
  const int bands = odl_parameter_bands (parameter);
  for (int l = 0; l < levels; l++, values += bands) {
    bool linked = true;
    for (int b = 1; b < bands; b++)
      linked = linked && values[b] == values[0];
    for (int b = 0; b < (linked ? 1 : bands); b++)
      add (text, b == 0 ? "/" : ":", value_text (parameter, values[b]));
  }
  return g_string_free (text, FALSE);
}

// Of what was measured band by band the least and the greatest of so many numbers.
static char *
range_text (const OdlRecipeItem *item, const OdlParameter *parameter, int n)
{
  const double *values = item->values + parameter->offset;
  double least = values[0], most = values[0];
  for (int i = 1; i < n; i++) {
    least = MIN (least, values[i]);
    most = MAX (most, values[i]);
  }
  g_autofree char *from = value_text (parameter, least);
  g_autofree char *to = value_text (parameter, most);
  return g_strdup_printf ("%s … %s", from, to);
}

// Whether its numbers are told without its name.
static bool
is_plain (const OdlRecipeItem *item, const OdlParameter *parameter)
{
  return !parameter->tacit && odl_recipe_item_uses (item, parameter)
         && (parameter->kind == ODL_PARAMETER_NUMBER
             || parameter->kind == ODL_PARAMETER_INTEGER);
}

// Of several plain numbers all but the one beside the filter's name have theirs.
static bool
needs_name (const OdlRecipeItem *item, const OdlParameter *parameter)
{
  int n = 0;
  for (size_t i = 0; i < item->filter->n_parameters; i++)
    n += is_plain (item, &item->filter->parameters[i]);
  return n > 1 && is_plain (item, parameter);
}

static char *
parameter_text (const OdlRecipeItem *item,
                const OdlParameter *parameter,
                int levels,
                bool with_name)
{
  double value = item->values[parameter->offset];
  if ((parameter->tacit && odl_recipe_item_has_default (item, parameter))
      || !odl_recipe_item_uses (item, parameter))
    return NULL;
  g_autofree char *text = NULL;
  switch (parameter->kind) {
  case ODL_PARAMETER_FILE:
  case ODL_PARAMETER_KERNEL:
    if (item->file == NULL)
      return NULL;
    text = g_filename_display_basename (item->file);
    return odl_text_in_one_line (text);
  case ODL_PARAMETER_CHOICE:
    if (g_str_equal (parameter->key, "transform")) // told with the wavelet
      return NULL;
    // Translators: a setting and its value, such as "Neighbours 8".
    return g_strdup_printf (_ ("%s %s"), _ (parameter->label),
                            _ (parameter->choices[(int) value]));
  case ODL_PARAMETER_SPECTRUM:
    text = range_text (item, parameter, parameter->count);
    return g_strdup_printf (_ ("%s %s"), _ (parameter->label), text);
  case ODL_PARAMETER_PULLS:
    return g_strdup_printf (_ ("%s %d"), _ (parameter->label),
                            odl_pulls_count (item->values + parameter->offset));
  case ODL_PARAMETER_WAVELET:
    return NULL;
  case ODL_PARAMETER_INTEGER: // levels are told with their wavelet
    if (levels > 0)
      return NULL;
    G_GNUC_FALLTHROUGH;
  default:
    if (parameter->tacit && parameter->kind != ODL_PARAMETER_MATRIX
        && value == parameter->default_value)
      return NULL;
    if (parameter->tacit) {
      g_autofree char *number
          = parameter->measurable && parameter->kind == ODL_PARAMETER_MATRIX
                ? range_text (item, parameter, levels * ODL_DETAIL_BANDS)
                : values_text (item, parameter, levels);
      switch (parameter->follows) {
      case ODL_FOLLOWS_RISING:
        // Translators: numbers of a filter for what falls to the right, finest level
        // first.
        return g_strdup_printf (_ ("Falling directions: %s"), number);
      case ODL_FOLLOWS_SLICES:
        // Translators: numbers of a filter across slices, finest level first.
        return g_strdup_printf (_ ("Along z: %s"), number);
      default:
        return g_strdup_printf (_ ("%s %s"), _ (parameter->label), number);
      }
    }
    g_autofree char *values = values_text (item, parameter, levels);
    return with_name ? g_strdup_printf (_ ("%s %s"), _ (parameter->label), values)
                     : g_steal_pointer (&values);
  }
}

// Levels that a filter of coefficients has in a picture of that size.
static int
levels_of (const OdlRecipeItem *item, int width, int height)
{
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (item);
  const OdlTransformKind transform = odl_recipe_item_transform (item);
  const OdlTransformKind used
      = odl_transform_suits (transform, wavelet) ? transform : ODL_TRANSFORM_DECIMATED;
  const OdlParameter *wanted = odl_filter_parameter (item->filter, "levels");
  const int levels = MIN ((int) item->values[wanted->offset],
                          odl_transform_max_levels (used, wavelet, width, height));

  return MAX (levels, 1);
}

// Wavelet, levels and transform of a filter of coefficients; inside a transform that one
// tells what is shared.
static void
add_transform (GString *text, const OdlRecipeItem *item, int levels)
{
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (item);
  const OdlTransformKind transform = odl_recipe_item_transform (item);
  const bool suits = odl_transform_suits (transform, wavelet);

  if (wavelet != NULL)
    add (text, DOT, g_strdup (wavelet->label));
  add (text, DOT, levels_text (levels));
  if (suits && transform != ODL_TRANSFORM_DECIMATED)
    add (text, DOT, g_strdup (_ (odl_transform_names[transform])));
}

// `label` stands before its numbers; NULL: they are told alone.
static char *
item_text (const OdlRecipeItem *item,
           const char *label,
           bool inside,
           int width,
           int height)
{
  GString *text = g_string_new (NULL);
  const int levels = item->filter->domain == ODL_DOMAIN_COEFFICIENT
                         ? levels_of (item, width, height)
                         : 0;
  if (levels > 0 && !inside)
    add_transform (text, item, levels);
  add (text, DOT, g_strdup (label));
  const gsize named = text->len;
  const char *first = label != NULL ? " " : DOT;
  for (size_t i = 0; i < item->filter->n_parameters; i++) {
    const OdlParameter *parameter = &item->filter->parameters[i];
    const bool is_first = text->len == named;
    const bool with_name = label == NULL || (!is_first && needs_name (item, parameter));
    add (text, is_first ? first : ", ",
         parameter_text (item, parameter, levels, with_name));
  }
  if (inside && odl_filter_has_at (item->filter))
    // Translators: the bands that a filter works on, such as “(details)”.
    g_string_append_printf (text, _ (" (%s)"), _ (odl_at_names[item->at]));
  return g_string_free (text, FALSE);
}

// "16/8/4": the gains of the details from the finest level on; one if all are equal.
static char *
gains_text (const OdlDisplay *shown)
{
  const int levels = MIN (shown->details.levels, ODL_DETAIL_LEVELS);
  GString *gains = g_string_new (NULL);
  bool same = true;

  for (int i = 1; i < levels; i++)
    same = same && shown->told[i] == shown->told[0];
  for (int i = 0; i < (same ? MIN (levels, 1) : levels); i++)
    g_string_append_printf (gains, "%s%d", i > 0 ? "/" : "", shown->told[i]);
  return g_string_free (gains, FALSE);
}

static char *
coefficients_text (const OdlRecipe *recipe, const OdlDisplay *shown)
{
  const char *word = odl_view_is_filtered (recipe->view) ? _ ("filtered coefficients")
                                                         : _ ("coefficients");
  // Translators: of directions that fall to the right.
  const char *falling = odl_view_is_falling (recipe->view) ? _ (", falling") : "";
  g_autofree char *gains = shown != NULL ? gains_text (shown) : NULL;

  if (gains == NULL)
    return g_strconcat (word, falling, NULL);
  // Translators: what is shown, and how much stronger than the picture its details are,
  // level by level: "coefficients", ", falling", "16/8/4".
  return g_strdup_printf (_ ("%s%s, details × %s"), word, falling, gains);
}

static char *
view_text (const OdlRecipe *recipe, const OdlDisplay *shown)
{
  const int level = odl_view_level (recipe->view);

  if (odl_view_is_analysis (recipe->view))
    return coefficients_text (recipe, shown);
  if (level > 0 && shown == NULL)
    // Translators: what the details of one level make.
    return g_strdup_printf (_ ("level %d alone"), level);
  if (level > 0)
    // Translators: the same, so many times as strong.
    return g_strdup_printf (_ ("level %d alone × %d"), level, shown->told[0]);
  if (recipe->view == ODL_VIEW_RESIDUAL)
    // Translators: what the filters took away, so many times as strong as it was.
    return g_strdup_printf (_ ("taken away × %d"), ODL_RESIDUAL_GAIN);
  return NULL;
}

// Whether results about 0 are shown so that it is the middle grey.
static bool
zero_is_grey (const OdlRecipe *recipe,
              const OdlGeometry *geometry,
              const OdlDisplay *shown)
{
  return shown != NULL && shown->map == NULL
         && odl_result_swing (recipe, geometry->operands) > 0
         && fabs ((double) shown->gain * geometry->zero + (double) shown->offset - 0.5)
                < 0.01;
}

// Numbers as they act, at the recipe's strength.
static char *
title_of (const OdlRecipe *written,
          const OdlGeometry *geometry,
          bool in_area,
          const OdlDisplay *shown)
{
  OdlRecipe scaled = odl_recipe_at_strength (written);
  const OdlRecipe *recipe = &scaled;

  odl_recipe_share_transforms (&scaled);
  if (odl_recipe_is_identity (recipe) && recipe->view == ODL_VIEW_SYNTHESIS)
    return NULL;
  GString *text = g_string_new (NULL);
  for (int i = 0; i < recipe->n_items; i++)
    if (odl_recipe_item_acts (&recipe->items[i]))
      add (text, " + ",
           item_text (&recipe->items[i], _ (recipe->items[i].filter->label),
                      odl_recipe_transform_around (recipe, i) >= 0, geometry->width,
                      geometry->height));
  if (in_area)
    // Translators: filters do not act on what lies around an ultrasound picture.
    add (text, DOT, g_strdup (_ ("inside the ultrasound region")));
  add (text, DOT, view_text (recipe, shown));
  if (zero_is_grey (recipe, geometry, shown))
    // Translators: how the results of edge detectors, which may be below 0, are shown.
    add (text, DOT, g_strdup (_ ("0 is grey")));
  return g_string_free (text, FALSE);
}

char *
odl_plan_title (const OdlRecipe *recipe, int max_levels)
{
  const OdlGeometry geometry = { .width = 1 << max_levels, .height = 1 };

  return title_of (recipe, &geometry, false, NULL);
}

char *
odl_plan_title_for (const OdlRecipe *recipe,
                    const OdlGeometry *geometry,
                    const OdlDisplay *shown)
{
  const bool in_area = odl_operands_find (geometry->operands, ODL_AREA_INSIDE) != NULL
                       && !odl_view_is_within (recipe->view);

  return title_of (recipe, geometry, in_area, shown);
}

char *
odl_plan_item_words (const OdlRecipe *written, int item)
{
  OdlRecipe shared = *written;
  const int side = 1 << ODL_MAX_LEVELS;

  odl_recipe_share_transforms (&shared);
  g_autofree char *words
      = item_text (&shared.items[item], NULL,
                   odl_recipe_transform_around (&shared, item) >= 0, side, side);
  return g_strdup (g_strchug (words));
}
