// SPDX-License-Identifier: MIT
// YCbCr noise images in all layouts of videos, for tests of engines.
#pragma once

#include <string.h>

#include "image/image.h"

// Sample layout: steps in samples.
typedef struct {
  const char *name;
  int bits; // per sample; more than 8: U16
  int shift_x, shift_y;
  int luma_step, chroma_step; // chroma_step 1: separate planes
  bool centred_x;
} OdlTestLayout;

static const OdlTestLayout odl_test_layouts[] = {
  { "I420", 8, 1, 1, 1, 1, false },           { "I420, centred", 8, 1, 1, 1, 1, true },
  { "NV12", 8, 1, 1, 1, 2, false },           { "Y42B", 8, 1, 0, 1, 1, false },
  { "Y444", 8, 0, 0, 1, 1, false },           { "YUY2", 8, 1, 0, 2, 4, false },
  { "YUV9", 8, 2, 2, 1, 1, false },           { "Y41B, centred", 8, 2, 0, 1, 1, true },
  { "I420, 10 bits", 10, 1, 1, 1, 1, false }, { "P010", 16, 1, 1, 1, 2, false },
  { "Y444, 12 bits", 12, 0, 0, 1, 1, false },
};

typedef struct {
  const char *name;
  double kr, kb;
} OdlTestMatrix;

static const OdlTestMatrix odl_test_matrices[] = {
  { "BT.601", 0.299, 0.114 },
  { "BT.709", 0.2126, 0.0722 },
  { "BT.2020", 0.2627, 0.0593 },
};

// Noise over all values, including impossible colours. Rows are padded.
static inline OdlImage *
odl_test_ycbcr (const OdlTestLayout *layout,
                const OdlTestMatrix *matrix,
                bool full,
                int width,
                int height,
                guint32 seed)
{
  const size_t size = layout->bits > 8 ? 2 : 1;
  const size_t across
      = (size_t) ((width + (1 << layout->shift_x) - 1) >> layout->shift_x);
  const size_t down = (size_t) ((height + (1 << layout->shift_y) - 1) >> layout->shift_y);
  const bool woven = layout->luma_step == 2; // packed: a single plane
  const size_t pad = 6;
  const size_t luma_row = ((size_t) (width + 1) / 2 * 2 * layout->luma_step + pad) * size;
  const size_t chroma_row
      = woven ? luma_row : (across * (size_t) layout->chroma_step + pad) * size;
  const size_t luma_bytes = luma_row * (size_t) height, chroma_bytes = chroma_row * down;
  uint8_t *samples = g_malloc (luma_bytes + 2 * chroma_bytes);
  uint8_t *blue = woven ? samples + size : samples + luma_bytes;
  uint8_t *red = woven                      ? samples + 3 * size
                 : layout->chroma_step == 2 ? blue + size
                                            : blue + chroma_bytes;
  OdlImageInfo info = {
    .extent = { width, height, 1, 1 },
    .channels = 3,
    .type = size == 2 ? ODL_SAMPLE_U16 : ODL_SAMPLE_U8,
    .ycbcr = { .used = true,
               .centred_x = layout->centred_x,
               .shift_x = layout->shift_x,
               .shift_y = layout->shift_y,
               .kr = matrix->kr,
               .kb = matrix->kb },
    .planes = { { samples, (size_t) layout->luma_step * size, luma_row, 0, 0 },
                { blue, (size_t) layout->chroma_step * size, chroma_row, 0, 0 },
                { red, (size_t) layout->chroma_step * size, chroma_row, 0, 0 } },
  };
  GRand *noise = g_rand_new_with_seed (seed);
  GError *error = NULL;

  odl_ycbcr_set_range (&info.ycbcr, layout->bits, full);
  for (size_t i = 0; i < (luma_bytes + 2 * chroma_bytes) / size; i++) {
    const guint32 value = g_rand_int (noise) & ((1u << layout->bits) - 1);
    const uint16_t wide = (uint16_t) value;
    if (size == 2)
      memcpy (samples + 2 * i, &wide, sizeof wide);
    else
      samples[i] = (uint8_t) value;
  }
  g_rand_free (noise);
  OdlImage *image = odl_image_wrap (&info, g_free, samples, &error);
  g_assert_no_error (error);
  return image;
}
