// SPDX-License-Identifier: MIT
#include "cli/process/surface.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "output/surface.h"

bool
odl_process_parse_mesh (const OdlProcessOptions *options,
                        OdlProcess *task,
                        GError **error)
{
  const char *word = NULL;

  task->mesh_output = options->mesh_output;
  if (task->mesh_output == NULL)
    return true;
  if (task->jobs->len != 1 || odl_process_is_moving (task))
    word = _ ("--mesh-output is for a single grid.");
  else if (!odl_surface_name_is_known (task->mesh_output))
    word = _ ("--mesh-output takes a name that ends with .obj.");
  if (word == NULL)
    return true;
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE, word);
  return false;
}

bool
odl_process_write_mesh (const OdlProcess *task, const OdlStill *still, GError **error)
{
  const OdlImageInfo *info = odl_image_info (still->image);
  g_autofree char *shown = g_filename_display_name (task->mesh_output);
  OdlOutput output;

  if (!odl_picture_has_surface (still->image, still->plan, shown, error)
      || !odl_process_check_output (task, task->mesh_output, error)
      || !(task->replace
               ? odl_output_open (task->guard, task->mesh_output, &output, error)
               : odl_output_open_new (task->guard, task->mesh_output, &output, error)))
    return false;
  g_autofree float *points = odl_surface_points (still->result, info);
  return odl_output_end (
      &output,
      odl_surface_write_mesh (&output, info->surface, points, still->description, error),
      error);
}
