// SPDX-License-Identifier: MIT
#include "session/save/values.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "output/picture/jpeg2000.h"
#include "output/surface.h"
#include "output/picture/tiff.h"
#include "session/render/offscreen.h"

static bool
write_grid (OdlOutput *output,
            const OdlFrame *frame,
            OdlImage *result,
            const char *description,
            GError **error)
{
  const OdlImageInfo *info = odl_image_info (frame->input);

  if (info->surface == NULL || frame->plan->details.levels > 0)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("“%s” was not saved: OBJ files hold control points of a "
                             "surface, and what is shown are none."),
                          output->shown);
  g_autofree float *points = odl_surface_points (result, info);
  return odl_surface_write (output, info->surface, points, description, error);
}

static bool
write_values (OdlOutput *output, const OdlFrame *frame, OdlImage *result, GError **error)
{
  g_autofree char *description
      = odl_offscreen_describe (&frame->recipe, frame->engine->name);
  OdlRows rows = odl_rows_of_image (result);
  bool boxes = false;

  if (odl_surface_name_is_known (output->shown))
    return write_grid (output, frame, result, description, error);
  if (odl_jpeg2000_is_name (output->shown, &boxes)) {
    const OdlJpeg2000Picture picture = {
      .source = frame->input,
      .rows = &rows,
      .coefficients = frame->plan->details.levels > 0,
      .description = description,
      .boxes = boxes,
    };
    return odl_jpeg2000_write (output, &picture, error);
  }
  const OdlValues values = { frame->input, &rows, frame->plan->details, description };
  return odl_tiff_is_stored_name (output->shown)
             ? odl_tiff_encode_stored (output, &values, error)
             : odl_tiff_encode (output, &values, error);
}

bool
odl_values_save (const char *path,
                 const OdlFrame *frame,
                 OdlImage *result,
                 GError **error)
{
  OdlOutput output;

  if (!odl_output_open (NULL, path, &output, error))
    return false;
  return odl_output_end (&output, write_values (&output, frame, result, error), error);
}
