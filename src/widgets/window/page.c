// SPDX-License-Identifier: MIT
// The page that stands in the place of the picture when a file or a camera cannot be
// opened. Title, list and actions are then those of the page: what was shown before is
// one key away and is not to be mistaken for the file.

#include "config.h"
#include "session/opener.h"
#include "widgets/diagnostics.h"
#include "widgets/window/private.h"

#define NAME_CHARS 120

bool
odl_main_window_shows_picture (OdlMainWindow *self)
{
  return odl_session_location (self->session) && !self->failed;
}

void
odl_main_window_set_failed (OdlMainWindow *self, const char *location)
{
  g_autofree char *before = self->failed;
  if (location)
    odl_main_window_hush_source (self);
  self->failed = g_strdup (location);
  // Nobody sees it play. A camera goes on, as it does when it is not looked at.
  if (location && !odl_session_is_capture (self->session) && !self->recorder) {
    self->plays_on = self->plays_on || odl_session_playing (self->session);
    odl_session_set_playing (self->session, false);
  }
  odl_source_panel_set_failed (self->source_panel, location);
  gtk_widget_set_visible (GTK_WIDGET (self->status),
                          !location && !odl_session_location (self->session));
  odl_filter_panel_set_covered (self->filter_panel, location != NULL);
  odl_main_window_update_title (self);
  odl_main_window_update_chrome (self);
  odl_main_window_update_actions (self);
}

// Whoever types goes on typing; all others can leave the page with Enter. One that comes
// by itself takes the focus from nothing but the picture.
static bool
may_take_focus (OdlMainWindow *self, bool by_itself, bool was_there)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  if (by_itself)
    return !was_there && (!focus || focus == GTK_WIDGET (self->viewport));
  return !GTK_IS_EDITABLE (focus) || !gtk_widget_get_mapped (focus);
}

void
odl_main_window_show_page (OdlMainWindow *self,
                           OdlFailureKind kind,
                           const char *location,
                           const GError *error)
{
  const bool lost = kind == ODL_FAILURE_LOST;
  const bool was_there = gtk_widget_get_visible (GTK_WIDGET (self->failure_page));
  g_autofree char *base = g_path_get_basename (location);
  g_autofree char *display = g_filename_display_name (base);
  g_autofree char *name = odl_diagnostics_short_name (display, NAME_CHARS);
  // The name of the file stands above.
  g_autofree char *reason
      = odl_diagnostics_sentence (odl_opener_reason (location, error));
  g_autoptr (GError) said = g_error_new_literal (error->domain, error->code, reason);
  g_free (self->last_toast);
  self->last_toast = g_strdup (error->message);
  g_free (self->failed_camera);
  self->failed_camera = kind == ODL_FAILURE_FILE ? NULL : g_strdup (location);
  self->camera_lost = lost;
  odl_failure_page_show (self->failure_page, kind, name, said,
                         odl_session_location (self->session) != NULL);
  odl_main_window_set_failed (self, lost ? NULL : location);
  if (may_take_focus (self, lost, was_there))
    gtk_widget_grab_focus (GTK_WIDGET (self->failure_page));
}

// Back to the picture, if there is one. `goes_on`: as it was, and not because another one
// has come.
void
odl_main_window_close_page (OdlMainWindow *self, bool goes_on)
{
  GtkWidget *page = GTK_WIDGET (self->failure_page);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  const bool had_focus = focus && gtk_widget_is_ancestor (focus, page);
  const bool plays = goes_on && self->failed && self->plays_on;
  gtk_widget_set_visible (page, FALSE);
  self->camera_lost = false;
  self->plays_on = false;
  odl_main_window_set_failed (self, NULL);
  if (plays)
    odl_session_set_playing (self->session, true);
  if (had_focus)
    gtk_widget_grab_focus (GTK_WIDGET (self->viewport));
}

static void
close_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_main_window_close_page (data, true);
}

// With what was asked for: the filters of the command line, for instance.
static void
retry_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  g_autofree char *location = g_strdup (self->failed);
  if (self->failed_camera)
    odl_main_window_retry_camera (self);
  else if (location)
    odl_session_open_again (self->session, location);
}

void
odl_main_window_add_page_actions (OdlMainWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "close-page", .activate = close_cb },
    { .name = "retry", .activate = retry_cb },
  };
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries),
                                   self);
}
