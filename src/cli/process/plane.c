// SPDX-License-Identifier: MIT
#include "cli/process/plane.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "source/dicom/series.h"
#include "source/source_file.h"

bool
odl_plane_parse (const char *text, OdlOnPlane *on, GError **error)
{
  return odl_on_plane_from_text (text, on)
         || odl_error_set (error, ODL_ERROR_USAGE,
                           _ ("“%s”: --plane takes a plane and a voxel, such as "
                              "coronal:120, and a slab, such as coronal:120:mean:10."),
                           text);
}

// Pictures that are no volume, such as a series with a gap, can be taken for one.
bool
odl_plane_has_slices (const OdlSource *source, const char *input, GError **error)
{
  const char *folder = odl_series_path (input);
  const char *why = source->info.warning;

  if (source->info.n_slices > 1)
    return true;
  if (source->info.n_frames < 2 || source->info.live)
    return odl_usage_error (
        error, _ ("it has no slices to lay a plane through. Leave out --plane."));
  if (folder == NULL || !g_file_test (folder, G_FILE_TEST_IS_DIR))
    folder = input;
  g_autofree char *shown = odl_source_file_display_path (folder);
  return odl_usage_error (
      error,
      // Translators: why it is no volume (or nothing), and a file or folder.
      _ ("its pictures are no volume to lay a plane through%s%s%s; volume:%s takes them "
         "for its slices"),
      why != NULL ? " (" : "", why != NULL ? why : "", why != NULL ? ")" : "", shown);
}

bool
odl_plane_is_in (const OdlOnPlane *on,
                 const char *text,
                 const OdlImageInfo *volume,
                 GError **error)
{
  const int extent[] = { volume->extent.x, volume->extent.y, volume->extent.z };
  const OdlVoxel voxel = odl_on_plane_look (on, volume).voxel;

  if (odl_on_plane_fits (on, volume))
    return true;
  for (int i = 0; i < 3 && !on->look.oblique.turned; i++)
    if (voxel.at[i] >= extent[i])
      return odl_error_set (error, ODL_ERROR_USAGE,
                            _ ("--plane %s lies beyond the volume, which has %d such "
                               "planes, 0 to %d (%d×%d×%d voxels)."),
                            text, extent[i], extent[i] - 1, extent[0], extent[1],
                            extent[2]);
  return odl_usage_error (
      error, _ ("--plane %s lies beyond the volume, which has %d×%d×%d voxels."), text,
      extent[0], extent[1], extent[2]);
}

bool
odl_process_parse_plane (const OdlProcessOptions *options,
                         OdlProcess *task,
                         GError **error)
{
  const OdlFormat *format = task->work.format;
  const char *word = NULL;

  task->work.plane = options->plane;
  if (task->work.plane == NULL)
    return true;
  if (!odl_plane_parse (task->work.plane, &task->work.on, error))
    return false;
  if (options->rendering != NULL)
    word = _ ("--plane and --rendering exclude each other. Choose one of them.");
  else if (format->volume != ODL_VOLUME_NONE || format->is_dicom
           || format->write == odl_obj_write)
    word = _ ("--plane is a picture of a volume. Write .png, .jpg, .webp, .tif, .exr, "
              ".npy, .jp2, or a video; whole volumes are written without it.");
  else if (task->work.asked.view != ODL_VIEW_SYNTHESIS)
    word = _ ("--plane shows results; leave out --view.");
  else if (options->frames != NULL || options->reference != NULL || options->noise != NULL
           || options->valid)
    word = _ ("--plane goes without --frames, --reference, --noise and --valid; --frame "
              "N takes the volume that frame N is of.");
  else if (options->presentation_state != NULL || options->mask_output != NULL
           || options->contour_output != NULL || options->mesh_output != NULL)
    word = _ ("--plane goes without --presentation-state, --mask-output, "
              "--contour-output and --mesh-output.");
  return word == NULL || odl_error_set (error, ODL_ERROR_USAGE, "%s", word);
}
