// SPDX-License-Identifier: MIT
#include "decoder/opacity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

// Below it the quotient of two rounded numbers means nothing.
#define LEAST (1 / 65536.0)

// The least opacity of which one can see anything in 8 bits.
#define SEEN (1 / 255.0f)
// What opacity may exceed 1 by where that is opaque: filters leave a little.
#define OPAQUE 1.01f

static void
divide_floats (float *pixel)
{
  const float opacity = pixel[3];

  if (!(opacity >= (float) LEAST) || !isfinite (opacity))
    return;
  for (int c = 0; c < 3; c++)
    pixel[c] /= opacity;
}

static uint32_t
quotient (uint32_t colour, uint32_t opacity, uint32_t greatest)
{
  const uint64_t value = ((uint64_t) colour * greatest + opacity / 2) / opacity;

  return (uint32_t) MIN (value, greatest);
}

#define DEFINE_DIVIDE(type) \
  static void divide_##type (type *pixel, uint32_t greatest) \
  { \
    for (int c = 0; c < 3 && pixel[3] > 0; c++) \
      pixel[c] = (type) quotient (pixel[c], pixel[3], greatest); \
  }

DEFINE_DIVIDE (uint8_t)
DEFINE_DIVIDE (uint16_t)

void
odl_picture_divide_by_opacity (OdlPicture *picture)
{
  const size_t n = (size_t) picture->reply.width * picture->reply.height;
  const uint32_t greatest = (uint32_t) picture->reply.stored_max;

  g_return_if_fail (picture->reply.channels == 4);
  for (size_t i = 0; i < n; i++)
    switch ((OdlSampleType) picture->reply.sample_type) {
    case ODL_SAMPLE_U8:
      divide_uint8_t ((uint8_t *) picture->pixels + 4 * i, greatest);
      break;
    case ODL_SAMPLE_U16:
      divide_uint16_t ((uint16_t *) picture->pixels + 4 * i, greatest);
      break;
    case ODL_SAMPLE_F32:
      divide_floats ((float *) picture->pixels + 4 * i);
      break;
    case ODL_SAMPLE_S16:
      return;
    }
}

static bool
exceeds_one (const float *pixels, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (pixels[4 * i + 3] > OPAQUE)
      return true;
  return false;
}

void
odl_picture_finish_rgba (OdlPicture *picture, const double *declared)
{
  const size_t n = (size_t) picture->reply.width * picture->reply.height;
  double range[2] = { INFINITY, -INFINITY };
  float *pixels = picture->pixels;

  if (exceeds_one (pixels, n)) {
    odl_picture_finish_floats (picture, declared);
    return;
  }
  for (size_t i = 0; i < n; i++)
    if (pixels[4 * i + 3] >= SEEN)
      odl_picture_extend_range (range, pixels + 4 * i, 3);
  odl_picture_settle_range (range);
  if (declared != NULL && odl_picture_is_range (declared))
    memcpy (range, declared, sizeof range);
  float *own = picture->numbers == NULL
                   ? odl_picture_set_number (picture, ODL_NUMBER_F32, true)
                   : NULL;
  if (own != NULL)
    memcpy (own, pixels, 4 * n * sizeof *own);
  for (size_t i = 3; i < 4 * n; i += 4)
    pixels[i] = (float) (range[0] + CLAMP (pixels[i], 0, 1) * (range[1] - range[0]));
  odl_picture_finish_floats (picture, range);
}

void
odl_picture_warn_of_samples (OdlPicture *picture, int n)
{
  if (n > 0)
    odl_picture_warn (picture,
                      ngettext ("%d more sample of each pixel, which is neither colour "
                                "nor opacity, is not shown",
                                "%d more samples of each pixel, which are neither colour "
                                "nor opacity, are not shown",
                                (unsigned long) n),
                      n);
}
