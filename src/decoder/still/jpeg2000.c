// SPDX-License-Identifier: MIT
// JPEG 2000 stills: codestreams (.j2k) and JP2 files around one, with OpenJPEG.
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/memory.h"
#include "decoder/dicom/pixels/codestream.h"
#include "decoder/formats.h"
#include "decoder/opj.h"

// What OpenJPEG needs for a sample: its number, and as much while it is transformed.
#define SAMPLE_BYTES (2 * sizeof (int32_t))
#define MOST_BITS 24 // that floats hold exactly

static bool
is_boxed (const OdlDecoderInput *input)
{
  return input->size > 2 && input->data[0] == 0;
}

// Reads the main header, and refuses what would need more memory than there is.
static bool
read_header (const OdlDecoderInput *input, OdlCodestream *stream, GError **error)
{
  const uint8_t *data = input->data;
  size_t size = input->size, bytes = 0;

  if (!odl_jpeg2000_read (&data, &size, stream))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its compressed pixels are damaged (%s)"), "JPEG 2000");
  const size_t factors[] = { stream->width, stream->height,
                             (size_t) MAX (stream->n_components, 4), SAMPLE_BYTES };
  if (stream->width <= ODL_IMAGE_MAX_SIDE && stream->height <= ODL_IMAGE_MAX_SIDE
      && odl_size_product (factors, G_N_ELEMENTS (factors), &bytes)
      && bytes <= input->memory)
    return true;
  return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                        _ ("it is too large: its header says %u×%u pixels, which needs "
                           "more memory than a file of this size may take"),
                        stream->width, stream->height);
}

static bool
check_components (const opj_image_t *image, GError **error)
{
  const opj_image_comp_t *first = &image->comps[0];

  for (uint32_t c = 0; c < image->numcomps; c++) {
    const opj_image_comp_t *component = &image->comps[c];
    if (component->data == NULL || component->w != first->w || component->h != first->h
        || component->prec != first->prec || component->sgnd != first->sgnd)
      return odl_error_set (
          error, ODL_ERROR_UNSUPPORTED,
          _ ("its channels differ in size, bits or sign, which is not supported"));
  }
  if (image->numcomps > 4)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it has more than four channels, which is not supported"));
  if (image->color_space == OPJ_CLRSPC_CMYK || image->color_space == OPJ_CLRSPC_EYCC)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("its colours are those of printing (CMYK) or e-YCC, which are not supported"));
  if (first->prec > MOST_BITS)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("its samples have more than 24 bits, which is not supported"));
  return true;
}

static OdlSampleType
sample_type (const opj_image_comp_t *component)
{
  if (component->prec > 16)
    return ODL_SAMPLE_F32;
  if (component->sgnd != 0)
    return ODL_SAMPLE_S16;
  return component->prec > 8 ? ODL_SAMPLE_U16 : ODL_SAMPLE_U8;
}

// sYCC (IEC 61966-2-1, annex F) to RGB, in place.
static void
convert_to_rgb (int32_t *rgb, int32_t greatest)
{
  const double middle = greatest / 2 + 1;
  const double y = rgb[0], cb = rgb[1] - middle, cr = rgb[2] - middle;
  const double values[]
      = { y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr, y + 1.772 * cb };

  for (int c = 0; c < 3; c++)
    rgb[c] = (int32_t) (CLAMP (values[c], 0, greatest) + 0.5);
}

// Two components are grey and opacity: grey is repeated.
static void
take_samples (const opj_image_t *image, OdlPicture *picture)
{
  const size_t n = (size_t) picture->reply.width * picture->reply.height;
  const uint32_t channels = picture->reply.channels, n_given = image->numcomps;
  const bool is_ycc = image->color_space == OPJ_CLRSPC_SYCC && n_given >= 3
                      && image->comps[0].sgnd == 0;
  const int32_t greatest = (int32_t) picture->reply.stored_max;

  for (size_t i = 0; i < n; i++) {
    int32_t values[4];
    for (uint32_t c = 0; c < channels; c++) {
      const uint32_t from = n_given == 2 ? (c == 3) : c;
      values[c] = image->comps[from].data[i];
    }
    if (is_ycc)
      convert_to_rgb (values, greatest);
    for (uint32_t c = 0; c < channels; c++)
      odl_picture_put (picture, i * channels + c, values[c]);
  }
}

static bool
take_picture (const opj_image_t *image, OdlPicture *picture, GError **error)
{
  if (!check_components (image, error))
    return false;
  const opj_image_comp_t *first = &image->comps[0];
  const OdlPictureShape shape
      = { first->w, first->h, image->numcomps == 2 ? 4 : (int) image->numcomps,
          sample_type (first) };
  const size_t decoded = (size_t) first->w * first->h * image->numcomps;
  if (odl_picture_allocate (picture, &shape, decoded * sizeof (int32_t), error) == NULL)
    return false;
  const int32_t half = (int32_t) (1u << (first->prec - 1));
  picture->reply.stored_min = first->sgnd != 0 ? -half : 0;
  picture->reply.stored_max = first->sgnd != 0 ? half - 1 : 2.0 * half - 1;
  take_samples (image, picture);
  return true;
}

bool
odl_decode_jpeg2000 (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  const OdlOpjFlags boxes = is_boxed (input) ? ODL_OPJ_BOXES : 0;
  g_autofree char *message = NULL;
  OdlCodestream stream;

  if (!read_header (input, &stream, error))
    return false;
  opj_image_t *image
      = odl_opj_decode (input->data, input->size, boxes | ODL_OPJ_STRICT, &message);
  const bool ends_early = image == NULL;
  if (image == NULL)
    image = odl_opj_decode (input->data, input->size, boxes, &message);
  const bool done = image != NULL && image->numcomps > 0;
  if (!done)
    g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                 _ ("its compressed pixels are damaged (%s)"),
                 message != NULL ? message : "OpenJPEG");
  const bool taken = done && take_picture (image, picture, error);
  if (taken) {
    if (ends_early)
      odl_picture_incomplete (picture, _ ("the image data is damaged or ends too early"));
    odl_picture_set_format (picture, _ ("JPEG 2000, %s, %d bit"),
                            stream.lossless ? _ ("lossless") : _ ("lossy"),
                            stream.precision);
    odl_picture_detail (picture, "bits", "%d", stream.precision);
  }
  g_clear_pointer (&image, opj_image_destroy);
  return taken;
}
