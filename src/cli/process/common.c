// SPDX-License-Identifier: MIT
// What every way of processing does and says.
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/process/process.h"
#include "engine/detail_reach.h"
#include "engine/received.h"
#include "filter/own/own.h"
#include "image/compare.h"
#include "image/volume/volume.h"
#include "output/sequence.h"
#include "plan/result_window.h"
#include "source/camera/format.h"
#include "source/source_file.h"
#include "source/volume.h"
#include "work/cine.h"
#include "work/frames.h"
#include "work/result.h"
#include "work/volumes.h"

// What was seen when the code was tried.
static void
report_loops (const char *input, const OdlPlan *plan)
{
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlOwnCode *code = plan->steps[i].code;
    if (code == NULL || !odl_own_loops_are_ended (code))
      continue;
    g_autofree char *text = g_strdup_printf (
        _ ("warning: %s: a loop was ended by its counter, after 16000 turns for one "
           "sample; what comes after it went on"),
        code->name);
    odl_report_note (input, text);
  }
}

void
odl_process_report_notes (const char *input, const OdlImage *image, const OdlPlan *plan)
{
  size_t bad = odl_image_count_non_finite (image);

  if (bad > 0) {
    g_autofree char *text = g_strdup_printf (
        _ ("warning: %zu samples are no finite numbers; they were replaced"), bad);
    odl_report_note (input, text);
  }
  if (plan->note != NULL)
    odl_report_note (input, plan->note);
  report_loops (input, plan);
}

void
odl_process_report_colours (const OdlProcess *task,
                            const char *input,
                            const OdlImage *image)
{
  if (task->work.window.map != NULL && odl_image_info (image)->channels >= 3)
    odl_report_note (input, _ ("colour maps are for grey pictures; this one has colours "
                               "of its own, which stay"));
}

static char *
name_of_reference (const OdlProcess *task)
{
  return task->reference_name != NULL ? g_filename_display_basename (task->reference_name)
                                      // Translators: in the place of a file's name.
                                      : g_strdup (_ ("the picture without noise"));
}

void
odl_process_report_comparison (const OdlProcess *task,
                               const char *input,
                               const OdlComparison *after,
                               const OdlComparison *before)
{
  g_autofree char *name = name_of_reference (task);
  g_autofree char *now = odl_comparison_to_text (after);

  if (before == NULL) {
    g_autofree char *alone
        // Translators: a file; how far the result is from it.
        = g_strdup_printf (_ ("against %s: %s (the peak is the full scale)"), name, now);
    odl_report_note (input, alone);
    return;
  }
  g_autofree char *then = odl_comparison_to_text (before);
  g_autofree char *text
      // Translators: a file; how far the result is from it, and the picture as it came.
      = g_strdup_printf (
          _ ("against %s: %s; before the filters: %s (the peak is the full scale)"), name,
          now, then);
  odl_report_note (input, text);
}

bool
odl_process_compare (const OdlProcess *task,
                     const char *input,
                     const OdlImage *clean,
                     const OdlImage *image,
                     const OdlImage *result,
                     GError **error)
{
  const OdlImage *reference = task->reference != NULL ? task->reference : clean;
  // Beams of which a picture was made are none to compare it with.
  const bool is_made
      = odl_image_info (image)->beams.array != odl_image_info (result)->beams.array;
  OdlComparison before, after;

  if (reference == NULL || (is_made && task->reference == NULL))
    return true;
  if (!odl_compare (result, reference, &after, error)
      || (!is_made && !odl_compare (image, reference, &before, error))) {
    g_autofree char *name = name_of_reference (task);
    g_prefix_error (error, "%s: ", name);
    return false;
  }
  odl_process_report_comparison (task, input, &after, is_made ? NULL : &before);
  return true;
}

bool
odl_process_add_noise (const OdlProcess *task,
                       OdlImage **image,
                       gint64 frame,
                       GError **error)
{
  OdlImage *noisy = odl_noise_model_apply (&task->work.noise, *image, frame, error);

  if (noisy == NULL)
    return false;
  odl_image_unref (*image);
  *image = noisy;
  return true;
}

void
odl_process_report_still (const OdlProcess *task, const char *input)
{
  if (odl_recipe_is_temporal (&task->work.asked))
    odl_report_note (input, _ ("a still has no frames before it: filters over time leave "
                               "it as it is"));
}

void
odl_process_begin (OdlProcess *task, const char *input)
{
  task->run.input = input;
  task->run.recipe = task->work.asked;
  task->run.has_area = false;
  task->run.awaits_volume = false;
  task->run.reach = (OdlDetailReach){ 0 };
  odl_runner_begin_input (task->run.runner);
}

static void
prepare (OdlImage **image, int64_t index, void *data)
{
  odl_process_add_noise (data, image, index, NULL);
}

// With what waits for all frames, whichever of them are written. A camera has no last
// one, and its first one counts.
static bool
measure_cine (OdlProcess *task,
              const OdlMeasured *measured,
              bool *replaced,
              GError **error)
{
  const bool live = odl_camera_is_location (task->run.input);
  g_autoptr (GPtrArray) first = g_ptr_array_new ();
  const OdlCineFrames frames
      = { .location = task->run.input,
          .frames = live ? first : NULL,
          .prepare = task->work.noise.kind != ODL_NOISE_NONE ? prepare : NULL,
          .data = task };

  g_ptr_array_add (first, measured->image);
  *replaced = true;
  if (live)
    odl_report_note (task->run.input, _ ("note: “reference=cine” is that of the first "
                                         "frame, since a camera has no last one"));
  return odl_cine_measure (&task->run.recipe, measured, &frames, error);
}

// `image`: a picture or a volume. *replaced: whether a value was.
static bool
measure (OdlProcess *task, OdlImage *image, bool *replaced, GError **error)
{
  const OdlArrangement *at = &task->work.homogeneous;
  const OdlNoisePart part = { at->x, at->y, at->width, at->height, NULL };
  const OdlMeasured measured
      = { .image = image,
          .operands = odl_runner_operands (task->run.runner).operands,
          .part = at->width > 0 ? &part : NULL };

  *replaced = false;
  if (at->width > 0
      && !odl_arrangement_check (at, &odl_image_info (image)->extent, error)) {
    g_prefix_error (error, "--sigma-from: ");
    return false;
  }
  if (odl_recipe_waits_for_cine (&task->run.recipe))
    return measure_cine (task, &measured, replaced, error);
  *replaced = odl_measure_recipe (&task->run.recipe, &measured);
  return true;
}

static bool
find_area (OdlProcess *task, OdlImage *image, GError **error)
{
  if (task->work.area == ODL_AREA_ALL || task->run.has_area)
    return true;
  g_autoptr (OdlOperands) operands
      = odl_operands_copy (odl_runner_operands (task->run.runner).operands);
  if (!odl_area_add (operands, image, task->work.area, error)) {
    g_autofree char *name = g_filename_display_name (task->run.input);
    g_prefix_error (error, "%s: ", name);
    return false;
  }
  odl_runner_set_operands (task->run.runner, operands);
  task->run.has_area = true;
  return true;
}

// The window shows the last level in the place of one that a filter does not have. Here
// the file would not be what its name says.
static bool
check_level (const OdlProcess *task, const OdlImage *image, GError **error)
{
  const int level = odl_view_level (task->run.recipe.view);
  OdlRecipe bands = task->run.recipe;
  OdlGeometry geometry = odl_geometry_of (image);

  if (level == 0)
    return true;
  bands.view = ODL_VIEW_FILTERED_ANALYSIS;
  geometry.operands = odl_runner_operands (task->run.runner).operands;
  g_autoptr (OdlPlan) plan = odl_plan_new (&bands, &geometry, NULL);
  if (plan == NULL || level <= plan->details.levels)
    return true; // what else is wrong is said when the picture is filtered
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("--view level:%d: there is no such level; the filter "
                           "has %d levels in this picture"),
                        level, plan->details.levels);
}

// For pictures that are written as they are shown, in views with levels.
static bool
measure_details (OdlProcess *task, OdlImage *image, GError **error)
{
  OdlRecipe measured;

  return task->work.format == NULL || !task->work.format->shows
         || task->run.reach.levels > 0
         || !odl_detail_reach_recipe (&task->run.recipe, &measured)
         || odl_detail_reach_measure (&measured, image,
                                      odl_runner_operands (task->run.runner).operands,
                                      &task->run.reach, error);
}

OdlWindow
odl_process_window (const OdlProcess *task,
                    const OdlOperands *operands,
                    const OdlImage *image,
                    const OdlWindow *window)
{
  if (task->work.shape.wipe != 0
      || (task->work.format != NULL && task->work.format->is_dicom))
    return *window;
  return odl_result_window (&task->run.recipe, operands, odl_image_info (image), window);
}

bool
odl_process_measure (OdlProcess *task, OdlImage *image, GError **error)
{
  const OdlRecipe before = task->run.recipe;
  const int depth = odl_image_info (image)->extent.z;
  g_autoptr (OdlImage) slice
      = depth > 1 ? odl_volume_slice (image, depth / 2) : odl_image_ref (image);
  bool replaced;

  if (!check_level (task, slice, error) || !find_area (task, slice, error))
    return false;
  if (task->run.awaits_volume && depth == 1)
    return true;
  if (!measure (task, image, &replaced, error) || !measure_details (task, slice, error))
    return false;
  if (!replaced)
    return true;
  g_autofree char *words = odl_recipe_to_text (&task->run.recipe, " ");
  g_autofree char *text
      = g_strdup_printf (odl_recipe_found_no_noise (&before, &task->run.recipe)
                             // Translators: what follows are the filters' settings.
                             ? _ ("no noise was measured, so that it stays as it is: %s")
                             : _ ("measured: %s"),
                         words);
  odl_report_note (task->run.input, text);
  return true;
}

bool
odl_process_takes_still (const OdlProcess *task, const OdlSource *source)
{
  OdlVolumeShape shape;

  return task->work.format->write != NULL || task->work.format->is_dicom
         || source->info.frame_rate > 0
         || odl_volume_format_holds_pictures (task->work.format->volume,
                                              odl_source_has_beams (source))
         || (task->work.format->volume != ODL_VOLUME_NONE
             && odl_volume_shape_find (source, 0, 1, &shape, NULL));
}

// What has no filters has nothing that a picture of it would say.
static bool
has_to_measure (const OdlProcess *task)
{
  return task->run.recipe.n_items > 0 || odl_view_level (task->run.recipe.view) > 0
         || task->work.area != ODL_AREA_ALL || task->work.homogeneous.width > 0;
}

// The middle slice may lie behind half of a packed file.
bool
odl_process_measure_volume (OdlProcess *task, OdlSource *source, GError **error)
{
  const int middle = source->info.n_slices / 2;

  if (middle == 0 || source->info.capture || !has_to_measure (task))
    return true;
  g_autoptr (OdlImage) slice = odl_source_read_frame (source, middle, NULL, NULL);
  return slice == NULL
         || (odl_process_add_noise (task, &slice, middle, error)
             && odl_process_measure (task, slice, error));
}

char *
odl_process_description (const OdlProcess *task)
{
  g_autofree char *model = odl_noise_model_to_text (&task->work.noise);

  return odl_result_describe (&task->run.recipe, odl_runner_engine (task->run.runner),
                              task->work.noise.kind != ODL_NOISE_NONE ? model : NULL);
}

gint64
odl_process_lead_in_first (const OdlProcess *task, OdlSource *source, gint64 wanted)
{
  const bool whole = odl_recipe_sees_volumes (&task->work.asked, &source->info);
  const int unit = whole ? MAX (source->info.n_slices, 1) : 1;

  if (!odl_recipe_is_temporal (&task->work.asked)
      || task->work.lead_in == ODL_LEAD_IN_AUTO)
    return odl_frames_lead_in (&task->run.recipe, source, task->run.runner, wanted);
  if (task->work.lead_in == ODL_LEAD_IN_ALL || source->info.capture)
    return 0;
  return MAX (wanted / unit - task->work.lead_in, 0) * unit;
}

static void
report_crosses (const char *input, gint64 crosses, gint64 written)
{
  if (crosses == 0)
    return;
  g_autofree char *text = g_strdup_printf (
      g_dngettext (
          GETTEXT_PACKAGE,
          "%" PRId64 " of %" PRId64 " frames is damaged; a cross stands in its place.",
          "%" PRId64 " of %" PRId64 " frames are damaged; crosses stand in their places.",
          (gulong) crosses),
      crosses, written);
  odl_report_note (input, text);
}

static void
report_slices (const char *input, gint64 missing, gint64 written)
{
  if (missing == 0)
    return;
  g_autofree char *text = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE,
                   "%" PRId64 " of %" PRId64
                   " slices is damaged; there are no numbers (NaN) in its place.",
                   "%" PRId64 " of %" PRId64
                   " slices are damaged; there are no numbers (NaN) in their places.",
                   (gulong) missing),
      missing, written);
  odl_report_note (input, text);
}

void
odl_process_report_damage (const OdlProcess *task,
                           const char *input,
                           gint64 crosses,
                           gint64 flawed,
                           gint64 written)
{
  if (task->work.format->volume == ODL_VOLUME_NONE)
    report_crosses (input, crosses, written);
  else
    report_slices (input, crosses, written);
  if (flawed == 0)
    return;
  g_autofree char *text = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE,
                   "%" PRId64 " of %" PRId64
                   " frames is damaged in part; it was written as it could be read.",
                   "%" PRId64 " of %" PRId64
                   " frames are damaged in part; they were written as they could be "
                   "read.",
                   (gulong) flawed),
      flawed, written);
  odl_report_note (input, text);
}

bool
odl_process_ends_early (const OdlProcess *task, const OdlSourceInfo *info)
{
  return !info->live && !info->at_most && info->n_frames < info->declared_frames
         && task->work.duration_ns <= 0
         && (task->work.last < 0 || task->work.last >= info->n_frames);
}

bool
odl_process_on_terminal (void)
{
  return isatty (STDERR_FILENO) != 0;
}

void
odl_process_show_progress (const OdlProcess *task, guint index)
{
  const OdlJob *job = g_ptr_array_index (task->jobs, index);
  g_autofree char *input = odl_source_file_display_name (job->input);
  g_autofree char *target = g_filename_display_name (job->output);
  g_autofree char *output = odl_text_in_one_line (target);

  if (task->jobs->len == 1)
    return;
  if (odl_process_on_terminal ())
    g_printerr ("\r\033[K[%u/%u] %s", index + 1, task->jobs->len, input);
  else
    g_printerr ("[%u/%u] %s -> %s\n", index + 1, task->jobs->len, input, output);
}

void
odl_process_report_failure (const OdlProcess *task,
                            const OdlJob *job,
                            const GError *error)
{
  if (odl_process_on_terminal () && task->jobs->len > 1)
    odl_report_text ("\r\033[K");
  // Errors of the output name only the output.
  g_autofree char *output = g_filename_display_name (job->output);
  odl_report_error (g_str_has_prefix (error->message, output) ? NULL : job->input, error);
}

bool
odl_process_write_numbered (const OdlProcess *task,
                            const OdlJob *job,
                            const OdlPicture *picture,
                            gint64 index,
                            GError **error)
{
  g_autofree char *path = odl_sequence_name (job->output, index + 1);

  return odl_process_check_output (task, path, error)
         && odl_picture_save (task->guard, picture, task->work.format, path,
                              task->replace, error);
}
