// SPDX-License-Identifier: MIT
#include "image/display.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
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
  const OdlImage *image;
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

// Levels that a pixel takes: grey, or red, green, blue and one that means nothing, so
// that a colour is moved as a whole.
#define COLOUR 4

typedef float Colour __attribute__ ((vector_size (COLOUR * sizeof (float))));

// Shown levels of a block along one row of the image: of each pixel the sum over its
// taps.
typedef struct {
  int index; // −1: none
  float level[COLOUR * SPAN];
} Line;

// The taps of a block, and shown samples from `from` on of the row that they meet. After
// them stands the canvas, which is what a tap outside meets.
typedef struct {
  int first[SPAN * MOST_TAPS], second[SPAN * MOST_TAPS]; // places in `samples`
  float mix[SPAN * MOST_TAPS];
  int pixels;
  int from, count; // samples between the first and the last tap
  float *samples; // `count` and the canvas, of each channel
  float *colours; // the same of a colour picture, COLOUR levels each
} Across;

static Picture
picture_of (const OdlImage *image, const OdlDisplay *display, const double matrix[6])
{
  const OdlImageInfo *info = odl_image_info (image);
  bool lies = matrix[0] == 0;
  Picture picture = {
    .image = image,
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

static inline float *
samples_of (const Across *across, int channel)
{
  return across->samples + (size_t) channel * (across->count + 1);
}

// Float samples `step` bytes apart.
ODL_ROW_LOOP
static void
read_floats (const Picture *picture, const char *from, size_t step, int count, float *out)
{
  if (step == sizeof (float))
    for (int i = 0; i < count; i++)
      out[i] = scaled_at (picture, from + i * sizeof (float));
  else
    for (int i = 0; i < count; i++)
      out[i] = scaled_at (picture, from + i * step);
}

// Scaled samples of the row, or of the column, where the canvas' x walks at `index`.
static void
read_line (const Picture *picture, const Across *across, int index)
{
  const OdlImageInfo *info = odl_image_info (picture->image);

  if (info->ycbcr.used) {
    float *const rgb[]
        = { samples_of (across, 0), samples_of (across, 1), samples_of (across, 2) };
    odl_image_rgb_span (picture->image, across->from, across->count, index, rgb);
    return;
  }
  for (int c = 0; c < picture->channels; c++)
    if (info->type == ODL_SAMPLE_F32)
      read_floats (picture,
                   (const char *) picture->planes[c].data
                       + index * picture->along.strides[c]
                       + across->from * picture->across.strides[c],
                   picture->across.strides[c], across->count, samples_of (across, c));
    else
      odl_image_scaled_span (picture->image, c, across->from, across->count, index, 0, 0,
                             samples_of (across, c));
}

// Mixes shown samples with the canvas, by alpha.
ODL_ROW_LOOP
static void
lay_over_canvas (const float *alpha, int count, float *restrict level)
{
  for (int i = 0; i < count; i++)
    level[i] = mix (CANVAS, level[i], odl_display_clamp (alpha[i]));
}

static inline Colour
colour_at (const float *levels, int place)
{
  Colour colour;

  memcpy (&colour, levels + COLOUR * (size_t) place, sizeof colour);
  return colour;
}

static inline void
put_colour (float *levels, int place, Colour colour)
{
  memcpy (levels + COLOUR * (size_t) place, &colour, sizeof colour);
}

// The usual numbers of taps have loops of their own.
static void
sum_greys (const Across *across, int n, const float *samples, float *restrict out)
{
  const int *place = across->first;

  if (n == 1)
    for (int x = 0; x < across->pixels; x++)
      out[x] = samples[place[x]];
  else if (n == 2)
    for (int x = 0; x < across->pixels; x++)
      out[x] = samples[place[2 * x]] + samples[place[2 * x + 1]];
  else
    for (int x = 0; x < across->pixels; x++, place += n) {
      float sum = 0;
      for (int i = 0; i < n; i++)
        sum += samples[place[i]];
      out[x] = sum;
    }
}

static inline void
sum_colours_of (const Across *across, int n, const float *samples, float *restrict out)
{
  const int *place = across->first;

  for (int x = 0; x < across->pixels; x++, place += n) {
    Colour sum = colour_at (samples, place[0]);
    for (int i = 1; i < n; i++)
      sum += colour_at (samples, place[i]);
    put_colour (out, x, sum);
  }
}

static void
sum_colours (const Across *across, int n, const float *samples, float *restrict out)
{
  if (n == 1)
    sum_colours_of (across, 1, samples, out);
  else if (n == 2)
    sum_colours_of (across, 2, samples, out);
  else
    sum_colours_of (across, n, samples, out);
}

static void
mix_greys (const Across *across, const float *samples, float *restrict out)
{
  for (int x = 0; x < across->pixels; x++)
    out[x] = mix (samples[across->first[x]], samples[across->second[x]], across->mix[x]);
}

static void
mix_colours (const Across *across, const float *samples, float *restrict out)
{
  for (int x = 0; x < across->pixels; x++) {
    const float t = across->mix[x];
    put_colour (out, x,
                colour_at (samples, across->first[x]) * (1.0f - t)
                    + colour_at (samples, across->second[x]) * t);
  }
}

// Four colours at a time are turned from rows into columns; the fourth level is anything.
static void
join_colours (const float *red,
              const float *green,
              const float *blue,
              int count,
              float *restrict out)
{
  int i = 0;

  for (; i + 4 <= count; i += 4) {
    const Colour r = colour_at (red + i, 0), g = colour_at (green + i, 0);
    const Colour b = colour_at (blue + i, 0);
    const Colour low = __builtin_shufflevector (r, g, 0, 4, 1, 5);
    const Colour high = __builtin_shufflevector (r, g, 2, 6, 3, 7);
    put_colour (out, i, __builtin_shufflevector (low, b, 0, 1, 4, 4));
    put_colour (out, i + 1, __builtin_shufflevector (low, b, 2, 3, 5, 5));
    put_colour (out, i + 2, __builtin_shufflevector (high, b, 0, 1, 6, 6));
    put_colour (out, i + 3, __builtin_shufflevector (high, b, 2, 3, 7, 7));
  }
  for (; i < count; i++)
    put_colour (out, i, (Colour){ red[i], green[i], blue[i], 0 });
}

ODL_ROW_LOOP
static void
show (const OdlDisplay *display, float *row, int picture, int count)
{
  odl_display_show (display, row, picture, count);
}

static void
fill_line (const Picture *picture, const Across *across, int n, bool smooth, Line *line)
{
  const int detail = line->index >= picture->along.approximation
                         ? 0
                         : picture->across.approximation - across->from;

  if (across->count > 0)
    read_line (picture, across, line->index);
  for (int c = 0; c < MIN (picture->channels, 3); c++) {
    float *samples = samples_of (across, c);
    show (picture->display, samples, CLAMP (detail, 0, across->count), across->count);
    if (picture->channels == 4)
      lay_over_canvas (samples_of (across, 3), across->count, samples);
    samples[across->count] = CANVAS;
  }

  const float *samples = across->samples;
  if (picture->channels < 3) {
    if (smooth)
      mix_greys (across, samples, line->level);
    else
      sum_greys (across, n, samples, line->level);
    return;
  }
  join_colours (samples_of (across, 0), samples_of (across, 1), samples_of (across, 2),
                across->count + 1, across->colours);
  if (smooth)
    mix_colours (across, across->colours, line->level);
  else
    sum_colours (across, n, across->colours, line->level);
}

// The lines that a block holds: neighbouring rows of the canvas often need the same.
typedef struct {
  const Picture *picture;
  const Target *target;
  Across across;
  Line lines[2];
} Lines;

// The line at row `index` of the image, in place `index` & 1: two neighbours fit.
static const Line *
line_of (Lines *lines, int index)
{
  Line *line = &lines->lines[index & 1];

  if (line->index != index) {
    line->index = index;
    fill_line (lines->picture, &lines->across, lines->target->taps, lines->target->smooth,
               line);
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
    levels[i] = mix (first[i], second[i], t);
}

// One tap per pixel, between two lines when smooth, of a row of `count` levels.
static void
sample_single (Lines *lines, int y, int count, float *levels)
{
  Tap tap = tap_at (&lines->picture->along, y, 0, 1, lines->target->smooth);

  if (tap.first < 0) {
    fill (levels, count, CANVAS);
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
  int n = lines->target->taps;
  float weight = (1.0f / n) * (1.0f / n);
  float outside[COLOUR * SPAN];

  for (int j = 0; j < n; j++) {
    Tap tap = tap_at (&lines->picture->along, y, j, n, false);
    const float *line = outside;

    if (tap.first >= 0)
      line = line_of (lines, tap.first)->level;
    else
      fill (outside, count, n * CANVAS);
    if (j == 0)
      memcpy (levels, line, count * sizeof *levels);
    else if (j < n - 1)
      add_line (line, count, levels);
    else
      add_last_line (line, weight, count, levels);
  }
}

// The taps of a block and the samples between them.
static void
place_taps (Lines *lines, Block block)
{
  const Target *target = lines->target;
  Across *across = &lines->across;
  const int n = target->taps, count = (block.end_x - block.x) * n;
  int from = G_MAXINT, last = -1;

  across->pixels = block.end_x - block.x;
  for (int t = 0; t < count; t++) {
    const Tap tap
        = tap_at (&lines->picture->across, block.x + t / n, t % n, n, target->smooth);
    across->first[t] = tap.first;
    across->second[t] = tap.second;
    across->mix[t] = tap.mix;
    if (tap.first < 0)
      continue;
    from = MIN (from, MIN (tap.first, tap.second));
    last = MAX (last, MAX (tap.first, tap.second));
  }
  across->from = last < 0 ? 0 : from;
  across->count = last < 0 ? 0 : last - from + 1;
  for (int t = 0; t < count; t++) {
    const bool inside = across->first[t] >= 0;
    across->first[t] = inside ? across->first[t] - across->from : across->count;
    across->second[t] = inside ? across->second[t] - across->from : across->count;
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
render_block (const Target *target, const Picture *picture, Block block)
{
  Lines lines = { .picture = picture, .target = target };
  float levels[COLOUR * SPAN];
  const int n = target->taps, pixels = block.end_x - block.x;
  const bool colour = picture->channels >= 3;
  const int count = colour ? COLOUR * pixels : pixels;

  lines.lines[0].index = lines.lines[1].index = -1;
  place_taps (&lines, block);
  const size_t samples = (size_t) lines.across.count + 1;
  g_autofree float *room
      = g_new (float, samples *(picture->channels + (colour ? COLOUR : 0)));
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
  Picture picture = picture_of (scaled, &scene->display, matrix);
  Picture original = picture;
  if (before != NULL)
    original = picture_of (before, &scene->original_display, matrix);

  ODL_PARALLEL_FOR
  for (int band = 0; band < (height + ROWS - 1) / ROWS; band++) {
    int y = band * ROWS, end_y = MIN (y + ROWS, height);

    render_rows (&target, &original, y, end_y, 0, wipe);
    render_rows (&target, &picture, y, end_y, wipe, width);
  }
}
