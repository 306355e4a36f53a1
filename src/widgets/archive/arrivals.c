// SPDX-License-Identifier: MIT
#include "widgets/archive/arrivals.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "session/browse/folder.h"
#include "widgets/window/parts.h"

#define NAME "odl-arrivals"

// The series is opened again when this many pictures are there, and each time when they
// have become twice as many, so that all its headers are read twice at most.
#define FIRST_STACK 8

struct _OdlArrivals {
  GObject parent_instance;
  const OdlWindowParts *parts; // NULL: the window has gone
  OdlArchiveWork *work; // NULL: nothing is under way
  char *folder; // NULL: nothing came yet
  guint n, expected;
  guint next_stack;
  guint64 most_bytes; // 0: as many as usual
  gulong opening; // handler of the session that it follows
  OdlSession *session; // referenced with the handler
  guint idle;
  bool is_all; // all is there, and to be shown
  bool was_shown; // the first picture
  char *text;
};

G_DEFINE_FINAL_TYPE (OdlArrivals, odl_arrivals, G_TYPE_OBJECT)

enum {
  CHANGED,
  SHOWN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
set_text (OdlArrivals *self, char *text)
{
  g_free (self->text);
  self->text = text;
  g_signal_emit (self, signals[CHANGED], 0);
}

// ---- Showing -------------------------------------------------------------------------

// What is on screen lies in the folder: people went nowhere else meanwhile.
static bool
shows_these (const OdlArrivals *self)
{
  const char *location = odl_session_info (self->parts->session)->location;

  return location != NULL && self->folder != NULL
         && strstr (location, self->folder) != NULL;
}

// The series of what is on screen, with what has come since, in its place.
static void
show_more (OdlArrivals *self)
{
  OdlSession *session = self->parts->session;
  const OdlSourceInfo *info = odl_session_info (session);
  g_autofree char *series = info->is_stack || !g_path_is_absolute (info->location)
                                ? g_strdup (info->location)
                                : odl_folder_series_of (info->location);

  odl_session_open_whole (session, series);
  odl_source_panel_list_studies (self->parts->source_panel, self->folder);
}

static void
stop_following (OdlArrivals *self)
{
  g_clear_handle_id (&self->idle, g_source_remove);
  if (self->opening != 0)
    g_signal_handler_disconnect (self->session, self->opening);
  self->opening = 0;
  g_clear_object (&self->session);
}

static void
tell_if_shown (OdlArrivals *self)
{
  if (self->was_shown || !shows_these (self) || odl_page_covers (self->parts->page))
    return;
  self->was_shown = true;
  g_signal_emit (self, signals[SHOWN], 0);
}

// A first file that is no picture, such as a report, has left a page that says so.
static void
show_all (OdlArrivals *self)
{
  self->is_all = false;
  if (odl_page_covers (self->parts->page) && self->n > 1)
    odl_source_panel_open_studies (self->parts->source_panel, self->folder, NULL);
  else if (shows_these (self) && self->n > 1)
    show_more (self);
  else if (shows_these (self))
    odl_source_panel_list_studies (self->parts->source_panel, self->folder);
  if (shows_these (self))
    odl_viewport_update_corners (self->parts->viewport);
}

static gboolean
idle_cb (void *data)
{
  OdlArrivals *self = data;

  self->idle = 0;
  if (odl_window_is_closed (self->parts)) {
    stop_following (self);
    return G_SOURCE_REMOVE;
  }
  if (odl_session_opening (self->parts->session) != NULL)
    return G_SOURCE_REMOVE;
  tell_if_shown (self);
  if (self->is_all)
    show_all (self);
  if (self->work == NULL && self->was_shown)
    stop_following (self);
  return G_SOURCE_REMOVE;
}

static void
opening_cb (OdlArrivals *self)
{
  if (self->idle == 0)
    self->idle = g_idle_add (idle_cb, self);
}

static void
follow (OdlArrivals *self)
{
  stop_following (self);
  self->session = g_object_ref (self->parts->session);
  self->opening = g_signal_connect_swapped (self->session, "notify::opening",
                                            G_CALLBACK (opening_cb), self);
}

// Also where the first picture is still being opened.
static void
show_all_soon (OdlArrivals *self)
{
  follow (self);
  self->is_all = true;
  opening_cb (self);
}

static void
arrived_cb (const char *path, const char *folder, void *data)
{
  OdlArrivals *self = data;

  if (odl_window_is_closed (self->parts))
    return;
  self->n++;
  if (self->n == 1) {
    self->folder = g_strdup (folder);
    follow (self);
    odl_main_window_open (self->parts->window, path, NULL);
  } else if (self->n >= self->next_stack && shows_these (self)
             && odl_session_opening (self->parts->session) == NULL) {
    self->next_stack = 2 * self->n;
    show_more (self);
  }
  set_text (self, self->expected > 0
                      ? g_strdup_printf (_ ("%u of %u pictures arrived"), self->n,
                                         MAX (self->expected, self->n))
                      : g_strdup_printf (
                          ngettext ("%u picture arrived", "%u pictures arrived", self->n),
                          self->n));
}

// ---- The end -------------------------------------------------------------------------

// A sentence, and lines about what else there is to say.
static char *
conclude (const OdlArchiveCounts *counts,
          const GPtrArray *said,
          const GError *error,
          bool hides_names)
{
  const guint n = counts->n_arrived, all = n + counts->n_missing;
  GString *text = g_string_new (NULL);

  if (error != NULL && n == 0)
    g_string_append_printf (text, "%s", error->message);
  else if (error != NULL)
    g_string_append_printf (text, _ ("Only %u pictures arrived: %s"), n, error->message);
  else if (counts->n_missing > 0)
    g_string_append_printf (text, _ ("%u of %u pictures arrived; the others are missing"),
                            n, all);
  else
    g_string_append_printf (text,
                            ngettext ("%u picture arrived, which is all there is",
                                      "%u pictures arrived, which are all there are", n),
                            n);
  if (counts->n_others > 0)
    g_string_append_printf (
        text,
        ngettext ("\n%u of them is of another patient than the archive says",
                  "\n%u of them are of another patient than the archive says",
                  counts->n_others),
        counts->n_others);
  // They may have numbers of patients in them.
  for (guint i = 0; i < said->len && !hides_names; i++)
    g_string_append_printf (text, "\n%s", (const char *) said->pdata[i]);
  return g_string_free (text, FALSE);
}

static void
ended_cb (const OdlArchiveCounts *counts,
          const GPtrArray *said,
          const GError *error,
          void *data)
{
  OdlArrivals *self = data;

  g_clear_pointer (&self->work, odl_archive_work_drop);
  if (odl_window_is_closed (self->parts))
    return;
  g_autofree char *text = conclude (
      counts, said, error, odl_names_are_hidden (odl_names_of (self->parts->session)));
  const size_t n = strcspn (text, "\n");
  set_text (self, g_strndup (text, n));
  odl_messages_say (self->parts->messages, text);
  if (counts->n_arrived > 0)
    show_all_soon (self);
}

// ---- Life ----------------------------------------------------------------------------

bool
odl_arrivals_start (OdlArrivals *self,
                    const OdlArchiveNode *node,
                    const char *study,
                    const char *series,
                    guint expected,
                    GError **error)
{
  const OdlArchiveFetchParams params = { .node = node,
                                         .study = study,
                                         .series = series,
                                         .most_bytes = self->most_bytes,
                                         .arrived = arrived_cb,
                                         .ended = ended_cb,
                                         .data = self };

  if (self->work != NULL)
    return odl_error_set (error, ODL_ERROR_BUSY,
                          _ ("Something is arriving already; cancel that, or wait"));
  stop_following (self);
  g_clear_pointer (&self->folder, g_free);
  self->is_all = self->was_shown = false;
  self->n = 0;
  self->expected = expected;
  self->next_stack = FIRST_STACK;
  self->work = odl_archive_fetch_start (&params, error);
  if (self->work == NULL)
    return false;
  set_text (self, g_strdup (_ ("Asking for the pictures…")));
  return true;
}

void
odl_arrivals_set_most (OdlArrivals *self, guint64 most_bytes)
{
  self->most_bytes = most_bytes;
}

void
odl_arrivals_cancel (OdlArrivals *self)
{
  if (self->work != NULL)
    odl_archive_work_cancel (self->work);
}

bool
odl_arrivals_are_under_way (const OdlArrivals *self)
{
  return self->work != NULL;
}

const char *
odl_arrivals_text (const OdlArrivals *self)
{
  return self->text;
}

double
odl_arrivals_share (const OdlArrivals *self)
{
  return self->expected > 0 ? MIN (1.0, (double) self->n / self->expected) : -1;
}

static void
end (void *data)
{
  OdlArrivals *self = data;

  g_clear_pointer (&self->work, odl_archive_work_drop);
  stop_following (self);
  g_object_unref (self);
}

OdlArrivals *
odl_arrivals_of (const OdlWindowParts *parts)
{
  OdlArrivals *self = g_object_get_data (G_OBJECT (parts->window), NAME);

  if (self == NULL) {
    self = g_object_new (ODL_TYPE_ARRIVALS, NULL);
    self->parts = parts;
    odl_window_own (parts, NAME, self, end);
  }
  return self;
}

static void
finalize (GObject *object)
{
  OdlArrivals *self = ODL_ARRIVALS (object);

  g_free (self->folder);
  g_free (self->text);
  G_OBJECT_CLASS (odl_arrivals_parent_class)->finalize (object);
}

static void
odl_arrivals_class_init (OdlArrivalsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[CHANGED] = g_signal_new ("changed", ODL_TYPE_ARRIVALS, G_SIGNAL_RUN_LAST, 0,
                                   NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SHOWN] = g_signal_new ("shown", ODL_TYPE_ARRIVALS, G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
odl_arrivals_init (OdlArrivals *self)
{
  self->text = g_strdup ("");
}
