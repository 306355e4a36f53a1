// SPDX-License-Identifier: MIT
#include "config.h"

#include "output/picture/jpeg2000.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"

bool
odl_jpeg2000_write (OdlOutput *output, const OdlJpeg2000Picture *picture, GError **error)
{
  const OdlImageInfo *source = odl_image_info (picture->source);
  const OdlJpeg2000Samples samples = odl_jpeg2000_samples_of (picture->source);
  const char *comments[]
      = { "Ondelette " ODL_VERSION, picture->description, source->mark, NULL };
  OdlJpeg2000Params params = {
    .goal = picture->quality.goal,
    .value = picture->quality.value,
    .boxes = picture->boxes,
    .spacing_mm = { source->spacing_mm[0], source->spacing_mm[1] },
    .comments = comments,
    .engine = picture->engine,
  };

  if (picture->coefficients)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("JPEG 2000 files hold pictures, not coefficients. Choose "
                             "PNG or TIFF, or view the synthesis."));
  g_autoptr (OdlImage) result = odl_rows_gather (picture->rows, error);
  if (result == NULL)
    return false;
  g_autoptr (GBytes) file = odl_jpeg2000_encode (result, &samples, &params, error);
  if (file == NULL)
    return false;
  gsize size = 0;
  const void *bytes = g_bytes_get_data (file, &size);
  return odl_output_write (output, bytes, size, error);
}

bool
odl_jpeg2000_is_name (const char *path, bool *boxes)
{
  static const char *const bare[] = { ".j2k", ".j2c", ".jpc" };
  g_autofree char *lower = g_ascii_strdown (path, -1);

  *boxes = g_str_has_suffix (lower, ".jp2");
  for (gsize i = 0; i < G_N_ELEMENTS (bare) && !*boxes; i++)
    if (g_str_has_suffix (lower, bare[i]))
      return true;
  return *boxes;
}
