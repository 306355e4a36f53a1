// SPDX-License-Identifier: MIT
#include "session/save/values.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "output/surface.h"
#include "work/picture.h"
#include "work/result.h"

static bool
is_grid (const OdlFrame *frame, const char *path, GError **error)
{
  if (odl_image_info (frame->input)->surface != NULL && frame->plan->details.levels == 0)
    return true;
  g_autofree char *name = g_filename_display_basename (path);
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("“%s” was not saved: OBJ files hold control points of a "
                           "surface, and what is shown are none."),
                        name);
}

bool
odl_values_save (const char *path,
                 const OdlFrame *frame,
                 OdlImage *result,
                 GError **error)
{
  const OdlFormat *named = odl_format_find (NULL, path, NULL);
  const OdlFormat *format = named != NULL && named->write != NULL
                                ? named
                                : odl_format_find ("tiff", path, NULL);
  g_autofree char *description
      = odl_result_describe (&frame->recipe, frame->engine->name, NULL);
  const bool untouched = frame->plan->result == frame->plan->source
                         && odl_recipe_is_identity (&frame->recipe)
                         && !odl_image_info (frame->input)->ycbcr.used;
  OdlRows rows = odl_rows_of_image (untouched ? frame->input : result);
  const OdlPicture picture
      = { .source = odl_picture_source (frame->plan, frame->input, result),
          .rows = &rows,
          .plan = frame->plan,
          .description = description,
          .altered = !untouched };

  if (odl_surface_name_is_known (path) && !is_grid (frame, path, error))
    return false;
  return odl_picture_save (NULL, &picture, format, path, true, error);
}
