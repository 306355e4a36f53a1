// SPDX-License-Identifier: MIT
#include "image/ycbcr.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"

// Pixels converted per step, in buffers on the stack.
#define BLOCK 256

// Chroma samples needed for BLOCK pixels and their neighbours.
#define MAX_CHROMA (BLOCK + 2)

// Pixels that the last chroma sample may write beyond the block.
#define SLACK 4

void
odl_ycbcr_set_range (OdlYcbcr *ycbcr, int bits, bool full)
{
  const double unit = exp2 (bits - 8);

  ycbcr->luma_offset = full ? 0 : 16 * unit;
  ycbcr->luma_range = full ? exp2 (bits) - 1 : 219 * unit;
  ycbcr->chroma_offset = 128 * unit;
  ycbcr->chroma_range = full ? exp2 (bits) - 1 : 224 * unit;
}

// Reads samples of a plane as (stored − offset) · scale.
typedef struct {
  const OdlPlane *plane;
  OdlSampleType type;
  int width;
  float offset, scale;
} Reader;

static Reader
luma_reader (const OdlImageInfo *info)
{
  return (Reader){
    .plane = &info->planes[0],
    .type = info->type,
    .width = info->extent.x,
    .offset = (float) info->ycbcr.luma_offset,
    .scale = (float) (1 / info->ycbcr.luma_range),
  };
}

static Reader
chroma_reader (const OdlImageInfo *info, int plane)
{
  const int shift = info->ycbcr.shift_x;

  return (Reader){
    .plane = &info->planes[plane],
    .type = odl_ycbcr_chroma_type (info),
    .width = (info->extent.x + (1 << shift) - 1) >> shift,
    .offset = (float) info->ycbcr.chroma_offset,
    .scale = (float) (1 / info->ycbcr.chroma_range),
  };
}

// One loop per type, and one for contiguous samples, which compilers vectorise.
#define READ_SAMPLES(type, step) \
  for (int i = 0; i < count; i++) { \
    type stored; \
    memcpy (&stored, from + (size_t) i * (step), sizeof stored); \
    out[i] = ((float) stored - offset) * scale; \
  }

#define READ_LEANING(type, step) \
  for (int i = 0; i < count; i++) { \
    type stored, second; \
    memcpy (&stored, from + (size_t) i * (step), sizeof stored); \
    memcpy (&second, below + (size_t) i * (step), sizeof second); \
    const float sample = ((float) stored - offset) * scale; \
    out[i] = sample + weight * (((float) second - offset) * scale - sample); \
  }

#define READ(LOOP, type) \
  if (step == sizeof (type)) \
    LOOP (type, sizeof (type)) \
  else if (step == 2 * sizeof (type)) \
    LOOP (type, 2 * sizeof (type)) \
  else \
    LOOP (type, step)

#define READ_ANY(LOOP) \
  if (reader->type == ODL_SAMPLE_U8) { \
    READ (LOOP, uint8_t) \
  } else if (reader->type == ODL_SAMPLE_U16) { \
    READ (LOOP, uint16_t) \
  } else { \
    READ (LOOP, float) \
  }

// Reads `count` samples of row y from x on.
ODL_ROW_LOOP
static void
read_samples (const Reader *reader, int x, int y, int count, float *restrict out)
{
  const float offset = reader->offset, scale = reader->scale;
  const size_t step = reader->plane->sample_stride_bytes;
  const uint8_t *from = (const uint8_t *) reader->plane->data
                        + y * reader->plane->row_stride_bytes + x * step;

  READ_ANY (READ_SAMPLES)
}

// Returns the samples themselves if they are floats that need no scaling; else NULL.
static const float *
scaled_samples (const Reader *reader, int x, int y)
{
  const OdlPlane *plane = reader->plane;

  if (reader->type != ODL_SAMPLE_F32 || plane->sample_stride_bytes != sizeof (float)
      || reader->offset != 0 || reader->scale != 1)
    return NULL;
  return (const float *) plane->data + y * plane->row_stride_bytes / sizeof (float) + x;
}

// A position between two rows: `weight` of the lower one.
typedef struct {
  int upper, lower;
  float weight;
} Rows;

// Reads samples interpolated between two rows.
ODL_ROW_LOOP
static void
read_between_rows (const Reader *reader, int x, Rows rows, int count, float *restrict out)
{
  const float offset = reader->offset, scale = reader->scale, weight = rows.weight;
  const size_t step = reader->plane->sample_stride_bytes;
  const size_t row_bytes = reader->plane->row_stride_bytes;
  const uint8_t *first = (const uint8_t *) reader->plane->data + x * step;
  const uint8_t *from = first + rows.upper * row_bytes;
  const uint8_t *below = first + rows.lower * row_bytes;

  READ_ANY (READ_LEANING)
}

// Likewise; samples beyond the ends of the row are repeated.
static void
read_around (const Reader *reader, int x, Rows rows, int count, float *out)
{
  const int first = CLAMP (-x, 0, count - 1);
  const int end = CLAMP (reader->width - x, first + 1, count);

  if (rows.lower != rows.upper && rows.weight > 0)
    read_between_rows (reader, x + first, rows, end - first, out + first);
  else
    read_samples (reader, x + first, rows.upper, end - first, out + first);
  for (int i = 0; i < first; i++)
    out[i] = out[first];
  for (int i = end; i < count; i++)
    out[i] = out[end - 1];
}

// Chroma samples around a pixel: index of the one before it (may be −1) and the weight
// of the one after it. One sample covers 2^shift pixels.
typedef struct {
  int before;
  float weight;
} Between;

static Between
between (int pixel, int shift, bool centred)
{
  const float scale = 1.0f / (float) (1 << shift);
  const float at
      = centred ? ((float) pixel + 0.5f) * scale - 0.5f : (float) pixel * scale;
  const float before = floorf (at);

  return (Between){ (int) before, at - before };
}

// Doubles the resolution: `samples` belong to pixels 0, 2, 4 …, preceded by one more.
ODL_ROW_LOOP
static void
expand_pairs (const float *samples, int n, bool centred, float *restrict out)
{
  const Between even = between (0, 1, centred), odd = between (1, 1, centred);
  const float *left = samples + 1 + even.before, *right = samples + 1 + odd.before;

  for (int i = 0; i < n; i++) {
    out[2 * i] = left[i] + even.weight * (left[i + 1] - left[i]);
    out[2 * i + 1] = right[i] + odd.weight * (right[i + 1] - right[i]);
  }
}

// Likewise, for pixels 0, 4, 8 …
ODL_ROW_LOOP
static void
expand_fours (const float *samples, int n, bool centred, float *restrict out)
{
  for (int p = 0; p < 4; p++) {
    const Between at = between (p, 2, centred);
    const float *left = samples + 1 + at.before, *right = left + 1;
    for (int i = 0; i < n; i++)
      out[4 * i + p] = left[i] + at.weight * (right[i] - left[i]);
  }
}

// Interpolates a chroma plane for `count` pixels of row y from x on, a multiple of
// SLACK; `out` has room for BLOCK + SLACK.
static void
chroma_block (const OdlImageInfo *info, int plane, int x, int y, int count, float *out)
{
  const OdlYcbcr *format = &info->ycbcr;
  const Reader reader = chroma_reader (info, plane);
  const int shift = format->shift_x;
  const int height = (info->extent.y + (1 << format->shift_y) - 1) >> format->shift_y;
  const Between vertical = between (y, format->shift_y, true);
  const Rows rows = { CLAMP (vertical.before, 0, height - 1),
                      CLAMP (vertical.before + 1, 0, height - 1), vertical.weight };
  const int samples = (count + (1 << shift) - 1) >> shift;
  const int n = shift == 0 ? samples : samples + 2;
  const int first = shift == 0 ? x : (x >> shift) - 1;
  float leaned[MAX_CHROMA];

  read_around (&reader, first, rows, n, shift == 0 ? out : leaned);
  if (shift == 1)
    expand_pairs (leaned, samples, format->centred_x, out);
  else if (shift == 2)
    expand_fours (leaned, samples, format->centred_x, out);
}

// Coefficients of luma and the two differences in a channel.
typedef struct {
  float luma;
  float blue;
  float red;
} Weights;

void
odl_ycbcr_mixing (const OdlYcbcr *ycbcr, float mixing[4])
{
  const double green = 1 - ycbcr->kr - ycbcr->kb;
  const double red = 2 * (1 - ycbcr->kr);
  const double blue = 2 * (1 - ycbcr->kb);

  mixing[0] = (float) red;
  mixing[1] = (float) (-blue * ycbcr->kb / green);
  mixing[2] = (float) (-red * ycbcr->kr / green);
  mixing[3] = (float) blue;
}

static Weights
weights_of (const OdlYcbcr *format, int channel)
{
  float mixing[4];

  odl_ycbcr_mixing (format, mixing);
  const Weights weights[]
      = { { 1, 0, mixing[0] }, { 1, mixing[1], mixing[2] }, { 1, mixing[3], 0 } };

  return weights[channel];
}

ODL_ROW_LOOP
static void
mix (const float *luma,
     const float *blue,
     const float *red,
     Weights weights,
     int count,
     float *restrict row)
{
  for (int i = 0; i < count; i++)
    row[i] = luma[i] + weights.blue * blue[i] + weights.red * red[i];
}

// All three channels; bit-identical to mix().
ODL_ROW_LOOP
static void
mix_rgb (const float *luma,
         const float *blue,
         const float *red,
         const float mixing[4],
         int count,
         float *restrict to_red,
         float *restrict to_green,
         float *restrict to_blue)
{
  const float m[] = { mixing[0], mixing[1], mixing[2], mixing[3] };

  for (int i = 0; i < count; i++) {
    to_red[i] = luma[i] + m[0] * red[i];
    to_green[i] = luma[i] + m[1] * blue[i] + m[2] * red[i];
    to_blue[i] = luma[i] + m[3] * blue[i];
  }
}

void
odl_ycbcr_channel_row (const OdlImageInfo *info, int channel, int y, float *row)
{
  const Weights weights = weights_of (&info->ycbcr, channel);
  const Reader luma = luma_reader (info);
  float blue[BLOCK + SLACK] = { 0 }, red[BLOCK + SLACK] = { 0 }, grey[BLOCK];

  for (int x = 0; x < info->extent.x; x += BLOCK) {
    const int count = MIN (BLOCK, info->extent.x - x);
    read_samples (&luma, x, y, count, grey);
    if (weights.blue != 0)
      chroma_block (info, 1, x, y, count, blue);
    if (weights.red != 0)
      chroma_block (info, 2, x, y, count, red);
    mix (grey, blue, red, weights, count, row + x);
  }
}

void
odl_image_luma_row (const OdlImage *image, int y, float *row)
{
  g_return_if_fail (image != NULL && row != NULL);

  const OdlImageInfo *info = odl_image_info (image);
  g_return_if_fail (info->ycbcr.used && y >= 0 && y < info->extent.y);
  const Reader luma = luma_reader (info);
  read_samples (&luma, 0, y, info->extent.x, row);
}

void
odl_image_rgb_row_of_luma (const OdlImage *image,
                           int y,
                           const float *luma,
                           float *const rgb[3])
{
  g_return_if_fail (image != NULL && luma != NULL && rgb != NULL);

  const OdlImageInfo *info = odl_image_info (image);
  g_return_if_fail (info->ycbcr.used && y >= 0 && y < info->extent.y);
  float mixing[4];
  odl_ycbcr_mixing (&info->ycbcr, mixing);
  for (int x = 0; x < info->extent.x; x += BLOCK) {
    const int count = MIN (BLOCK, info->extent.x - x);
    float blue[BLOCK + SLACK], red[BLOCK + SLACK];
    chroma_block (info, 1, x, y, count, blue);
    chroma_block (info, 2, x, y, count, red);
    mix_rgb (luma + x, blue, red, mixing, count, rgb[0] + x, rgb[1] + x, rgb[2] + x);
  }
}

void
odl_image_rgb_span (const OdlImage *image,
                    int from,
                    int count,
                    int y,
                    float *const rgb[3])
{
  g_return_if_fail (image != NULL && rgb != NULL);

  const OdlImageInfo *info = odl_image_info (image);
  g_return_if_fail (info->ycbcr.used && y >= 0 && y < info->extent.y);
  g_return_if_fail (from >= 0 && count >= 0 && from + count <= info->extent.x);
  const Reader reader = luma_reader (info);
  float mixing[4];
  odl_ycbcr_mixing (&info->ycbcr, mixing);
  for (int done = 0; done < count;) {
    // Blocks start on chroma samples, so a pixel is the same in every span.
    const int x = from + done, skipped = x % SLACK;
    const int n = MIN (BLOCK - skipped, count - done);
    float own[BLOCK], blue[BLOCK + SLACK], red[BLOCK + SLACK];
    const float *luma = scaled_samples (&reader, x, y);
    if (luma == NULL) {
      read_samples (&reader, x, y, n, own);
      luma = own;
    }
    chroma_block (info, 1, x - skipped, y, n + skipped, blue);
    chroma_block (info, 2, x - skipped, y, n + skipped, red);
    mix_rgb (luma, blue + skipped, red + skipped, mixing, n, rgb[0] + done, rgb[1] + done,
             rgb[2] + done);
    done += n;
  }
}

void
odl_image_rgb_row (const OdlImage *image, int y, float *const rgb[3])
{
  g_return_if_fail (image != NULL);
  odl_image_rgb_span (image, 0, odl_image_info (image)->extent.x, y, rgb);
}
