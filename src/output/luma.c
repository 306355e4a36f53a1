// SPDX-License-Identifier: MIT
#include "output/luma.h"

#include <string.h>

#include "base/parallel.h"

// Fixed-point coefficients (1/65536) for 219 luma steps and 224 chroma steps.
#define FIXED(x) ((int32_t) ((x) *65536.0 + ((x) < 0 ? -0.5 : 0.5)))
#define Y_STEP (219.0 / 255)
#define DIFFERENCE_STEP(k) (224.0 / 255 / (2 * (1 - (k))))
#define ROW(r, g, b) \
  { \
    FIXED (r), FIXED (g), FIXED (b) \
  }
#define Y_ROW(r, g, b) ROW (r *Y_STEP, g *Y_STEP, b *Y_STEP)
#define CB_ROW(r, g, b) \
  ROW (-r *DIFFERENCE_STEP (b), -g *DIFFERENCE_STEP (b), (1 - b) * DIFFERENCE_STEP (b))
#define CR_ROW(r, g, b) \
  ROW ((1 - r) * DIFFERENCE_STEP (r), -g * DIFFERENCE_STEP (r), -b * DIFFERENCE_STEP (r))
#define WEIGHTS(r, g, b) \
  { \
    Y_ROW (r, g, b), CB_ROW (r, g, b), CR_ROW (r, g, b) \
  }
#define HALF 32768

static const int32_t weights[ODL_N_LUMAS][3][3] = {
  [ODL_LUMA_BT709] = WEIGHTS (0.2126, 0.7152, 0.0722),
  [ODL_LUMA_BT601] = WEIGHTS (0.299, 0.587, 0.114),
  [ODL_LUMA_BT2020] = WEIGHTS (0.2627, 0.678, 0.0593),
};
static const int32_t offsets[3] = { 16, 128, 128 };

static const uint8_t *
row_of (const OdlImageInfo *info, int y)
{
  const OdlPlane *plane = &info->planes[0];

  return (const uint8_t *) plane->data
         + (size_t) MIN (y, info->extent.y - 1) * plane->row_stride_bytes;
}

static void
fill_grey_row (const OdlLumaPlanes *to, const OdlImageInfo *from, int y)
{
  const uint8_t *row = row_of (from, y);
  uint8_t *out = to->planes[0] + (size_t) y * to->stride_bytes[0];
  const int width = MIN (from->extent.x, to->width);

  for (int x = 0; x < width; x++)
    out[x] = (uint8_t) (16 + (219 * row[x] + 127) / 255);
  memset (out + width, out[width - 1], (size_t) (to->width - width));
}

// One plane's row; `sum` (3 values per pixel) is scaled by 2^scale_bits.
static void
fill_row (uint8_t *out,
          OdlLuma luma,
          int which,
          const uint16_t *sum,
          int n,
          int scale_bits)
{
  const int32_t *w = weights[luma][which];
  const int32_t round = (HALF << scale_bits) + (offsets[which] << (16 + scale_bits));

  for (int x = 0; x < n; x++) {
    const uint16_t *rgb = sum + (size_t) 3 * x;
    out[x] = (uint8_t) ((w[0] * rgb[0] + w[1] * rgb[1] + w[2] * rgb[2] + round)
                        >> (16 + scale_bits));
  }
}

// Reads red, green and blue of a row; repeats the last pixel.
static void
load_row (const OdlImageInfo *from, int y, int width, uint16_t *rgb)
{
  const uint8_t *row = row_of (from, y);
  const int step = from->channels;

  for (int x = 0; x < width; x++) {
    const uint8_t *pixel = row + (size_t) MIN (x, from->extent.x - 1) * step;
    for (int c = 0; c < 3; c++)
      rgb[(size_t) 3 * x + c] = pixel[c];
  }
}

// Chroma subsampling: 8 times the weighted mean around every second pixel of two rows
// (1 2 1 along x, 1 1 along y).
static void
gather (const uint16_t *upper, const uint16_t *lower, int width, uint16_t *sum)
{
  for (int i = 0; 2 * i < width; i++)
    for (int c = 0; c < 3; c++) {
      const int x = 2 * i, left = MAX (x - 1, 0), right = MIN (x + 1, width - 1);
      sum[(size_t) 3 * i + c]
          = (uint16_t) (upper[3 * left + c] + lower[3 * left + c]
                        + 2 * (upper[3 * x + c] + lower[3 * x + c]) + upper[3 * right + c]
                        + lower[3 * right + c]);
    }
}

static void
fill_colour_rows (const OdlLumaPlanes *to, const OdlImageInfo *from, int pair)
{
  const int rows = 1 << to->shift;
  const int first = pair * rows;
  const int chroma_width = (to->width + to->shift) >> to->shift;
  g_autofree uint16_t *rgb = g_new (uint16_t, (size_t) 3 * to->width * rows);
  g_autofree uint16_t *sum = g_new (uint16_t, (size_t) 3 * chroma_width);

  for (int i = 0; i < rows; i++) {
    uint16_t *row = rgb + (size_t) 3 * to->width * i;
    load_row (from, MIN (first + i, to->height - 1), to->width, row);
    if (first + i < to->height)
      fill_row (to->planes[0] + (size_t) (first + i) * to->stride_bytes[0], to->luma, 0,
                row, to->width, 0);
  }
  if (to->shift != 0)
    gather (rgb, rgb + (size_t) 3 * to->width, to->width, sum);
  for (int c = 1; c < 3; c++)
    fill_row (to->planes[c] + (size_t) pair * to->stride_bytes[c], to->luma, c,
              to->shift != 0 ? sum : rgb, chroma_width, to->shift != 0 ? 3 : 0);
}

void
odl_luma_fill (const OdlLumaPlanes *planes, const OdlImage *shown)
{
  const OdlImageInfo *from = odl_image_info (shown);
  const int pairs = (planes->height + planes->shift) >> planes->shift;

  if (from->channels == 1) {
    for (int c = 1; c < 3; c++)
      memset (planes->planes[c], 128, planes->stride_bytes[c] * (size_t) pairs);
    ODL_PARALLEL_FOR
    for (int y = 0; y < planes->height; y++)
      fill_grey_row (planes, from, y);
    return;
  }
  ODL_PARALLEL_FOR
  for (int pair = 0; pair < pairs; pair++)
    fill_colour_rows (planes, from, pair);
}
