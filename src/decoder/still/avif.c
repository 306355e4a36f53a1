// SPDX-License-Identifier: MIT
// AVIF stills of 8, 10 and 12 bits, grey and in colour, with libavif.
#include <avif/avif.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "decoder/formats.h"
#include "decoder/exif.h"
#include "decoder/profile.h"

// What is decoded, as full-range samples before it is cut and turned.
typedef struct {
  const uint8_t *pixels;
  size_t row_bytes;
  OdlPictureShape shape;
  size_t pixel_bytes;
} Samples;

static bool
damaged (const char *cause, GError **error)
{
  g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
               _ ("the image data is damaged or ends too early (%s)"), cause);
  return false;
}

// Width and height by the largest image property “ispe”; ISO/IEC 23008-12, 6.5.3.
static bool
read_size (const OdlDecoderInput *input, uint32_t sides[2])
{
  const uint8_t *at = input->data;
  const uint8_t *end = input->data + MIN (input->size, 1 << 16);

  sides[0] = sides[1] = 0;
  while (at + 16 <= end && (at = memchr (at, 'i', (size_t) (end - at - 15))) != NULL) {
    if (memcmp (at, "ispe\0\0\0\0", 8) != 0) {
      at++;
      continue;
    }
    for (int i = 0; i < 2; i++) {
      const uint8_t *n = at + 8 + 4 * i;
      const uint32_t side
          = (uint32_t) n[0] << 24 | (uint32_t) n[1] << 16 | (uint32_t) n[2] << 8 | n[3];
      sides[i] = MAX (sides[i], side);
    }
    at += 16;
  }
  return sides[0] > 0 && sides[1] > 0;
}

// Room for the planes of luma, colour differences and opacity, and for RGBA.
static bool
fits (const OdlPicture *picture, const uint32_t sides[2], bool deep, GError **error)
{
  const OdlPictureShape shape
      = { sides[0], sides[1], 4, deep ? ODL_SAMPLE_U16 : ODL_SAMPLE_U8 };

  return odl_picture_fits (picture, &shape,
                           (size_t) sides[0] * sides[1] * (deep ? 16 : 8), error);
}

// Decodes the first picture, after its declared size was checked; nothing that the
// bytes of AV1 say may be larger.
static bool
decode (avifDecoder *decoder,
        const OdlDecoderInput *input,
        const OdlPicture *picture,
        GError **error)
{
  uint32_t sides[2];

  if (!read_size (input, sides))
    return damaged ("AVIF", error);
  if (!fits (picture, sides, false, error))
    return false;
  decoder->imageSizeLimit = MIN (sides[0] * sides[1], AVIF_DEFAULT_IMAGE_SIZE_LIMIT);
  decoder->imageDimensionLimit = ODL_IMAGE_MAX_SIDE;
  decoder->ignoreExif = decoder->ignoreXMP = AVIF_TRUE;
  // Files without “pixi” are common.
  decoder->strictFlags = AVIF_STRICT_CLAP_VALID;
  avifResult result = avifDecoderSetIOMemory (decoder, input->data, input->size);
  if (result == AVIF_RESULT_OK)
    result = avifDecoderParse (decoder);
  if (result == AVIF_RESULT_OK && decoder->image->depth > 8
      && !fits (picture, sides, true, error))
    return false;
  if (result == AVIF_RESULT_OK)
    result = avifDecoderNextImage (decoder);
  return result == AVIF_RESULT_OK || damaged (avifResultToString (result), error);
}

static bool
is_grey (const Samples *rgb)
{
  const size_t size = rgb->pixel_bytes / 3;

  if (rgb->shape.channels != 3)
    return false;
  for (uint32_t y = 0; y < rgb->shape.height; y++) {
    const uint8_t *at = rgb->pixels + y * rgb->row_bytes;
    for (uint32_t x = 0; x < rgb->shape.width; x++, at += rgb->pixel_bytes)
      if (memcmp (at, at + size, 2 * size) != 0)
        return false;
  }
  return true;
}

// Luma as it is, of the full range.
static void
put_luma (const avifImage *image, uint8_t *to)
{
  const bool limited = image->yuvRange == AVIF_RANGE_LIMITED;

  for (size_t y = 0; y < image->height; y++) {
    const uint8_t *row
        = image->yuvPlanes[AVIF_CHAN_Y] + y * image->yuvRowBytes[AVIF_CHAN_Y];
    for (size_t x = 0; x < image->width; x++) {
      const size_t at = y * image->width + x;
      const int depth = (int) image->depth;
      const int value = depth > 8 ? ((const uint16_t *) row)[x] : row[x];
      const int full = limited ? avifLimitedToFullY (depth, value) : value;
      if (depth > 8)
        ((uint16_t *) to)[at] = (uint16_t) full;
      else
        to[at] = (uint8_t) full;
    }
  }
}

// Keeps the first of three equal channels, in place.
static void
drop_equal_channels (uint8_t *pixels, Samples *samples)
{
  const size_t size = samples->pixel_bytes / 3;
  const size_t n = (size_t) samples->shape.width * samples->shape.height;

  for (size_t i = 1; i < n; i++)
    memmove (pixels + i * size, pixels + i * samples->pixel_bytes, size);
  samples->shape.channels = 1;
}

// Samples in new memory, `*memory`.
static bool
convert (const avifImage *image, Samples *samples, uint8_t **memory, GError **error)
{
  const bool alpha = image->alphaPlane != NULL;
  const bool luma = image->yuvFormat == AVIF_PIXEL_FORMAT_YUV400 && !alpha;
  const size_t size = image->depth > 8 ? sizeof (uint16_t) : 1;
  avifRGBImage rgb;

  samples->shape = (OdlPictureShape){ image->width, image->height,
                                      luma    ? 1
                                      : alpha ? 4
                                              : 3,
                                      size > 1 ? ODL_SAMPLE_U16 : ODL_SAMPLE_U8 };
  samples->pixel_bytes = (size_t) samples->shape.channels * size;
  samples->row_bytes = image->width * samples->pixel_bytes;
  samples->pixels = *memory = g_try_malloc (samples->row_bytes * image->height);
  if (*memory == NULL) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                 _ ("there is not enough memory for %u×%u pixels"), image->width,
                 image->height);
    return false;
  }
  if (luma) {
    put_luma (image, *memory);
    return true;
  }
  avifRGBImageSetDefaults (&rgb, image);
  rgb.format = alpha ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB;
  rgb.pixels = *memory;
  rgb.rowBytes = (uint32_t) samples->row_bytes;
  const avifResult result = avifImageYUVToRGB (image, &rgb);
  if (result != AVIF_RESULT_OK)
    return damaged (avifResultToString (result), error);
  if (is_grey (samples)) {
    drop_equal_channels (*memory, samples);
    samples->pixel_bytes = size;
    samples->row_bytes = image->width * size;
  }
  return true;
}

// Cut, turned and mirrored, in this order: ISO/IEC 23000-22, 7.3.6.7.
static bool
place (const avifImage *image,
       const Samples *samples,
       OdlPicture *picture,
       GError **error)
{
  // Of Exif, by the mirror (none, upper with lower half, left with right half) and the
  // quarters of a turn to the left.
  static const int orientations[3][4]
      = { { 1, 8, 3, 6 }, { 4, 5, 2, 7 }, { 2, 7, 4, 5 } };
  const bool turns = (image->transformFlags & AVIF_TRANSFORM_IROT) != 0;
  const bool mirrors = (image->transformFlags & AVIF_TRANSFORM_IMIR) != 0;
  avifCropRect part = { 0, 0, image->width, image->height };
  avifDiagnostics diagnostics;

  if ((image->transformFlags & AVIF_TRANSFORM_CLAP) != 0
      && !avifCropRectConvertCleanApertureBox (&part, &image->clap, image->width,
                                               image->height, image->yuvFormat,
                                               &diagnostics))
    return damaged (diagnostics.error, error);
  const OdlOrientation orientation
      = odl_orientation (orientations[mirrors ? 1 + (image->imir.mode & 1) : 0]
                                     [turns ? image->irot.angle & 3 : 0],
                         part.width, part.height);
  OdlPictureShape shape = samples->shape;
  shape.width = orientation.width;
  shape.height = orientation.height;
  void *to = odl_picture_allocate (picture, &shape, 0, error);
  for (uint32_t y = 0; y < part.height && to != NULL; y++)
    odl_orientation_put_row (&orientation,
                             samples->pixels + (part.y + y) * samples->row_bytes
                                 + part.x * samples->pixel_bytes,
                             y, part.width, samples->pixel_bytes, to);
  return to != NULL;
}

bool
odl_decode_avif (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  avifDecoder *decoder = avifDecoderCreate ();
  uint8_t *memory = NULL;
  Samples samples;

  const bool done = decode (decoder, input, picture, error)
                    && convert (decoder->image, &samples, &memory, error)
                    && place (decoder->image, &samples, picture, error);
  if (done) {
    picture->reply.stored_max = (double) ((1u << decoder->image->depth) - 1);
    odl_picture_set_format (picture, _ ("AVIF, %d bit"), (int) decoder->image->depth);
    odl_picture_detail (picture, "bits", "%d", (int) decoder->image->depth);
    odl_picture_note_profile (picture, decoder->image->icc.data,
                              decoder->image->icc.size);
    if (decoder->imageCount > 1)
      odl_picture_warn_of_others (picture);
  }
  g_free (memory);
  avifDecoderDestroy (decoder);
  return done;
}
