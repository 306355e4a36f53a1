// SPDX-License-Identifier: MIT
#include "image/display/display.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/parallel.h"
#include "image/display/arithmetic.h"

// The steepest gain, per stored step: acts as a threshold, with a margin for single
// precision on 16-bit data.
#define STEEPEST 48.0

// Resolution of thresholds on float data.
#define FLOAT_STEPS 65536.0

static bool
is_window (double centre, double width)
{
  return isfinite (centre) && isfinite (width) && width > 0;
}

// Whether the window is x = c ± w/2 (PS3.3 C.11.2.1.3.2) instead of c − 0.5 ± (w −
// 1)/2.
static bool
is_exact (const OdlImageInfo *info, double width)
{
  return width < 1 || info->channels >= 3 || info->type == ODL_SAMPLE_F32
         || info->value_map.function == ODL_VOI_LINEAR_EXACT;
}

// The description with the window of the file that was chosen as its own.
static OdlImageInfo
with_choice (const OdlImageInfo *info, const OdlWindow *window)
{
  OdlImageInfo chosen = *info;

  if (window->mode == ODL_WINDOW_FILE && window->choice > 0)
    chosen.value_map
        = odl_file_windows_choose (info->windows, &info->value_map, window->choice);
  if (window->mode == ODL_WINDOW_TABLE) {
    chosen.value_map.curve = window->table;
    chosen.value_map.curve_first = window->table_first;
    chosen.value_map.curve_last = window->table_last;
  }
  return chosen;
}

static bool
uses_curve (const OdlImageInfo *info, const OdlWindow *window)
{
  return (window->mode == ODL_WINDOW_FILE || window->mode == ODL_WINDOW_TABLE)
         && info->value_map.curve != NULL;
}

bool
odl_display_uses_curve (const OdlImageInfo *info, const OdlWindow *window)
{
  const OdlImageInfo chosen = with_choice (info, window);

  return uses_curve (&chosen, window);
}

// The window to apply; false for the full range.
static bool
chosen_window (const OdlImageInfo *info,
               const OdlWindow *window,
               double *centre,
               double *width)
{
  const OdlValueMap *map = &info->value_map;

  if (window->mode == ODL_WINDOW_CUSTOM && is_window (window->centre, window->width)) {
    *centre = window->centre;
    *width = window->width;
    return true;
  }
  if (window->mode == ODL_WINDOW_FILE && map->has_window
      && is_window (map->window_centre, map->window_width)) {
    *centre = map->window_centre;
    *width = map->window_width;
    return true;
  }
  return false;
}

void
odl_display_window (const OdlImageInfo *described,
                    const OdlWindow *window,
                    double *centre,
                    double *width)
{
  const OdlImageInfo chosen = with_choice (described, window), *info = &chosen;
  const OdlValueMap *map = &info->value_map;

  if (uses_curve (info, window)) {
    const double span = map->curve_last - map->curve_first;
    odl_curve_fit (map->curve, centre, width);
    *centre = map->curve_first + span * *centre;
    *width *= span;
    return;
  }
  if (chosen_window (info, window, centre, width))
    return;

  double lowest = map->slope * info->stored_min + map->intercept;
  double highest = map->slope * info->stored_max + map->intercept;

  *centre = 0.5 * (lowest + highest);
  *width = fabs (highest - lowest);
  // Convert to the convention of the linear window function.
  if (!is_exact (info, *width + 1)) {
    *centre += 0.5;
    *width += 1;
  }
}

void
odl_display_ends (const OdlImageInfo *info,
                  const OdlWindow *window,
                  double *black,
                  double *white)
{
  const OdlImageInfo chosen = with_choice (info, window);
  double centre, width;
  const bool bends = uses_curve (&chosen, window)
                     || (chosen.value_map.function == ODL_VOI_SIGMOID
                         && chosen_window (&chosen, window, &centre, &width));

  odl_display_window (info, window, &centre, &width);
  *black = centre - width / 2;
  *white = centre + width / 2 - (bends || is_exact (&chosen, width) ? 0 : 1);
}

// Luma weights of the video, else BT.601, as in the filters on luma.
static void
set_luma (OdlDisplay *display, const OdlYcbcr *ycbcr)
{
  const double kr = ycbcr->used ? ycbcr->kr : 0.299;
  const double kb = ycbcr->used ? ycbcr->kb : 0.114;

  display->luma[0] = (float) kr;
  display->luma[1] = (float) (1 - kr - kb);
  display->luma[2] = (float) kb;
}

// The displayed value range: value = black gives 0, black + ramp gives 1.
typedef struct {
  double black, ramp;
  const OdlCurve *curve; // between them
} Ramp;

// False for the full range.
static bool
choose_ramp (const OdlImageInfo *info, const OdlWindow *window, Ramp *ramp)
{
  const OdlValueMap *map = &info->value_map;
  double centre, width;

  if (uses_curve (info, window)) {
    *ramp = (Ramp){ map->curve_first, map->curve_last - map->curve_first, map->curve };
    return true;
  }
  if (!chosen_window (info, window, &centre, &width))
    return false;
  if (map->function == ODL_VOI_SIGMOID)
    *ramp = (Ramp){ centre - 0.5 * ODL_SIGMOID_WIDTHS * width, ODL_SIGMOID_WIDTHS * width,
                    odl_curve_sigmoid () };
  else if (is_exact (info, width))
    *ramp = (Ramp){ centre - 0.5 * width, width, NULL };
  else
    *ramp = (Ramp){ centre - 0.5 - 0.5 * (width - 1), width - 1, NULL };
  return true;
}

// Whether the file's table falls; a window that replaces it must then invert.
static bool
is_falling (const OdlImageInfo *info, const OdlWindow *window)
{
  double centre, width;

  return window->mode == ODL_WINDOW_CUSTOM && info->value_map.curve != NULL
         && odl_curve_fit (info->value_map.curve, &centre, &width);
}

// Of a residual there is one level.
static int
told_gain (const OdlDetails *details,
           const OdlDetailReach *reach,
           int level,
           double steep)
{
  if (details->directions != 0)
    return 2
           * odl_detail_gain (reach, details->alone > 0 ? details->alone : level, steep);
  if (!odl_details_are_residual (details))
    return odl_detail_gain (reach, level, steep);
  return details->alone > 0 && reach->levels > 0 ? MAX (
             odl_detail_gain (reach, MIN (details->alone, reach->levels), steep) / 2, 1)
                                                 : ODL_RESIDUAL_GAIN;
}

OdlDisplay
odl_display_make (const OdlImageInfo *described,
                  const OdlWindow *window,
                  OdlDetails details)
{
  const OdlImageInfo chosen = with_choice (described, window), *info = &chosen;
  const OdlValueMap *map = &info->value_map;
  double range = info->stored_max - info->stored_min;
  double gain = map->slope < 0 ? -1 : 1;
  double offset = map->slope < 0 ? 1 : 0;
  double steepness = gain;
  Ramp ramp = { 0 };

  if (choose_ramp (info, window, &ramp)) {
    double step = info->type == ODL_SAMPLE_F32 ? range / FLOAT_STEPS : 1;
    double steepest = STEEPEST / (fabs (map->slope) * step);
    bool is_threshold = ramp.ramp * steepest <= 1;
    double slope = is_threshold ? steepest : 1 / ramp.ramp;

    gain = steepness = map->slope * range * slope;
    offset = (map->slope * info->stored_min + map->intercept - ramp.black) * slope;
    // Values equal to the threshold stay black regardless of rounding.
    if (is_threshold && ramp.curve == NULL)
      offset -= 1;
    // The slope of the sigmoid at its centre equals that of the linear window.
    if (ramp.curve == odl_curve_sigmoid ())
      steepness *= ODL_SIGMOID_WIDTHS;
  }

  OdlDisplay display = {
    .gain = (float) gain,
    .offset = (float) offset,
    .invert = (window->invert != map->inverse) != is_falling (info, window),
    .details = details,
    .curve = ramp.curve,
    .overlay = window->hide_overlay || details.levels > 0 ? NULL : info->overlay,
    .overlay_level = window->invert ? 0 : 1,
    .map = info->channels < 3 ? window->map : NULL,
    .shutter = window->hide_overlay || details.levels > 0 ? NULL : info->shutter,
    .shutter_level = (float) info->shutter_level,
  };
  for (int i = 0; i < MIN (details.levels, ODL_DETAIL_LEVELS); i++) {
    display.told[i] = told_gain (&details, &window->reach, 1 + i, fabs (steepness));
    display.detail_gains[i] = (float) (display.told[i] * fabs (steepness));
  }
  set_luma (&display, &info->ycbcr);
  return display;
}

static const OdlOverlay *
fitting (const OdlOverlay *overlay, int width, int height)
{
  return overlay != NULL && overlay->width == width && overlay->height == height ? overlay
                                                                                 : NULL;
}

const OdlOverlay *
odl_display_overlay (const OdlDisplay *display, int width, int height)
{
  return fitting (display->overlay, width, height);
}

const OdlOverlay *
odl_display_shutter (const OdlDisplay *display, int width, int height)
{
  return fitting (display->shutter, width, height);
}

// Of row `y` of a picture of that size.
static OdlDisplayRuns
runs_of (const OdlDisplay *display, int y, int width, int height)
{
  const OdlDetails *details = &display->details;
  const OdlDisplayBands across = odl_display_bands (details, details->width, width);
  const OdlDisplayBands along = odl_display_bands (details, details->height, height);

  return odl_display_runs (&across, &along, y, 0, width);
}

static inline float
float_at (const char *samples, size_t offset)
{
  float sample;

  memcpy (&sample, samples + offset, sizeof sample);
  return sample;
}

// odl_image_scaled_row for float samples without its handling of NaN and infinity (the
// display clamps anyway), written so that compilers vectorise it.
static void
fetch_row (const OdlImage *scaled, int channel, int y, int z, int t, float *row)
{
  const OdlImageInfo *info = odl_image_info (scaled);
  const OdlPlane *plane = &info->planes[channel];
  size_t stride = plane->sample_stride_bytes;
  float minimum = (float) info->stored_min;
  float factor = (float) (1 / (info->stored_max - info->stored_min));
  int width = info->extent.x;

  if (info->type != ODL_SAMPLE_F32 || info->ycbcr.used) {
    odl_image_scaled_row (scaled, channel, y, z, t, row);
    return;
  }

  const char *samples = (const char *) plane->data + y * plane->row_stride_bytes
                        + z * plane->slice_stride_bytes + t * plane->frame_stride_bytes;
  if (stride == sizeof (float))
    for (int x = 0; x < width; x++)
      row[x] = (float_at (samples, x * sizeof (float)) - minimum) * factor;
  else
    for (int x = 0; x < width; x++)
      row[x] = (float_at (samples, x * stride) - minimum) * factor;
}

// Displays row `y` of all channels. `rows` has extent.x floats for each that is shown.
static void
show_rows (const OdlImage *scaled,
           const OdlDisplay *display,
           int y,
           int z,
           int t,
           float *rows)
{
  const OdlImageInfo *info = odl_image_info (scaled);
  const int width = info->extent.x;
  const OdlDisplayRuns runs = runs_of (display, y, width, info->extent.y);
  OdlDisplay each = *display;

  each.invert = display->invert && info->channels < 3;
  for (int c = 0; c < info->channels; c++) {
    float *row = rows + (size_t) c * width;
    fetch_row (scaled, c, y, z, t, row);
    if (c < 3)
      odl_display_show (&each, row, &runs);
    else
      for (int x = 0; x < width; x++)
        row[x] = odl_display_clamp (row[x]);
  }
  if (info->channels == 1 && display->map != NULL)
    odl_display_map (display->map, rows, rows + width, rows + 2 * (size_t) width,
                     runs.picture, width);
  if (display->invert && info->channels >= 3)
    odl_display_invert_luma (display, rows, rows + width, rows + 2 * (size_t) width,
                             runs.picture);
}

static int
shown_channels (const OdlImage *scaled, const OdlDisplay *display)
{
  const int channels = odl_image_info (scaled)->channels;

  return channels == 1 && display->map != NULL ? 3 : channels;
}

static void
draw_overlay (const OdlOverlay *overlay, float level, int y, int channels, float *rows)
{
  const int width = overlay->width;

  for (int x = 0; x < width; x++)
    if (odl_overlay_has (overlay, x, y))
      for (int c = 0; c < channels; c++)
        rows[(size_t) c * width + x] = c < 3 ? level : 1;
}

// Interleaves the channels of one row as integers. Three channels have their own loop,
// which compilers vectorise.
#define DEFINE_STORE(type, white) \
  ODL_ROW_LOOP static void store_threes_##type (type *restrict out, const float *rows, \
                                                int width) \
  { \
    const float *red = rows, *green = rows + width, *blue = green + width; \
    for (int x = 0; x < width; x++) { \
      out[3 * x] = (type) (int) (red[x] * (white) + 0.5f); \
      out[3 * x + 1] = (type) (int) (green[x] * (white) + 0.5f); \
      out[3 * x + 2] = (type) (int) (blue[x] * (white) + 0.5f); \
    } \
  } \
\
  ODL_ROW_LOOP static void store_plane_##type (type *restrict out, const float *row, \
                                               int width) \
  { \
    for (int x = 0; x < width; x++) \
      out[x] = (type) (int) (row[x] * (white) + 0.5f); \
  } \
\
  static void store_row_##type (type *out, const float *rows, int width, int channels) \
  { \
    if (channels == 1) \
      store_plane_##type (out, rows, width); \
    else if (channels == 3) \
      store_threes_##type (out, rows, width); \
    else \
      for (int c = 0; c < channels; c++) \
        for (int x = 0; x < width; x++) \
          out[(size_t) x * channels + c] \
              = (type) (int) (rows[(size_t) c * width + x] * (white) + 0.5f); \
  }

DEFINE_STORE (uint8_t, 255.0f)
DEFINE_STORE (uint16_t, 65535.0f)

// Rows are numbered through all slices and frames.
static void
render_rows (const OdlImage *scaled,
             const OdlDisplay *display,
             int bits,
             int64_t first,
             int64_t count,
             void *samples)
{
  const OdlImageInfo *info = odl_image_info (scaled);
  const OdlExtent n = info->extent;
  const OdlOverlay *overlay = odl_display_overlay (display, n.x, n.y);
  const int channels = shown_channels (scaled, display);
  const OdlOverlay *shutter = odl_display_shutter (display, n.x, n.y);

  ODL_PARALLEL_FOR
  for (int64_t i = first; i < first + count; i++) {
    int y = (int) (i % n.y);
    int z = (int) (i / n.y % n.z);
    int t = (int) (i / n.y / n.z);
    g_autofree float *rows = g_new (float, (size_t) n.x *channels);
    size_t place = (size_t) (i - first) * n.x * channels;

    show_rows (scaled, display, y, z, t, rows);
    if (shutter != NULL)
      draw_overlay (shutter, display->shutter_level, y, info->channels, rows);
    if (overlay != NULL)
      draw_overlay (overlay, display->overlay_level, y, channels, rows);
    if (bits == 8)
      store_row_uint8_t ((uint8_t *) samples + place, rows, n.x, channels);
    else
      store_row_uint16_t ((uint16_t *) samples + place, rows, n.x, channels);
  }
}

void
odl_display_render_rows (const OdlImage *scaled,
                         const OdlDisplay *display,
                         int bits,
                         int first,
                         int count,
                         void *samples)
{
  g_return_if_fail (bits == 8 || bits == 16);
  g_return_if_fail (first >= 0 && count >= 0
                    && first + count <= odl_image_info (scaled)->extent.y);

  render_rows (scaled, display, bits, first, count, samples);
}

OdlImageInfo
odl_display_rendered (const OdlImage *scaled, const OdlDisplay *display, int bits)
{
  const OdlImageInfo *from = odl_image_info (scaled);

  return (OdlImageInfo){
    .extent = from->extent,
    .channels = shown_channels (scaled, display),
    .type = bits == 8 ? ODL_SAMPLE_U8 : ODL_SAMPLE_U16,
    .spacing_mm = { from->spacing_mm[0], from->spacing_mm[1], from->spacing_mm[2] },
    .spacing_place = from->spacing_place,
    .frame_interval_ms = from->frame_interval_ms,
    .pixel_aspect = from->pixel_aspect,
    .pts_ns = from->pts_ns,
    .mark = from->mark,
  };
}

OdlImage *
odl_display_render (const OdlImage *scaled,
                    const OdlDisplay *display,
                    int bits,
                    GError **error)
{
  g_return_val_if_fail (bits == 8 || bits == 16, NULL);

  const OdlImageInfo info = odl_display_rendered (scaled, display, bits);
  const OdlExtent n = info.extent;
  void *samples;
  OdlImage *image = odl_image_alloc (&info, &samples, error);

  if (image != NULL)
    render_rows (scaled, display, bits, 0, (int64_t) n.y * n.z * n.t, samples);
  return image;
}
