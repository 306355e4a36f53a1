// SPDX-License-Identifier: MIT
#include "archive/enhancer.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/queue.h"
#include "archive/worker.h"
#include "base/error.h"
#include "base/text.h"

#define FOLDER_MODE 0700
#define MOST_AT_ONCE 1000
#define FIRST_WAIT_SECONDS 10
#define LAST_WAIT_SECONDS 60

struct _OdlEnhancer {
  const OdlEnhancerParams *params;
  char *todo; // folders
  char *derived;
  char *secret; // file
  OdlWorker *worker;
  guint n_alone; // that are still done one by one, since `process` died of several
  bool is_short; // of room or processes: something of this round is left for later
};

// ---- What there is to do ----

// Names in a folder, so many at most. Transfer full.
static GPtrArray *
names_in (const char *folder, guint most)
{
  g_auto (GStrv) paths = odl_queue_list (folder, ".dcm", most);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; paths[i] != NULL; i++)
    g_ptr_array_add (names, g_path_get_basename (paths[i]));
  return names;
}

// Hands on what is complete. `todo` NULL: whatever is not noted any more.
static void
hand_on (OdlEnhancer *self, const char *todo, const char *name)
{
  g_autofree char *path = g_build_filename (self->derived, name, NULL);

  // Not noted any more: it would be made anew, with another time in it.
  if (todo != NULL) {
    g_autofree char *note = g_build_filename (todo, name, NULL);
    g_unlink (note);
  }
  if (self->params->made (path, name, self->params->data))
    g_unlink (path);
  else
    self->is_short = true;
}

static bool
is_noted (const OdlEnhancer *self, const char *name)
{
  for (guint i = 0; i < odl_rules_count (self->params->rules); i++) {
    g_autofree char *path = g_build_filename (
        self->todo, odl_rules_at (self->params->rules, i)->id, name, NULL);
    struct stat status;
    if (lstat (path, &status) == 0)
      return true;
  }
  return false;
}

// What a kill left between both folders, and what nobody had room for.
static void
recover (OdlEnhancer *self)
{
  g_autoptr (GDir) dir = g_dir_open (self->derived, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".dcm") && !is_noted (self, name))
      hand_on (self, NULL, name);
}

// ---- Doing it ----

static GSubprocess *
start (OdlEnhancer *self,
       const OdlRule *rule,
       const char *todo,
       const GPtrArray *names,
       GError **error)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  const char *const fixed[]
      = { self->params->program, "process",  "--format",  "dicom", "--force", "--secret",
          self->secret,          "--preset", rule->preset };

  for (gsize i = 0; i < G_N_ELEMENTS (fixed); i++)
    g_ptr_array_add (argv, g_strdup (fixed[i]));
  if (rule->strength != NULL)
    g_ptr_array_add (argv, g_strconcat ("--strength=", rule->strength, NULL));
  if (rule->inside != NULL)
    g_ptr_array_add (argv, g_strconcat ("--inside=", rule->inside, NULL));
  g_ptr_array_add (argv, g_strdup ("-o"));
  g_ptr_array_add (argv, g_strconcat (self->derived, "/{stem}.dcm", NULL));
  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (argv, g_build_filename (todo, names->pdata[i], NULL));
  g_ptr_array_add (argv, NULL);
  return g_subprocess_newv (
      (const char *const *) argv->pdata,
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE, error);
}

// The line of `process` about a file; NULL: it said nothing.
static char *
line_about (const char *said, const char *name)
{
  g_auto (GStrv) lines = g_strsplit (said, "\n", -1);
  char *found = NULL;

  for (int i = 0; lines[i] != NULL; i++) {
    const char *at = strstr (lines[i], name);
    if (at == NULL)
      continue;
    at += strlen (name);
    at += g_str_has_prefix (at, ": ") ? 2 : 0;
    g_free (found);
    found = odl_text_in_one_line (at);
  }
  return found;
}

// Whether it may be made when others have taken less room.
static bool
lacks_room (const char *why)
{
  return strstr (why, g_strerror (ENOSPC)) != NULL
         || strstr (why, g_strerror (EDQUOT)) != NULL;
}

// `why`: what is known of why there is none. The note stays where it is tried again.
static void
tell_failed (OdlEnhancer *self, const char *note, const char *name, const char *why)
{
  const bool later = lacks_room (why);
  g_autofree char *text
      = later ? g_strdup_printf (_ ("%s; it is made when there is room"), why)
              : g_strdup (why);

  self->params->failed (name, text, self->params->data);
  self->is_short = self->is_short || later;
  if (!later)
    g_unlink (note);
}

// `is_last`: what is not there could not be made.
static void
settle (OdlEnhancer *self,
        const char *todo,
        const char *name,
        const char *said,
        bool is_last)
{
  g_autofree char *derived = g_build_filename (self->derived, name, NULL);
  g_autofree char *note = g_build_filename (todo, name, NULL);
  g_autofree char *why = line_about (said, name);

  if (g_file_test (derived, G_FILE_TEST_IS_REGULAR))
    hand_on (self, todo, name);
  else if (why != NULL || is_last)
    tell_failed (self, note, name,
                 why != NULL ? why : _ ("no derived object could be made of it"));
}

// What became of them. Where `process` died, perhaps of one of several, those that it
// has not come to are done one by one.
static void
settle_all (OdlEnhancer *self,
            const char *todo,
            const GPtrArray *names,
            const char *said,
            bool died)
{
  const bool again = died && names->len > 1;

  self->n_alone = again ? names->len + 1 : self->n_alone > 0 ? self->n_alone - 1 : 0;
  for (guint i = 0; i < names->len; i++)
    settle (self, todo, names->pdata[i], said, !again);
}

// Returns whether there was anything to do.
static bool
work (OdlEnhancer *self, const OdlRule *rule)
{
  g_autofree char *todo = g_build_filename (self->todo, rule->id, NULL);
  g_autoptr (GPtrArray) names = names_in (todo, self->n_alone > 0 ? 1 : MOST_AT_ONCE);
  g_autofree char *said = NULL;
  g_autoptr (GError) error = NULL;

  if (names->len == 0)
    return false;
  g_autoptr (GSubprocess) process = start (self, rule, todo, names, &error);
  if (process == NULL) { // the system has none to spare
    self->params->failed (names->pdata[0], error->message, self->params->data);
    self->is_short = true;
    return false;
  }
  g_subprocess_communicate_utf8 (process, NULL, odl_worker_cancellable (self->worker),
                                 NULL, &said, NULL);
  if (odl_worker_is_closing (self->worker)) {
    g_subprocess_force_exit (process);
    return false;
  }
  settle_all (self, todo, names, said != NULL ? said : "",
              g_subprocess_get_if_signaled (process));
  return true;
}

static void *
work_on (void *data)
{
  OdlEnhancer *self = data;
  const OdlRules *rules = self->params->rules;
  guint wait = 0;

  while (!odl_worker_is_closing (self->worker)) {
    bool worked = false;
    self->is_short = false;
    recover (self);
    for (guint i = 0; i < odl_rules_count (rules); i++)
      worked = work (self, odl_rules_at (rules, i)) || worked;
    wait = !self->is_short ? 0
           : wait == 0     ? FIRST_WAIT_SECONDS
                           : MIN (2 * wait, LAST_WAIT_SECONDS);
    if (self->is_short)
      odl_worker_rest (self->worker, wait);
    else if (!worked)
      odl_worker_wait (self->worker, 0);
  }
  return NULL;
}

// ---- The enhancer ----

static bool
make_folders (OdlEnhancer *self, GError **error)
{
  for (guint i = 0; i < odl_rules_count (self->params->rules); i++) {
    g_autofree char *folder
        = g_build_filename (self->todo, odl_rules_at (self->params->rules, i)->id, NULL);
    if (g_mkdir_with_parents (folder, FOLDER_MODE) != 0)
      return odl_error_set (error, ODL_ERROR_IO, "%s: %s", folder, g_strerror (errno));
  }
  return g_mkdir_with_parents (self->derived, FOLDER_MODE) == 0
         || odl_error_set (error, ODL_ERROR_IO, "%s: %s", self->derived,
                           g_strerror (errno));
}

OdlEnhancer *
odl_enhancer_open (const OdlEnhancerParams *params, GError **error)
{
  OdlEnhancer *self = g_new0 (OdlEnhancer, 1);

  self->params = params;
  self->todo = g_build_filename (params->state, "todo", NULL);
  self->derived = g_build_filename (params->state, "derived", NULL);
  self->secret = g_build_filename (params->state, "secret", NULL);
  self->worker = odl_worker_new ();
  if (make_folders (self, error)
      && odl_worker_start (self->worker, "enhancer", work_on, self, error))
    return self;
  odl_enhancer_close (self);
  return NULL;
}

void
odl_enhancer_close (OdlEnhancer *self)
{
  if (self == NULL)
    return;
  odl_worker_free (self->worker);
  g_free (self->todo);
  g_free (self->derived);
  g_free (self->secret);
  g_free (self);
}

bool
odl_enhancer_note (OdlEnhancer *self,
                   const OdlRule *rule,
                   const char *path,
                   GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *note = g_build_filename (self->todo, rule->id, name, NULL);

  if (symlink (path, note) != 0 && errno != EEXIST)
    return odl_error_set (error, ODL_ERROR_IO, "%s: %s", note, g_strerror (errno));
  odl_worker_wake (self->worker);
  return true;
}
