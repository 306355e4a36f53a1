// SPDX-License-Identifier: MIT
#include "widgets/arrays.h"

#include <glib/gi18n-lib.h>

#include "session/arrays/server.h"
#include "widgets/window/parts.h"

#define KEY "arrays"

struct _OdlArrays {
  GtkApplication *application;
  OdlSettings *settings;
  GSimpleAction *action;
  OdlArrayServer *server; // NULL: they may not
};

// ---- which window --------------------------------------------------------------------

static bool
has_location (OdlSession *session, const char *location)
{
  return g_strcmp0 (odl_session_info (session)->location, location) == 0
         || g_strcmp0 (odl_session_opening (session), location) == 0;
}

static OdlSession *
find_in_window (OdlMainWindow *window, const char *location)
{
  const OdlWindowParts *parts = odl_main_window_parts (window);
  if (odl_window_is_closed (parts))
    return NULL;
  if (!location)
    return parts->session;
  for (int i = 0; i < odl_layout_count (parts->layout); i++) {
    OdlSession *session = odl_layout_nth (parts->layout, i)->session;
    if (session && has_location (session, location))
      return session;
  }
  return NULL;
}

// Windows come in the order in which people looked at them.
static OdlSession *
find_cb (const char *location, void *data)
{
  OdlArrays *self = data;
  OdlSession *found = NULL;
  GList *at = gtk_application_get_windows (self->application);
  for (; at && !found; at = at->next)
    if (ODL_IS_MAIN_WINDOW (at->data))
      found = find_in_window (at->data, location);
  return found;
}

static OdlMainWindow *
first_window (OdlArrays *self)
{
  GList *at = gtk_application_get_windows (self->application);
  while (at && !ODL_IS_MAIN_WINDOW (at->data))
    at = at->next;
  return at ? at->data : NULL;
}

static bool
open_cb (const char *location, void *data)
{
  OdlMainWindow *window = first_window (data);
  if (window)
    odl_main_window_open (window, location, NULL);
  return window != NULL;
}

static void
active_cb (GtkWindow *window, GParamSpec *spec, OdlArrays *self)
{
  if (self->server && gtk_window_is_active (window))
    odl_array_server_point (self->server);
}

static void
window_cb (GtkApplication *application, GtkWindow *window, OdlArrays *self)
{
  if (ODL_IS_MAIN_WINDOW (window))
    g_signal_connect (window, "notify::is-active", G_CALLBACK (active_cb), self);
}

static void
window_gone_cb (GtkApplication *application, GtkWindow *window, OdlArrays *self)
{
  g_signal_handlers_disconnect_by_data (window, self);
}

// ---- the switch ----------------------------------------------------------------------

bool
odl_arrays_allow (OdlArrays *self, GError **error)
{
  static const OdlArrayServerClass klass = { find_cb, open_cb };
  if (!self->server)
    self->server = odl_array_server_new (&klass, self, error);
  if (self->server)
    g_simple_action_set_state (self->action, g_variant_new_boolean (true));
  return self->server != NULL;
}

static void
say (OdlArrays *self, const char *text)
{
  OdlMainWindow *window = first_window (self);
  if (window)
    odl_messages_say (odl_main_window_parts (window)->messages, text);
  else
    g_printerr ("ondelette: %s\n", text);
}

static void
switch_cb (GSimpleAction *action, GVariant *state, OdlArrays *self)
{
  g_autoptr (GError) error = NULL;
  const bool on = g_variant_get_boolean (state);
  if (on && !odl_arrays_allow (self, &error)) {
    say (self, error->message);
    // Those who have switched are told that it stays off.
    g_simple_action_set_state (action, g_variant_new_boolean (false));
    return;
  }
  if (!on)
    g_clear_pointer (&self->server, odl_array_server_free);
  g_simple_action_set_state (action, state);
  odl_settings_set_boolean (self->settings, KEY, on);
}

OdlArrays *
odl_arrays_new (GtkApplication *application, OdlSettings *settings)
{
  OdlArrays *self = g_new0 (OdlArrays, 1);
  g_autoptr (GError) error = NULL;
  self->application = application;
  self->settings = settings;
  self->action = g_simple_action_new_stateful (KEY, NULL, g_variant_new_boolean (false));
  g_signal_connect (self->action, "change-state", G_CALLBACK (switch_cb), self);
  g_action_map_add_action (G_ACTION_MAP (application), G_ACTION (self->action));
  g_signal_connect (application, "window-added", G_CALLBACK (window_cb), self);
  g_signal_connect (application, "window-removed", G_CALLBACK (window_gone_cb), self);
  if (odl_settings_get_boolean (settings, KEY) && !odl_arrays_allow (self, &error))
    say (self, error->message);
  return self;
}

void
odl_arrays_free (OdlArrays *self)
{
  g_clear_pointer (&self->server, odl_array_server_free);
  g_signal_handlers_disconnect_by_data (self->application, self);
  for (GList *at = gtk_application_get_windows (self->application); at; at = at->next)
    g_signal_handlers_disconnect_by_data (at->data, self);
  g_signal_handlers_disconnect_by_data (self->action, self);
  g_clear_object (&self->action);
  g_free (self);
}

// ---- preferences ---------------------------------------------------------------------

GtkWidget *
odl_arrays_group_new (GtkApplication *application)
{
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *toggle = gtk_switch_new ();
  const char *title = _ ("Programs of yours may show arrays here");
  const char *subtitle = _ (
      "Python with the package “ondelette”, through a socket that you alone can use. "
      "They see the filters and what these make, and may change the filters");
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Other Programs"));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, subtitle,
                                  -1);
  // Its window need not belong to the application.
  gtk_widget_insert_action_group (group, "app", G_ACTION_GROUP (application));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (toggle), "app." KEY);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), toggle);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), toggle);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return group;
}
