// SPDX-License-Identifier: MIT
#include "image/ycbcr.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"

// Pixels that are made at a time, so that nothing needs to be allocated.
#define BLOCK 256

// Samples of a colour difference that BLOCK pixels and their neighbours take.
#define MAX_CHROMA (BLOCK + 4)

bool
odl_ycbcr_check (const OdlImageInfo *info, GError **error)
{
  const OdlYcbcr *y = &info->ycbcr;
  const double numbers[] = { y->kr, y->kb, y->luma_offset, y->chroma_offset };
  bool right = info->channels == 3
               && (info->type == ODL_SAMPLE_U8 || info->type == ODL_SAMPLE_U16)
               && y->shift_x >= 0 && y->shift_x <= 2 && y->shift_y >= 0 && y->shift_y <= 2
               && y->kr > 0 && y->kb > 0 && y->kr + y->kb < 1 && y->luma_range > 0
               && y->chroma_range > 0 && info->extent.z == 1 && info->extent.t == 1;

  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
    right = right && isfinite (numbers[i]);
  if (!y->used || right)
    return true;
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                       _ ("the image's description of colour makes no sense"));
  return false;
}

void
odl_ycbcr_set_range (OdlYcbcr *ycbcr, int bits, bool full)
{
  const double unit = exp2 (bits - 8);

  ycbcr->luma_offset = full ? 0 : 16 * unit;
  ycbcr->luma_range = full ? exp2 (bits) - 1 : 219 * unit;
  ycbcr->chroma_offset = 128 * unit;
  ycbcr->chroma_range = full ? exp2 (bits) - 1 : 224 * unit;
}

// `count` samples of a plane from (x, y) on, as floats; the last column is repeated.
static void
fetch (const OdlImageInfo *info,
       int plane_index,
       int x,
       int y,
       int width,
       int count,
       float *out)
{
  const OdlPlane *plane = &info->planes[plane_index];
  const size_t step = plane->sample_stride_bytes;
  const uint8_t *row = (const uint8_t *) plane->data + y * plane->row_stride_bytes;
  const int inside = MIN (count, width - x);

  if (info->type == ODL_SAMPLE_U8 && step == 1) {
    for (int i = 0; i < inside; i++)
      out[i] = row[x + i];
  } else if (info->type == ODL_SAMPLE_U8) {
    for (int i = 0; i < inside; i++)
      out[i] = row[(x + i) * step];
  } else {
    for (int i = 0; i < inside; i++) {
      uint16_t sample;
      memcpy (&sample, row + (x + i) * step, sizeof sample);
      out[i] = sample;
    }
  }
  for (int i = inside; i < count; i++)
    out[i] = out[inside - 1];
}

// Where pixel `p` lies between samples of which one stands for 2^shift pixels: the sample
// before it (may be −1) and the weight of the one after it.
typedef struct {
  int before;
  float weight;
} Between;

static Between
between (int p, int shift, bool centred)
{
  const float scale = 1.0f / (float) (1 << shift);
  const float at = centred ? ((float) p + 0.5f) * scale - 0.5f : (float) p * scale;
  const float before = floorf (at);

  return (Between){ (int) before, at - before };
}

// A colour difference for BLOCK pixels from x on in row y; `out` has room for BLOCK.
static void
chroma_block (const OdlImageInfo *info, int plane, int x, int y, int count, float *out)
{
  const OdlYcbcr *format = &info->ycbcr;
  const int width = (info->extent.x + (1 << format->shift_x) - 1) >> format->shift_x;
  const int height = (info->extent.y + (1 << format->shift_y) - 1) >> format->shift_y;
  const Between vertical = between (y, format->shift_y, true);
  const int upper = CLAMP (vertical.before, 0, height - 1);
  const int lower = CLAMP (vertical.before + 1, 0, height - 1);
  const int first = MAX (between (x, format->shift_x, format->centred_x).before, 0);
  const int n = MIN ((count >> format->shift_x) + 3, MAX_CHROMA);
  float above[MAX_CHROMA], below[MAX_CHROMA];

  fetch (info, plane, MIN (first, width - 1), upper, width, n, above);
  if (lower != upper && vertical.weight > 0) {
    fetch (info, plane, MIN (first, width - 1), lower, width, n, below);
    for (int i = 0; i < n; i++)
      above[i] += vertical.weight * (below[i] - above[i]);
  }
  if (format->shift_x == 0) {
    memcpy (out, above, (size_t) count * sizeof *out);
    return;
  }
  for (int i = 0; i < count; i++) {
    const Between horizontal = between (x + i, format->shift_x, format->centred_x);
    const int left = MAX (horizontal.before - first, 0);
    const int right = MAX (horizontal.before + 1 - first, 0);
    out[i] = above[left] + horizontal.weight * (above[right] - above[left]);
  }
}

// How much of luma and of the two differences goes into a channel.
typedef struct {
  float luma;
  float blue;
  float red;
} Weights;

static Weights
weights_of (const OdlYcbcr *format, int channel)
{
  const double green = 1 - format->kr - format->kb;
  const double red = 2 * (1 - format->kr);
  const double blue = 2 * (1 - format->kb);
  const Weights weights[] = {
    { 1, 0, (float) red },
    { 1, (float) (-blue * format->kb / green), (float) (-red * format->kr / green) },
    { 1, (float) blue, 0 },
  };

  return weights[channel];
}

typedef struct {
  float luma[BLOCK];
  float blue[BLOCK];
  float red[BLOCK];
} Block;

static void
read_block (const OdlImageInfo *info, int x, int y, int count, Block *block)
{
  const OdlYcbcr *format = &info->ycbcr;
  const float luma_scale = (float) (1 / format->luma_range);
  const float chroma_scale = (float) (1 / format->chroma_range);
  const float luma_offset = (float) format->luma_offset;
  const float chroma_offset = (float) format->chroma_offset;

  fetch (info, 0, x, y, info->extent.x, count, block->luma);
  chroma_block (info, 1, x, y, count, block->blue);
  chroma_block (info, 2, x, y, count, block->red);
  for (int i = 0; i < count; i++) {
    block->luma[i] = (block->luma[i] - luma_offset) * luma_scale;
    block->blue[i] = (block->blue[i] - chroma_offset) * chroma_scale;
    block->red[i] = (block->red[i] - chroma_offset) * chroma_scale;
  }
}

static void
mix (const Block *block, Weights weights, int count, float *row)
{
  for (int i = 0; i < count; i++)
    row[i] = block->luma[i] + weights.blue * block->blue[i] + weights.red * block->red[i];
}

void
odl_ycbcr_channel_row (const OdlImageInfo *info, int channel, int y, float *row)
{
  const Weights weights = weights_of (&info->ycbcr, channel);

  for (int x = 0; x < info->extent.x; x += BLOCK) {
    const int count = MIN (BLOCK, info->extent.x - x);
    Block block;
    read_block (info, x, y, count, &block);
    mix (&block, weights, count, row + x);
  }
}

void
odl_image_rgb_row (const OdlImage *image, int y, float *const rgb[3])
{
  g_return_if_fail (image != NULL && rgb != NULL);

  const OdlImageInfo *info = odl_image_info (image);
  g_return_if_fail (info->ycbcr.used && y >= 0 && y < info->extent.y);
  for (int x = 0; x < info->extent.x; x += BLOCK) {
    const int count = MIN (BLOCK, info->extent.x - x);
    Block block;
    read_block (info, x, y, count, &block);
    for (int c = 0; c < 3; c++)
      mix (&block, weights_of (&info->ycbcr, c), count, rgb[c] + x);
  }
}
