// SPDX-License-Identifier: MIT
#include "decoder/dicom/pixels/jpeg2000.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "decoder/opj.h"

static bool
is_as_measured (const opj_image_t *image, const OdlDicomCompressed *compressed, int bits)
{
  const OdlDicomHeader *header = compressed->header;

  if (image->numcomps != header->samples)
    return false;
  for (uint32_t c = 0; c < image->numcomps; c++) {
    const opj_image_comp_t *component = &image->comps[c];
    if (component->data == NULL || component->w != header->columns
        || component->h != header->rows || (int) component->prec != bits)
      return false;
  }
  return true;
}

static void
take_samples (const opj_image_t *image,
              const OdlDicomHeader *header,
              OdlDicomFrame *frame)
{
  const size_t n = (size_t) header->rows * header->columns;
  const uint32_t mask = (1u << frame->bits) - 1;
  const uint32_t sign = header->is_signed ? 1u << (frame->bits - 1) : 0;

  for (uint32_t c = 0; c < header->samples; c++) {
    const int32_t *from = image->comps[c].data;
    for (size_t i = 0; i < n; i++) {
      const uint32_t value = (((uint32_t) from[i] & mask) ^ sign) - sign;
      const size_t index = i * header->samples + c;
      if (frame->sample_bytes == 1)
        frame->samples[index] = (uint8_t) value;
      else
        ((uint16_t *) (void *) frame->samples)[index] = (uint16_t) value;
    }
  }
}

bool
odl_jpeg2000_decode (const OdlDicomCompressed *compressed,
                     OdlDicomFrame *frame,
                     GError **error)
{
  g_autofree char *message = NULL;
  const uint8_t *data = compressed->data;
  size_t size = compressed->size;
  OdlCodestream stream;

  // Without the boxes of a JP2 file.
  odl_jpeg2000_read (&data, &size, &stream);
  opj_image_t *image = odl_opj_decode (data, size, ODL_OPJ_STRICT, &message);
  frame->filled = image == NULL;
  if (image == NULL)
    image = odl_opj_decode (data, size, 0, &message);
  const bool done = image != NULL && is_as_measured (image, compressed, frame->bits);
  if (done)
    take_samples (image, compressed->header, frame);
  else
    g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                 _ ("its compressed pixels are damaged (%s)"),
                 message != NULL ? message : "OpenJPEG");
  g_clear_pointer (&image, opj_image_destroy);
  return done;
}
