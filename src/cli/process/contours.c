// SPDX-License-Identifier: MIT
#include "cli/process/contours.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "cli/verb.h"
#include "image/contour/contour.h"
#include "output/contour.h"

// The last active filter that finds contours; −1: there is none.
static int
contours_item (const OdlRecipe *recipe)
{
  for (int i = recipe->n_items - 1; i >= 0; i--)
    if (recipe->items[i].filter->kind == ODL_FILTER_CONTOURS
        && odl_recipe_item_acts (&recipe->items[i]))
      return i;
  return -1;
}

// Where “%” stands in a name's last part; NULL: nowhere.
static const char *
find_place (const char *name)
{
  const char *slash = strrchr (name, G_DIR_SEPARATOR);

  return strchr (slash != NULL ? slash : name, '%');
}

static bool
suits_many (const char *name)
{
  return name == NULL || find_place (name) != NULL;
}

bool
odl_process_parse_contours (const OdlProcessOptions *options,
                            OdlProcess *task,
                            GError **error)
{
  const char *word = NULL;

  task->mask_output = options->mask_output;
  task->contour_output = options->contour_output;
  if (task->mask_output == NULL && task->contour_output == NULL)
    return true;
  if (contours_item (&task->work.asked) < 0)
    word = _ ("--mask-output and --contour-output write what the filter “contours” "
              "finds; add it, or start from --recipe bone.");
  else if (odl_process_is_moving (task))
    word = _ ("--mask-output and --contour-output are for pictures, not for videos.");
  else if (task->jobs->len != 1
           && !(suits_many (task->mask_output) && suits_many (task->contour_output)))
    word = _ ("For several pictures --mask-output and --contour-output take names with a "
              "“%”, which stands for the name of each: masks/%.png");
  else if (task->contour_output != NULL
           && !odl_contour_name_is_known (task->contour_output))
    word = _ ("--contour-output takes a name that ends with .svg or .csv.");
  else if (task->mask_output != NULL && !g_str_has_suffix (task->mask_output, ".png"))
    word = _ ("--mask-output takes a name that ends with .png.");
  if (word == NULL)
    return true;
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE, word);
  return false;
}

float *
odl_process_contours (const OdlProcess *task, const OdlPlan *plan, GError **error)
{
  int slot = ODL_PLAN_NO_SLOT;

  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].kind == ODL_STEP_SNAKES)
      slot = plan->steps[i].writes;
  if (slot == ODL_PLAN_NO_SLOT)
    return odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                           _ ("no contours were looked for in this picture"));
  g_autoptr (OdlImage) image = odl_runner_read_back (task->run.runner, plan, slot, error);
  if (image == NULL)
    return NULL;
  float *numbers = g_new (float, plan->slots[slot].width);
  odl_image_scaled_row (image, 0, 0, 0, 0, numbers);
  return numbers;
}

// The name of a file for the picture of a job; its folder is made where it stands for
// many.
static char *
name_for (const char *name, const OdlJob *job, GError **error)
{
  const char *place = find_place (name);

  if (place == NULL)
    return g_strdup (name);
  g_autofree char *folder = g_path_get_dirname (name);
  if (g_mkdir_with_parents (folder, 0777) != 0) {
    const int code = errno;
    g_autofree char *shown = g_filename_display_name (folder);
    return odl_error_null (error, ODL_ERROR_IO, _ ("%s: the folder cannot be made: %s"),
                           shown, g_strerror (code));
  }
  g_autofree char *own = g_path_get_basename (job->output);
  char *dot = strrchr (own, '.');
  if (dot != NULL && dot != own)
    *dot = '\0';
  return g_strdup_printf ("%.*s%s%s", (int) (place - name), name, own, place + 1);
}

static bool
write_one (const OdlProcess *task,
           const OdlJob *job,
           const char *name,
           bool mask,
           const float *numbers,
           const OdlImage *source,
           const char *description,
           GError **error)
{
  const OdlImageInfo *info = odl_image_info (source);
  g_autofree char *path = name_for (name, job, error);
  OdlOutput output;

  if (path == NULL || !odl_process_check_output (task, path, error)
      || !(task->replace ? odl_output_open (task->guard, path, &output, error)
                         : odl_output_open_new (task->guard, path, &output, error)))
    return false;
  return odl_output_end (
      &output,
      mask ? odl_contour_write_mask (&output, numbers, info, description, error)
           : odl_contour_write (&output, numbers, info, path, error),
      error);
}

bool
odl_process_write_contours (const OdlProcess *task,
                            const OdlJob *job,
                            const float *numbers,
                            const OdlImage *source,
                            const char *description,
                            GError **error)
{
  if (odl_contour_count (numbers) == 0)
    odl_report_note (job->input, _ ("no contours were found; the mask is empty"));
  return (task->mask_output == NULL
          || write_one (task, job, task->mask_output, true, numbers, source, description,
                        error))
         && (task->contour_output == NULL
             || write_one (task, job, task->contour_output, false, numbers, source,
                           description, error));
}
