// SPDX-License-Identifier: MIT
#include "image/display.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "image/display_arithmetic.h"

#define MOST_TAPS 8
#define CANVAS (ODL_CANVAS_LEVEL / 255.0f)

// Canvas pixels and rows of one block: its lines of taps stay in the first cache.
#define SPAN 128
#define ROWS 32

// Quarter turns never mix the axes: each canvas axis walks along one axis of the image.
// `across` belongs to the canvas' x, `along` to its y.
typedef struct {
  float scale, offset; // image = scale · canvas + offset
  int length; // samples
  int approximation; // beyond it lie details
  size_t strides[ODL_IMAGE_MAX_CHANNELS]; // bytes
} Axis;

typedef struct {
  const OdlDisplay *display;
  const OdlPlane *planes;
  int channels;
  float minimum, factor; // scaled = (sample − minimum) · factor
  Axis across, along;
} Picture;

typedef struct {
  int taps; // along each side of a pixel
  bool smooth;
  int width; // of the canvas
  uint8_t *rgba;
} Target;

typedef struct {
  int x, y, end_x, end_y;
} Block;

// Where one tap meets an axis of the image: between two samples.
typedef struct {
  int first; // −1: outside
  int second;
  float mix; // weight of the second
} Tap;

// Shown levels of the taps of a block along one row of the image.
typedef struct {
  int index; // −1: none
  float level[3][SPAN * MOST_TAPS];
} Line;

static Picture
picture_of (const OdlImage *image, const OdlDisplay *display, const double matrix[6])
{
  const OdlImageInfo *info = odl_image_info (image);
  bool lies = matrix[0] == 0;
  Picture picture = {
    .display = display,
    .planes = info->planes,
    .channels = info->channels,
    .minimum = (float) info->stored_min,
    .factor = (float) (1 / (info->stored_max - info->stored_min)),
  };
  Axis x = { (float) matrix[lies ? 1 : 0],
             (float) matrix[2],
             info->extent.x,
             display->approx_width > 0 ? display->approx_width : G_MAXINT,
             { 0 } };
  Axis y = { (float) matrix[lies ? 3 : 4],
             (float) matrix[5],
             info->extent.y,
             display->approx_width > 0 ? display->approx_height : G_MAXINT,
             { 0 } };

  for (int c = 0; c < info->channels; c++) {
    x.strides[c] = info->planes[c].sample_stride_bytes;
    y.strides[c] = info->planes[c].row_stride_bytes;
  }
  picture.across = lies ? y : x;
  picture.along = lies ? x : y;
  return picture;
}

// Tap `i` of `n` in canvas pixel `pixel`.
static inline Tap
tap_at (const Axis *axis, int pixel, int i, int n, bool smooth)
{
  float at = axis->scale * (pixel + (i + 0.5f) / n) + axis->offset;

  if (!(at >= 0 && at < axis->length))
    return (Tap){ -1, -1, 0 };
  if (!smooth)
    return (Tap){ (int) at, (int) at, 0 };

  float left = floorf (at - 0.5f);
  return (Tap){ MAX ((int) left, 0), MIN ((int) left + 1, axis->length - 1),
                at - 0.5f - left };
}

static inline float
scaled_at (const Picture *picture, const char *sample)
{
  float stored;

  memcpy (&stored, sample, sizeof stored);
  return (stored - picture->minimum) * picture->factor;
}

static inline float
mix (float a, float b, float t)
{
  return a * (1.0f - t) + b * t;
}

// The display of sample `index` of a row that starts at rows[…], over the canvas.
static inline float
shown_at (const Picture *picture,
          const char *const rows[],
          int channel,
          int index,
          bool detail)
{
  size_t offset = index * picture->across.strides[channel];
  float scaled = scaled_at (picture, rows[channel] + offset);
  float shown = detail || index >= picture->across.approximation
                    ? odl_display_detail (picture->display, scaled)
                    : odl_display_picture (picture->display, scaled);

  if (picture->channels < 4)
    return shown;
  offset = index * picture->across.strides[3];
  return mix (CANVAS, shown, odl_display_clamp (scaled_at (picture, rows[3] + offset)));
}

static void
fill_line (const Picture *picture, const Tap *taps, int count, bool smooth, Line *line)
{
  const char *rows[ODL_IMAGE_MAX_CHANNELS] = { NULL };
  bool detail = line->index >= picture->along.approximation;

  for (int c = 0; c < picture->channels; c++)
    rows[c] = (const char *) picture->planes[c].data
              + line->index * picture->along.strides[c];
  for (int c = 0; c < MIN (picture->channels, 3); c++)
    for (int t = 0; t < count; t++) {
      float level = CANVAS;

      if (taps[t].first >= 0)
        level = shown_at (picture, rows, c, taps[t].first, detail);
      if (smooth && taps[t].first >= 0)
        level = mix (level, shown_at (picture, rows, c, taps[t].second, detail),
                     taps[t].mix);
      line->level[c][t] = level;
    }
}

static inline uint8_t
to_byte (float level)
{
  return (uint8_t) (level * 255.0f + 0.5f);
}

// The lines that a block holds: neighbouring rows of the canvas often need the same.
typedef struct {
  const Picture *picture;
  const Target *target;
  Tap taps[SPAN * MOST_TAPS]; // across
  int n_taps;
  Line lines[2];
} Lines;

// The line at row `index` of the image, in place `index` & 1: two neighbours fit.
static const Line *
line_of (Lines *lines, int index)
{
  Line *line = &lines->lines[index & 1];

  if (line->index != index) {
    line->index = index;
    fill_line (lines->picture, lines->taps, lines->n_taps, lines->target->smooth, line);
  }
  return line;
}

static void
fill_canvas (float *levels, int pixels)
{
  for (int x = 0; x < pixels; x++)
    levels[x] = CANVAS;
}

// One tap per pixel, between two lines when smooth. levels[channel][pixel].
static void
sample_single (Lines *lines, int y, float levels[3][SPAN])
{
  Tap tap = tap_at (&lines->picture->along, y, 0, 1, lines->target->smooth);
  int colours = MIN (lines->picture->channels, 3), pixels = lines->n_taps;

  for (int c = 0; c < colours; c++) {
    float *restrict out = levels[c];

    if (tap.first < 0) {
      fill_canvas (out, pixels);
      continue;
    }

    const float *first = line_of (lines, tap.first)->level[c];
    if (tap.second == tap.first) {
      memcpy (out, first, pixels * sizeof *out);
      continue;
    }

    const float *second = line_of (lines, tap.second)->level[c];
    for (int x = 0; x < pixels; x++)
      out[x] = mix (first[x], second[x], tap.mix);
  }
}

// The mean of the taps of each pixel.
static void
sample_mean (Lines *lines, int y, float levels[3][SPAN])
{
  int n = lines->target->taps, pixels = lines->n_taps / n;
  int colours = MIN (lines->picture->channels, 3);
  float weight = (1.0f / n) * (1.0f / n);

  memset (levels, 0, sizeof (float) * 3 * SPAN);
  for (int j = 0; j < n; j++) {
    Tap tap = tap_at (&lines->picture->along, y, j, n, false);
    const Line *line = tap.first >= 0 ? line_of (lines, tap.first) : NULL;

    for (int c = 0; c < colours; c++)
      for (int x = 0; x < pixels; x++) {
        float sum = line != NULL ? 0 : n * CANVAS;
        for (int i = 0; i < n && line != NULL; i++)
          sum += line->level[c][x * n + i];
        levels[c][x] += sum;
      }
  }
  for (int c = 0; c < colours; c++)
    for (int x = 0; x < pixels; x++)
      levels[c][x] *= weight;
}

static void
render_block (const Target *target, const Picture *picture, Block block)
{
  Lines lines = { .picture = picture, .target = target };
  float levels[3][SPAN];
  int n = target->taps, colour = picture->channels >= 3;

  lines.n_taps = (block.end_x - block.x) * n;
  lines.lines[0].index = lines.lines[1].index = -1;
  for (int t = 0; t < lines.n_taps; t++)
    lines.taps[t] = tap_at (&picture->across, block.x + t / n, t % n, n, target->smooth);

  for (int y = block.y; y < block.end_y; y++) {
    uint8_t *pixel = target->rgba + 4 * ((size_t) y * target->width + block.x);

    if (n == 1)
      sample_single (&lines, y, levels);
    else
      sample_mean (&lines, y, levels);
    for (int x = 0; x < block.end_x - block.x; x++, pixel += 4) {
      pixel[0] = to_byte (levels[0][x]);
      pixel[1] = to_byte (levels[colour ? 1 : 0][x]);
      pixel[2] = to_byte (levels[colour ? 2 : 0][x]);
      pixel[3] = 255;
    }
  }
}

static void
render_rows (const Target *target,
             const Picture *picture,
             int y,
             int end_y,
             int from,
             int to)
{
  for (int x = from; x < to; x += SPAN)
    render_block (target, picture, (Block){ x, y, MIN (x + SPAN, to), end_y });
}

int
odl_display_taps (const double matrix[6])
{
  double across = fabs (matrix[0]) + fabs (matrix[3]);
  double down = fabs (matrix[1]) + fabs (matrix[4]);
  // A whole number of samples per pixel must not round up.
  double taps = ceil (MAX (across, down) - 1e-6);

  return (int) CLAMP (taps, 1, MOST_TAPS);
}

void
odl_display_render_view (const OdlDisplayScene *scene,
                         const OdlView *view,
                         int width,
                         int height,
                         uint8_t *rgba)
{
  g_return_if_fail (odl_image_info (scene->scaled)->type == ODL_SAMPLE_F32);
  g_return_if_fail (scene->original == NULL
                    || odl_image_info (scene->original)->type == ODL_SAMPLE_F32);

  double matrix[6];
  int wipe = scene->original != NULL ? CLAMP (scene->wipe_x, 0, width) : 0;

  odl_view_matrix (view, width, height, matrix);
  int taps = odl_display_taps (matrix);
  Target target = {
    .taps = taps, .smooth = scene->smooth && taps == 1, .width = width, .rgba = rgba
  };
  Picture picture = picture_of (scene->scaled, &scene->display, matrix);
  Picture original = picture;
  if (scene->original != NULL)
    original = picture_of (scene->original, &scene->original_display, matrix);

  ODL_PARALLEL_FOR
  for (int band = 0; band < (height + ROWS - 1) / ROWS; band++) {
    int y = band * ROWS, end_y = MIN (y + ROWS, height);

    render_rows (&target, &original, y, end_y, 0, wipe);
    render_rows (&target, &picture, y, end_y, wipe, width);
  }
}
