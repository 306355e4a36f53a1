// SPDX-License-Identifier: MIT
#include "session/sweep.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/thread.h"
#include "source/source_files.h"
#include "work/sweep/plot.h"

struct _OdlSweep {
  OdlTrialParams params; // owned
  OdlTrial trial;
  bool searches, ended;
  GThread *thread;
  GMainContext *context;
  GSource *told; // main context only
  OdlSweepCb cb;
  void *data;

  GMutex mutex; // guards what follows
  GPtrArray *rows; // that nobody took yet
  OdlSweepState state;
  char *note;
  GError *error;
};

void
odl_sweep_row_free (OdlSweepRow *row)
{
  if (!row)
    return;
  g_free (row->refusal);
  g_free (row);
}

// ---- the thread ----------------------------------------------------------------------

static void
note_cb (const char *input, const char *message, void *data)
{
  OdlSweep *self = data;
  g_mutex_lock (&self->mutex);
  if (!self->note)
    self->note = g_strdup (message);
  g_mutex_unlock (&self->mutex);
}

static void
found_cb (const OdlGridResult *result, void *data)
{
  OdlSweep *self = data;
  OdlSweepRow *row = g_new0 (OdlSweepRow, 1);
  row->point = result->point;
  row->scores = result->scores;
  row->seconds = result->seconds;
  row->refusal = g_strdup (result->refusal);
  odl_axes_indices (self->trial.axes, row->point, row->indices);
  g_mutex_lock (&self->mutex);
  g_ptr_array_add (self->rows, row);
  self->state.done++;
  g_mutex_unlock (&self->mutex);
}

static bool
take_cb (const OdlGridResult *result, void *data, GError **error)
{
  found_cb (result, data);
  return true;
}

static bool
search (OdlSweep *self, GError **error)
{
  g_autoptr (OdlRunner) runner = odl_trial_runner (&self->trial, error);
  const OdlSearchParams params = { &self->trial, runner, found_cb, self };
  OdlSearchResult result;
  return runner && odl_search_run (&params, &result, error);
}

static bool
fill (OdlSweep *self, GError **error)
{
  const OdlGridParams params
      = { .trial = &self->trial, .shards = 1, .take = take_cb, .data = self };
  return odl_grid_run (&params, error);
}

static void *
sweep_thread (void *data)
{
  OdlSweep *self = data;
  GError *error = NULL;
  // Least priority, so that playing is not disturbed; threads that it starts have it,
  // too.
  odl_parallel_lower_priority ();
  const bool read = odl_trial_read (&self->trial, &error);
  g_mutex_lock (&self->mutex);
  self->state.reading = false;
  g_mutex_unlock (&self->mutex);
  if (read)
    (self->searches ? search : fill) (self, &error);
  odl_trial_drop_pictures (&self->trial);
  g_mutex_lock (&self->mutex);
  self->error = error;
  g_mutex_unlock (&self->mutex);
  g_source_attach (self->told, self->context);
  return NULL;
}

static gboolean
tell_cb (void *data)
{
  OdlSweep *self = data;
  self->ended = true;
  if (self->cb)
    self->cb (self->error, self->data);
  return G_SOURCE_REMOVE;
}

// ---- life ----------------------------------------------------------------------------

static void
copy_params (const OdlTrialParams *params, OdlTrialParams *copy)
{
  *copy = *params;
  copy->input = g_strdup (params->input);
  copy->vary = g_strdupv (params->vary);
  copy->titles = g_strdupv (params->titles);
  copy->noise = g_strdup (params->noise);
  copy->reference = g_strdup (params->reference);
  copy->region = g_strdup (params->region);
  copy->background = g_strdup (params->background);
  copy->metric = g_strdup (params->metric);
  copy->engine = g_strdup (params->engine);
  copy->frames = g_strdup (params->frames);
  copy->cancellable = g_cancellable_new ();
}

static void
clear_params (OdlTrialParams *params)
{
  g_free ((char *) params->input);
  g_strfreev (params->vary);
  g_strfreev (params->titles);
  g_free ((char *) params->noise);
  g_free ((char *) params->reference);
  g_free ((char *) params->region);
  g_free ((char *) params->background);
  g_free ((char *) params->metric);
  g_free ((char *) params->engine);
  g_free ((char *) params->frames);
  g_object_unref (params->cancellable);
}

static bool
plan (OdlSweep *self, GError **error)
{
  if (!odl_trial_plan (&self->trial, &self->params, error))
    return false;
  const double points = odl_axes_points (self->trial.axes);
  if (!self->searches && points > ODL_SWEEP_MOST_POINTS)
    return odl_usage_error (
        error,
        _ ("These are %.0f combinations, and %d are kept here. Vary less, search for the "
           "best, or call “ondelette-cli sweep”."),
        points, ODL_SWEEP_MOST_POINTS);
  self->state = (OdlSweepState){ true, 0, self->searches ? 0 : (gint64) points };
  return true;
}

OdlSweep *
odl_sweep_new (const OdlTrialParams *params,
               bool searches,
               OdlSweepCb cb,
               void *data,
               GError **error)
{
  g_autoptr (OdlSweep) self = g_new0 (OdlSweep, 1);
  copy_params (params, &self->params);
  self->params.note = note_cb;
  self->params.data = self;
  self->searches = searches;
  g_mutex_init (&self->mutex);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_sweep_row_free);
  self->context = g_main_context_ref_thread_default ();
  self->told = g_idle_source_new ();
  g_source_set_priority (self->told, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->told, tell_cb, self, NULL);
  if (!plan (self, error))
    return NULL;
  self->thread = odl_thread_new ("sweeps", sweep_thread, self, error);
  if (!self->thread)
    return NULL;
  self->cb = cb;
  self->data = data;
  return g_steal_pointer (&self);
}

void
odl_sweep_free (OdlSweep *self)
{
  if (!self)
    return;
  self->cb = NULL;
  odl_sweep_cancel (self);
  odl_thread_join (self->thread);
  g_source_destroy (self->told);
  g_source_unref (self->told);
  g_main_context_unref (self->context);
  odl_trial_clear (&self->trial);
  clear_params (&self->params);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_error (&self->error);
  g_mutex_clear (&self->mutex);
  g_free (self->note);
  g_free (self);
}

void
odl_sweep_cancel (OdlSweep *self)
{
  g_cancellable_cancel (self->params.cancellable);
}

bool
odl_sweep_ended (const OdlSweep *self)
{
  return self->ended;
}

// ---- what was found ------------------------------------------------------------------

OdlSweepState
odl_sweep_state (OdlSweep *self)
{
  g_mutex_lock (&self->mutex);
  const OdlSweepState state = self->state;
  g_mutex_unlock (&self->mutex);
  return state;
}

GPtrArray *
odl_sweep_take (OdlSweep *self)
{
  GPtrArray *none = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_sweep_row_free);
  g_mutex_lock (&self->mutex);
  GPtrArray *rows = self->rows;
  self->rows = none;
  g_mutex_unlock (&self->mutex);
  return rows;
}

char *
odl_sweep_note (OdlSweep *self)
{
  g_mutex_lock (&self->mutex);
  char *note = g_strdup (self->note);
  g_mutex_unlock (&self->mutex);
  return note;
}

const OdlTrial *
odl_sweep_trial (const OdlSweep *self)
{
  return &self->trial;
}

bool
odl_sweep_before (OdlSweep *self, OdlScores *scores)
{
  // The thread writes them before it has read everything.
  if (odl_sweep_state (self).reading)
    return false;
  *scores = self->trial.before;
  return true;
}

static bool
write_table (OdlSweep *self, const GPtrArray *rows, OdlOutput *output, GError **error)
{
  g_autofree gint64 *points = g_new (gint64, rows->len);
  g_autofree OdlScores *scores = g_new (OdlScores, rows->len);
  for (guint i = 0; i < rows->len; i++) {
    const OdlSweepRow *row = rows->pdata[i];
    points[i] = row->point;
    scores[i] = row->scores;
  }
  return odl_table_export (&self->trial, points, scores, rows->len, output, error);
}

static bool
write_plot (OdlSweep *self,
            const GPtrArray *rows,
            OdlDrawingFormat format,
            OdlOutput *output,
            GError **error)
{
  g_auto (OdlTable) table = { .fd = -1 };
  if (!odl_table_begin (&table, &self->trial, error))
    return false;
  for (guint i = 0; i < rows->len; i++) {
    const OdlSweepRow *row = rows->pdata[i];
    table.done[row->point] = true;
    table.metric[row->point] = row->scores.values[self->trial.metric];
  }
  return odl_plot_write (output, format, &table, error);
}

static bool
check_plot (OdlSweep *self, GError **error)
{
  if (odl_axes_points (self->trial.axes) <= ODL_SWEEP_MOST_POINTS)
    return odl_plot_check (&self->trial, error);
  return odl_usage_error (error,
                          _ ("A search among more than %d combinations has no "
                             "plot to save. Save its table."),
                          ODL_SWEEP_MOST_POINTS);
}

bool
odl_sweep_save (OdlSweep *self, const GPtrArray *rows, const char *path, GError **error)
{
  g_autoptr (GHashTable) files = odl_trial_files (&self->trial);
  g_autofree char *shown = g_filename_display_name (path);
  OdlDrawingFormat format;
  const bool draws = odl_drawing_format (path, &format);
  OdlOutput output;
  if (odl_source_files_have (files, path))
    return odl_usage_error (
        error, _ ("%s is a file that the sweep reads. Choose another name."), shown);
  if ((draws && !check_plot (self, error))
      || !odl_output_open (NULL, path, &output, error))
    return false;
  return odl_output_end (&output,
                         draws ? write_plot (self, rows, format, &output, error)
                               : write_table (self, rows, &output, error),
                         error);
}

static void
append_option (GString *command, const char *option, const char *value)
{
  if (!value)
    return;
  g_autofree char *quoted = g_shell_quote (value);
  g_string_append_printf (command, " %s %s", option, quoted);
}

char *
odl_sweep_command (const OdlSweep *self, const char *csv)
{
  const OdlTrialParams *params = &self->params;
  g_autofree char *recipe = odl_recipe_to_text (&params->recipe, " ");
  g_autofree char *frame
      = params->frame > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, params->frame) : NULL;
  GString *command = g_string_new ("ondelette-cli");
  append_option (command, self->searches ? "optimise" : "sweep", params->input);
  append_option (command, "--filter", recipe);
  append_option (command, "--engine", params->engine);
  append_option (command, "--noise", params->noise);
  append_option (command, "--reference", params->reference);
  append_option (command, "--frame", frame);
  append_option (command, "--frames", params->frames);
  append_option (command, "--region", params->region);
  append_option (command, "--background", params->background);
  append_option (command, "--metric", params->metric);
  for (char **vary = params->vary; *vary; vary++)
    append_option (command, "--vary", *vary);
  append_option (command, "--csv", self->searches ? NULL : csv);
  return g_string_free (command, FALSE);
}
