// SPDX-License-Identifier: MIT
#include "widgets/window/lab.h"

#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "widgets/lab/lab_file.h"
#include "widgets/window/commands.h"
#include "widgets/window/parts.h"
#include "widgets/windows/child_window.h"

// Of the window that it stands in alone, logical pixels.
#define WIDTH 960
#define HEIGHT 480

struct _OdlLab {
  const OdlWindowParts *parts;
  GtkPaned *paned; // picture above, lab below
  GtkBox *place; // below
  GtkWidget *pane; // owned
  GtkWidget *window; // NULL: it stands in its place
  bool wanted;
  bool sized; // the paned window has been divided
};

// ---- below the picture ---------------------------------------------------------------

// The edge included, so that it comes back to the same place.
static int
height_of (OdlLab *self)
{
  return gtk_widget_get_height (GTK_WIDGET (self->paned))
         - gtk_paned_get_position (self->paned);
}

void
odl_lab_keep (OdlLab *self)
{
  if (self->sized && !self->window && gtk_widget_get_mapped (GTK_WIDGET (self->place)))
    odl_settings_set_int (self->parts->settings, "lab-height", height_of (self));
}

// When it is laid out first, since only then it is known how high all is.
static gboolean
divide_cb (GtkWidget *paned, GdkFrameClock *clock, void *data)
{
  OdlLab *self = data;
  const int all = gtk_widget_get_height (paned);
  if (all == 0)
    return G_SOURCE_CONTINUE;
  gtk_paned_set_position (
      self->paned, all - odl_settings_get_int (self->parts->settings, "lab-height"));
  self->sized = true;
  return G_SOURCE_REMOVE;
}

static void
set_docked (OdlLab *self, bool shown)
{
  if (shown == gtk_widget_get_visible (GTK_WIDGET (self->place)))
    return;
  if (!shown)
    odl_lab_keep (self);
  self->sized = false;
  gtk_widget_set_visible (GTK_WIDGET (self->place), shown);
  if (shown)
    gtk_widget_add_tick_callback (GTK_WIDGET (self->paned), divide_cb, self, NULL);
}

// ---- a window of its own -------------------------------------------------------------

// From the window, if it stands in one, to its place.
static void
put_back (OdlLab *self)
{
  GtkWidget *window = g_steal_pointer (&self->window);
  if (!window)
    return;
  gtk_box_remove (GTK_BOX (gtk_widget_get_parent (self->pane)), self->pane);
  gtk_box_append (self->place, self->pane);
  odl_lab_pane_set_detached (ODL_LAB_PANE (self->pane), false);
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
close_cb (OdlLab *self)
{
  put_back (self);
  odl_lab_update (self);
  return GDK_EVENT_STOP;
}

// The keys of the commands that bring it back.
static void
add_keys (GtkWidget *window)
{
  static const char *const ids[] = { "win.show-lab", "win.detach-lab" };
  GtkEventController *keys = gtk_shortcut_controller_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (ids); i++) {
    g_auto (GStrv) all = g_strsplit (odl_command_key (ids[i]), " ", -1);
    for (int k = 0; all[k] && *all[k]; k++)
      gtk_shortcut_controller_add_shortcut (
          GTK_SHORTCUT_CONTROLLER (keys),
          gtk_shortcut_new (gtk_shortcut_trigger_parse_string (all[k]),
                            gtk_named_action_new (ids[i])));
  }
  gtk_widget_add_controller (window, keys);
}

static void
detach (OdlLab *self)
{
  GtkWidget *window = odl_child_window_new (GTK_WINDOW (self->parts->window),
                                            _ ("Lab Bench"), WIDTH, HEIGHT);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  odl_lab_keep (self);
  add_keys (window);
  gtk_widget_insert_action_group (window, "win", G_ACTION_GROUP (self->parts->window));
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_remove (self->place, self->pane);
  gtk_box_append (GTK_BOX (box), self->pane);
  adw_window_set_content (ADW_WINDOW (window), box);
  odl_lab_pane_set_detached (ODL_LAB_PANE (self->pane), true);
  self->window = window;
  g_signal_connect_swapped (window, "close-request", G_CALLBACK (close_cb), self);
  gtk_window_present (GTK_WINDOW (window));
}

// ---- what is shown -------------------------------------------------------------------

void
odl_lab_update (OdlLab *self)
{
  const OdlWindowParts *parts = self->parts;
  const bool has_source = odl_session_info (parts->session)->location != NULL;
  const bool shown = self->wanted && has_source && !odl_screen_is_full (parts->screen);
  if (!self->wanted)
    put_back (self);
  set_docked (self, shown && !self->window);
  odl_window_set_switch (parts, "show-lab", self->wanted);
  odl_window_set_switch (parts, "detach-lab", self->window != NULL);
}

static void
set_wanted (OdlLab *self, bool wanted)
{
  self->wanted = wanted;
  odl_settings_set_boolean (self->parts->settings, "show-lab", wanted);
  odl_lab_update (self);
  if (!wanted)
    gtk_widget_grab_focus (GTK_WIDGET (self->parts->viewport));
}

static void
show_cb (OdlLab *self, GVariant *parameter)
{
  set_wanted (self, !self->wanted);
}

static void
detach_cb (OdlLab *self, GVariant *parameter)
{
  if (self->window)
    put_back (self);
  else
    detach (self);
  set_wanted (self, true);
}

static void
set_page (OdlLab *self, const char *name)
{
  odl_lab_pane_set_page (ODL_LAB_PANE (self->pane), name);
  const char *page = odl_lab_pane_page (ODL_LAB_PANE (self->pane));
  odl_settings_set_string (self->parts->settings, "lab-page", page);
  GAction *action
      = g_action_map_lookup_action (G_ACTION_MAP (self->parts->window), "lab-page");
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (page));
}

void
odl_lab_show_page (OdlLab *self, const char *page)
{
  set_page (self, page);
  set_wanted (self, true);
  if (self->window)
    gtk_window_present (GTK_WINDOW (self->window));
}

static void
page_cb (OdlLab *self, GVariant *parameter)
{
  odl_lab_show_page (self, g_variant_get_string (parameter, NULL));
}

// ---- taking it away ------------------------------------------------------------------

static void
save_to (OdlLab *self, const char *path)
{
  const OdlWindowParts *parts = self->parts;
  g_autoptr (GError) error = NULL;
  if (odl_files_is_shown (parts, path))
    return;
  if (!odl_lab_file_save (ODL_LAB_PANE (self->pane), path, &error)) {
    odl_messages_say (parts->messages, error->message);
    return;
  }
  g_autofree char *name = odl_names_of_file (odl_names_of (parts->session), path, NULL);
  g_autofree char *text = g_strdup_printf (_ ("Saved “%s”"), name);
  odl_messages_say_of_file (parts->messages, text, path);
}

static void
chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  const OdlWindowParts *parts = data;
  g_autofree char *path = g_file_get_path (file);
  save_to (parts->lab, path);
}

// “csv”, “svg” or “png”.
static void
save_cb (OdlLab *self, GVariant *parameter)
{
  const char *ending = g_variant_get_string (parameter, NULL);
  OdlSession *session = self->parts->session;
  const bool hidden = odl_names_are_hidden (odl_names_of (session));
  g_autofree char *base
      = g_strdup (hidden ? _ ("picture") : odl_session_info (session)->name);
  g_strdelimit (odl_text_cut_ending (base), "/", '-');
  g_autofree char *name = g_strdup_printf (
      "%s-%s.%s", base, odl_lab_pane_page (ODL_LAB_PANE (self->pane)), ending);
  odl_file_chooser_ask (
      self->parts, g_str_equal (ending, "csv") ? _ ("Save Numbers") : _ ("Save Plot"),
      GTK_FILE_CHOOSER_ACTION_SAVE, name, chosen_cb, (void *) self->parts);
}

OdlLabPane *
odl_lab_widget (OdlLab *self)
{
  return ODL_LAB_PANE (self->pane);
}

GtkWindow *
odl_lab_window (OdlLab *self)
{
  return self->window ? GTK_WINDOW (self->window) : NULL;
}

// ---- life ----------------------------------------------------------------------------

static void
pane_cb (OdlLab *self)
{
  odl_lab_pane_take_session (ODL_LAB_PANE (self->pane));
  odl_lab_update (self);
}

// While what the pane follows is still there.
void
odl_lab_stop (OdlLab *self)
{
  GtkWidget *around = self->pane ? gtk_widget_get_parent (self->pane) : NULL;
  if (around)
    gtk_box_remove (GTK_BOX (around), self->pane);
  g_clear_object (&self->pane);
}

OdlLab *
odl_lab_new (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[] = {
    { "show-lab", G_CALLBACK (show_cb), NULL, "false", .when = odl_window_shows_picture },
    { "detach-lab", G_CALLBACK (detach_cb), NULL, "false",
      .when = odl_window_shows_picture },
    { "lab-page", G_CALLBACK (page_cb), "s", "'histograms'",
      .when = odl_window_shows_picture },
    { "save-lab", G_CALLBACK (save_cb), "s", .when = odl_window_shows_picture },
  };
  OdlLab *self = g_new0 (OdlLab, 1);
  self->parts = parts;
  self->paned = odl_window_child (parts, "lab_paned");
  self->place = odl_window_child (parts, "lab_place");
  self->wanted = odl_settings_get_boolean (parts->settings, "show-lab");
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), self);
  self->pane = g_object_ref_sink (odl_lab_pane_new (parts));
  gtk_widget_set_vexpand (self->pane, TRUE);
  gtk_box_append (self->place, self->pane);
  g_autofree char *page = odl_settings_get_string (parts->settings, "lab-page");
  set_page (self, page);
  odl_window_connect (parts, parts->window, "pane-changed", G_CALLBACK (pane_cb), self);
  odl_window_own (parts, "odl-lab", self, g_free);
  return self;
}
