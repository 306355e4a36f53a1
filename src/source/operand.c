// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/operand.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "source/source_file.h"

static OdlImage *
refuse (const char *file, const char *reason, GError **error)
{
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED, reason);
  odl_source_file_name_error (file, error);
  return NULL;
}

static bool
is_whole (const char *file, const OdlImage *image, GError **error)
{
  const char *mark = odl_image_info (image)->mark;

  if (mark == NULL)
    return true;
  g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
               _ ("it could only be read in part (%s); a second picture must be whole"),
               mark);
  odl_source_file_name_error (file, error);
  return false;
}

OdlImage *
odl_operand_read (const char *file, GCancellable *cancellable, GError **error)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head;

  g_return_val_if_fail (file != NULL, NULL);
  if (!odl_source_file_read_head (file, head, &n_head, error)) // not a file
    return NULL;
  g_autoptr (OdlSource) source = odl_source_open (file, cancellable, error);
  if (source == NULL)
    return NULL;
  if (odl_source_is_moving (source))
    return refuse (file,
                   _ ("it holds more than one picture; a second picture must be a still. "
                      "Save one of them and take that."),
                   error);
  g_autoptr (OdlImage) image = odl_source_read_frame (source, 0, cancellable, error);
  if (image == NULL) {
    odl_source_file_name_error (file, error);
    return NULL;
  }
  if (!is_whole (file, image, error))
    return NULL;
  return g_steal_pointer (&image);
}
