// SPDX-License-Identifier: MIT
#include "source/dicom/dicom.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "source/dicom/dicom_video.h"
#include "source/helper/client.h"
#include "source/source_file.h"

// Files without preamble start with a short element of group 2 or 8, little or big
// endian; the helper verifies the rest.
static bool
begins_with_element (const uint8_t *head, size_t n_head)
{
  if (n_head < 132)
    return false;

  bool little = (head[0] == 2 || head[0] == 8) && head[1] == 0 && head[3] == 0;
  bool big = head[0] == 0 && (head[1] == 2 || head[1] == 8) && head[2] == 0;
  bool explicit_vr = g_ascii_isupper (head[4]) && g_ascii_isupper (head[5]);
  bool implicit_vr = head[5] == 0 && head[6] == 0 && head[7] == 0 && head[4] <= 64;
  return (little || big) && (explicit_vr || (little && implicit_vr));
}

static bool
has_preamble (const uint8_t *head, size_t n_head)
{
  return n_head >= 132 && memcmp (head + 128, "DICM", 4) == 0;
}

static bool
probe (const char *location, const uint8_t *head, size_t n_head)
{
  return has_preamble (head, n_head) || begins_with_element (head, n_head);
}

static OdlSource *
open_dicom (const char *location, GCancellable *cancellable, GError **error)
{
  OdlDecoderRequest request = { .location = location, .format = "dicom" };
  g_autoptr (GError) failure = NULL;
  g_autoptr (GError) other = NULL;
  OdlSource *source
      = odl_decoded_source_open (&odl_dicom_source, &request, cancellable, &failure);

  if (source != NULL)
    return source;
  // A video is among what the decoder of pictures does not support.
  if (g_error_matches (failure, ODL_ERROR, ODL_ERROR_UNSUPPORTED)) {
    request.format = "dicom-stream";
    g_autoptr (OdlSource) header
        = odl_decoded_source_open (&odl_dicom_source, &request, cancellable, &other);
    if (header != NULL)
      return odl_dicom_video_open (header, cancellable, error);
    if (!g_error_matches (other, ODL_ERROR, ODL_ERROR_UNSUPPORTED)) {
      g_propagate_error (error, g_steal_pointer (&other));
      return NULL;
    }
  }
  g_propagate_error (error, g_steal_pointer (&failure));
  return NULL;
}

static const char *const examples[] = { "*.dcm", "*.dicom", "*.dic", "*.ima", NULL };

const OdlSourceClass odl_dicom_source = {
  .name = "dicom",
  .description = N_ ("DICOM image"),
  .examples = examples,
  .probe = probe,
  .open = open_dicom,
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};

bool
odl_dicom_is_source (const OdlSource *source)
{
  return source->klass == &odl_dicom_source || source->klass == &odl_dicom_video_source;
}

bool
odl_dicom_is_candidate (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head = 0;

  if (strchr (name, '.') != NULL)
    return odl_source_class_knows_name (&odl_dicom_source, name);
  return odl_source_file_read_head (path, head, &n_head, NULL)
         && has_preamble (head, n_head);
}

char *
odl_dicom_read_header (const char *path, GCancellable *cancellable, GError **error)
{
  return odl_decoded_source_read_text (&odl_dicom_source, path, "dicom-text", cancellable,
                                       error);
}
