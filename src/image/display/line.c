// SPDX-License-Identifier: MIT
#include "image/display/line.h"

#include <string.h>

#include "base/clones.h"
#include "image/display/arithmetic.h"

typedef float Colour __attribute__ ((vector_size (ODL_DISPLAY_COLOUR * sizeof (float))));

OdlDisplayPicture
odl_display_picture_of (const OdlImage *image,
                        const OdlDisplay *display,
                        const double matrix[6])
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlDetails *details = &display->details;
  bool transposed = matrix[0] == 0;
  OdlDisplayPicture picture = {
    .image = image,
    .display = display,
    .planes = info->planes,
    .channels = info->channels,
    .shown = info->channels == 1 && display->map != NULL ? 3 : info->channels,
    .transposed = transposed,
    .overlay = odl_display_overlay (display, info->extent.x, info->extent.y),
    .shutter = odl_display_shutter (display, info->extent.x, info->extent.y),
    .minimum = (float) info->stored_min,
    .factor = (float) (1 / (info->stored_max - info->stored_min)),
  };
  OdlDisplayAxis x = { (float) matrix[transposed ? 1 : 0],
                       (float) matrix[2],
                       info->extent.x,
                       odl_display_bands (details, details->width, info->extent.x),
                       { 0 } };
  OdlDisplayAxis y = { (float) matrix[transposed ? 3 : 4],
                       (float) matrix[5],
                       info->extent.y,
                       odl_display_bands (details, details->height, info->extent.y),
                       { 0 } };

  for (int c = 0; c < info->channels; c++) {
    x.strides[c] = info->planes[c].sample_stride_bytes;
    y.strides[c] = info->planes[c].row_stride_bytes;
  }
  picture.across = transposed ? y : x;
  picture.along = transposed ? x : y;
  return picture;
}

ODL_ROW_LOOP
static void
place_taps (OdlDisplayTaps *across, const OdlDisplayAxis *axis, int x, int n, int count)
{
  const OdlDisplayAxis along = *axis; // not aliased by the stores below
  int *restrict first = across->first, *restrict second = across->second;
  float *restrict mix = across->mix;

  if (across->smooth) // implies one tap per pixel
    for (int t = 0; t < count; t++) {
      const OdlDisplayTap tap = odl_display_tap_at (&along, x + t, 0, 1, true);
      first[t] = tap.first;
      second[t] = tap.second;
      mix[t] = tap.mix;
    }
  else
    for (int t = 0; t < count; t++) {
      const OdlDisplayTap tap = odl_display_tap_at (&along, x + t / n, t % n, n, false);
      first[t] = second[t] = tap.first;
      mix[t] = 0;
    }
}

// Taps outside the image take the canvas level stored after the samples. first <=
// second.
ODL_ROW_LOOP
static void
count_places (OdlDisplayTaps *across, int count)
{
  int *restrict first = across->first, *restrict second = across->second;
  int from = G_MAXINT, last = -1;

  for (int t = 0; t < count; t++) {
    const int least = first[t] < 0 ? G_MAXINT : first[t];
    from = MIN (from, least);
    last = MAX (last, second[t]);
  }
  const int n = last < 0 ? 0 : last - from + 1;
  from = last < 0 ? 0 : from;
  for (int t = 0; t < count; t++) {
    second[t] = first[t] < 0 ? n : second[t] - from;
    first[t] = first[t] < 0 ? n : first[t] - from;
  }
  across->from = from;
  across->count = n;
}

void
odl_display_place_taps (OdlDisplayTaps *across,
                        const OdlDisplayAxis *axis,
                        int x,
                        int end_x)
{
  const int n = across->taps, count = (end_x - x) * n;

  across->x = x;
  across->pixels = end_x - x;
  across->first = g_new (int, 2 * (size_t) count);
  across->second = across->first + count;
  across->mix = g_new (float, count);
  place_taps (across, axis, x, n, count);
  count_places (across, count);
  across->steady = odl_display_makes_pixels (across);
  for (int t = 0; t < count; t++)
    across->steady = across->steady && across->first[t] == t && t < across->count;
}

void
odl_display_clear_taps (OdlDisplayTaps *across)
{
  g_clear_pointer (&across->first, g_free);
  g_clear_pointer (&across->mix, g_free);
}

OdlDisplayScratch
odl_display_scratch_new (const OdlDisplayPicture *picture, int count)
{
  const size_t samples = (size_t) count + 1;
  const int levels = picture->shown >= 3 ? ODL_DISPLAY_COLOUR : 0;
  float *scratch = g_new (float, samples *(picture->shown + levels));

  return (OdlDisplayScratch){ scratch, scratch + samples * picture->shown };
}

void
odl_display_scratch_clear (OdlDisplayScratch *scratch)
{
  g_clear_pointer (&scratch->samples, g_free);
}

ODL_ROW_LOOP
static void
clamp_levels (int count, float *level)
{
  for (int i = 0; i < count; i++)
    level[i] = odl_display_clamp (level[i]);
}

// Blends samples with the canvas by alpha. Does not clamp alpha, so that it
// vectorises.
ODL_ROW_LOOP
static void
lay_over_canvas (const float *alpha, int count, float *restrict level)
{
  for (int i = 0; i < count; i++)
    level[i] = odl_display_mix (ODL_DISPLAY_CANVAS, level[i], alpha[i]);
}

static inline Colour
colour_at (const float *levels, int place)
{
  Colour colour;

  memcpy (&colour, levels + ODL_DISPLAY_COLOUR * (size_t) place, sizeof colour);
  return colour;
}

static inline void
put_colour (float *levels, int place, Colour colour)
{
  memcpy (levels + ODL_DISPLAY_COLOUR * (size_t) place, &colour, sizeof colour);
}

// Specialised loops for common tap counts.
static void
sum_greys (const OdlDisplayTaps *across, int n, const float *samples, float *restrict out)
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
sum_colours_of (const OdlDisplayTaps *across,
                int n,
                const float *samples,
                float *restrict out)
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
sum_colours (const OdlDisplayTaps *across,
             int n,
             const float *samples,
             float *restrict out)
{
  if (n == 1)
    sum_colours_of (across, 1, samples, out);
  else if (n == 2)
    sum_colours_of (across, 2, samples, out);
  else
    sum_colours_of (across, n, samples, out);
}

static void
mix_greys (const OdlDisplayTaps *across, const float *samples, float *restrict out)
{
  for (int x = 0; x < across->pixels; x++)
    out[x] = odl_display_mix (samples[across->first[x]], samples[across->second[x]],
                              across->mix[x]);
}

static void
mix_colours (const OdlDisplayTaps *across, const float *samples, float *restrict out)
{
  for (int x = 0; x < across->pixels; x++) {
    const float t = across->mix[x];
    put_colour (out, x,
                colour_at (samples, across->first[x]) * (1.0f - t)
                    + colour_at (samples, across->second[x]) * t);
  }
}

// Interleaves four pixels at a time; the fourth level is unused.
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
show (const OdlDisplay *display, float *row, const OdlDisplayRuns *runs)
{
  odl_display_show (display, row, runs);
}

ODL_ROW_LOOP
static void
invert_luma (const OdlDisplay *display, float *red, float *green, float *blue, int count)
{
  odl_display_invert_luma (display, red, green, blue, count);
}

// Displays the scaled samples of a line in place.
static void
show_samples (const OdlDisplayPicture *picture,
              const OdlDisplayTaps *across,
              const OdlDisplayScratch *scratch,
              const OdlDisplayRuns *runs)
{
  const bool colour = picture->channels >= 3;
  OdlDisplay each = *picture->display;

  each.invert = each.invert && !colour;
  for (int c = 0; c < MIN (picture->channels, 3); c++)
    show (&each, odl_display_samples (across, scratch, c), runs);
  if (picture->shown > picture->channels)
    odl_display_map (picture->display->map, odl_display_samples (across, scratch, 0),
                     odl_display_samples (across, scratch, 1),
                     odl_display_samples (across, scratch, 2), runs->picture,
                     across->count);
  if (colour && picture->display->invert)
    invert_luma (picture->display, odl_display_samples (across, scratch, 0),
                 odl_display_samples (across, scratch, 1),
                 odl_display_samples (across, scratch, 2), runs->picture);
}

// Appends the canvas level and blends samples that have alpha.
static void
join_canvas (const OdlDisplayPicture *picture,
             const OdlDisplayTaps *across,
             const OdlDisplayScratch *scratch)
{
  const float *alpha
      = picture->channels == 4 ? odl_display_samples (across, scratch, 3) : NULL;

  if (alpha != NULL)
    clamp_levels (across->count, odl_display_samples (across, scratch, 3));
  for (int c = 0; c < MIN (picture->shown, 3); c++) {
    float *samples = odl_display_samples (across, scratch, c);
    if (alpha != NULL)
      lay_over_canvas (alpha, across->count, samples);
    samples[across->count] = ODL_DISPLAY_CANVAS;
  }
}

ODL_ROW_LOOP
static void
join_grey_pixels (const float *level, int count, uint32_t *restrict pixel)
{
  for (int x = 0; x < count; x++) {
    const uint32_t grey = odl_display_byte (level[x]);
    pixel[x] = GUINT32_TO_LE (grey | grey << 8 | grey << 16 | 0xff000000u);
  }
}

ODL_ROW_LOOP
static void
join_colour_pixels (const float *red,
                    const float *green,
                    const float *blue,
                    int count,
                    uint32_t *restrict pixel)
{
  for (int x = 0; x < count; x++)
    pixel[x] = GUINT32_TO_LE (odl_display_byte (red[x]) | odl_display_byte (green[x]) << 8
                              | odl_display_byte (blue[x]) << 16 | 0xff000000u);
}

// One tap per pixel: converts samples to pixels before placing them, unless there are
// more samples than pixels.
static void
fill_pixels (const OdlDisplayTaps *across,
             const float *const levels[3],
             OdlDisplayLine *line)
{
  uint32_t pixels[ODL_DISPLAY_SPAN + 8]; // up to one sample more than pixels
  const int count = across->steady ? across->count : across->count + 1;
  uint32_t *const to = across->steady ? line->pixel : pixels;

  if (levels[0] == levels[1])
    join_grey_pixels (levels[0], count, to);
  else
    join_colour_pixels (levels[0], levels[1], levels[2], count, to);
  for (int x = 0; x < across->pixels && !across->steady; x++)
    line->pixel[x] = pixels[across->first[x]]; // cppcheck-suppress uninitvar; by `to`
}

static void
fill_levels (const OdlDisplayTaps *across,
             const OdlDisplayScratch *scratch,
             const float *const levels[3],
             OdlDisplayLine *line)
{
  if (levels[0] == levels[1]) {
    if (across->smooth)
      mix_greys (across, levels[0], line->level);
    else
      sum_greys (across, across->taps, levels[0], line->level);
    return;
  }
  join_colours (levels[0], levels[1], levels[2], across->count + 1, scratch->colours);
  if (across->smooth)
    mix_colours (across, scratch->colours, line->level);
  else
    sum_colours (across, across->taps, scratch->colours, line->level);
}

// Sets samples of row (transposed: column) `index` under `overlay` to `level`.
static void
draw_overlay (const OdlDisplayPicture *picture,
              const OdlOverlay *overlay,
              float level,
              const OdlDisplayTaps *across,
              const OdlDisplayScratch *scratch,
              int index)
{
  for (int i = 0; i < across->count; i++) {
    const int at = across->from + i;
    if (odl_overlay_has (overlay, picture->transposed ? index : at,
                         picture->transposed ? at : index))
      for (int c = 0; c < MIN (picture->shown, 3); c++)
        odl_display_samples (across, scratch, c)[i] = level;
  }
}

void
odl_display_fill_line (const OdlDisplayPicture *picture,
                       const OdlDisplayTaps *across,
                       const OdlDisplayScratch *scratch,
                       OdlDisplayLine *line)
{
  const int colours = picture->shown >= 3 ? 1 : 0;
  const int first = picture->blue_first ? 2 * colours : 0;
  const float *const levels[]
      = { odl_display_samples (across, scratch, first),
          odl_display_samples (across, scratch, colours),
          odl_display_samples (across, scratch, 2 * colours - first) };

  const OdlDisplayRuns runs
      = odl_display_runs (&picture->across.bands, &picture->along.bands, line->index,
                          across->from, across->count);

  if (across->count > 0)
    odl_display_read (picture, across, line->index, scratch);
  show_samples (picture, across, scratch, &runs);
  join_canvas (picture, across, scratch);
  if (picture->shutter != NULL)
    draw_overlay (picture, picture->shutter, picture->display->shutter_level, across,
                  scratch, line->index);
  if (picture->overlay != NULL)
    draw_overlay (picture, picture->overlay, picture->display->overlay_level, across,
                  scratch, line->index);
  if (odl_display_makes_pixels (across))
    fill_pixels (across, levels, line);
  else
    fill_levels (across, scratch, levels, line);
}

// Reads scaled samples of part of a row, with specialised loops for common layouts.

// Samples from `from` on of each channel, and the destination of their scaled values.
typedef struct {
  const char *from[ODL_IMAGE_MAX_CHANNELS];
  float *to[ODL_IMAGE_MAX_CHANNELS];
  int count;
  float minimum, factor;
} Stretch;

#define SCALED(type, data, at) (((float) value_##type (data, at) - minimum) * factor)

#define DEFINE_VALUE(type) \
  static inline type value_##type (const char *data, size_t at) \
  { \
    type value; \
    memcpy (&value, data + at, sizeof value); \
    return value; \
  }

// For one channel with stride `step`, for three and for four interleaved channels:
// constant strides let compilers vectorise.
#define DEFINE_READERS(type) \
  DEFINE_VALUE (type) \
\
  ODL_ROW_LOOP static void read_plane_##type (const Stretch *stretch, int channel, \
                                              size_t step) \
  { \
    const float minimum = stretch->minimum, factor = stretch->factor; \
    const char *from = stretch->from[channel]; \
    float *restrict to = stretch->to[channel]; \
    const int count = stretch->count; \
    if (step == sizeof (type)) \
      for (int i = 0; i < count; i++) \
        to[i] = SCALED (type, from, i * sizeof (type)); \
    else \
      for (int i = 0; i < count; i++) \
        to[i] = SCALED (type, from, i * step); \
  } \
\
  ODL_ROW_LOOP static void read_threes_##type (const Stretch *stretch) \
  { \
    const float minimum = stretch->minimum, factor = stretch->factor; \
    const char *from = stretch->from[0]; \
    float *restrict red = stretch->to[0], *restrict green = stretch->to[1]; \
    float *restrict blue = stretch->to[2]; \
    const int count = stretch->count; \
    for (int i = 0; i < count; i++) { \
      red[i] = SCALED (type, from, 3 * i * sizeof (type)); \
      green[i] = SCALED (type, from, (3 * i + 1) * sizeof (type)); \
      blue[i] = SCALED (type, from, (3 * i + 2) * sizeof (type)); \
    } \
  }

#define DEFINE_FOURS(type) \
  ODL_ROW_LOOP static void read_fours_##type (const Stretch *stretch) \
  { \
    const float minimum = stretch->minimum, factor = stretch->factor; \
    const char *from = stretch->from[0]; \
    float *restrict red = stretch->to[0], *restrict green = stretch->to[1]; \
    float *restrict blue = stretch->to[2], *restrict alpha = stretch->to[3]; \
    const int count = stretch->count; \
    for (int i = 0; i < count; i++) { \
      red[i] = SCALED (type, from, 4 * i * sizeof (type)); \
      green[i] = SCALED (type, from, (4 * i + 1) * sizeof (type)); \
      blue[i] = SCALED (type, from, (4 * i + 2) * sizeof (type)); \
      alpha[i] = SCALED (type, from, (4 * i + 3) * sizeof (type)); \
    } \
  }

// Four bytes are loaded as a word and separated by shifts, which is faster than byte
// loads.
ODL_ROW_LOOP
static void
read_words (const Stretch *stretch)
{
  const float minimum = stretch->minimum, factor = stretch->factor;
  const char *from = stretch->from[0];
  float *restrict red = stretch->to[0], *restrict green = stretch->to[1];
  float *restrict blue = stretch->to[2], *restrict alpha = stretch->to[3];
  const int count = stretch->count;

  for (int i = 0; i < count; i++) {
    uint32_t word;
    memcpy (&word, from + 4 * i, sizeof word);
    word = GUINT32_FROM_LE (word);
    red[i] = ((float) (int) (word & 0xff) - minimum) * factor;
    green[i] = ((float) (int) (word >> 8 & 0xff) - minimum) * factor;
    blue[i] = ((float) (int) (word >> 16 & 0xff) - minimum) * factor;
    alpha[i] = ((float) (int) (word >> 24) - minimum) * factor;
  }
}

DEFINE_READERS (uint8_t)
DEFINE_READERS (uint16_t)
DEFINE_READERS (int16_t)
DEFINE_READERS (float)
DEFINE_FOURS (uint16_t)
DEFINE_FOURS (int16_t)
DEFINE_FOURS (float)

typedef struct {
  void (*plane) (const Stretch *stretch, int channel, size_t step);
  void (*threes) (const Stretch *stretch);
  void (*fours) (const Stretch *stretch);
} Readers;

#define READERS(type) \
  { \
    read_plane_##type, read_threes_##type, read_fours_##type \
  }

static const Readers readers[] = {
  [ODL_SAMPLE_U8] = { read_plane_uint8_t, read_threes_uint8_t, read_words },
  [ODL_SAMPLE_U16] = READERS (uint16_t),
  [ODL_SAMPLE_S16] = READERS (int16_t),
  // Without odl_image_scaled_row's handling of NaN and infinity: the display clamps
  // anyway.
  [ODL_SAMPLE_F32] = READERS (float),
};

// Whether the canvas' x runs along contiguous, interleaved samples.
static bool
is_interleaved (const OdlDisplayPicture *picture, size_t sample)
{
  for (int c = 0; c < picture->channels; c++)
    if (picture->across.strides[c] != sample * picture->channels
        || picture->along.strides[c] != picture->along.strides[0]
        || (const char *) picture->planes[c].data
               != (const char *) picture->planes[0].data + c * sample)
      return false;
  return true;
}

void
odl_display_read (const OdlDisplayPicture *picture,
                  const OdlDisplayTaps *across,
                  int index,
                  const OdlDisplayScratch *scratch)
{
  const OdlImageInfo *info = odl_image_info (picture->image);
  const Readers *own = &readers[info->type];
  const OdlDisplayAxis *x = &picture->across, *y = &picture->along;
  Stretch stretch = { .count = across->count,
                      .minimum = picture->minimum,
                      .factor = picture->factor };

  for (int c = 0; c < picture->channels; c++) {
    stretch.from[c] = (const char *) picture->planes[c].data + index * y->strides[c]
                      + across->from * x->strides[c];
    stretch.to[c] = odl_display_samples (across, scratch, c);
  }
  if (info->ycbcr.used)
    odl_image_rgb_span (picture->image, across->from, across->count, index, stretch.to);
  else if (picture->channels == 3
           && is_interleaved (picture, odl_sample_size (info->type)))
    own->threes (&stretch);
  else if (picture->channels == 4
           && is_interleaved (picture, odl_sample_size (info->type)))
    own->fours (&stretch);
  else
    for (int c = 0; c < picture->channels; c++)
      own->plane (&stretch, c, x->strides[c]);
}
