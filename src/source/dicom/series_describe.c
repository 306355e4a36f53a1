// SPDX-License-Identifier: MIT
// What a stack of pictures says of itself, besides what its first picture does.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "image/volume/directions.h"
#include "source/dicom/series_slice.h"
#include "source/helper/client.h"
#include "source/source_file.h"

static const char *
order_of (const GPtrArray *stack, const OdlSeriesSpace *space)
{
  const OdlSeriesSlice *first = g_ptr_array_index (stack, 0);

  return space->volumes > 1       ? "volume"
         : first->has_place       ? "place"
         : !isnan (first->number) ? "number"
                                  : "time";
}

// What was measured on a stack belongs to these pictures in this order, to no single one.
static char *
identify (const GPtrArray *stack)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    const char *name = *slice->instance != '\0' ? slice->instance : slice->path;
    g_checksum_update (sum, (const guchar *) name, (gssize) strlen (name) + 1);
  }
  return g_strconcat (ODL_SERIES_PREFIX, g_checksum_get_string (sum), NULL);
}

static void
set_detail (OdlSource *source, const char *key, const char *value)
{
  GPtrArray *details = source->info.details;

  for (guint i = 0; details != NULL && i + 1 < details->len; i += 2)
    if (strcmp (g_ptr_array_index (details, i), key) == 0) {
      g_free (g_ptr_array_index (details, i + 1));
      g_ptr_array_index (details, i + 1) = g_strdup (value);
      return;
    }
  odl_source_add_detail (source, key, "%s", value);
}

static void
set_numbers (OdlSource *source, const char *key, const double *numbers, int n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < n; i++) {
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd (digits, sizeof digits, "%.12g", numbers[i]);
    g_string_append_printf (text, "%s%s", i > 0 ? "\\" : "", digits);
  }
  set_detail (source, key, text->str);
}

// Where its first voxel and the axes lie, whichever picture could be read first.
static void
describe_volume (OdlSource *source, const GPtrArray *stack, const OdlSeriesSpace *space)
{
  const OdlSeriesSlice *first = g_ptr_array_index (stack, 0);
  char letters[4];

  odl_directions_of_slices (first->direction, space->stack.step_mm, letters);
  set_detail (source, "orientation", letters);
  odl_decoded_source_set_slices (source, (int) stack->len / space->volumes,
                                 space->stack.spacing_mm);
  set_numbers (source, "image-position", first->place, 3);
  set_numbers (source, "image-orientation", first->direction, 6);
  set_numbers (source, "slice-step", space->stack.step_mm, 3);
  if (space->interval_s > 0)
    set_numbers (source, "volume-interval-s", &space->interval_s, 1);
  if (space->stack.tilt_degrees > 0)
    set_numbers (source, "gantry-tilt", &space->stack.tilt_degrees, 1);
}

// Of each picture along the normal, in mm; they need not be equally far apart.
static void
describe_places (OdlSource *source, const GPtrArray *stack)
{
  const OdlSeriesSlice *first = g_ptr_array_index (stack, 0);
  g_autofree double *places = g_new (double, stack->len);

  if (!first->has_place)
    return;
  for (guint i = 0; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    places[i] = slice->along * ODL_SERIES_SAME_PLACE;
  }
  set_numbers (source, "slice-places", places, (int) stack->len);
}

// Instance numbers as the files have them, between backslashes; empty where there is
// none.
static void
describe_numbers (OdlSource *source, const GPtrArray *stack)
{
  g_autoptr (GString) text = g_string_new (NULL);
  bool any = false;

  for (guint i = 0; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    const bool has_one = *slice->path != '\0' && !isnan (slice->number);
    char digits[G_ASCII_DTOSTR_BUF_SIZE] = "";
    if (has_one)
      g_ascii_formatd (digits, sizeof digits, "%.0f", slice->number);
    any = any || has_one;
    g_string_append_printf (text, "%s%s", i > 0 ? "\\" : "", digits);
  }
  if (any)
    set_detail (source, "instance-numbers", text->str);
}

void
odl_series_describe (OdlSource *source,
                     const GPtrArray *stack,
                     const OdlSeriesSlice *chosen,
                     const OdlSeriesLeftOut *left_out,
                     const OdlSeriesSpace *space,
                     const char *path)
{
  OdlSourceInfo *info = &source->info;
  g_autofree char *before = g_steal_pointer (&info->warning);
  g_autofree char *format = g_steal_pointer (&info->format);
  g_autofree char *name = odl_source_file_display_name (path);
  g_autofree char *identity = identify (stack);
  guint start = 0;

  info->warning = odl_series_words (stack, left_out, space, before);
  info->format = g_strdup_printf (ngettext ("series of %d picture, %s",
                                            "series of %d pictures, %s",
                                            stack->len - (guint) space->missing),
                                  (int) stack->len - space->missing, format);
  g_free (info->name);
  info->name = g_strdup_printf (_ ("Series of %s"), name);
  info->is_stack = true;
  if (!g_file_test (path, G_FILE_TEST_IS_DIR)
      && g_ptr_array_find ((GPtrArray *) stack, chosen, &start))
    info->start = (int) start;
  for (guint i = 0; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    if (slice->lossy)
      set_detail (source, "lossy", "yes");
    if (g_str_has_prefix (slice->type, "DERIVED"))
      set_detail (source, "image-type", slice->type);
    // Of pictures of both sides none is that of all.
    if (strcmp (slice->laterality, chosen->laterality) != 0)
      set_detail (source, "laterality", "");
    if (strcmp (slice->sides, chosen->sides) != 0)
      set_detail (source, "sides", "");
    if (strcmp (slice->frame_of_reference, chosen->frame_of_reference) != 0)
      set_detail (source, "frame-of-reference", "");
  }
  describe_places (source, stack);
  describe_numbers (source, stack);
  set_detail (source, "sop-instance", identity);
  set_detail (source, "series-order", order_of (stack, space));
  if (space->stack.flaw == ODL_STACK_REGULAR && !space->unlike_pixels)
    describe_volume (source, stack, space);
}
