// SPDX-License-Identifier: MIT
#include "image/display.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/parallel.h"
#include "image/display_arithmetic.h"
#include "image/display_line.h"

// Of a block, which holds ODL_DISPLAY_SPAN pixels of each: where taps lie along them is
// found once a block.
#define ROWS 96

typedef struct {
  int taps; // along each side of a pixel
  bool smooth;
  int width; // of the canvas
  uint8_t *rgba;
} Target;

typedef struct {
  int x, y, end_x, end_y;
} Block;

// The lines that a block holds: neighbouring rows of the canvas often need the same.
typedef struct {
  const OdlDisplayPicture *picture;
  OdlDisplayTaps across;
  OdlDisplayLine lines[2];
} Lines;

// The line at row `index` of the image, in place `index` & 1: two neighbours fit.
static const OdlDisplayLine *
line_of (Lines *lines, int index)
{
  OdlDisplayLine *line = &lines->lines[index & 1];

  if (line->index != index) {
    line->index = index;
    odl_display_fill_line (lines->picture, &lines->across, line);
  }
  return line;
}

static void
fill (float *levels, int count, float value)
{
  for (int i = 0; i < count; i++)
    levels[i] = value;
}

ODL_ROW_LOOP
static void
mix_lines (const float *first,
           const float *second,
           float t,
           int count,
           float *restrict levels)
{
  for (int i = 0; i < count; i++)
    levels[i] = odl_display_mix (first[i], second[i], t);
}

// One tap per pixel, between two lines when smooth, of a row of `count` levels.
static void
sample_single (Lines *lines, int y, int count, float *levels)
{
  OdlDisplayTap tap
      = odl_display_tap_at (&lines->picture->along, y, 0, 1, lines->across.smooth);

  if (tap.first < 0) {
    fill (levels, count, ODL_DISPLAY_CANVAS);
    return;
  }

  const float *first = line_of (lines, tap.first)->level;
  if (tap.second == tap.first)
    memcpy (levels, first, count * sizeof *levels);
  else
    mix_lines (first, line_of (lines, tap.second)->level, tap.mix, count, levels);
}

ODL_ROW_LOOP
static void
add_line (const float *line, int count, float *restrict levels)
{
  for (int i = 0; i < count; i++)
    levels[i] += line[i];
}

ODL_ROW_LOOP
static void
add_last_line (const float *line, float weight, int count, float *restrict levels)
{
  for (int i = 0; i < count; i++)
    levels[i] = (levels[i] + line[i]) * weight;
}

// The mean of the taps of each pixel.
static void
sample_mean (Lines *lines, int y, int count, float *levels)
{
  int n = lines->across.taps;
  float weight = (1.0f / n) * (1.0f / n);
  float outside[ODL_DISPLAY_COLOUR * ODL_DISPLAY_SPAN];

  for (int j = 0; j < n; j++) {
    OdlDisplayTap tap = odl_display_tap_at (&lines->picture->along, y, j, n, false);
    const float *line = outside;

    if (tap.first >= 0)
      line = line_of (lines, tap.first)->level;
    else
      fill (outside, count, n * ODL_DISPLAY_CANVAS);
    if (j == 0)
      memcpy (levels, line, count * sizeof *levels);
    else if (j < n - 1)
      add_line (line, count, levels);
    else
      add_last_line (line, weight, count, levels);
  }
}

static inline uint32_t
byte_of (float level)
{
  return (uint32_t) (int) (level * 255.0f + 0.5f);
}

ODL_ROW_LOOP
static void
store_greys (const float *level, int count, uint8_t *restrict rgba)
{
  for (int x = 0; x < count; x++) {
    const uint32_t grey = byte_of (level[x]);
    const uint32_t pixel = GUINT32_TO_LE (grey | grey << 8 | grey << 16 | 0xff000000u);
    memcpy (rgba + 4 * x, &pixel, sizeof pixel);
  }
}

// Every level by itself, and then the alpha of all: so do compilers turn it into vectors.
ODL_ROW_LOOP
static void
store_colours (const float *level, int count, uint8_t *restrict rgba)
{
  for (int i = 0; i < 4 * count; i++)
    rgba[i] = (uint8_t) byte_of (level[i]);
  for (int x = 0; x < count; x++) {
    uint32_t pixel;
    memcpy (&pixel, rgba + 4 * x, sizeof pixel);
    pixel |= GUINT32_TO_LE (0xff000000u);
    memcpy (rgba + 4 * x, &pixel, sizeof pixel);
  }
}

static void
render_block (const Target *target, const OdlDisplayPicture *picture, Block block)
{
  Lines lines; // most of it is filled when it is needed, and much never
  float levels[ODL_DISPLAY_COLOUR * ODL_DISPLAY_SPAN];
  const int n = target->taps, pixels = block.end_x - block.x;
  const bool colour = picture->channels >= 3;
  const int count = colour ? ODL_DISPLAY_COLOUR * pixels : pixels;

  lines.picture = picture;
  lines.across.taps = target->taps;
  lines.across.smooth = target->smooth;
  lines.lines[0].index = lines.lines[1].index = -1;
  odl_display_place_taps (&lines.across, &picture->across, block.x, block.end_x);
  const size_t samples = (size_t) lines.across.count + 1;
  g_autofree float *room
      = g_new (float, samples *(picture->channels + (colour ? ODL_DISPLAY_COLOUR : 0)));
  lines.across.samples = room;
  lines.across.colours = room + samples * picture->channels;

  for (int y = block.y; y < block.end_y; y++) {
    uint8_t *pixel = target->rgba + 4 * ((size_t) y * target->width + block.x);

    if (n == 1)
      sample_single (&lines, y, count, levels);
    else
      sample_mean (&lines, y, count, levels);
    if (colour)
      store_colours (levels, pixels, pixel);
    else
      store_greys (levels, pixels, pixel);
  }
}

static void
render_rows (const Target *target,
             const OdlDisplayPicture *picture,
             int y,
             int end_y,
             int from,
             int to)
{
  for (int x = from; x < to; x += ODL_DISPLAY_SPAN)
    render_block (target, picture,
                  (Block){ x, y, MIN (x + ODL_DISPLAY_SPAN, to), end_y });
}

int
odl_display_taps (const double matrix[6])
{
  double across = fabs (matrix[0]) + fabs (matrix[3]);
  double down = fabs (matrix[1]) + fabs (matrix[4]);
  // A whole number of samples per pixel must not round up.
  double taps = ceil (MAX (across, down) - 1e-6);

  return (int) CLAMP (taps, 1, ODL_DISPLAY_MOST_TAPS);
}

// The image, or its scaled samples where the canvas walks along its columns and rows are
// all that can be read of it.
static OdlImage *
walkable (const OdlImage *image, const double matrix[6])
{
  const OdlImageInfo *info = odl_image_info (image);
  const bool lies = matrix[0] == 0;

  if (lies && (info->type != ODL_SAMPLE_F32 || info->ycbcr.used))
    return odl_image_to_scaled (image, NULL);
  return odl_image_ref ((OdlImage *) image);
}

void
odl_display_render_view (const OdlDisplayScene *scene,
                         const OdlView *view,
                         int width,
                         int height,
                         uint8_t *rgba)
{
  double matrix[6];
  int wipe = scene->original != NULL ? CLAMP (scene->wipe_x, 0, width) : 0;

  odl_view_matrix (view, width, height, matrix);
  int taps = odl_display_taps (matrix);
  Target target = {
    .taps = taps, .smooth = scene->smooth && taps == 1, .width = width, .rgba = rgba
  };
  g_autoptr (OdlImage) scaled = walkable (scene->scaled, matrix);
  g_autoptr (OdlImage) before
      = scene->original != NULL ? walkable (scene->original, matrix) : NULL;
  if (scaled == NULL || (scene->original != NULL && before == NULL))
    return; // no memory
  OdlDisplayPicture picture = odl_display_picture_of (scaled, &scene->display, matrix);
  OdlDisplayPicture original = picture;
  if (before != NULL)
    original = odl_display_picture_of (before, &scene->original_display, matrix);
  picture.blue_first = original.blue_first = scene->blue_first;

  ODL_PARALLEL_FOR
  for (int band = 0; band < (height + ROWS - 1) / ROWS; band++) {
    int y = band * ROWS, end_y = MIN (y + ROWS, height);

    render_rows (&target, &original, y, end_y, 0, wipe);
    render_rows (&target, &picture, y, end_y, wipe, width);
  }
}
