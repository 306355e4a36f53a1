// SPDX-License-Identifier: MIT
#include "session/save/values.h"

#include "output/tiff.h"
#include "session/render/offscreen.h"

bool
odl_values_save (const char *path,
                 const OdlFrame *frame,
                 OdlImage *result,
                 GError **error)
{
  g_autofree char *description
      = odl_offscreen_describe (&frame->recipe, frame->engine->name);
  OdlRows rows = odl_rows_of_image (result);
  const OdlValues values = { frame->input, &rows, frame->plan->approx_width,
                             frame->plan->approx_height, description };
  OdlOutput output;

  if (!odl_output_open (NULL, path, &output, error))
    return false;
  if (!odl_tiff_encode (&output, &values, error)) {
    odl_output_abandon (&output);
    return false;
  }
  return odl_output_commit (&output, error);
}
