// SPDX-License-Identifier: MIT
#include "source/dicom/ordered.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "source/helper/answer.h"
#include "source/source_file.h"

// Answers the helper's request for the order.
static bool
hand_over (OdlDecoderProcess *process,
           OdlDecoderAnswer *answer,
           const char *name,
           const GByteArray *order,
           GError **error)
{
  const char *wanted = odl_decoder_answer_request (answer);

  // Else it is an error, which is checked later.
  if (g_strcmp0 (wanted, name) != 0)
    return true;
  if (answer->memfd >= 0)
    close (answer->memfd);
  answer->memfd = -1;
  const OdlSourceFile file = odl_source_file_of_bytes (order->data, order->len, error);
  if (file.fd < 0)
    return false;
  bool done = odl_decoder_process_send_file (process, file.fd, file.size, error)
              && odl_decoder_process_receive (process, NULL, answer, error);
  close (file.fd);
  return done;
}

// The bytes in the picture (protocol.h).
static GBytes *
unwrap (const OdlImage *image, GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);
  const guint8 *data = info->planes[0].data;
  const size_t there = (size_t) info->extent.x * (size_t) info->extent.y;
  uint64_t size = 0;

  if (info->channels == 1 && info->type == ODL_SAMPLE_U8 && there > sizeof size)
    memcpy (&size, data, sizeof size);
  if (size > 0 && size <= there - sizeof size)
    return g_bytes_new (data + sizeof size, size);
  odl_helper_set_invalid_answer (error);
  return NULL;
}

static GBytes *
receive (OdlDecoderProcess *process,
         const char *name,
         const GByteArray *order,
         GError **error)
{
  g_autofree OdlDecoderAnswer *answer = g_new0 (OdlDecoderAnswer, 1);
  g_autoptr (OdlImage) image = NULL;
  OdlDecoderTexts texts = { 0 };
  bool healthy = false;

  answer->memfd = -1;
  if (odl_decoder_process_receive (process, NULL, answer, error)
      && hand_over (process, answer, name, order, error)
      && odl_decoder_answer_check (answer, &texts, &healthy, error))
    image = odl_decoder_answer_image (answer, &texts, error);
  if (answer->memfd >= 0)
    close (answer->memfd);
  return image != NULL ? unwrap (image, error) : NULL;
}

GBytes *
odl_ordered_ask (const char *path,
                 const char *format,
                 const char *name,
                 const GByteArray *order,
                 GError **error)
{
  OdlSourceFile file;
  GBytes *bytes = NULL;

  if (!odl_source_file_open (path, &file, error)) {
    odl_source_file_name_error (path, error);
    return NULL;
  }
  const OdlDecoderJob job
      = { .format = format, .file_fd = file.fd, .file_size = file.size };
  OdlDecoderProcess *process = odl_decoder_process_start (&job, error);
  close (file.fd);
  if (process != NULL)
    bytes = receive (process, name, order, error);
  odl_decoder_process_end (process);
  if (bytes == NULL)
    odl_source_file_name_error (path, error);
  return bytes;
}
