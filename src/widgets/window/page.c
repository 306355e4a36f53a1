// SPDX-License-Identifier: MIT
#include "widgets/window/page.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "session/browse/presentations.h"
#include "session/browse/header.h"
#include "widgets/diagnostics.h"
#include "widgets/panels/sources/shown_row.h"
#include "widgets/window/parts.h"

#define NAME_CHARS 120

struct _OdlPage {
  const OdlWindowParts *parts;
  const OdlPane *pane;
  OdlFailurePage *widget;
  GtkWidget *invitation; // of an empty window
  OdlFailureKind kind;
  char *location; // location that the page is about
  bool covers; // the picture
  bool plays_on; // when the page is closed
  GError *said;
  OdlPresentationSubject *subject; // of a file without pictures; NULL: not known
  bool is_report; // that file is one, which is shown as text
  OdlReport *report; // NULL: not read yet
  GStrv arrays; // of a file that does not say which is a picture; NULL: not known
  GCancellable *search; // for these
};

bool
odl_page_covers (const OdlPage *self)
{
  return self->covers;
}

bool
odl_page_is_open (const OdlPage *self)
{
  return gtk_widget_get_visible (GTK_WIDGET (self->widget));
}

bool
odl_page_tells_of_loss (const OdlPage *self)
{
  return odl_page_is_open (self) && self->kind == ODL_FAILURE_LOST;
}

char *
odl_page_title (const OdlPage *self)
{
  if (!self->covers)
    return NULL;
  return self->kind == ODL_FAILURE_CAMERA
             ? g_strdup (_ ("Camera"))
             : odl_names_of_location (odl_names_of (self->pane->session), self->location);
}

const char *
odl_page_subtitle (const OdlPage *self)
{
  return self->kind == ODL_FAILURE_NO_PICTURE ? _ ("No picture") : _ ("Cannot be opened");
}

void
odl_page_update_invitation (OdlPage *self, bool hidden)
{
  gtk_widget_set_visible (self->invitation,
                          !hidden && !odl_session_info (self->pane->session)->location);
}

static bool
is_active (const OdlPage *self)
{
  return self->parts->page == self;
}

static void
set_covers (OdlPage *self, bool covers)
{
  const OdlWindowParts *parts = self->parts;
  OdlSession *session = self->pane->session;
  self->covers = covers;
  if (covers && is_active (self))
    odl_messages_hush_source (parts->messages);
  // A covered picture does not play. A camera continues.
  if (covers && !odl_session_info (session)->capture && !parts->state->recording) {
    self->plays_on = self->plays_on || odl_session_playing (session);
    odl_session_set_playing (session, false);
  }
  odl_filter_panel_set_covered (self->pane->filter_panel, covers);
  if (is_active (self))
    odl_page_tell (self);
}

void
odl_page_tell (OdlPage *self)
{
  const OdlWindowParts *parts = self->parts;
  odl_source_panel_set_failed (parts->source_panel, self->covers ? self->location : NULL);
  odl_page_update_invitation (self, self->covers || parts->state->panes->len > 1);
  odl_window_tell (parts, "page", NULL);
}

// The focus moves to the page unless it is in a text entry. A page that appears on its
// own only takes it from the picture.
static bool
may_take_focus (OdlPage *self, bool by_itself, bool was_open)
{
  if (!is_active (self))
    return false;
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->parts->window));
  if (by_itself)
    return !was_open && (!focus || focus == GTK_WIDGET (self->pane->viewport));
  return !GTK_IS_EDITABLE (focus) || !gtk_widget_get_mapped (focus);
}

// Which picture a presentation state is of, or NULL. Transfer full.
static char *
subject_words (const OdlPage *self, OdlNames *names)
{
  const OdlPresentationSubject *subject = self->subject;
  if (!subject || !subject->picture)
    return NULL;
  g_autofree char *file
      = subject->file ? odl_names_of_location (names, subject->file) : NULL;
  g_autofree char *which = file ? g_strdup_printf ("%s (%s)", file, subject->picture)
                                : g_strdup (subject->picture);
  const int others = subject->n_pictures - 1;
  return others > 0
             // Translators: a file or identifier of a picture, and how many others.
             ? g_strdup_printf (ngettext ("It is for the picture %s and %d other one.",
                                          "It is for the picture %s and %d other ones.",
                                          (gulong) others),
                                which, others)
             : g_strdup_printf (_ ("It is for the picture %s."), which);
}

// Who a report is of, as a line; "": it does not say, or names are hidden. Transfer full.
static char *
report_subject (const OdlReport *report)
{
  g_autofree char *date = odl_diagnostics_date (report->birth);
  // Translators: a date; the patient's birth. Else it could be the study's.
  g_autofree char *birth = date && *date ? g_strdup_printf (_ ("born %s"), date) : NULL;
  const char *words[] = { report->patient, report->patient_id, birth, report->study };
  g_autoptr (GString) line = g_string_new (NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (words[i] && *words[i])
      g_string_append_printf (line, "%s%s", line->len > 0 ? " · " : "", words[i]);
  if (line->len > 0)
    g_string_append_c (line, '\n');
  return g_strdup (line->str);
}

// What a report says. Transfer full; NULL: nothing is known.
static char *
report_words (const OdlPage *self)
{
  const OdlReport *report = self->report;
  if (!report)
    return NULL;
  g_autofree char *date = odl_diagnostics_date (report->date);
  g_autofree char *state
      = g_strjoin (" · ", *date ? date : "—", report->completion,
                   *report->verification ? report->verification : NULL, NULL);
  g_autofree char *subject = report_subject (report);
  return g_strconcat (
      subject, state, "\n\n", report->text,
      report->is_partial ? _ ("… it has more, which is not shown here.") : "", NULL);
}

// The file name is the title.
static void
fill (OdlPage *self)
{
  OdlSession *session = self->pane->session;
  OdlNames *names = odl_names_of (session);
  g_autofree char *whole = odl_names_of_location (names, self->location);
  g_autofree char *name = odl_diagnostics_short_name (whole, NAME_CHARS);
  g_autofree char *subject = subject_words (self, names);
  g_autofree char *message
      = g_strconcat (self->said->message, subject ? ".\n" : NULL, subject, NULL);
  g_autofree char *text = odl_names_in_text (names, message);
  g_autoptr (GError) said
      = g_error_new_literal (self->said->domain, self->said->code, text);
  g_autofree char *words = report_words (self);
  odl_failure_page_show (self->widget, self->kind, name, said,
                         odl_session_info (session)->location != NULL);
  odl_failure_page_set_words (self->widget, words);
  odl_failure_page_set_arrays (self->widget, (const char *const *) self->arrays);
}

// A page that went away, or shows something else, has cancelled it.
static void
report_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (GError) error = NULL;
  OdlReport *report = odl_report_load_finish (result, &error);
  if (!report)
    return;
  OdlPage *self = data;
  g_clear_pointer (&self->report, odl_report_free);
  self->report = report;
  if (odl_page_is_open (self))
    fill (self);
}

// With names of persons, or without.
static void
load_report (OdlPage *self)
{
  if (self->search)
    g_cancellable_cancel (self->search);
  g_clear_object (&self->search);
  self->search = g_cancellable_new ();
  odl_report_load (self->location,
                   odl_names_are_hidden (odl_names_of (self->pane->session)),
                   self->search, report_cb, self);
}

void
odl_page_names_changed (OdlPage *self)
{
  if (!odl_page_is_open (self))
    return;
  if (self->is_report) {
    g_clear_pointer (&self->report, odl_report_free);
    load_report (self);
  }
  fill (self);
}

static void
forget_subject (OdlPage *self)
{
  if (self->search)
    g_cancellable_cancel (self->search);
  g_clear_object (&self->search);
  g_clear_pointer (&self->subject, odl_presentation_subject_free);
  g_clear_pointer (&self->report, odl_report_free);
  g_clear_pointer (&self->arrays, g_strfreev);
  self->is_report = false;
}

// A page that went away, or shows something else, has cancelled it.
static void
subject_cb (GObject *object, GAsyncResult *result, void *data)
{
  OdlPresentationSubject *subject = odl_presentation_subject_finish (result);
  if (!subject)
    return;
  OdlPage *self = data;
  self->subject = subject;
  if (odl_page_is_open (self))
    fill (self);
}

// A page that went away, or shows something else, has cancelled it.
static void
arrays_cb (GObject *object, GAsyncResult *result, void *data)
{
  GStrv arrays = odl_arrays_load_finish (result);
  if (!arrays)
    return;
  OdlPage *self = data;
  g_strfreev (self->arrays);
  self->arrays = arrays;
  if (odl_page_is_open (self))
    fill (self);
}

void
odl_page_show (OdlPage *self,
               OdlFailureKind kind,
               const char *location,
               const GError *error)
{
  const bool lost = kind == ODL_FAILURE_LOST;
  const bool was_open = odl_page_is_open (self);
  g_autofree char *reason
      = odl_diagnostics_sentence (odl_session_open_reason (location, error));
  g_clear_error (&self->said);
  self->said = g_error_new_literal (error->domain, error->code, reason);
  odl_messages_set_last (self->parts->messages, error->message);
  g_autofree char *before = self->location;
  self->location = g_strdup (location);
  forget_subject (self);
  self->is_report = kind == ODL_FAILURE_FILE && odl_report_is_file (location);
  self->kind
      = self->is_report
                || (kind == ODL_FAILURE_FILE && odl_presentation_is_file (location))
            ? ODL_FAILURE_NO_PICTURE
            : kind;
  fill (self);
  if (self->is_report) {
    load_report (self);
  } else if (self->kind == ODL_FAILURE_NO_PICTURE) {
    self->search = g_cancellable_new ();
    odl_presentation_subject_find (location, self->search, subject_cb, self);
  } else if (kind == ODL_FAILURE_FILE
             && g_error_matches (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED)) {
    self->search = g_cancellable_new ();
    odl_arrays_load (location, self->search, arrays_cb, self);
  }
  set_covers (self, !lost);
  if (may_take_focus (self, lost, was_open))
    gtk_widget_grab_focus (GTK_WIDGET (self->widget));
}

void
odl_page_close (OdlPage *self, bool goes_on)
{
  GtkWidget *page = GTK_WIDGET (self->widget);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->parts->window));
  const bool had_focus = focus && gtk_widget_is_ancestor (focus, page);
  const bool plays = goes_on && self->covers && self->plays_on;
  gtk_widget_set_visible (page, FALSE);
  self->plays_on = false;
  set_covers (self, false);
  if (plays)
    odl_session_set_playing (self->pane->session, true);
  if (had_focus)
    gtk_widget_grab_focus (GTK_WIDGET (self->pane->viewport));
}

static void
close_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_page_close (parts->page, true);
}

// With the requested recipe, such as that of the command line; a lost camera keeps the
// current one.
static void
retry_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  OdlPage *self = parts->page;
  OdlSession *session = self->pane->session;
  if (!odl_page_is_open (self))
    return;
  g_autofree char *location = g_strdup (self->location);
  const bool camera = self->kind == ODL_FAILURE_CAMERA || self->kind == ODL_FAILURE_LOST;
  if (camera)
    odl_page_close (self, true);
  if (camera && odl_session_info (session)->capture)
    odl_session_open (session, location, odl_session_recipe (session));
  else
    odl_session_open_again (session, location);
}

// Of the file that the page is about.
static void
open_array_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const OdlPage *self = parts->page;
  if (!odl_page_is_open (self) || !self->arrays)
    return;
  g_autofree char *file = odl_shown_file (self->location);
  g_autofree char *location
      = g_strconcat (file, ":", g_variant_get_string (parameter, NULL), NULL);
  odl_session_open_again (self->pane->session, location);
}

void
odl_page_free (OdlPage *self)
{
  forget_subject (self);
  g_clear_error (&self->said);
  g_free (self->location);
  g_free (self);
}

void
odl_page_add_actions (const OdlWindowParts *parts)
{
  static const OdlWindowAction entries[] = {
    { "close-page", G_CALLBACK (close_cb) },
    { "retry", G_CALLBACK (retry_cb) },
    { "open-array", G_CALLBACK (open_array_cb), "s" },
  };
  odl_window_add_actions (parts, entries, G_N_ELEMENTS (entries), (void *) parts);
}

OdlPage *
odl_page_new (const OdlPane *pane)
{
  OdlPage *self = g_new0 (OdlPage, 1);
  self->parts = pane->parts;
  self->pane = pane;
  self->widget = pane->failure;
  self->invitation = odl_window_child (pane->parts, "status");
  return self;
}

// ---- the window -----------------------------------------------------------------------

bool
odl_window_is_uncovered (const OdlWindowParts *parts)
{
  return !odl_page_covers (parts->page);
}

bool
odl_window_shows_picture (const OdlWindowParts *parts)
{
  return odl_session_info (parts->session)->location && !odl_page_covers (parts->page);
}

bool
odl_window_has_frames (const OdlWindowParts *parts)
{
  return odl_window_is_uncovered (parts) && odl_playback_is_moving (parts->playback)
         && !odl_session_info (parts->session)->capture;
}
