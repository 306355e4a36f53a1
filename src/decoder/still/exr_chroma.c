// SPDX-License-Identifier: MIT
#include "decoder/still/exr_chroma.h"

#include <glib.h>
#include <math.h>

#define HALF_TAPS 7

// Of the samples at both sides of a place between two of them, the nearest first: a
// windowed sinc.
static const float taps[HALF_TAPS]
    = { 0.627123f, -0.186077f, 0.087929f, -0.043159f, 0.019597f, -0.007540f, 0.002128f };

void
odl_exr_weights (exr_const_context_t exr, int part, double weights[3])
{
  exr_attr_chromaticities_t c;
  static const double usual[3] = { 0.2126, 0.7152, 0.0722 };

  for (int i = 0; i < 3; i++)
    weights[i] = usual[i];
  if (exr_attr_get_chromaticities (exr, part, "chromaticities", &c) != EXR_ERR_SUCCESS)
    return;
  // Cramer's rule for S in white / y = Σ S (x, y, 1 − x − y) of red, green and blue.
  const double x[4] = { c.red_x, c.green_x, c.blue_x, c.white_x / c.white_y };
  const double y[4] = { c.red_y, c.green_y, c.blue_y, 1 };
  const double sum[4] = { 1, 1, 1, 1 / c.white_y };
  double own[3], total = 0;
  for (int i = 0; i < 3; i++) {
    int at[3] = { 0, 1, 2 };
    at[i] = 3;
    const double determinant
        = x[at[0]] * (y[at[1]] * sum[at[2]] - y[at[2]] * sum[at[1]])
          - x[at[1]] * (y[at[0]] * sum[at[2]] - y[at[2]] * sum[at[0]])
          + x[at[2]] * (y[at[0]] * sum[at[1]] - y[at[1]] * sum[at[0]]);
    own[i] = determinant * y[i];
    total += own[i];
  }
  for (int i = 0; i < 3; i++)
    if (!(own[i] / total > 0.001 && own[i] / total < 0.999))
      return;
  for (int i = 0; i < 3; i++)
    weights[i] = own[i] / total;
}

// Sample `at` of a line of twice as many places as it has samples, `count`, which are
// `stride` apart.
static float
between (const float *line, int count, size_t stride, int at)
{
  float sum = 0;

  if (at % 2 == 0)
    return line[(size_t) (at / 2) * stride];
  for (int i = 0; i < HALF_TAPS; i++) {
    const int left = MAX (at / 2 - i, 0), right = MIN (at / 2 + 1 + i, count - 1);
    sum += taps[i] * (line[(size_t) left * stride] + line[(size_t) right * stride]);
  }
  return sum;
}

// Chroma of full size, `to`; `wide` has room for the rows that are there.
static void
interpolate (const OdlExrChroma *chroma, const float *from, float *wide, float *to)
{
  const int columns = chroma->width / chroma->step[0];
  const int rows = chroma->height / chroma->step[1];
  const size_t width = (size_t) chroma->width;

  for (int y = 0; y < rows; y++)
    for (int x = 0; x < chroma->width; x++) {
      const float *row = from + (size_t) y * (size_t) columns;
      wide[(size_t) y * width + (size_t) x]
          = chroma->step[0] == 2 ? between (row, columns, 1, x) : row[x];
    }
  for (int y = 0; y < chroma->height; y++)
    for (size_t x = 0; x < width; x++)
      to[(size_t) y * width + x] = chroma->step[1] == 2
                                       ? between (wide + x, rows, width, y)
                                       : wide[(size_t) y * width + x];
}

static float
saturation (const float *const rgb[3], size_t at)
{
  const float most = MAX (MAX (rgb[0][at], rgb[1][at]), rgb[2][at]);
  const float least = MIN (MIN (rgb[0][at], rgb[1][at]), rgb[2][at]);

  return most > 0 ? 1 - least / most : 0;
}

// Chroma that was rounded makes single pixels in the dark far too colourful: saturation
// is limited by that of the four diagonal neighbours. The luminance stays.
static void
limit_saturation (const OdlExrChroma *chroma,
                  const float *const from[3],
                  size_t at,
                  float mean,
                  float *const to[3])
{
  const float own = saturation (from, at);
  const float most = MIN (1, 1 - (1 - MIN (mean, 1)) * 0.25f);
  const float greatest = MAX (MAX (from[0][at], from[1][at]), from[2][at]);
  double before = 0, after = 0;

  for (int c = 0; c < 3; c++)
    to[c][at] = from[c][at];
  if (own <= mean || own <= most)
    return;
  for (int c = 0; c < 3; c++) {
    to[c][at] = MAX (greatest - (greatest - from[c][at]) * most / own, 0);
    before += chroma->weights[c] * (double) from[c][at];
    after += chroma->weights[c] * (double) to[c][at];
  }
  for (int c = 0; c < 3 && after > 0; c++)
    to[c][at] = (float) (to[c][at] * before / after);
}

static void
limit_all (const OdlExrChroma *chroma, const float *const from[3], float *const to[3])
{
  const int width = chroma->width, height = chroma->height;

  for (int y = 0; y < height; y++) {
    const size_t above = (size_t) MAX (y - 1, 0) * (size_t) width;
    const size_t below = (size_t) MIN (y + 1, height - 1) * (size_t) width;
    for (int x = 0; x < width; x++) {
      const size_t left = (size_t) MAX (x - 1, 0),
                   right = (size_t) MIN (x + 1, width - 1);
      const float mean
          = 0.25f
            * (saturation (from, above + left) + saturation (from, above + right)
               + saturation (from, below + left) + saturation (from, below + right));
      limit_saturation (chroma, from, (size_t) y * (size_t) width + (size_t) x, mean, to);
    }
  }
}

bool
odl_exr_chroma_to_rgb (const OdlExrChroma *chroma, float *rgb)
{
  const size_t n = (size_t) chroma->width * (size_t) chroma->height;
  g_autofree float *wide = g_try_new (float, n);
  g_autofree float *raw = g_try_new (float, 3 * n);
  float *const to[3] = { rgb, rgb + n, rgb + 2 * n };

  if (wide == NULL || raw == NULL)
    return false;
  const float *const from[3] = { raw, raw + n, raw + 2 * n };
  interpolate (chroma, chroma->ry, wide, raw);
  interpolate (chroma, chroma->by, wide, raw + 2 * n);
  for (size_t i = 0; i < n; i++) {
    const double y = chroma->y[i], ry = raw[i], by = raw[2 * n + i];
    const double red = (ry + 1) * y, blue = (by + 1) * y;
    const bool grey = ry == 0 && by == 0;
    const double green
        = (y - red * chroma->weights[0] - blue * chroma->weights[2]) / chroma->weights[1];
    raw[i] = (float) (grey ? y : red);
    raw[n + i] = (float) (grey ? y : green);
    raw[2 * n + i] = (float) (grey ? y : blue);
  }
  limit_all (chroma, from, to);
  return true;
}
