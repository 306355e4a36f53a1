// SPDX-License-Identifier: MIT
// What is done for each message.
#include "session/arrays/answer.h"

#include "base/error.h"
#include "session/arrays/file.h"
#include "session/arrays/shown.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_S 60
#define TELL_MS 15 // a slider that is dragged is told of so often

// What is under way for a connection that waits for its answer.
typedef struct {
  OdlConnection *connection; // referenced
  uint32_t number;
  char *location; // NULL: what people look at
  int fd; // −1: none
  OdlArrayShape shape; // of ODL_ASK_SHOW
  OdlSession *session; // weak, while it is waited for; NULL: not yet, or gone
  gulong handlers[2];
  guint timeout;
  OdlShown shown; // of ODL_ASK_RESULT
  char *lines; // the answer
} Job;

static Job *
job_new (OdlConnection *connection, OdlAsk *ask, int fd)
{
  Job *job = g_new0 (Job, 1);

  job->connection = odl_connection_ref (connection);
  job->number = ask->number;
  job->location
      = ask->name != NULL ? g_strconcat (ODL_ARRAY_PREFIX, ask->name, NULL) : NULL;
  job->fd = fd >= 0 ? fcntl (fd, F_DUPFD_CLOEXEC, 0) : -1;
  job->shape = ask->shape;
  ask->shape.times_s = NULL;
  return job;
}

static void
stop_waiting (Job *job)
{
  for (size_t i = 0; job->session != NULL && i < G_N_ELEMENTS (job->handlers); i++)
    g_clear_signal_handler (&job->handlers[i], job->session);
  g_clear_handle_id (&job->timeout, g_source_remove);
  g_clear_weak_pointer (&job->session);
}

static void
job_free (Job *job)
{
  stop_waiting (job);
  odl_connection_unref (job->connection);
  if (job->fd >= 0)
    close (job->fd);
  g_free (job->location);
  g_free (job->shape.times_s);
  odl_shown_clear (&job->shown);
  g_free (job->lines);
  g_free (job);
}

static void
finish (Job *job, const GError *error)
{
  stop_waiting (job);
  if (error != NULL)
    odl_connection_fail (job->connection, job->number, error->message);
  else
    odl_connection_done (job->connection, job->number, job->lines);
  job_free (job);
}

static void
finish_in_words (Job *job, const char *why)
{
  const GError error = { ODL_ERROR, ODL_ERROR_USAGE, (char *) why };

  finish (job, &error);
}

// Of the message; NULL: there is none, and the job has failed.
static OdlSession *
find_session (Job *job)
{
  const OdlConnectionHost *host = odl_connection_host (job->connection);
  OdlSession *session
      = host != NULL ? host->klass->find (job->location, host->data) : NULL;

  if (session == NULL)
    finish_in_words (job, job->location != NULL
                              ? _ ("no window shows an array of this name: show it first")
                              : _ ("no window of Ondelette is open"));
  return session;
}

static gboolean
impatient_cb (void *data)
{
  Job *job = data;

  job->timeout = 0;
  finish_in_words (job, _ ("the window has not done it within a minute"));
  return G_SOURCE_REMOVE;
}

// ---- show ----------------------------------------------------------------------------

static bool
is_in_place (Job *job)
{
  return g_strcmp0 (odl_session_info (job->session)->location, job->location) == 0
         && odl_session_opening (job->session) == NULL;
}

// The array may have been replaced while the one before was being opened.
static void
look_at_place (Job *job)
{
  if (g_strcmp0 (odl_session_info (job->session)->location, job->location) == 0)
    odl_session_renew_array (job->session);
  if (is_in_place (job))
    finish (job, NULL);
}

static void
open_failed_cb (OdlSession *session, const char *location, GError *error, Job *job)
{
  if (g_strcmp0 (location, job->location) == 0)
    finish (job, error);
}

static void
wait_for_session (Job *job, OdlSession *session)
{
  g_set_weak_pointer (&job->session, session);
  job->timeout = g_timeout_add_seconds (PATIENCE_S, impatient_cb, job);
}

// Those that nobody looks at any more are given up when another one comes.
static bool
is_shown (const char *location, void *data)
{
  Job *job = data;
  const OdlConnectionHost *host = odl_connection_host (job->connection);

  return g_str_equal (location, job->location)
         || host->klass->find (location, host->data) != NULL;
}

static void
shown_cb (GObject *object, GAsyncResult *result, void *data)
{
  Job *job = data;
  GError *error = NULL;
  g_autoptr (OdlArray) array = g_task_propagate_pointer (G_TASK (result), &error);
  const OdlConnectionHost *host = odl_connection_host (job->connection);

  if (array == NULL || host == NULL) {
    finish (job, error);
    g_clear_error (&error);
    return;
  }
  odl_array_forget (is_shown, job);
  odl_array_put (job->location, array);
  if (host->klass->find (job->location, host->data) == NULL
      && !host->klass->open (job->location, host->data)) {
    finish_in_words (job, _ ("no window of Ondelette is open"));
    return;
  }
  OdlSession *session = find_session (job);
  if (session == NULL)
    return;
  wait_for_session (job, session);
  job->handlers[0]
      = g_signal_connect_data (session, "opened", G_CALLBACK (look_at_place), job, NULL,
                               G_CONNECT_AFTER | G_CONNECT_SWAPPED);
  job->handlers[1]
      = g_signal_connect (session, "open-failed", G_CALLBACK (open_failed_cb), job);
  look_at_place (job);
}

static void
show_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  Job *job = g_task_get_task_data (task);
  GError *error = NULL;
  OdlArray *array = odl_array_file_read (job->fd, &job->shape, &error);

  if (array != NULL)
    g_task_return_pointer (task, array, (GDestroyNotify) odl_array_unref);
  else
    g_task_return_error (task, error);
}

static void
take_show (Job *job)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, shown_cb, job);

  g_task_set_task_data (task, job, NULL);
  g_task_run_in_thread (task, show_thread);
}

// ---- recipe --------------------------------------------------------------------------

static char *
lines_of_recipe (OdlSession *session)
{
  g_autofree char *text = odl_recipe_to_text (odl_session_recipe (session), " ");
  const char *location = odl_session_info (session)->location;
  const bool is_array = location != NULL && odl_array_is_location (location);

  return is_array ? g_strdup_printf ("name %s\nrecipe %s\n",
                                     location + strlen (ODL_ARRAY_PREFIX), text)
                  : g_strdup_printf ("recipe %s\n", text);
}

// Whoever sends filters can name neither files nor code.
static bool
parse_recipe (const char *text, OdlRecipe *recipe, GError **error)
{
  odl_recipe_init (recipe);
  recipe->refuses_code = true;
  if (!odl_recipe_parse (recipe, text, error))
    return false;
  recipe->refuses_code = false;
  for (int i = 0; i < recipe->n_items; i++)
    if (recipe->items[i].file != NULL)
      return odl_usage_error (error, "%s",
                              _ ("filters that a program sends cannot name files; "
                                 "choose the file in the window"));
  return true;
}

static void
take_recipe (Job *job, const char *text)
{
  OdlSession *session = find_session (job);
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe;

  if (session == NULL)
    return;
  if (text != NULL && parse_recipe (text, &recipe, &error))
    odl_session_set_recipe (session, &recipe, NULL);
  job->lines = lines_of_recipe (session);
  finish (job, error);
}

// ---- result --------------------------------------------------------------------------

// What the image is, and how many bytes its floats need.
static char *
lines_of_result (const OdlImage *image, size_t *bytes)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlExtent *extent = &info->extent;
  const bool coloured = info->channels > 1;
  GString *lines = g_string_new ("type f32\n");

  *bytes = sizeof (float) * (size_t) extent->x * (size_t) extent->y * (size_t) extent->z
           * (size_t) info->channels;
  g_string_append_printf (lines, "axes %syx%s\nshape ", extent->z > 1 ? "z" : "",
                          coloured ? "c" : "");
  if (extent->z > 1)
    g_string_append_printf (lines, "%d ", extent->z);
  g_string_append_printf (lines, "%d %d", extent->y, extent->x);
  if (coloured)
    g_string_append_printf (lines, " %d", info->channels);
  g_string_append_printf (lines, "\nbytes %zu\n", *bytes);
  return g_string_free (lines, FALSE);
}

static bool
write_result (Job *job, GError **error)
{
  OdlShownResult result = { 0 };
  size_t bytes;

  if (!odl_shown_result (&job->shown, &result, error))
    return false;
  g_autoptr (OdlImage) image = result.image;
  job->lines = lines_of_result (image, &bytes);
  if (job->fd < 0)
    return true;
  return odl_array_file_check (job->fd, 0, error)
         && (!odl_array_file_check (job->fd, bytes, NULL)
             || odl_array_file_write (job->fd, image, result.minimum, result.maximum,
                                      error));
}

static void
result_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (write_result (g_task_get_task_data (task), &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
written_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  finish (data, error);
}

// It may have come.
static void
look_for_result (Job *job)
{
  if (!odl_session_result (job->session, &job->shown))
    return;
  stop_waiting (job);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, written_cb, job);
  g_task_set_task_data (task, job, NULL);
  g_task_run_in_thread (task, result_thread);
}

static void
take_result (Job *job)
{
  OdlSession *session = find_session (job);

  if (session == NULL)
    return;
  wait_for_session (job, session);
  job->handlers[0] = g_signal_connect_swapped (session, "frame-ready",
                                               G_CALLBACK (look_for_result), job);
  look_for_result (job);
}

// ---- watch ---------------------------------------------------------------------------

typedef struct {
  OdlConnection *connection; // which keeps this
  OdlSession *session; // weak; NULL: gone
  gulong handler;
  guint timeout;
} Watch;

static void
watch_free (void *data)
{
  Watch *watch = data;

  if (watch->session != NULL)
    g_clear_signal_handler (&watch->handler, watch->session);
  g_clear_handle_id (&watch->timeout, g_source_remove);
  g_clear_weak_pointer (&watch->session);
  g_free (watch);
}

static gboolean
tell_cb (void *data)
{
  Watch *watch = data;
  g_autofree char *lines
      = watch->session != NULL ? lines_of_recipe (watch->session) : NULL;

  watch->timeout = 0;
  if (lines != NULL)
    odl_connection_tell (watch->connection, lines);
  return G_SOURCE_REMOVE;
}

static void
changed_cb (Watch *watch)
{
  if (watch->timeout == 0)
    watch->timeout = g_timeout_add (TELL_MS, tell_cb, watch);
}

static void
take_watch (Job *job)
{
  OdlSession *session = find_session (job);

  if (session == NULL)
    return;
  Watch *watch = g_new0 (Watch, 1);
  watch->connection = job->connection;
  g_set_weak_pointer (&watch->session, session);
  watch->handler = g_signal_connect_swapped (session, "notify::recipe",
                                             G_CALLBACK (changed_cb), watch);
  odl_connection_keep (job->connection, watch, watch_free);
  job->lines = lines_of_recipe (session);
  finish (job, NULL);
}

// ---- all -----------------------------------------------------------------------------

void
odl_answer (OdlConnection *connection, OdlAsk *ask, int file)
{
  Job *job = job_new (connection, ask, file);

  switch (ask->kind) {
  case ODL_ASK_SHOW:
    take_show (job);
    break;
  case ODL_ASK_RECIPE:
    take_recipe (job, ask->recipe);
    break;
  case ODL_ASK_RESULT:
    take_result (job);
    break;
  case ODL_ASK_WATCH:
    take_watch (job);
    break;
  case ODL_N_ASKS:
    g_assert_not_reached ();
  }
}
