// SPDX-License-Identifier: MIT
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/process.h"
#include "cli/process_batch.h"
#include "cli/process_still.h"
#include "cli/verb.h"
#include "filter/measure.h"

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
}

void
odl_process_report_still (const OdlProcess *task, const char *input)
{
  if (odl_recipe_is_temporal (&task->asked))
    odl_report_note (input, _ ("a still has no frames before it: filters over time leave "
                               "it as it is"));
}

void
odl_process_begin (OdlProcess *task, const char *input)
{
  task->input = input;
  task->recipe = task->asked;
}

void
odl_process_measure (OdlProcess *task, const OdlImage *image)
{
  const OdlRecipe before = task->recipe;

  if (!odl_recipe_measure (&task->recipe, image))
    return;
  g_autofree char *words = odl_recipe_to_text (&task->recipe, " ");
  g_autofree char *text
      = g_strdup_printf (odl_recipe_found_no_noise (&before, &task->recipe)
                             // Translators: what follows are the filters' settings.
                             ? _ ("no noise was measured, so that it stays as it is: %s")
                             : _ ("measured: %s"),
                         words);
  odl_report_note (task->input, text);
}

char *
odl_process_description (const OdlProcess *task)
{
  g_autofree char *recipe = odl_recipe_to_text (&task->recipe, " ");

  return g_strdup_printf (
      "recipe %s; engine %s%s", recipe, odl_runner_engine (task->runner),
      odl_recipe_is_identity (&task->recipe) ? ""
                                             : "; processed, not for diagnostic use");
}

// A capture cannot be read again, and gives its frames from now on whether anybody wants
// them or not.
gint64
odl_process_lead_in_first (const OdlProcess *task, OdlSource *source, gint64 wanted)
{
  if (!odl_recipe_is_temporal (&task->asked))
    return wanted;
  if (task->lead_in == ODL_LEAD_IN_ALL || source->info.capture)
    return 0;
  if (task->lead_in >= 0)
    return MAX (wanted - task->lead_in, 0);
  g_autoptr (OdlImage) like = odl_source_read_first (source, NULL, NULL);
  if (like == NULL)
    return 0;
  const OdlGeometry geometry = odl_geometry_of (like);
  return odl_lead_in_begin (&task->recipe, &geometry, wanted);
}

bool
odl_process_before (OdlProcess *task,
                    OdlImage *image,
                    gint64 index,
                    gint64 wanted,
                    GError **error)
{
  g_autofree char *note = NULL;
  g_autoptr (OdlPlan) plan = NULL;

  if (image == NULL) {
    odl_runner_begin (task->runner);
    return true;
  }
  const OdlGeometry geometry = odl_geometry_of (image);
  g_autoptr (OdlPlan) made = odl_plan_new (&task->recipe, &geometry, error);
  if (made == NULL)
    return false;
  const int frames = odl_plan_frames (made);
  if (frames > 0 && index + frames <= wanted) {
    odl_runner_pass (task->runner, image);
    return true;
  }
  odl_process_measure (task, image);
  g_autoptr (OdlImage) result
      = odl_runner_process (task->runner, &task->recipe, image, &plan, &note, error);
  return result != NULL;
}

static bool
run_job (OdlProcess *task, const OdlJob *job, gint64 *marked, GError **error)
{
  OdlStill still = { 0 };

  odl_process_begin (task, job->input);
  if (!odl_process_check_output (task, job->output, error))
    return false;
  if (odl_process_is_moving (task))
    return odl_process_moving (task, job, marked, error);
  odl_runner_begin (task->runner);
  bool done = odl_still_read (task, job, &still, error)
              && odl_still_filter (task, job, &still, error)
              && odl_still_write (task, job, &still, marked, error);
  odl_still_clear (&still);
  return done;
}

static bool
on_terminal (void)
{
  return isatty (STDERR_FILENO) != 0;
}

void
odl_process_show_progress (const OdlProcess *task, guint index)
{
  const OdlJob *job = g_ptr_array_index (task->jobs, index);
  g_autofree char *base = g_filename_display_basename (job->input);
  g_autofree char *target = g_filename_display_name (job->output);
  g_autofree char *input = odl_text_in_one_line (base);
  g_autofree char *output = odl_text_in_one_line (target);

  if (task->jobs->len == 1)
    return;
  if (on_terminal ())
    g_printerr ("\r\033[K[%u/%u] %s", index + 1, task->jobs->len, input);
  else
    g_printerr ("[%u/%u] %s -> %s\n", index + 1, task->jobs->len, input, output);
}

void
odl_process_report_failure (const OdlProcess *task,
                            const OdlJob *job,
                            const GError *error)
{
  if (on_terminal () && task->jobs->len > 1)
    odl_report_text ("\r\033[K");
  // What went wrong with the output names the output alone.
  g_autofree char *output = g_filename_display_name (job->output);
  odl_report_error (g_str_has_prefix (error->message, output) ? NULL : job->input, error);
}

// One after the other. Returns how many failed.
static guint
run_in_turn (OdlProcess *task, gint64 *marked)
{
  guint failed = 0;

  for (guint i = 0; i < task->jobs->len; i++) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i);
    g_autoptr (GError) error = NULL;
    gint64 here = 0;

    odl_runner_expect (task->runner, (int) (task->jobs->len - i) - 1);
    odl_process_show_progress (task, i);
    if (!run_job (task, job, &here, &error)) {
      odl_process_report_failure (task, job, error);
      failed++;
    }
    *marked += here;
  }
  return failed;
}

static int
run_jobs (OdlProcess *task)
{
  gint64 marked = 0;
  const guint failed = odl_batch_is_parallel (task) ? odl_batch_run (task, &marked)
                                                    : run_in_turn (task, &marked);

  if (on_terminal () && task->jobs->len > 1)
    g_printerr ("\r\033[K");
  if (failed == task->jobs->len && task->new_folder != NULL)
    g_rmdir (task->new_folder);
  if (failed == task->jobs->len && failed > 1)
    odl_report_usage (_ ("None of the %u pictures could be processed."), failed);
  else if (failed > 0 && task->jobs->len > 1)
    odl_report_usage (g_dngettext (GETTEXT_PACKAGE,
                                   "%u of %u pictures could not be processed.",
                                   "%u of %u pictures could not be processed.", failed),
                      failed, task->jobs->len);
  if (failed > 0)
    return ODL_EXIT_FAILED;
  return marked > 0 ? ODL_EXIT_DAMAGED : ODL_EXIT_DONE;
}

static int
process (int argc, char **argv)
{
  // Before any thread of OpenMP, OpenGL or GLib.
  g_autofree char *farewell
      = g_strdup_printf ("%s: %s", g_get_prgname (),
                         _ ("Stopped. What was finished stays; of the rest nothing was "
                            "written, and nothing was written over."));
  g_autoptr (OdlOutputGuard) guard = odl_output_guard_new (farewell);
  g_autoptr (GError) error = NULL;
  OdlProcessOptions options = { 0 };
  OdlProcess task = { .guard = guard };
  int status = ODL_EXIT_USAGE;

  if (odl_process_options_parse (&options, argc, argv)) {
    if (odl_process_task_init (&task, &options, &error)) {
      status = run_jobs (&task);
    } else {
      odl_report_error (NULL, error);
      status = odl_report_status (error);
    }
  }
  odl_process_task_clear (&task);
  odl_process_options_clear (&options);
  return status;
}

const OdlVerb odl_verb_process = {
  .name = "process",
  .arguments = N_ ("INPUT… -o OUT"),
  .summary = N_ ("Filter pictures and videos; write PNG, float TIFF, Matroska or MP4."),
  .run = process,
};
