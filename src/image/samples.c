// SPDX-License-Identifier: MIT
// Scaled rows of images of all sample types.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "image/numbers.h"
#include "image/ycbcr.h"

static float
scale_float (float stored, double minimum, float inverse)
{
  // fmaxf and fminf return the number if the other operand is NaN.
  return fminf (fmaxf ((stored - (float) minimum) * inverse, -G_MAXFLOAT), G_MAXFLOAT);
}

// The same by bits, since compilers do not turn branches on floats into vectors: NaN and
// what is negative beyond all numbers is 0, positive 1.
static inline float
scale_finite (float stored, float minimum, float inverse)
{
  typedef union {
    float number;
    uint32_t bits;
  } Bits;
  const uint32_t infinity = 0x7f800000, one = 0x3f800000;
  const float scaled = (stored - minimum) * inverse;
  const float above = scaled > -G_MAXFLOAT ? scaled : -G_MAXFLOAT;
  const Bits from = { stored }, within = { above < G_MAXFLOAT ? above : G_MAXFLOAT };
  const uint32_t is_number = (from.bits & infinity) == infinity ? 0 : ~(uint32_t) 0;
  const Bits to
      = { .bits = (within.bits & is_number) | (from.bits == infinity ? one : 0) };

  return to.number;
}

// For samples side by side, in blocks that compilers know the length of.
ODL_ROW_LOOP static void
scale_floats (const float *restrict stored,
              int n,
              float minimum,
              float inverse,
              float *restrict row)
{
  enum { BLOCK = 16 };
  int x = 0;

  for (; x + BLOCK <= n; x += BLOCK)
    for (int k = 0; k < BLOCK; k++)
      row[x + k] = scale_finite (stored[x + k], minimum, inverse);
  for (; x < n; x++)
    row[x] = scale_finite (stored[x], minimum, inverse);
}

void
odl_image_numbers_span (const OdlImage *image,
                        int channel,
                        int from,
                        int count,
                        int y,
                        int z,
                        double *numbers)
{
  const OdlNumbers all = odl_image_numbers (image);
  const OdlPlane *plane = &all.planes[channel];
  const uint8_t *at = (const uint8_t *) plane->data + y * plane->row_stride_bytes
                      + z * plane->slice_stride_bytes + from * plane->sample_stride_bytes;

  for (int x = 0; x < count; x++)
    numbers[x] = odl_number_get (all.held, at + x * plane->sample_stride_bytes);
}

// One loop per sample type; SCALED computes the scaled value from `stored`.
#define SCALE_ROW(type, SCALED) \
  for (int x = 0; x < count; x++) { \
    type stored; \
    memcpy (&stored, source + x * step, sizeof stored); \
    row[x] = (SCALED); \
  }

void
odl_image_scaled_row (const OdlImage *image, int channel, int y, int z, int t, float *row)
{
  g_return_if_fail (image != NULL && row != NULL);

  const OdlImageInfo *info = odl_image_info (image);
  g_return_if_fail (channel >= 0 && channel < info->channels && y >= 0
                    && y < info->extent.y);
  if (info->ycbcr.used)
    odl_ycbcr_channel_row (info, channel, y, row);
  else
    odl_image_scaled_span (image, channel, 0, info->extent.x, y, z, t, row);
}

void
odl_image_scaled_span (const OdlImage *image,
                       int channel,
                       int from,
                       int count,
                       int y,
                       int z,
                       int t,
                       float *row)
{
  g_return_if_fail (image != NULL && row != NULL);

  const OdlImageInfo *info = odl_image_info (image);
  g_return_if_fail (channel >= 0 && channel < info->channels && y >= 0
                    && y < info->extent.y && z >= 0 && z < info->extent.z && t >= 0
                    && t < info->extent.t && from >= 0 && count >= 0
                    && from + count <= info->extent.x && !info->ycbcr.used);

  const OdlPlane *plane = &info->planes[channel];
  const size_t step = plane->sample_stride_bytes;
  const uint8_t *source = (const uint8_t *) plane->data + y * plane->row_stride_bytes
                          + z * plane->slice_stride_bytes + t * plane->frame_stride_bytes
                          + from * step;
  const float minimum = (float) info->stored_min;
  const float inverse = (float) (1 / (info->stored_max - info->stored_min));

  switch (info->type) {
  case ODL_SAMPLE_U8:
    SCALE_ROW (uint8_t, ((float) stored - minimum) * inverse)
    break;
  case ODL_SAMPLE_U16:
    SCALE_ROW (uint16_t, ((float) stored - minimum) * inverse)
    break;
  case ODL_SAMPLE_S16:
    SCALE_ROW (int16_t, ((float) stored - minimum) * inverse)
    break;
  case ODL_SAMPLE_F32:
    if (step == sizeof (float)) {
      scale_floats ((const float *) (const void *) source, count, minimum, inverse, row);
      break;
    }
    SCALE_ROW (float, isnan (stored)   ? 0
                      : isinf (stored) ? (stored > 0 ? 1 : 0)
                                       : scale_float (stored, info->stored_min, inverse))
    break;
  }
}
