// SPDX-License-Identifier: MIT
#include "filter/spectrum.h"

#include <math.h>

#include "filter/noise.h"
#include "image/bm3d/groups.h"

#define SIDE ODL_SPECTRUM_SIDE
#define VALUES ODL_SPECTRUM_VALUES
#define FEWEST_BLOCKS 64
#define MOST_BLOCKS 65536 // of a channel, more or less
#define STEP 4 // from block to block of a picture that is not homogeneous

G_STATIC_ASSERT (SIDE == ODL_BM3D_SIDE);

typedef struct {
  double *samples;
  uint8_t *inside; // 0: surroundings, or no part
  int width, height;
  double cosines[SIDE][SIDE];
} Plane;

// Of the blocks of all channels.
typedef struct {
  GArray *magnitudes[VALUES];
  GArray *apart[2]; // differences of means along rows and columns
  double squares[VALUES];
  size_t n;
} Found;

static bool
is_block (const Plane *plane, int x, int y)
{
  if (x + SIDE > plane->width || y + SIDE > plane->height)
    return false;
  for (int v = y; v < y + SIDE; v++)
    for (int u = x; u < x + SIDE; u++)
      if (plane->inside[(size_t) v * plane->width + u] == 0)
        return false;
  return true;
}

static double
sum_of_block (const Plane *plane, int x, int y)
{
  double sum = 0;

  for (int v = y; v < y + SIDE; v++)
    for (int u = x; u < x + SIDE; u++)
      sum += plane->samples[(size_t) v * plane->width + u];
  return sum;
}

static void
transform_block (const Plane *plane, int x, int y, double coefficients[SIDE][SIDE])
{
  double across[SIDE][SIDE];

  for (int v = 0; v < SIDE; v++) {
    const double *row = plane->samples + (size_t) (y + v) * plane->width + x;
    for (int j = 0; j < SIDE; j++) {
      across[v][j] = 0;
      for (int u = 0; u < SIDE; u++)
        across[v][j] += plane->cosines[j][u] * row[u];
    }
  }
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      coefficients[i][j] = 0;
      for (int v = 0; v < SIDE; v++)
        coefficients[i][j] += plane->cosines[i][v] * across[v][j];
    }
}

static void
append_magnitude (GArray *to, double value)
{
  const double magnitude = fabs (value);

  g_array_append_val (to, magnitude);
}

static void
add_block (const Plane *plane, int x, int y, bool homogeneous, Found *found)
{
  double coefficients[SIDE][SIDE];

  if (!is_block (plane, x, y))
    return;
  found->n++;
  transform_block (plane, x, y, coefficients);
  for (int i = 0; i < VALUES; i++) {
    const double value = coefficients[i / SIDE][i % SIDE];
    found->squares[i] += value * value;
    if (!homogeneous && i > 0)
      append_magnitude (found->magnitudes[i], value);
  }
  if (homogeneous)
    return;
  for (int axis = 0; axis < 2; axis++) {
    const int u = x + (axis == 0) * ODL_SPECTRUM_APART;
    const int v = y + (axis == 1) * ODL_SPECTRUM_APART;
    if (is_block (plane, u, v))
      append_magnitude (found->apart[axis],
                        (coefficients[0][0] - sum_of_block (plane, u, v) / SIDE)
                            * M_SQRT1_2);
  }
}

static double
quartile_of (GArray *magnitudes)
{
  return magnitudes->len == 0 ? INFINITY
                              : odl_select_value ((double *) (void *) magnitudes->data,
                                                  magnitudes->len, magnitudes->len / 4)
                                    / ODL_QUARTILE_OF_NORMAL;
}

static void
measure_channel (const OdlImage *image,
                 const OdlImage *came,
                 int channel,
                 const OdlNoisePart *middle,
                 bool homogeneous,
                 Found *found)
{
  const int area[4] = { middle->left, middle->top, middle->width, middle->height };
  const size_t n = (size_t) middle->width * (size_t) middle->height;
  Plane plane = {
    g_new (double, n), g_new (uint8_t, n), middle->width, middle->height, { { 0 } }
  };
  OdlBm3dTransform cosines;
  int step = STEP;

  odl_bm3d_cosines (&cosines);
  for (int i = 0; i < VALUES; i++)
    plane.cosines[i / SIDE][i % SIDE] = (double) cosines.forward[i / SIDE][i % SIDE];
  odl_noise_plane (image, channel, area, plane.samples, NULL);
  odl_noise_plane (came, channel, area, NULL, plane.inside);
  if (homogeneous) {
    odl_subtract_plane (plane.samples, middle);
    for (size_t i = 0; i < n; i++)
      plane.inside[i] = middle->inside == NULL || middle->inside[i] != 0;
    for (step = 1; n / (size_t) (step * step) > MOST_BLOCKS;)
      step++;
  }
  for (int y = 0; y + SIDE <= plane.height; y += step)
    for (int x = 0; x + SIDE <= plane.width; x += step)
      add_block (&plane, x, y, homogeneous, found);
  g_free (plane.samples);
  g_free (plane.inside);
}

bool
odl_noise_of_spectrum (const OdlImage *image,
                       const OdlImage *came,
                       OdlColourMode colour,
                       const OdlNoisePart *part,
                       double deviations[VALUES])
{
  g_return_val_if_fail (image != NULL && came != NULL, false);

  const OdlImageInfo *info = odl_image_info (image);
  const bool luma = info->channels >= 3 && colour == ODL_COLOUR_LUMA;
  const OdlNoisePart whole = { 0, 0, info->extent.x, info->extent.y, NULL };
  const OdlNoisePart middle = odl_noise_middle (part != NULL ? part : &whole);
  Found found = { .n = 0 };

  for (int i = 0; i < VALUES; i++)
    found.magnitudes[i] = g_array_new (FALSE, FALSE, sizeof (double));
  for (int axis = 0; axis < 2; axis++)
    found.apart[axis] = g_array_new (FALSE, FALSE, sizeof (double));
  for (int c = luma ? -1 : 0; c < (luma ? 0 : info->channels < 3 ? 1 : 3); c++)
    measure_channel (image, came, c, &middle, part != NULL, &found);
  for (int i = 0; i < VALUES; i++)
    deviations[i]
        = part != NULL ? sqrt (found.squares[i] / MAX (found.n, 1))
          : i > 0      ? quartile_of (found.magnitudes[i])
                       : MIN (quartile_of (found.apart[0]), quartile_of (found.apart[1]));
  if (!isfinite (deviations[0]))
    deviations[0] = deviations[1];
  for (int i = 0; i < VALUES; i++)
    g_array_unref (found.magnitudes[i]);
  for (int axis = 0; axis < 2; axis++)
    g_array_unref (found.apart[axis]);
  g_free ((uint8_t *) middle.inside);
  return found.n >= FEWEST_BLOCKS;
}
