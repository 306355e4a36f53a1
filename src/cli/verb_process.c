// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/process/process.h"
#include "cli/process/at_once.h"
#include "cli/process/batch.h"
#include "cli/process/contours.h"
#include "cli/process/dicom.h"
#include "cli/process/plane.h"
#include "cli/process/rendering.h"
#include "cli/process/share.h"
#include "cli/process/still.h"
#include "cli/process/surface.h"
#include "cli/verb.h"

static bool
run_job (OdlProcess *task, const OdlJob *job, gint64 *marked, GError **error)
{
  OdlStill still = { 0 };

  odl_process_begin (task, job->input);
  if (!odl_process_check_output (task, job->output, error))
    return false;
  if (task->work.rendering != NULL || task->work.plane != NULL)
    return odl_process_render (task, job, marked, error);
  if (odl_process_is_moving (task))
    return odl_process_moving (task, job, marked, error);
  odl_runner_begin (task->run.runner);
  bool done = odl_still_read (task, job, &still, error)
              && odl_still_filter (task, job, &still, false, error)
              && odl_still_write (task, job, &still, marked, error);
  odl_still_clear (&still);
  return done;
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

    odl_runner_expect (task->run.runner, (int) (task->jobs->len - i) - 1);
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
                       : odl_at_once_is_possible (task)
                           ? odl_at_once_run (task, run_job, &marked)
                           : run_in_turn (task, &marked);

  if (odl_process_on_terminal () && task->jobs->len > 1)
    g_printerr ("\r\033[K");
  if (task->jobs->len == 0)
    return ODL_EXIT_DONE;
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

  if (odl_process_options_parse (&options, &odl_verb_process, argc, argv)) {
    if (odl_process_task_init (&task, &options, &error)
        && odl_process_parse_dicom (&options, &task, &error)
        && odl_process_parse_contours (&options, &task, &error)
        && odl_process_parse_mesh (&options, &task, &error)
        && odl_process_parse_plane (&options, &task, &error)
        && odl_process_parse_rendering (&options, &task, &error)
        && odl_process_parse_share (&options, &task, &error)) {
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
  .summary = N_ ("Filter pictures and videos; write PNG, float TIFF, JPEG 2000, Matroska "
                 "or MP4. volume:INPUT takes frames for the slices of a volume, which "
                 "filters with dimensions=3 see along time."),
  .run = process,
};
