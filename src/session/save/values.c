// SPDX-License-Identifier: MIT
#include "session/save/values.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "output/picture/jpeg2000.h"
#include "output/surface.h"
#include "output/picture/tiff.h"
#include "source/volume.h"
#include "work/result.h"

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
      = odl_result_describe (&frame->recipe, frame->engine->name, NULL);
  const bool untouched = frame->plan->result == frame->plan->source
                         && odl_recipe_is_identity (&frame->recipe)
                         && !odl_image_info (frame->input)->ycbcr.used;
  OdlRows rows = odl_rows_of_image (untouched ? frame->input : result);
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
  const OdlValues values = { frame->plan->restated ? result : frame->input, &rows,
                             frame->plan->details, description, .untouched = untouched };
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

// ---- Volumes ----

OdlVolumeFile *
odl_values_open_volume (const OdlSource *source,
                        int64_t first,
                        int64_t n,
                        OdlVolumeFormat format,
                        const char *path,
                        OdlSure sure,
                        bool replace,
                        GError **error)
{
  g_autofree char *name = g_filename_display_basename (path);
  OdlVolumeShape shape;

  if (odl_volume_format_holds_pictures (format, odl_source_has_beams (source))
          ? odl_pages_shape_find (source, first, n, &shape, NULL, error)
          : odl_volume_shape_find (source, first, n, &shape, error))
    return odl_volume_file_new (NULL, path, format, &shape, sure, replace, error);
  g_prefix_error (error, "%s: ", name);
  return NULL;
}

bool
odl_values_write_slice (OdlVolumeFile *file, const OdlSliceToSave *slice, GError **error)
{
  const bool untouched = slice->plan->result == slice->plan->source && !slice->damaged
                         && !odl_image_info (slice->image)->ycbcr.used;
  OdlRows rows = odl_rows_of_image (untouched ? slice->image : slice->shown);
  const OdlValues values = { slice->plan->restated ? slice->shown : slice->image,
                             &rows,
                             slice->plan->details,
                             slice->description,
                             slice->damaged,
                             untouched };

  return odl_volume_file_write (file, &values, error);
}
