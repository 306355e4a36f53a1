// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdbool.h>

#include "base/text.h"

#include "cli/json.h"
#include "cli/verb.h"
#include "image/annotation/scale.h"
#include "image/image.h"
#include "image/numbers.h"
#include "source/dicom/presentation.h"
#include "source/dicom/report_text.h"
#include "source/dicom/series.h"
#include "source/frame_reader.h"
#include "source/source.h"

// What `info` says about the windows that a file offers, and about regions of
// ultrasound.

// NULL: none.
static void
odl_info_write_windows (OdlJson *json, const OdlFileWindows *windows)
{
  if (windows == NULL)
    return;
  odl_json_begin_array (json, "windows");
  for (int i = 0; i < windows->n; i++) {
    const OdlFileWindow *item = &windows->items[i];
    odl_json_begin_object (json, NULL);
    odl_json_string (json, "name", item->name);
    if (item->curve != NULL) {
      odl_json_integer (json, "levels", item->curve->n);
      odl_json_number (json, "levels_first", item->first);
      odl_json_number (json, "levels_last", item->last);
    } else {
      odl_json_number (json, "centre", item->centre);
      odl_json_number (json, "width", item->width);
    }
    odl_json_end_object (json);
  }
  odl_json_end_array (json);
}

// Transfer full.
static char *
levels_text (const OdlFileWindow *item)
{
  g_autofree char *from
      = odl_number_to_text (item->curve != NULL ? item->first : item->centre);
  g_autofree char *to
      = odl_number_to_text (item->curve != NULL ? item->last : item->width);

  // Translators: grey levels that a file offers; two values follow.
  return item->curve != NULL ? g_strdup_printf (_ ("table for %s to %s"), from, to)
                             : g_strdup_printf (_ ("centre %s, width %s"), from, to);
}

static void
odl_info_print_windows (const OdlFileWindows *windows)
{
  for (int i = 0; windows != NULL && i < windows->n; i++) {
    const OdlFileWindow *item = &windows->items[i];
    g_autofree char *levels = levels_text (item);
    g_print ("%s %d: %s%s%s\n", _ ("window"), i + 1, levels,
             *item->name != '\0' ? ", " : "", item->name);
  }
}

// ---- regions -------------------------------------------------------------------------

static const char *const kind_names[ODL_N_REGION_KINDS] = {
  [ODL_REGION_OTHER] = "other",   [ODL_REGION_TISSUE] = "2d",
  [ODL_REGION_MOTION] = "m-mode", [ODL_REGION_SPECTRAL] = "spectral",
  [ODL_REGION_WAVE] = "wave",     [ODL_REGION_GRAPHICS] = "graphics",
};

static void
odl_info_write_regions (OdlJson *json, const OdlRegions *regions)
{
  static const char *const units[] = { "unit_x", "unit_y" };
  static const char *const deltas[] = { "delta_x", "delta_y" };

  if (regions == NULL)
    return;
  odl_json_begin_array (json, "regions");
  for (int i = 0; i < regions->n; i++) {
    const OdlRegion *region = &regions->items[i];
    odl_json_begin_object (json, NULL);
    odl_json_string (json, "kind", kind_names[region->kind]);
    odl_json_integer (json, "left", region->left);
    odl_json_integer (json, "top", region->top);
    odl_json_integer (json, "right", region->right);
    odl_json_integer (json, "bottom", region->bottom);
    for (int a = 0; a < 2; a++) {
      odl_json_string (json, units[a], odl_region_unit_name (region->unit[a]));
      odl_json_number (json, deltas[a], region->delta[a]);
    }
    if (region->has_reference) {
      odl_json_number (json, "reference_x", region->reference[0]);
      odl_json_number (json, "reference_y", region->reference[1]);
      odl_json_number (json, "reference_value_x", region->value[0]);
      odl_json_number (json, "reference_value_y", region->value[1]);
    }
    odl_json_end_object (json);
  }
  odl_json_end_array (json);
}

// "0.05 cm", or that it has no unit. Transfer full.
static char *
delta_text (const OdlRegion *region, int axis)
{
  g_autofree char *delta = odl_number_to_text (region->delta[axis]);

  return region->unit[axis] == ODL_REGION_NO_UNIT
             // Translators: of one axis of a region.
             ? g_strdup (_ ("no unit"))
             : g_strdup_printf ("%s %s", delta,
                                odl_region_unit_name (region->unit[axis]));
}

static void
odl_info_print_regions (const OdlRegions *regions)
{
  for (int i = 0; regions != NULL && i < regions->n; i++) {
    const OdlRegion *region = &regions->items[i];
    g_autofree char *x = delta_text (region, 0);
    g_autofree char *y = delta_text (region, 1);
    // Translators: the number of a region; its kind, first column and row, width and
    // height, what a pixel is along x and along y.
    g_print (_ ("region %d: %s, at %d,%d, %d×%d, a pixel is %s × %s\n"), i + 1,
             odl_region_kind_title (region->kind), region->left, region->top,
             region->right - region->left, region->bottom - region->top, x, y);
  }
}

// A line "label: text".
static void G_GNUC_PRINTF (2, 3)
    odl_info_print_line (const char *label, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_print ("%s: %s\n", label, text);
}

// What `info` says about a presentation state.

// Of pictures whose size is not known here; counts do not depend on it.
#define SIDE 1024

typedef struct {
  const char *name;
  const GPtrArray *pictures;
  const OdlPresentation *state;
  const OdlGraphics *graphics; // NULL: none
  const char *shutter; // its shapes; ""
  bool is_partial;
} State;

static const char *const functions[] = { "LINEAR", "LINEAR_EXACT", "SIGMOID" };

static int
count (const GArray *array)
{
  return array != NULL ? (int) array->len : 0;
}

// What all kinds say.
static void
write_json_of (OdlJson *json,
               const char *name,
               const GPtrArray *pictures,
               const OdlPresentation *one,
               bool applies)
{
  odl_json_string (json, "name", name);
  odl_json_string (json, "source", "presentation-state");
  odl_json_bool (json, "applies", applies);
  odl_json_string (json, "label", one->label);
  odl_json_string (json, "description", one->description);
  odl_json_string (json, "date", one->date);
  odl_json_strings (json, "pictures", (const char *const *) pictures->pdata,
                    pictures->len);
}

static void
print_text_of (const char *name, const GPtrArray *pictures, const OdlPresentation *one)
{
  g_print ("%s: %s\n", _ ("name"), name);
  g_print ("%s: %s\n", _ ("format"), _ ("DICOM, presentation state"));
  if (*one->label)
    g_print ("%s: %s\n", _ ("label"), one->label);
  if (*one->description)
    g_print ("%s: %s\n", _ ("description"), one->description);
  if (*one->date)
    g_print ("%s: %s\n", _ ("date"), one->date);
  for (guint i = 0; i < pictures->len; i++)
    g_print ("%s: %s\n", _ ("for the picture"), (char *) pictures->pdata[i]);
}

static void
state_write_json (const State *state)
{
  const OdlPresentation *one = state->state;
  OdlJson json;

  odl_json_init (&json);
  odl_json_begin_object (&json, NULL);
  write_json_of (&json, state->name, state->pictures, one, true);
  if (one->has_window && one->window.curve == NULL) {
    odl_json_number (&json, "window_centre", one->window.centre);
    odl_json_number (&json, "window_width", one->window.width);
    odl_json_string (&json, "window_function", functions[one->function]);
  }
  odl_json_integer (&json, "levels", one->window.curve ? one->window.curve->n : 0);
  odl_json_bool (&json, "inverse", one->inverse);
  odl_json_integer (&json, "turned", 90 * one->quarter_turns);
  odl_json_bool (&json, "flipped", one->flip);
  odl_json_begin_array (&json, "area");
  const int area[]
      = { one->left, one->top, one->right - one->left, one->bottom - one->top };
  for (gsize i = 0; i < G_N_ELEMENTS (area) && one->has_area; i++)
    odl_json_integer (&json, NULL, area[i]);
  odl_json_end_array (&json);
  odl_json_string (&json, "shutter", state->shutter);
  odl_json_integer (&json, "lines",
                    count (state->graphics ? state->graphics->lines : NULL));
  odl_json_integer (&json, "words",
                    count (state->graphics ? state->graphics->words : NULL));
  odl_json_bool (&json, "overlay", state->graphics && state->graphics->overlay);
  odl_json_bool (&json, "partial", state->is_partial);
  odl_json_end_object (&json);
  odl_json_print (&json);
}

static void
print_window (const OdlPresentation *one)
{
  g_autofree char *centre = odl_number_to_text (one->window.centre);
  g_autofree char *width = odl_number_to_text (one->window.width);

  if (one->window.curve != NULL)
    g_print ("%s: %s\n", _ ("shown"), _ ("by a table of grey levels"));
  else if (one->has_window && one->function == ODL_VOI_LINEAR)
    odl_info_print_line (_ ("window"), _ ("centre %s, width %s"), centre, width);
  else if (one->has_window)
    odl_info_print_line (_ ("window"), _ ("centre %s, width %s, function %s"), centre,
                         width, functions[one->function]);
}

static void
state_print_text (const State *state)
{
  const OdlPresentation *one = state->state;
  const int n_lines = count (state->graphics ? state->graphics->lines : NULL);
  const int n_words = count (state->graphics ? state->graphics->words : NULL);

  print_text_of (state->name, state->pictures, one);
  print_window (one);
  if (one->has_shape && one->inverse)
    g_print ("%s: %s\n", _ ("shown"), _ ("inverted: the smallest value is white"));
  if (one->quarter_turns > 0 || one->flip) {
    g_autofree char *turned
        = g_strdup_printf (_ ("turned by %d° clockwise"), 90 * one->quarter_turns);
    g_print ("%s: %s%s\n", _ ("shown"), turned,
             one->flip ? _ (", then left and right exchanged") : "");
  }
  if (one->has_area)
    g_print ("%s: %d,%d,%d,%d\n", _ ("part"), one->left, one->top, one->right - one->left,
             one->bottom - one->top);
  if (*state->shutter)
    g_print ("%s: %s\n", _ ("shutter"), state->shutter);
  if (n_lines + n_words > 0) {
    // Translators: how many of each.
    g_autofree char *drawn
        = g_strdup_printf (_ ("lines and shapes %d, texts %d"), n_lines, n_words);
    g_print ("%s: %s\n", _ ("drawn over it"), drawn);
  }
  if (state->is_partial)
    g_print ("%s: %s\n", _ ("warning"),
             _ ("it asks for more, which is not shown: such as masks, the true size or "
                "damaged drawings"));
}

// Of one that is not of grey levels: nothing of it can be applied.
static void
tell_of_other (const char *name,
               const char *header,
               const GPtrArray *pictures,
               bool as_json)
{
  g_autofree char *label = odl_presentation_value (header, "(0070,0080)");
  g_autofree char *description = odl_presentation_value (header, "(0070,0081)");
  g_autofree char *date = odl_presentation_value (header, "(0070,0082)");
  const OdlPresentation said
      = { .label = label, .description = description, .date = date };
  OdlJson json;

  if (as_json) {
    odl_json_init (&json);
    odl_json_begin_object (&json, NULL);
    write_json_of (&json, name, pictures, &said, false);
    odl_json_end_object (&json);
    odl_json_print (&json);
    return;
  }
  print_text_of (name, pictures, &said);
  g_print ("%s: %s\n", _ ("warning"),
           _ ("it is not one of grey levels (but of colours or blending, for instance), "
              "and cannot be applied"));
}

// ---- reports -------------------------------------------------------------------------

static void
write_report (const char *name, const OdlReport *report)
{
  g_auto (GStrv) lines = g_strsplit (g_strchomp (report->text), "\n", -1);
  OdlJson json;

  odl_json_init (&json);
  odl_json_begin_object (&json, NULL);
  odl_json_string (&json, "name", name);
  odl_json_string (&json, "source", report->is_keys ? "key-objects" : "report");
  odl_json_string (&json, "title", report->title);
  odl_json_string (&json, "date", report->date);
  odl_json_string (&json, "completion", report->completion);
  odl_json_string (&json, "verification", report->verification);
  odl_json_strings (&json, "pictures", (const char *const *) report->pictures->pdata,
                    report->pictures->len);
  odl_json_strings (&json, "text", (const char *const *) lines, g_strv_length (lines));
  odl_json_bool (&json, "partial", report->is_partial);
  odl_json_end_object (&json);
  odl_json_print (&json);
}

static void
print_report (const char *name, const OdlReport *report)
{
  g_print ("%s: %s\n", _ ("name"), name);
  g_print ("%s: %s\n", _ ("format"),
           report->is_keys ? _ ("DICOM, key object selection") : _ ("DICOM, report"));
  if (*report->date)
    g_print ("%s: %s\n", _ ("date"), report->date);
  if (*report->completion || *report->verification)
    g_print ("%s: %s %s\n", _ ("state"), report->completion, report->verification);
  g_print ("\n%s", report->text);
  if (report->is_partial)
    g_print ("%s: %s\n", _ ("warning"), _ ("it has more, which is not shown"));
}

// Who the patient is, and who has written it, is nobody's business.
static bool
tell_of_report (const char *path, bool as_json)
{
  g_autoptr (OdlReport) report
      = odl_report_is_file (path) ? odl_report_read (path, true, NULL, NULL) : NULL;
  g_autofree char *name = g_filename_display_basename (path);

  if (report == NULL)
    return false;
  if (as_json)
    write_report (name, report);
  else
    print_report (name, report);
  return true;
}

// False: the file is none, and nothing was printed.
static bool
odl_info_state (const char *path, bool as_json)
{
  if (tell_of_report (path, as_json))
    return true;
  g_autofree char *header = odl_presentation_read (path, NULL, NULL);
  g_autoptr (GPtrArray) pictures = header ? odl_presentation_pictures (header) : NULL;
  bool is_partial = false;

  if (pictures == NULL)
    return false;
  g_autofree char *name = g_filename_display_basename (path);
  if (!odl_presentation_applies (header)) {
    tell_of_other (name, header, pictures, as_json);
    return true;
  }
  if (pictures->len == 0)
    return false;
  g_autoptr (OdlPresentation) one
      = odl_presentation_parse (header, pictures->pdata[0], -1);
  if (one == NULL)
    return false;
  const int width = one->has_area ? MAX (one->right, 1) : SIDE;
  const int height = one->has_area ? MAX (one->bottom, 1) : SIDE;
  g_autoptr (OdlGraphics) graphics = odl_presentation_graphics (
      one, MIN (width, SIDE), MIN (height, SIDE), 1, &is_partial);
  g_autofree char *shutter = odl_presentation_value (header, "(0018,1600)");
  const State state
      = { name, pictures, one, graphics, shutter, is_partial || one->is_partial };
  if (as_json)
    state_write_json (&state);
  else
    state_print_text (&state);
  return true;
}

static const char *const function_names[] = {
  [ODL_VOI_LINEAR] = "LINEAR",
  [ODL_VOI_LINEAR_EXACT] = "LINEAR_EXACT",
  [ODL_VOI_SIGMOID] = "SIGMOID",
};

static void
write_levels (OdlJson *json, const OdlImageInfo *image)
{
  const OdlValueMap *map = &image->value_map;

  if (map->has_window)
    odl_json_string (json, "window_function", function_names[map->function]);
  if (map->curve != NULL) {
    odl_json_integer (json, "levels", map->curve->n);
    odl_json_number (json, "levels_first", map->curve_first);
    odl_json_number (json, "levels_last", map->curve_last);
  }
  odl_json_bool (json, "overlay", image->overlay != NULL);
  odl_json_bool (json, "shutter", image->shutter != NULL);
  odl_info_write_windows (json, image->windows);
}

static const char *const type_names[] = {
  [ODL_SAMPLE_U8] = "u8",
  [ODL_SAMPLE_U16] = "u16",
  [ODL_SAMPLE_S16] = "s16",
  [ODL_SAMPLE_F32] = "f32",
};

// The actual range of the samples of the first slice of a frame, in stored values.
typedef struct {
  double lowest;
  double highest;
} Extremes;

// Colours converted from luma and colour differences.
static Extremes
find_converted (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  const double range = info->stored_max - info->stored_min;
  const size_t width = (size_t) info->extent.x;
  g_autofree float *lines = g_new (float, 3 * width);
  float *rows[3] = { lines, lines + width, lines + 2 * width };
  Extremes found = { INFINITY, -INFINITY };

  for (int y = 0; y < info->extent.y; y++) {
    odl_image_rgb_row (image, y, rows);
    for (size_t x = 0; x < 3 * width; x++) {
      found.lowest = MIN (found.lowest, (double) lines[x]);
      found.highest = MAX (found.highest, (double) lines[x]);
    }
  }
  found.lowest = found.lowest * range + info->stored_min;
  found.highest = found.highest * range + info->stored_min;
  return found;
}

// As the file has them, less what is no number.
static Extremes
find_extremes (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  g_autofree double *row = g_new (double, info->extent.x);
  Extremes found = { INFINITY, -INFINITY };

  if (info->ycbcr.used)
    return find_converted (image);
  for (int c = 0; c < info->channels; c++)
    for (int y = 0; y < info->extent.y; y++) {
      odl_image_numbers_span (image, c, 0, info->extent.x, y, 0, row);
      for (int x = 0; x < info->extent.x; x++) {
        if (odl_number_is_missing (row[x]))
          continue;
        found.lowest = MIN (found.lowest, row[x]);
        found.highest = MAX (found.highest, row[x]);
      }
    }
  if (found.lowest > found.highest)
    return (Extremes){ info->stored_min, info->stored_max };
  return found;
}

static void
write_image (OdlJson *json, const OdlImageInfo *image, Extremes found)
{
  const OdlValueMap *map = &image->value_map;

  odl_json_begin_object (json, "image");
  odl_json_integer (json, "width", image->extent.x);
  odl_json_integer (json, "height", image->extent.y);
  odl_json_integer (json, "depth", image->extent.z);
  odl_json_integer (json, "time", image->extent.t);
  odl_json_integer (json, "channels", image->channels);
  odl_json_string (json, "type", type_names[image->type]);
  odl_json_number (json, "stored_min", image->stored_min);
  odl_json_number (json, "stored_max", image->stored_max);
  odl_json_number (json, "lowest", found.lowest);
  odl_json_number (json, "highest", found.highest);
  odl_json_number (json, "slope", map->slope);
  odl_json_number (json, "intercept", map->intercept);
  odl_json_string (json, "unit", map->unit);
  if (map->has_window) {
    odl_json_number (json, "window_centre", map->window_centre);
    odl_json_number (json, "window_width", map->window_width);
  }
  write_levels (json, image);
  odl_json_bool (json, "inverse", map->inverse);
  odl_json_begin_array (json, "spacing_mm");
  for (int i = 0; i < 3; i++)
    odl_json_number (json, NULL, image->spacing_mm[i]);
  odl_json_end_array (json);
  if (image->beams.array != ODL_BEAMS_NONE) {
    odl_json_begin_object (json, "beams");
    odl_json_string (json, "array", odl_beams_array_name (&image->beams));
    odl_json_string (json, "data", odl_beams_content_name (&image->beams));
    odl_json_number (json, "radius_mm", image->beams.radius_mm);
    odl_json_number (json, "first", image->beams.first);
    odl_json_number (json, "step", image->beams.step);
    odl_json_number (json, "steering", image->beams.steering);
    odl_json_number (json, "start_mm", image->beams.start_mm);
    odl_json_number (json, "sample_mm", image->beams.sample_mm);
    odl_json_end_object (json);
  }
  odl_json_number (json, "pixel_aspect", image->pixel_aspect);
  odl_json_number (json, "frame_interval_ms", image->frame_interval_ms);
  odl_info_write_regions (json, image->regions);
  odl_json_string (json, "mark", image->mark);
  odl_json_end_object (json);
}

// Who the patient is, is nobody's business in what is printed, mailed and kept.
static bool
is_told (const char *key)
{
  return !g_str_has_prefix (key, "patient-") && !g_str_equal (key, "person");
}

// The places and numbers of all slices are for programs.
static bool
is_printed (const char *key)
{
  return is_told (key) && !g_str_equal (key, "slice-places")
         && !g_str_equal (key, "instance-numbers");
}

static void
write_json (const OdlSource *source, const OdlImageInfo *image, Extremes found)
{
  const OdlSourceInfo *info = &source->info;
  OdlJson json;

  odl_json_init (&json);
  odl_json_begin_object (&json, NULL);
  odl_json_string (&json, "name", info->name);
  odl_json_string (&json, "location", info->location);
  odl_json_string (&json, "source", source->klass->name);
  odl_json_string (&json, "format", info->format);
  odl_json_integer (&json, "frames", info->n_frames);
  odl_json_bool (&json, "frames_at_most", info->at_most);
  odl_json_integer (&json, "declared_frames", info->declared_frames);
  odl_json_integer (&json, "slices", info->n_slices);
  odl_json_number (&json, "frame_rate", info->frame_rate);
  odl_json_string (&json, "timing", info->timing);
  odl_json_bool (&json, "live", info->live);
  odl_json_string (&json, "warning", info->warning);
  odl_json_begin_object (&json, "details");
  for (guint i = 0; info->details != NULL && i + 1 < info->details->len; i += 2)
    if (is_told (g_ptr_array_index (info->details, i)))
      odl_json_string (&json, g_ptr_array_index (info->details, i),
                       g_ptr_array_index (info->details, i + 1));
  odl_json_end_object (&json);
  write_image (&json, image, found);
  odl_json_end_object (&json);
  odl_json_print (&json);
}

static void
print_levels (const OdlImageInfo *image)
{
  const OdlValueMap *map = &image->value_map;

  if (map->curve != NULL) {
    g_autofree char *first = odl_number_to_text (map->curve_first);
    g_autofree char *last = odl_number_to_text (map->curve_last);
    odl_info_print_line (
        _ ("shown"), _ ("by a table in the file for the values %s to %s"), first, last);
  }
  if (map->has_window) {
    g_autofree char *centre = odl_number_to_text (map->window_centre);
    g_autofree char *width = odl_number_to_text (map->window_width);
    if (map->function == ODL_VOI_LINEAR)
      odl_info_print_line (_ ("window"), _ ("centre %s, width %s"), centre, width);
    else
      odl_info_print_line (_ ("window"), _ ("centre %s, width %s, function %s"), centre,
                           width, function_names[map->function]);
  }
  odl_info_print_windows (image->windows);
  if (image->shutter != NULL)
    odl_info_print_line (_ ("shown"), "%s", _ ("with the file's display shutter"));
  if (image->overlay != NULL)
    odl_info_print_line (_ ("shown"), "%s",
                         _ ("with the overlays that the file draws over it"));
}

static void
print_image (const OdlImageInfo *image, Extremes found, bool of_first)
{
  const OdlValueMap *map = &image->value_map;
  g_autofree char *low = odl_number_to_text (image->stored_min);
  g_autofree char *high = odl_number_to_text (image->stored_max);
  g_autofree char *lowest = odl_number_to_text (found.lowest);
  g_autofree char *highest = odl_number_to_text (found.highest);

  odl_info_print_line (_ ("size"), "%d×%d", image->extent.x, image->extent.y);
  odl_info_print_line (_ ("channels"), "%d", image->channels);
  // Translators: the type of the samples, the values that stand for black and white, and
  // the smallest and largest that there are.
  odl_info_print_line (_ ("samples"), _ ("%s, full scale %s to %s, found %s to %s"),
                       type_names[image->type], low, high, lowest, highest);
  if (of_first)
    odl_info_print_line (_ ("found in"), "%s",
                         _ ("the first frame or slice; the others were not looked at"));
  if (map->slope != 1 || map->intercept != 0 || *map->unit != '\0') {
    g_autofree char *slope = odl_number_to_text (map->slope);
    g_autofree char *intercept = odl_number_to_text (fabs (map->intercept));
    odl_info_print_line (_ ("value"), "%s × %s %s %s%s%s", slope, _ ("stored"),
                         map->intercept < 0 ? "−" : "+", intercept,
                         *map->unit != '\0' ? " " : "", map->unit);
  }
  print_levels (image);
  if (map->inverse)
    odl_info_print_line (_ ("shown"), "%s", _ ("inverted: the smallest value is white"));
  if (image->spacing_mm[0] > 0) {
    g_autofree char *x = odl_number_to_text (image->spacing_mm[0]);
    g_autofree char *y = odl_number_to_text (image->spacing_mm[1]);
    g_autofree char *z = odl_number_to_text (image->spacing_mm[2]);
    const OdlScale scale = odl_scale_of (image);
    const char *note = odl_scale_note (&scale);
    if (image->spacing_mm[2] > 0)
      odl_info_print_line (_ ("spacing"), "%s × %s × %s mm", x, y, z);
    else
      odl_info_print_line (_ ("spacing"), "%s × %s mm%s%s", x, y, note ? ", " : "",
                           note ? note : "");
  }
  if (image->beams.array != ODL_BEAMS_NONE) {
    g_autofree char *beams = odl_beams_to_text (&image->beams, image->extent.x);
    odl_info_print_line (_ ("beams"), "%s", beams);
  }
  odl_info_print_regions (image->regions);
  if (image->pixel_aspect != 1) {
    g_autofree char *aspect = odl_number_to_text (image->pixel_aspect);
    odl_info_print_line (_ ("pixel aspect"), "%s", aspect);
  }
  if (image->mark != NULL)
    odl_info_print_line (_ ("mark"), "%s", image->mark);
}

// The frame numbers as users type them; transfer full.
static char *
frame_numbers (const OdlSourceInfo *info)
{
  if (info->n_frames == 0)
    return g_strdup (_ ("from 1, how many is not known"));
  if (info->live)
    return g_strdup_printf (_ ("1 to %d and on"), info->n_frames);
  if (info->at_most)
    return g_strdup_printf (_ ("at most %d, from 1"), info->n_frames);
  return info->n_frames == 1 ? g_strdup ("1")
                             : g_strdup_printf (_ ("1 to %d"), info->n_frames);
}

// The frame that stays longest, if that is so long that playing seems to have stopped.
static void
print_pause (const OdlSourceInfo *info)
{
  const int64_t *times = info->frame_times_ns;
  int longest = 0;

  if (times == NULL)
    return;
  for (int i = 1; i < info->n_frames; i++)
    if (times[i + 1] - times[i] > times[longest + 1] - times[longest])
      longest = i;
  const double stays_s = (double) (times[longest + 1] - times[longest]) / 1e9;
  if (stays_s < ODL_PAUSE_S)
    return;
  g_autofree char *seconds = odl_number_to_text (stays_s);
  odl_info_print_line (_ ("longest pause"), _ ("%s s, at frame %d"), seconds,
                       longest + 1);
}

static void
print_text (const OdlSource *source, const OdlImageInfo *image, Extremes found)
{
  const OdlSourceInfo *info = &source->info;
  g_autofree char *lacks = odl_frame_reader_lacks_times (source);

  odl_info_print_line (_ ("name"), "%s", info->name);
  odl_info_print_line (_ ("format"), "%s (%s)", info->format, source->klass->name);
  if (info->n_slices > 0 && info->n_slices < info->n_frames)
    odl_info_print_line (_ ("volumes"), _ ("%d of %d slices"),
                         info->n_frames / info->n_slices, info->n_slices);
  else if (info->n_slices > 0)
    odl_info_print_line (_ ("volume"), _ ("%d slices"), info->n_slices);
  if (info->capture) {
    g_autofree char *rate = odl_number_to_text (info->frame_rate);
    odl_info_print_line (_ ("frames"), _ ("live, %s per second"), rate);
  } else if (info->frame_rate > 0) {
    g_autofree char *rate = odl_number_to_text (info->frame_rate);
    g_autofree char *numbers = frame_numbers (info);
    odl_info_print_line (_ ("frames"), _ ("%s; %s per second"), numbers, rate);
  } else if (info->n_frames > 1 || info->declared_frames > 1) {
    g_autofree char *numbers = frame_numbers (info);
    if (info->n_frames == info->declared_frames)
      odl_info_print_line (_ ("frames"), "%s", numbers);
    else
      odl_info_print_line (_ ("frames"), _ ("%s, of %d"), numbers, info->declared_frames);
  }
  print_pause (info);
  if (info->timing != NULL || lacks != NULL)
    odl_info_print_line (_ ("timing"), "%s", lacks != NULL ? lacks : info->timing);
  print_image (image, found, info->n_frames > 1);
  for (guint i = 0; info->details != NULL && i + 1 < info->details->len; i += 2)
    if (is_printed (g_ptr_array_index (info->details, i)))
      odl_info_print_line (g_ptr_array_index (info->details, i), "%s",
                           (const char *) g_ptr_array_index (info->details, i + 1));
  if (info->warning != NULL)
    odl_info_print_line (_ ("warning"), "%s", info->warning);
}

static int
info (int argc, char **argv)
{
  gboolean as_json = FALSE;
  g_autofree char *pages = NULL;
  g_auto (GStrv) inputs = NULL;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("Write JSON"), NULL },
    { "pages", 0, 0, G_OPTION_ARG_STRING, &pages,
      N_ ("The pages of a TIFF file: stack, sequence or first, a level of its pyramid "
          "(level=0: the whole), or both"),
      N_ ("WAY") },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &inputs, NULL, NULL },
    { NULL },
  };

  if (!odl_verb_parse (&odl_verb_info, entries, NULL, argc, argv))
    return ODL_EXIT_USAGE;
  if (inputs == NULL || g_strv_length (inputs) != 1) {
    odl_report_usage (_ ("Name one picture."));
    return ODL_EXIT_USAGE;
  }

  g_autoptr (GError) error = NULL;
  // Of a folder the series in it.
  g_autofree char *location
      = pages != NULL ? g_strconcat ("pages:", pages, ":", inputs[0], NULL)
        : g_file_test (inputs[0], G_FILE_TEST_IS_DIR) ? odl_series_location (inputs[0])
                                                      : g_strdup (inputs[0]);
  g_autoptr (OdlSource) source = odl_source_open (location, NULL, &error);
  g_autoptr (OdlImage) image
      = source != NULL ? odl_source_read_first (source, NULL, &error) : NULL;
  if (source == NULL && odl_info_state (location, as_json))
    return ODL_EXIT_DONE;
  if (image == NULL) {
    odl_report_error (inputs[0], error);
    return ODL_EXIT_FAILED;
  }
  const Extremes found = find_extremes (image);
  if (as_json)
    write_json (source, odl_image_info (image), found);
  else
    print_text (source, odl_image_info (image), found);
  return ODL_EXIT_DONE;
}

const OdlVerb odl_verb_info = {
  .name = "info",
  .arguments = N_ ("INPUT"),
  .summary = N_ ("Say what a picture holds and how its values are to be read."),
  .run = info,
};
