// SPDX-License-Identifier: MIT
// A smooth, noisy 12-bit picture in a disc.
#pragma once

#include <math.h>

#include "image/image.h"

#define ODL_TEST_DISC_SIDE 256

// Approximately Gaussian: the sum of twelve uniform numbers.
static inline double
odl_test_normal (GRand *random)
{
  double sum = -6;

  for (int i = 0; i < 12; i++)
    sum += g_rand_double (random);
  return sum;
}

// With noise of `sigma` grey levels in a disc of `radius`, surrounded by `outside`.
static inline OdlImage *
odl_test_disc (double sigma, double radius, int outside)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  const int side = ODL_TEST_DISC_SIDE;
  const OdlImageInfo info = { .extent = { side, side, 1, 1 },
                              .channels = 1,
                              .type = ODL_SAMPLE_U16,
                              .stored_max = 4095 };
  void *memory;
  OdlImage *image = odl_image_alloc (&info, &memory, NULL);
  uint16_t *samples = memory;

  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      const double value = 1500 + 500 * sin (x / 30.0) * cos (y / 40.0);
      const bool inside = hypot (x - side / 2, y - side / 2) < radius;
      samples[y * side + x]
          = (uint16_t) (inside ? lround (value + sigma * odl_test_normal (random))
                               : outside);
    }
  return image;
}
