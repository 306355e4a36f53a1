// SPDX-License-Identifier: MIT
#include "image/display/display.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/parallel.h"
#include "image/display/arithmetic.h"
#include "image/display/line.h"

// Canvas rows per unit of work of a thread.
#define ROWS 32

// Likewise for transposed views: whole blocks are drawn top to bottom, to reuse the
// cache lines shared by adjacent columns.
#define TRANSPOSED_ROWS 96

typedef struct {
  int taps; // per side of a pixel
  bool smooth;
  bool transposed;
  int width, height; // of the canvas
  uint8_t *rgba;
} Target;

// The source of a range of canvas columns: a picture and its blocks of taps.
typedef struct {
  OdlDisplayPicture picture;
  int n_blocks;
  OdlDisplayTaps *blocks;
  int most_samples; // per block
} Part;

// A thread's cached lines of a block; adjacent canvas rows often need the same lines.
typedef struct {
  const OdlDisplayPicture *picture;
  const OdlDisplayTaps *across;
  const OdlDisplayScratch *scratch;
  OdlDisplayLine *lines; // two
} Lines;

// The line at row `index`, cached in entry `index` & 1 so that two neighbours fit.
static const OdlDisplayLine *
line_of (Lines *lines, int index)
{
  OdlDisplayLine *line = &lines->lines[index & 1];

  if (line->index != index) {
    line->index = index;
    odl_display_fill_line (lines->picture, lines->across, lines->scratch, line);
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

// One tap per pixel; interpolates between two lines if smooth. `count` levels.
static void
sample_single (Lines *lines, int y, int count, float *levels)
{
  OdlDisplayTap tap
      = odl_display_tap_at (&lines->picture->along, y, 0, 1, lines->across->smooth);

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

// Mean of each pixel's taps.
static void
sample_mean (Lines *lines, int y, int count, float *levels)
{
  int n = lines->across->taps;
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

ODL_ROW_LOOP
static void
store_greys (const float *level, int count, uint8_t *restrict rgba)
{
  for (int x = 0; x < count; x++) {
    const uint32_t grey = odl_display_byte (level[x]);
    const uint32_t pixel = GUINT32_TO_LE (grey | grey << 8 | grey << 16 | 0xff000000u);
    memcpy (rgba + 4 * x, &pixel, sizeof pixel);
  }
}

// All levels in one loop, then alpha in another, so that compilers vectorise both.
ODL_ROW_LOOP
static void
store_colours (const float *level, int count, uint8_t *restrict rgba)
{
  for (int i = 0; i < 4 * count; i++)
    rgba[i] = (uint8_t) odl_display_byte (level[i]);
  for (int x = 0; x < count; x++) {
    uint32_t pixel;
    memcpy (&pixel, rgba + 4 * x, sizeof pixel);
    pixel |= GUINT32_TO_LE (0xff000000u);
    memcpy (rgba + 4 * x, &pixel, sizeof pixel);
  }
}

// One tap per pixel, no interpolation.
static void
copy_pixels (Lines *lines, int y, uint8_t *rgba)
{
  const int count = lines->across->pixels;
  const OdlDisplayTap tap = odl_display_tap_at (&lines->picture->along, y, 0, 1, false);
  const uint32_t bare = GUINT32_TO_LE (ODL_CANVAS_LEVEL * 0x10101u | 0xff000000u);

  if (tap.first >= 0)
    memcpy (rgba, line_of (lines, tap.first)->pixel, count * sizeof bare);
  else
    for (int x = 0; x < count; x++)
      memcpy (rgba + 4 * x, &bare, sizeof bare);
}

static void
render_row (const Target *target, Lines *lines, int y)
{
  float levels[ODL_DISPLAY_COLOUR * ODL_DISPLAY_SPAN];
  const int pixels = lines->across->pixels;
  const bool colour = lines->picture->shown >= 3;
  const int count = colour ? ODL_DISPLAY_COLOUR * pixels : pixels;
  uint8_t *rgba = target->rgba + 4 * ((size_t) y * target->width + lines->across->x);

  if (odl_display_makes_pixels (lines->across)) {
    copy_pixels (lines, y, rgba);
    return;
  }
  if (target->taps == 1)
    sample_single (lines, y, count, levels);
  else
    sample_mean (lines, y, count, levels);
  if (colour)
    store_colours (levels, pixels, rgba);
  else
    store_greys (levels, pixels, rgba);
}

// Renders rows y … end_y − 1 of several blocks, row by row.
static void
render_blocks (const Target *target,
               const Part *part,
               const OdlDisplayScratch *scratch,
               int first_block,
               int end_block,
               int y,
               int end_y)
{
  const int n = end_block - first_block;
  g_autofree OdlDisplayLine *held = g_new (OdlDisplayLine, 2 * (size_t) n);

  for (int i = 0; i < 2 * n; i++)
    held[i].index = -1;
  for (; y < end_y; y++)
    for (int i = 0; i < n; i++) {
      Lines lines
          = { &part->picture, &part->blocks[first_block + i], scratch, held + 2 * i };
      render_row (target, &lines, y);
    }
}

static void
render_band (const Target *target, const Part *part, int y, int end_y)
{
  const int step = target->transposed ? 1 : part->n_blocks;

  if (part->n_blocks == 0)
    return;
  OdlDisplayScratch scratch
      = odl_display_scratch_new (&part->picture, part->most_samples);
  for (int block = 0; block < part->n_blocks; block += step)
    render_blocks (target, part, &scratch, block, block + step, y, end_y);
  odl_display_scratch_clear (&scratch);
}

// Columns from … to − 1 of the canvas.
static Part
part_of (const Target *target, const OdlDisplayPicture *picture, int from, int to)
{
  Part part = { .picture = *picture };

  part.n_blocks = (to - from + ODL_DISPLAY_SPAN - 1) / ODL_DISPLAY_SPAN;
  part.blocks = g_new0 (OdlDisplayTaps, part.n_blocks);
  for (int i = 0; i < part.n_blocks; i++) {
    const int x = from + i * ODL_DISPLAY_SPAN;
    OdlDisplayTaps *block = &part.blocks[i];
    block->taps = target->taps;
    block->smooth = target->smooth;
    odl_display_place_taps (block, &picture->across, x, MIN (x + ODL_DISPLAY_SPAN, to));
    part.most_samples = MAX (part.most_samples, block->count);
  }
  return part;
}

static void
clear_part (Part *part)
{
  for (int i = 0; i < part->n_blocks; i++)
    odl_display_clear_taps (&part->blocks[i]);
  g_clear_pointer (&part->blocks, g_free);
}

int
odl_display_taps (const double matrix[6])
{
  double across = fabs (matrix[0]) + fabs (matrix[3]);
  double down = fabs (matrix[1]) + fabs (matrix[4]);
  // An integral number of samples per pixel must not be rounded up.
  double taps = ceil (MAX (across, down) - 1e-6);

  return (int) CLAMP (taps, 1, ODL_DISPLAY_MOST_TAPS);
}

// The image; or its scaled samples, if the view is transposed and the image can only
// be read by rows.
static OdlImage *
readable_image (const OdlImage *image, const double matrix[6])
{
  const OdlImageInfo *info = odl_image_info (image);
  const bool transposed = matrix[0] == 0;

  if (transposed && (info->type != ODL_SAMPLE_F32 || info->ycbcr.used))
    return odl_image_to_scaled (image, NULL);
  return odl_image_ref ((OdlImage *) image);
}

static void
render_parts (const Target *target, const Part parts[], int n)
{
  const int rows = target->transposed ? TRANSPOSED_ROWS : ROWS;

  ODL_PARALLEL_FOR
  for (int band = 0; band < (target->height + rows - 1) / rows; band++) {
    const int y = band * rows, end_y = MIN (y + rows, target->height);

    for (int i = 0; i < n; i++)
      render_band (target, &parts[i], y, end_y);
  }
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
  Target target = { .taps = taps,
                    .smooth = scene->smooth && taps == 1,
                    .transposed = matrix[0] == 0,
                    .width = width,
                    .height = height,
                    .rgba = rgba };
  g_autoptr (OdlImage) scaled = readable_image (scene->scaled, matrix);
  g_autoptr (OdlImage) before
      = scene->original != NULL ? readable_image (scene->original, matrix) : NULL;
  if (scaled == NULL || (scene->original != NULL && before == NULL))
    return; // out of memory
  OdlDisplayPicture picture = odl_display_picture_of (scaled, &scene->display, matrix);
  OdlDisplayPicture original = picture;
  if (scene->original_view != NULL)
    odl_view_matrix (scene->original_view, width, height, matrix);
  if (before != NULL)
    original = odl_display_picture_of (before, &scene->original_display, matrix);
  picture.blue_first = original.blue_first = scene->blue_first;
  const int again = CLAMP (scene->again[0], wipe, width);
  const int end = wipe > 0 ? CLAMP (scene->again[1], again, width) : again;
  Part parts[]
      = { part_of (&target, &original, 0, wipe), part_of (&target, &picture, wipe, again),
          part_of (&target, &original, again, end),
          part_of (&target, &picture, end, width) };
  render_parts (&target, parts, G_N_ELEMENTS (parts));
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++)
    clear_part (&parts[i]);
}

void
odl_display_render_lens (const OdlDisplayScene *scene,
                         const OdlLens *lens,
                         int width,
                         int height,
                         uint8_t *rgba)
{
  const bool original = lens->original && scene->original != NULL;
  const size_t row = 4 * (size_t) lens->side;
  g_autofree uint8_t *square = g_malloc (row * (size_t) lens->side);
  const OdlDisplayScene one = {
    .scaled = original ? scene->original : scene->scaled,
    .display = original ? scene->original_display : scene->display,
    .blue_first = scene->blue_first,
  };
  OdlView view = lens->view;

  view.centre = odl_view_to_image (
      &lens->view, width, height,
      (OdlPoint){ lens->x + lens->side / 2.0, lens->y + lens->side / 2.0 });
  view.fit = false;
  odl_display_render_view (&one, &view, lens->side, lens->side, square);
  const int left = MAX (lens->x, 0), right = MIN (lens->x + lens->side, width);
  for (int y = MAX (lens->y, 0); y < MIN (lens->y + lens->side, height); y++)
    if (left < right)
      memcpy (rgba + 4 * ((size_t) y * (size_t) width + (size_t) left),
              square + (size_t) (y - lens->y) * row + 4 * (size_t) (left - lens->x),
              4 * (size_t) (right - left));
}
