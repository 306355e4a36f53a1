// SPDX-License-Identifier: MIT
// Reads scaled samples of part of a row, with specialised loops for common layouts.
#include <string.h>

#include "base/clones.h"
#include "image/display/line.h"

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
