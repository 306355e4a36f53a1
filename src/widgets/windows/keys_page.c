// SPDX-License-Identifier: MIT
#include "widgets/windows/keys_page.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "widgets/window/commands.h"
#include "widgets/window/own_keys.h"

#define ID "odl-command" // of a row
#define LABEL "odl-keys"

typedef struct {
  OdlSettings *settings; // referenced
  void (*changed) (void *data);
  void *data;
  GPtrArray *rows; // of AdwActionRow, borrowed
  GtkWindow *asking; // NULL: no keys are asked for
  GtkWidget *asked; // the row
  GtkLabel *refusal;
} Page;

static void
page_free (void *data)
{
  Page *page = data;
  g_clear_pointer (&page->asking, gtk_window_destroy);
  g_ptr_array_unref (page->rows);
  g_object_unref (page->settings);
  g_free (page);
}

static const char *
id_of (GtkWidget *row)
{
  return g_object_get_data (G_OBJECT (row), ID);
}

static void
show_keys (GtkWidget *row)
{
  GtkShortcutLabel *label = g_object_get_data (G_OBJECT (row), LABEL);
  g_auto (GStrv) keys = g_strsplit (odl_command_key (id_of (row)), " ", -1);
  gtk_shortcut_label_set_accelerator (label, keys[0] ? keys[0] : "");
}

static void
show_all (Page *page)
{
  for (guint i = 0; i < page->rows->len; i++)
    show_keys (g_ptr_array_index (page->rows, i));
  page->changed (page->data);
}

static void
give (Page *page, const char *keys)
{
  odl_own_keys_set (page->settings, id_of (page->asked), keys);
  g_clear_pointer (&page->asking, gtk_window_destroy);
  show_all (page);
}

static gboolean
key_cb (GtkEventControllerKey *keys,
        guint key,
        guint code,
        GdkModifierType state,
        Page *page)
{
  const GdkModifierType used = state & gtk_accelerator_get_default_mod_mask ();
  const guint lower = gdk_keyval_to_lower (key);
  if (lower == GDK_KEY_Escape && used == 0)
    g_clear_pointer (&page->asking, gtk_window_destroy);
  else if (lower == GDK_KEY_BackSpace && used == 0)
    give (page, "");
  else if (gtk_accelerator_valid (lower, used)) {
    g_autofree char *name = gtk_accelerator_name (lower, used);
    const char *other = odl_command_with_key (name, id_of (page->asked));
    if (!other) {
      give (page, name);
      return TRUE;
    }
    g_autofree char *label = gtk_accelerator_get_label (lower, used);
    g_autofree char *text
        // Translators: a key, and the command that has it.
        = g_strdup_printf (_ ("%s is taken: %s"), label, other);
    gtk_label_set_text (page->refusal, text);
  }
  return TRUE;
}

static gboolean
closed_cb (GtkWindow *window, Page *page)
{
  page->asking = NULL;
  return FALSE;
}

static GtkLabel *
append_label (GtkWidget *box, const char *text)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 40);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static void
ask_cb (Page *page, GtkWidget *button)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_clear_pointer (&page->asking, gtk_window_destroy);
  page->asked = gtk_widget_get_ancestor (button, ADW_TYPE_ACTION_ROW);
  page->asking = GTK_WINDOW (adw_window_new ());
  gtk_window_set_title (page->asking, _ ("Keys"));
  gtk_window_set_modal (page->asking, TRUE);
  gtk_window_set_transient_for (page->asking, GTK_WINDOW (gtk_widget_get_root (button)));
  gtk_widget_set_margin_start (box, 24);
  gtk_widget_set_margin_end (box, 24);
  gtk_widget_set_margin_top (box, 24);
  gtk_widget_set_margin_bottom (box, 24);
  GtkLabel *title = append_label (
      box, adw_preferences_row_get_title (ADW_PREFERENCES_ROW (page->asked)));
  gtk_widget_add_css_class (GTK_WIDGET (title), "heading");
  append_label (box, _ ("Press the keys that are to give this command. Backspace: none. "
                        "Escape: as before."));
  page->refusal = append_label (box, "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (page->refusal),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, "", -1);
  adw_window_set_content (ADW_WINDOW (page->asking), box);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), page);
  g_signal_connect (page->asking, "close-request", G_CALLBACK (closed_cb), page);
  gtk_widget_add_controller (GTK_WIDGET (page->asking), keys);
  gtk_window_present (page->asking);
}

static void
clear_cb (Page *page)
{
  odl_own_keys_clear (page->settings);
  show_all (page);
}

// A row of which `title` is NULL shares that of the one above.
static void
add_row (Page *page, AdwPreferencesGroup *group, const OdlCommandRow *command)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *label = gtk_shortcut_label_new ("");
  GtkWidget *button = gtk_button_new_from_icon_name ("document-edit-symbolic");
  gtk_shortcut_label_set_disabled_text (GTK_SHORTCUT_LABEL (label), _ ("none"));
  gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("Other keys"));
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), command->title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), command->id);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  g_object_set_data (G_OBJECT (row), ID, (void *) command->id);
  g_object_set_data (G_OBJECT (row), LABEL, label);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (ask_cb), page);
  g_ptr_array_add (page->rows, row);
  adw_preferences_group_add (group, row);
  show_keys (row);
}

static AdwPreferencesGroup *
add_group (AdwPreferencesPage *to, const char *title)
{
  GtkWidget *group = adw_preferences_group_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  adw_preferences_page_add (to, ADW_PREFERENCES_GROUP (group));
  return ADW_PREFERENCES_GROUP (group);
}

GtkWidget *
odl_keys_page_new (OdlSettings *settings, void (*changed) (void *data), void *data)
{
  GtkWidget *made = adw_preferences_page_new ();
  GtkWidget *clear = gtk_button_new_with_mnemonic (_ ("_Reset All"));
  Page *page = g_new0 (Page, 1);
  AdwPreferencesGroup *group = NULL;
  OdlCommandRow command;
  page->settings = g_object_ref (settings);
  page->changed = changed;
  page->data = data;
  page->rows = g_ptr_array_new ();
  g_object_set_data_full (G_OBJECT (made), "odl-keys-page", page, page_free);
  adw_preferences_page_set_title (ADW_PREFERENCES_PAGE (made), _ ("Keys"));
  adw_preferences_page_set_icon_name (ADW_PREFERENCES_PAGE (made),
                                      "input-keyboard-symbolic");
  g_signal_connect_swapped (clear, "clicked", G_CALLBACK (clear_cb), page);
  for (size_t i = 0; odl_command_at (i, &command); i++)
    if (command.is_group) {
      group = add_group (ADW_PREFERENCES_PAGE (made), command.title);
      if (page->rows->len == 0)
        adw_preferences_group_set_header_suffix (group, clear);
    } else if (command.id) {
      add_row (page, group, &command);
    }
  return made;
}
