// SPDX-License-Identifier: MIT
#include "cli/process/still.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "cli/process/present.h"
#include "cli/process/segments.h"
#include "cli/process/valid.h"
#include "cli/verb.h"
#include "image/contour/contour.h"
#include "output/contour.h"
#include "output/surface.h"
#include "work/frames.h"

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

// The numbers of the contours of the picture that the runner processed last; NULL where
// nobody asked for them, or on errors. Transfer full.
static float *
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

// Writes the files that were asked for, each whole or not at all, and says where nothing
// was found. `source`: the picture as it came.
static bool
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

// Writes the mesh of the result of `still`, which is whole, or no file.
// ODL_ERROR_UNSUPPORTED: it is no grid; errors of the output.
static bool
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

// What belongs to a result besides the picture itself, until it is written.
#define BYTES_PER_SAMPLE sizeof (float)

static bool
measure (void *task, OdlImage *image, GError **error)
{
  return odl_process_measure (task, image, error);
}

static bool
run_before (OdlImage *image, gint64 index, void *data, GError **error)
{
  OdlProcess *task = data;
  g_autoptr (OdlImage) noisy = image != NULL ? odl_image_ref (image) : NULL;

  return (noisy == NULL || odl_process_add_noise (task, &noisy, index, error))
         && odl_frames_lead (task->run.runner, &task->run.recipe, noisy, index,
                             task->work.frame, measure, task, error);
}

// The name of a single picture for a cine may be a mistake: the user may want all frames.
static void
report_one_of_many (const OdlProcess *task,
                    const char *input,
                    const OdlInputLength *length)
{
  if (length->still || length->frames <= 1)
    return;
  g_autofree char *text = g_strdup_printf (
      length->at_most ? _ ("frame %" PRId64 " of at most %" PRId64
                           " was written. --frame N takes another one; a video (-o "
                           "out.mkv) or numbered files (-o frame-%%05d.png) take all.")
                      : _ ("frame %" PRId64 " of %" PRId64
                           " was written. --frame N takes another one; a video (-o "
                           "out.mkv) or numbered files (-o frame-%%05d.png) take all."),
      task->work.frame + 1, length->frames);
  odl_report_note (input, text);
}

static gint64
first_before (OdlSource *source, void *data)
{
  const OdlProcess *task = data;

  return odl_recipe_sees_volumes (&task->work.asked, &source->info)
             ? task->work.frame
             : odl_process_lead_in_first (task, source, task->work.frame);
}

// If a filter sees whole volumes, or pictures before and after, and the input has any.
static bool
open_volumes (OdlProcess *task, const OdlJob *job, OdlStill *still, GError **error)
{
  const bool wanted = odl_recipe_is_volumetric (&task->work.asked)
                      || odl_recipe_is_temporal (&task->work.asked);

  if (!wanted || still->length.still)
    return true;
  g_autoptr (OdlSource) source = odl_source_open (job->input, NULL, error);
  if (source == NULL)
    return false;
  if (!odl_recipe_sees_volumes (&task->work.asked, &source->info))
    return true;
  still->begin = odl_process_lead_in_first (task, source, task->work.frame);
  still->volumes = odl_process_open_volumes (task, job->input, error);
  return still->volumes != NULL;
}

// One slice of the filtered volume, after those of its lead-in.
static bool
filter_volume (OdlProcess *task, OdlStill *still, char **note, GError **error)
{
  for (gint64 index = still->begin;;
       index = MIN (index + odl_volumes_unit (still->volumes), task->work.frame)) {
    g_autofree char *said = NULL;
    g_clear_pointer (&still->plan, odl_plan_unref);
    g_autoptr (OdlImage) result
        = odl_volumes_take (still->volumes, index, &still->plan, &said, error);
    if (result == NULL)
      return false;
    if (*note == NULL)
      *note = g_steal_pointer (&said);
    if (index < task->work.frame)
      continue;
    still->result = g_steal_pointer (&result);
    odl_volumes_share_values (still->volumes, index, &still->image);
    return true;
  }
}

bool
odl_still_read (OdlProcess *task, const OdlJob *job, OdlStill *still, GError **error)
{
  const OdlInputVisit before = { first_before, run_before, task };

  still->image
      = odl_input_read (job->input, task->work.frame, &before, &still->length, error);
  if (still->image != NULL && still->length.still)
    odl_process_report_still (task, job->input);
  if (still->image == NULL || !open_volumes (task, job, still, error)
      || !odl_process_present (task, job, still, error)
      || !odl_process_outline (task, job, still, error))
    return false;
  if (task->work.noise.kind != ODL_NOISE_NONE
      && task->work.asked.view == ODL_VIEW_SYNTHESIS)
    still->clean = odl_image_ref (still->image);
  return odl_process_add_noise (task, &still->image, task->work.frame, error);
}

bool
odl_still_filter (OdlProcess *task,
                  const OdlJob *job,
                  OdlStill *still,
                  bool apart,
                  GError **error)
{
  g_autofree char *note = NULL;

  if (!odl_process_measure (task, still->image, error))
    return false;
  still->window.reach = task->run.reach;
  if (still->volumes != NULL) {
    if (!filter_volume (task, still, &note, error))
      return false;
  } else {
    odl_runner_set_time (task->run.runner, false, NULL);
    still->rows = odl_runner_rows (task->run.runner, &task->run.recipe, still->image,
                                   &still->plan, &note, error);
    if (still->rows == NULL)
      return false;
  }
  still->apart = apart;
  const bool whole = apart || task->reference != NULL || still->clean != NULL
                     || task->mesh_output != NULL;
  if (whole && still->volumes == NULL) {
    still->result = odl_rows_gather (still->rows, error);
    still->rows = NULL;
  }
  if (whole
      && (still->result == NULL
          || !odl_process_compare (task, job->input, still->clean, still->image,
                                   still->result, error)))
    return false;
  if (note != NULL)
    odl_report_note (job->input, note);
  odl_process_report_notes (job->input, still->image, still->plan);
  odl_process_report_colours (task, job->input, still->image);
  still->description = odl_process_description (task);
  if (task->mask_output == NULL && task->contour_output == NULL)
    return true;
  still->contours = odl_process_contours (task, still->plan, error);
  return still->contours != NULL;
}

// The part of the picture that depends on no border.
static bool
cut (const OdlProcess *task, const OdlStill *still, OdlPicture *picture, GError **error)
{
  const OdlSourceInfo *info
      = still->volumes != NULL ? odl_volumes_info (still->volumes) : NULL;
  bool any = false;
  OdlValid valid;

  return odl_valid_cut_picture (task, info, info != NULL ? task->work.frame : 0, picture,
                                &valid, &any, error)
         && (any || odl_valid_has_none (error));
}

bool
odl_still_write (OdlProcess *task,
                 const OdlJob *job,
                 OdlStill *still,
                 gint64 *marked,
                 GError **error)
{
  OdlRows all;
  const OdlImage *source
      = odl_picture_source (still->plan, still->image,
                            still->result != NULL ? still->result : still->rows->image);
  OdlPicture picture = { source,
                         still->rows,
                         still->plan,
                         odl_process_window (task, still->plan->geometry.operands, source,
                                             &still->window),
                         still->description,
                         task->work.jpeg2000,
                         still->apart ? NULL : odl_runner_lend_engine (task->run.runner),
                         still->shape,
                         (int) (task->work.frame % MAX (still->plan->geometry.depth, 1)),
                         task->work.noise.kind != ODL_NOISE_NONE,
                         task->work.depth,
                         still->outlines };

  if (still->result != NULL) {
    all = odl_rows_of_image (still->result);
    picture.rows = &all;
  }
  if (task->work.valid && !cut (task, still, &picture, error))
    return false;
  *marked = odl_image_info (still->image)->mark != NULL ? 1 : 0;
  if (!odl_picture_save (task->guard, &picture, task->work.format, job->output,
                         task->replace, error)
      || (still->contours != NULL
          && !odl_process_write_contours (task, job, still->contours, still->image,
                                          still->description, error))
      || (task->mesh_output != NULL && !odl_process_write_mesh (task, still, error)))
    return false;
  if (!task->work.frame_said)
    report_one_of_many (task, job->input, &still->length);
  return true;
}

double
odl_still_cost (const OdlStill *still)
{
  const OdlImageInfo *info = odl_image_info (still->image);

  return (double) info->extent.x * info->extent.y * info->channels
         * (double) (odl_sample_size (info->type) + BYTES_PER_SAMPLE);
}

double
odl_still_cost_of_file (double bytes)
{
  return bytes * (1 + BYTES_PER_SAMPLE);
}

void
odl_still_clear (OdlStill *still)
{
  g_clear_pointer (&still->image, odl_image_unref);
  g_clear_pointer (&still->clean, odl_image_unref);
  g_clear_pointer (&still->volumes, odl_volumes_free);
  g_clear_pointer (&still->result, odl_image_unref);
  g_clear_pointer (&still->plan, odl_plan_unref);
  g_clear_pointer (&still->description, g_free);
  g_clear_pointer (&still->contours, g_free);
  g_clear_pointer (&still->state, odl_presentation_free);
  g_clear_pointer (&still->outlines, odl_outlines_unref);
}
