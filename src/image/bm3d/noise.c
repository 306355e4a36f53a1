// SPDX-License-Identifier: MIT
#include "image/bm3d/noise.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/parallel.h"

#define SIDE ODL_BM3D_SIDE
#define APART ODL_BM3D_APART
#define WIDE ODL_BM3D_WHITENING
#define POINTS 17 // frequencies along an axis, from 0 to π

double
odl_bm3d_overlap (const float row[SIDE], int lag)
{
  double sum = 0;

  for (int j = 0; j + lag < SIDE; j++)
    sum += (double) row[j] * row[j + lag];
  return sum;
}

// matrix[i][lag]: what the correlation of samples so far apart counts in the variance of
// coefficient i of a line.
static void
make_overlaps (const OdlBm3dTransform *transform, double matrix[SIDE][SIDE])
{
  for (int i = 0; i < SIDE; i++)
    for (int lag = 0; lag < SIDE; lag++)
      matrix[i][lag] = (lag > 0 ? 2 : 1) * odl_bm3d_overlap (transform->forward[i], lag);
}

// By Gauss and Jordan, with the largest pivot of each column.
static void
invert (double matrix[SIDE][SIDE], double inverse[SIDE][SIDE])
{
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      inverse[i][j] = i == j;
  for (int column = 0; column < SIDE; column++) {
    int pivot = column;
    for (int i = column + 1; i < SIDE; i++)
      if (ABS (matrix[i][column]) > ABS (matrix[pivot][column]))
        pivot = i;
    for (int j = 0; j < SIDE; j++) {
      const double a = matrix[pivot][j], b = inverse[pivot][j];
      matrix[pivot][j] = matrix[column][j];
      inverse[pivot][j] = inverse[column][j];
      matrix[column][j] = a;
      inverse[column][j] = b;
    }
    const double divisor = matrix[column][column];
    for (int j = 0; j < SIDE; j++) {
      matrix[column][j] /= divisor;
      inverse[column][j] /= divisor;
    }
    for (int i = 0; i < SIDE; i++) {
      const double factor = i == column ? 0 : matrix[i][column];
      for (int j = 0; j < SIDE; j++) {
        matrix[i][j] -= factor * matrix[column][j];
        inverse[i][j] -= factor * inverse[column][j];
      }
    }
  }
}

void
odl_bm3d_correlations (const double deviations[ODL_BM3D_COEFFICIENTS],
                       float correlations[ODL_BM3D_COEFFICIENTS])
{
  OdlBm3dTransform cosines;
  double overlaps[SIDE][SIDE], inverse[SIDE][SIDE], between[SIDE][SIDE] = { 0 };

  odl_bm3d_cosines (&cosines);
  make_overlaps (&cosines, overlaps);
  invert (overlaps, inverse);
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      for (int k = 0; k < SIDE; k++)
        between[i][j]
            += inverse[i][k] * deviations[k * SIDE + j] * deviations[k * SIDE + j];
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      double sum = 0;
      for (int k = 0; k < SIDE; k++)
        sum += between[i][k] * inverse[j][k];
      correlations[i * SIDE + j] = (float) sum;
    }
}

static double
correlation (const float correlations[ODL_BM3D_COEFFICIENTS], int dy, int dx)
{
  dy = ABS (dy);
  dx = ABS (dx);
  return dy < SIDE && dx < SIDE ? correlations[dy * SIDE + dx] : 0;
}

// Along rows of the picture first.
static void
make_covariances (OdlBm3dNoise *noise,
                  const float correlations[ODL_BM3D_COEFFICIENTS],
                  const OdlBm3dTransform *transform,
                  bool turned)
{
  double overlaps[SIDE][SIDE], across[SIDE][SIDE][APART] = { 0 };

  for (int i = 0; i < SIDE; i++)
    for (int lag = 0; lag < SIDE; lag++)
      overlaps[i][lag] = odl_bm3d_overlap (transform->forward[i], lag);
  for (int j = 0; j < SIDE; j++)
    for (int dy = 0; dy < SIDE; dy++)
      for (int dx = 0; dx < APART; dx++)
        for (int lag = -SIDE + 1; lag < SIDE; lag++)
          across[j][dy][dx]
              += overlaps[j][ABS (lag)] * correlation (correlations, dy, dx - lag);
  for (int dy = 0; dy < APART; dy++)
    for (int dx = 0; dx < APART; dx++)
      for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
          double sum = 0;
          for (int row = -SIDE + 1; row < SIDE; row++)
            if (ABS (dy - row) < SIDE)
              sum += overlaps[i][ABS (dy - row)] * across[j][ABS (row)][dx];
          noise->covariances[dy][dx].rows[turned ? j : i][turned ? i : j] = (float) sum;
        }
}

void
odl_bm3d_noise_init (OdlBm3dNoise *noise,
                     const float correlations[ODL_BM3D_COEFFICIENTS],
                     const OdlBm3dTransform *transform,
                     bool turned)
{
  make_covariances (noise, correlations, transform, turned);
}

// waves[i][k]: frequency i π / (POINTS − 1) at sample k.
typedef double Waves[POINTS][WIDE / 2 + 1];

static void
make_waves (Waves waves)
{
  for (int i = 0; i < POINTS; i++)
    for (int k = 0; k <= WIDE / 2; k++)
      waves[i][k] = cos (G_PI * i * k / (POINTS - 1));
}

// The power at frequencies (i, j).
static double
power_at (const float correlations[ODL_BM3D_COEFFICIENTS], Waves waves, int i, int j)
{
  double sum = 0;

  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      sum += (y > 0 ? 2 : 1) * (x > 0 ? 2 : 1) * waves[i][y] * waves[j][x]
             * (double) correlations[y * SIDE + x];
  return MAX (sum, 0);
}

// What noise has after a kernel that has `kernel` in its quarter.
static double
variance_after (const float correlations[ODL_BM3D_COEFFICIENTS],
                double kernel[WIDE / 2 + 1][WIDE / 2 + 1])
{
  double sum = 0;

  for (int p = 0; p < WIDE * WIDE; p++)
    for (int q = 0; q < WIDE * WIDE; q++)
      sum += kernel[ABS (p / WIDE - WIDE / 2)][ABS (p % WIDE - WIDE / 2)]
             * kernel[ABS (q / WIDE - WIDE / 2)][ABS (q % WIDE - WIDE / 2)]
             * correlation (correlations, p / WIDE - q / WIDE, p % WIDE - q % WIDE);
  return sum;
}

void
odl_bm3d_whitening (const float correlations[ODL_BM3D_COEFFICIENTS],
                    float kernel[WIDE * WIDE])
{
  double gains[POINTS][POINTS], quarter[WIDE / 2 + 1][WIDE / 2 + 1] = { 0 };
  Waves waves;

  G_STATIC_ASSERT (WIDE / 2 + 1 >= SIDE);
  make_waves (waves);
  for (int i = 0; i < POINTS; i++)
    for (int j = 0; j < POINTS; j++)
      gains[i][j] = (i % (POINTS - 1) > 0 ? 2 : 1) * (j % (POINTS - 1) > 0 ? 2 : 1)
                    / sqrt (power_at (correlations, waves, i, j) + ODL_BM3D_LEAST_POWER);
  for (int y = 0; y <= WIDE / 2; y++)
    for (int x = 0; x <= WIDE / 2; x++)
      for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++)
          quarter[y][x] += gains[i][j] * waves[i][y] * waves[j][x];
  for (int y = 0; y <= WIDE / 2; y++)
    for (int x = 0; x <= WIDE / 2; x++)
      quarter[y][x] *= sqrt (cos (G_PI * y / (WIDE + 1)) * cos (G_PI * x / (WIDE + 1)));
  const double own = variance_after (correlations, quarter);
  const double scale = own > 0 ? 1 / sqrt (own) : 0;
  for (int i = 0; i < WIDE * WIDE; i++)
    kernel[i]
        = (float) (scale * quarter[ABS (i / WIDE - WIDE / 2)][ABS (i % WIDE - WIDE / 2)]);
}

// ---- pictures ------------------------------------------------------------------------

// Of `n` samples that are mirrored at the first and at the last one.
static int
mirrored (int i, int n)
{
  const int period = MAX (2 * (n - 1), 1), at = (i % period + period) % period;

  return MIN (at, period - at);
}

ODL_ROW_LOOP static void
add_taps (const float taps[WIDE], const float *line, int width, float *restrict to)
{
  for (int k = 0; k < WIDE; k++)
    for (int x = 0; x < width; x++)
      to[x] += taps[k] * line[x + k];
}

void
odl_bm3d_whiten (const float kernel[WIDE * WIDE],
                 const float *samples,
                 size_t pitch,
                 int width,
                 int height,
                 float *result)
{
  ODL_PARALLEL_FOR
  for (int y = 0; y < height; y++) {
    g_autofree float *line = g_new (float, (size_t) width + WIDE - 1);
    float *to = result + (size_t) y * pitch;

    memset (to, 0, (size_t) width * sizeof *to);
    for (int v = 0; v < WIDE; v++) {
      const float *from = samples + (size_t) mirrored (y + v - WIDE / 2, height) * pitch;
      for (int x = 0; x < WIDE / 2; x++) {
        line[x] = from[mirrored (x - WIDE / 2, width)];
        line[WIDE / 2 + width + x] = from[mirrored (width + x, width)];
      }
      memcpy (line + WIDE / 2, from, (size_t) width * sizeof *line);
      add_taps (kernel + v * WIDE, line, width, to);
    }
  }
}
