// SPDX-License-Identifier: MIT
#include "session/code_watch.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "engine/choice.h"
#include "session/job.h"
#include "work/rehearsal.h"

// Events come at once; a file that is written in pieces is read when it rests, and one
// that an editor takes away for a moment is waited for.
#define EVENT_MS 10
#define REST_MS 60
#define GONE_MS 500

struct _OdlCodeWatch {
  char *path;
  GObject *owner; // of the jobs: those of a watch that is gone say nothing
  OdlGate *gate;
  GFileMonitor *monitor; // NULL: there is none for that file
  OdlSession *session; // weak
  const OdlOwnCode *code; // what runs
  const OdlOwnCode *tried; // NULL: nothing is
  GCancellable *job;
  guint timer;
  bool missed; // the file was not there
  OdlCodeWatchCb cb;
  void *data;
};

#define WATCH "odl-code-watch"

static bool
is_only_mine (const struct stat *status)
{
  return status->st_uid == getuid () && (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool
odl_code_file_is_private (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  struct stat file, around;
  return lstat (path, &file) == 0 && S_ISREG (file.st_mode) && is_only_mine (&file)
         && stat (folder, &around) == 0 && is_only_mine (&around);
}

// ---- what is said --------------------------------------------------------------------

static void
say (OdlCodeWatch *self, const char *why)
{
  if (g_str_equal (odl_own_fault (self->code), why ? why : ""))
    return;
  odl_own_set_state (self->code, odl_own_state (self->code), why);
  self->cb (self->code, NULL, self->data);
}

static void
take (OdlCodeWatch *self, const OdlOwnCode *to)
{
  const OdlOwnCode *from = self->code;
  say (self, NULL);
  self->code = to;
  odl_trust_allow (odl_trust_of_program (), to);
  self->cb (from, to, self->data);
}

// ---- a trial -------------------------------------------------------------------------

typedef struct {
  const OdlOwnCode *code;
  double values[ODL_OWN_MOST_PARAMETERS];
  bool of_volume;
  char *engine;
} Trial;

static void
free_trial (void *data)
{
  Trial *trial = data;
  g_free (trial->engine);
  g_free (trial);
}

static void *
work (void *data, GCancellable *cancellable, GError **error)
{
  const Trial *trial = data;
  return odl_rehearse_code (trial->code, trial->values, trial->of_volume, trial->engine,
                            error)
             ? data
             : NULL;
}

static void
leave (void *result)
{
  (void) result;
}

static void
done (void *owner, void *result, const GError *error, void *data)
{
  OdlCodeWatch *self = g_object_get_data (owner, WATCH);
  const Trial *trial = data;
  g_clear_object (&self->job);
  self->tried = NULL;
  if (error)
    say (self, error->message);
  else
    take (self, trial->code);
}

static void
take_defaults (const OdlOwnCode *code, double *values)
{
  OdlRecipe fresh;
  odl_recipe_init (&fresh);
  odl_recipe_append (&fresh, &code->filter);
  memcpy (values, fresh.items[0].values, ODL_OWN_MOST_PARAMETERS * sizeof *values);
}

// The engine that runs the version before.
static char *
engine_of (OdlCodeWatch *self)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  if (frame && frame->engine && frame->engine->needs_gl)
    return odl_engine_choice_to_text ((OdlEngineChoice){ frame->engine, frame->variant });
  return g_strdup ("gl-compute");
}

// As the version before is asked for.
static bool
takes_volumes (OdlCodeWatch *self)
{
  const OdlRecipe *recipe = self->session ? odl_session_recipe (self->session) : NULL;
  for (int i = 0; recipe && i < recipe->n_items; i++)
    if (recipe->items[i].filter->code == self->code
        && odl_recipe_item_dimensions (&recipe->items[i]) > 2)
      return true;
  return false;
}

static void
try (OdlCodeWatch *self, const OdlOwnCode *code)
{
  static const OdlJobClass klass = { work, done, leave, free_trial };
  Trial *trial = g_new0 (Trial, 1);
  odl_job_cancel (&self->job);
  trial->code = self->tried = code;
  trial->engine = engine_of (self);
  trial->of_volume = takes_volumes (self);
  take_defaults (code, trial->values);
  self->job = odl_job_run (self->owner, self->gate, &klass, trial);
}

// ---- changes -------------------------------------------------------------------------

static void
changed_file (OdlCodeWatch *self)
{
  g_autoptr (GError) error = NULL;
  const OdlOwnCode *code = odl_own_code_load (self->path, &error);
  if (!code) {
    odl_job_cancel (&self->job);
    self->tried = NULL;
    say (self, error->message);
  } else if (code == self->code) {
    odl_job_cancel (&self->job);
    self->tried = NULL;
    say (self, NULL);
  } else if (code == self->tried) {
    return;
  } else if (odl_own_state (code) != ODL_OWN_ALLOWED
             && !odl_code_file_is_private (self->path)) {
    say (self, _ ("The file was changed, and others than you may write it, or a link "
                  "leads to it. Choose it again to look at it."));
  } else {
    try (self, code);
  }
}

static void set_timer (OdlCodeWatch *self, guint ms);

static gboolean
timer_cb (void *data)
{
  OdlCodeWatch *self = data;
  self->timer = 0;
  if (!self->missed && !g_file_test (self->path, G_FILE_TEST_EXISTS)) {
    self->missed = true;
    set_timer (self, GONE_MS);
    return G_SOURCE_REMOVE;
  }
  self->missed = false;
  changed_file (self);
  return G_SOURCE_REMOVE;
}

static void
set_timer (OdlCodeWatch *self, guint ms)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  self->timer = g_timeout_add (ms, timer_cb, self);
}

static void
event_cb (GFileMonitor *monitor,
          GFile *file,
          GFile *other,
          GFileMonitorEvent event,
          void *data)
{
  OdlCodeWatch *self = data;
  if (event == G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED)
    return;
  self->missed = false;
  set_timer (self, event == G_FILE_MONITOR_EVENT_CHANGED ? REST_MS : EVENT_MS);
}

// ---- life ----------------------------------------------------------------------------

OdlCodeWatch *
odl_code_watch_new (const char *path,
                    const OdlOwnCode *code,
                    OdlSession *session,
                    OdlCodeWatchCb cb,
                    void *data)
{
  OdlCodeWatch *self = g_new0 (OdlCodeWatch, 1);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  self->path = g_strdup (path);
  self->code = code;
  self->cb = cb;
  self->data = data;
  self->gate = odl_gate_new ();
  self->owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_object_set_data (self->owner, WATCH, self);
  g_set_weak_pointer (&self->session, session);
  self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (self->monitor) {
    g_file_monitor_set_rate_limit (self->monitor, REST_MS);
    g_signal_connect (self->monitor, "changed", G_CALLBACK (event_cb), self);
  }
  return self;
}

const OdlOwnCode *
odl_code_watch_code (const OdlCodeWatch *self)
{
  return self->code;
}

void
odl_code_watch_free (OdlCodeWatch *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  odl_job_cancel (&self->job);
  if (self->monitor)
    g_signal_handlers_disconnect_by_data (self->monitor, self);
  g_clear_object (&self->monitor);
  g_clear_weak_pointer (&self->session);
  g_clear_object (&self->owner);
  odl_gate_unref (self->gate);
  g_free (self->path);
  g_free (self);
}
