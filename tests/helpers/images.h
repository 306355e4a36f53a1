// SPDX-License-Identifier: MIT
// Pictures for tests: an error fails the test.
#pragma once

#include "image/image.h"

// `samples`, a pointer to a pointer of any type, gets those of the picture, which are all
// 0 and interleaved without gaps.
static inline OdlImage *
odl_test_image (int width, int height, int channels, OdlSampleType type, void *samples)
{
  const OdlImageInfo info
      = { .extent = { width, height, 1, 1 }, .channels = channels, .type = type };
  g_autoptr (GError) error = NULL;
  OdlImage *image = odl_image_alloc (&info, samples, &error);

  g_assert_no_error (error);
  return image;
}

typedef float (*OdlTestPattern) (int x, int y, int c);

static inline OdlImage *
odl_test_picture (int width, int height, int channels, OdlTestPattern pattern)
{
  float *samples;
  OdlImage *image = odl_test_image (width, height, channels, ODL_SAMPLE_F32, &samples);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int c = 0; c < channels; c++)
        *samples++ = pattern (x, y, c);
  return image;
}
