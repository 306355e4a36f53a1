// SPDX-License-Identifier: MIT
#include "widgets/archive/node_window.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "session/archive/search.h"
#include "widgets/archive/node_list.h"
#include "widgets/diagnostics.h"
#include "widgets/windows/child_window.h"

#define WIDTH 520
#define HEIGHT 620

enum {
  NAME,
  TITLE,
  HOST,
  PORT,
  OWN_TITLE,
  AUTHORITIES,
  CERTIFICATE,
  KEY,
  N_ENTRIES,
};

typedef struct {
  OdlSettings *settings; // referenced
  char *before; // its name so far; NULL: a new one
  void (*saved) (void *data);
  void *data;
  GtkWidget *window;
  GtkWidget *entries[N_ENTRIES];
  GtkWidget *files_group;
  GtkSwitch *encrypted, *own_host;
  GtkLabel *told;
  OdlArchiveWork *test; // NULL: none is under way
} Editor;

static void
editor_free (void *data)
{
  Editor *self = data;

  odl_archive_work_drop (self->test);
  g_object_unref (self->settings);
  g_free (self->before);
  g_free (self);
}

static void
tell (Editor *self, bool good, const char *text)
{
  GtkWidget *label = GTK_WIDGET (self->told);
  g_autofree char *sentence = odl_diagnostics_sentence (text);

  gtk_label_set_text (self->told, sentence);
  gtk_widget_set_visible (label, *text != '\0');
  (good ? gtk_widget_remove_css_class : gtk_widget_add_css_class) (label, "error");
}

// ---- What is typed -------------------------------------------------------------------

static void
take (const Editor *self, int entry, char **into)
{
  g_free (*into);
  *into = g_strstrip (
      g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entries[entry]))));
}

// An address of IPv6 may be typed as in commands.
static void
take_off_brackets (char *host)
{
  const gsize n = strlen (host);

  if (n < 2 || host[0] != '[' || host[n - 1] != ']')
    return;
  memmove (host, host + 1, n - 2);
  host[n - 2] = '\0';
}

static OdlArchiveNode *
read_node (const Editor *self)
{
  OdlArchiveNode *node = odl_archive_node_new ();
  g_autofree char *port = NULL;
  guint64 number = 0;

  take (self, NAME, &node->name);
  take (self, TITLE, &node->title);
  take (self, HOST, &node->host);
  take_off_brackets (node->host);
  take (self, PORT, &port);
  take (self, OWN_TITLE, &node->own_title);
  take (self, AUTHORITIES, &node->authorities);
  take (self, CERTIFICATE, &node->certificate);
  take (self, KEY, &node->key);
  if (g_ascii_string_to_unsigned (port, 10, 1, G_MAXUINT16, &number, NULL))
    node->port = (guint) number;
  node->encrypted = gtk_switch_get_active (self->encrypted);
  node->any_host = !gtk_switch_get_active (self->own_host);
  return node;
}

static void
show_node (Editor *self, const OdlArchiveNode *node)
{
  g_autofree char *port = node->port > 0 ? g_strdup_printf ("%u", node->port) : NULL;
  const char *const texts[N_ENTRIES]
      = { node->name,      node->title,       node->host,        port != NULL ? port : "",
          node->own_title, node->authorities, node->certificate, node->key };

  for (int i = 0; i < N_ENTRIES; i++)
    gtk_editable_set_text (GTK_EDITABLE (self->entries[i]), texts[i]);
  gtk_switch_set_active (self->encrypted, node->encrypted);
  gtk_switch_set_active (self->own_host, !node->any_host);
  gtk_widget_set_visible (self->files_group, node->encrypted);
}

static void
save_cb (Editor *self)
{
  g_autoptr (GPtrArray) nodes = odl_nodes_load (self->settings);
  g_autoptr (OdlArchiveNode) node = read_node (self);
  g_autoptr (GError) error = NULL;
  OdlArchiveNode *before = odl_archive_nodes_find (nodes, self->before);
  OdlArchiveNode *same = odl_archive_nodes_find (nodes, node->name);
  guint at = nodes->len;

  if (!odl_archive_node_check (node, &error)) {
    tell (self, false, error->message);
    return;
  }
  if (same != NULL && same != before) {
    tell (self, false, _ ("There is a node of that name; give this one another."));
    return;
  }
  if (before != NULL && g_ptr_array_find (nodes, before, &at))
    g_ptr_array_remove_index (nodes, at);
  g_ptr_array_insert (nodes, (int) at, g_steal_pointer (&node));
  odl_nodes_save (self->settings, nodes);
  self->saved (self->data);
  gtk_window_close (GTK_WINDOW (self->window));
}

// ---- Testing -------------------------------------------------------------------------

static void
tested_cb (bool good, const char *text, void *data)
{
  Editor *self = data;

  g_clear_pointer (&self->test, odl_archive_work_drop);
  tell (self, good, text);
}

static void
test_cb (Editor *self)
{
  g_autoptr (OdlArchiveNode) node = read_node (self);
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->test, odl_archive_work_drop);
  if (*node->name == '\0') { // it needs none to be called
    g_free (node->name);
    node->name = g_strdup (node->title);
  }
  tell (self, true, _ ("Calling…"));
  self->test = odl_archive_test_start (node, tested_cb, self, &error);
  if (self->test == NULL)
    tell (self, false, error->message);
}

// ---- The window ----------------------------------------------------------------------

static GtkWidget *
add_group (GtkWidget *box, const char *title, const char *description)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group), description);
  gtk_box_append (GTK_BOX (box), group);
  return group;
}

static void
add_entry (Editor *self, GtkWidget *group, int entry, const char *title)
{
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  g_signal_connect_swapped (row, "entry-activated", G_CALLBACK (save_cb), self);
  self->entries[entry] = row;
}

static void
chosen_cb (GtkNativeDialog *dialog, int answer, GtkWidget *row)
{
  g_autoptr (GFile) file = answer == GTK_RESPONSE_ACCEPT
                               ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog))
                               : NULL;
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (path != NULL)
    gtk_editable_set_text (GTK_EDITABLE (row), path);
}

// The dialog goes with the row.
static void
choose_cb (GtkWidget *row)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
      adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)),
      GTK_WINDOW (gtk_widget_get_root (row)), GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (chosen_cb), row, 0);
  g_object_set_data_full (G_OBJECT (row), "odl-chooser", dialog, g_object_unref);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
add_file (Editor *self, GtkWidget *group, int entry, const char *title)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("document-open-symbolic");

  add_entry (self, group, entry, title);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Choose a file"));
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (choose_cb),
                            self->entries[entry]);
  adw_entry_row_add_suffix (ADW_ENTRY_ROW (self->entries[entry]), button);
}

static GtkSwitch *
add_switch (GtkWidget *group, const char *title, const char *subtitle)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *toggle = gtk_switch_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, subtitle,
                                  -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), toggle);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), toggle);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return GTK_SWITCH (toggle);
}

static void
encrypted_cb (Editor *self)
{
  gtk_widget_set_visible (self->files_group, gtk_switch_get_active (self->encrypted));
}

static void
fill (Editor *self, GtkWidget *box)
{
  GtkWidget *group = add_group (box, NULL, NULL);

  add_entry (self, group, NAME, _ ("Name, for you"));
  add_entry (self, group, TITLE, _ ("Its title (AE title)"));
  add_entry (self, group, HOST, _ ("Its machine: name or address"));
  add_entry (self, group, PORT, _ ("Its port, such as 104 or 11112"));
  add_entry (self, group, OWN_TITLE, _ ("Our own title; empty: ONDELETTE"));
  group = add_group (box, NULL, NULL);
  self->encrypted = add_switch (group, _ ("Encrypt (TLS)"),
                                _ ("Without it whoever is on the way reads all"));
  g_signal_connect_swapped (self->encrypted, "notify::active", G_CALLBACK (encrypted_cb),
                            self);
  self->files_group
      = add_group (box, _ ("Certificates (PEM)"),
                   _ ("Only the names of these files are kept. A key must have no "
                      "password."));
  add_file (self, self->files_group, AUTHORITIES, _ ("Who vouches for the node"));
  add_file (self, self->files_group, CERTIFICATE,
            _ ("Our own certificate, if asked for"));
  add_file (self, self->files_group, KEY, _ ("The key of our certificate"));
  self->own_host
      = add_switch (self->files_group, _ ("Its certificate names its machine"),
                    _ ("Off (as --tls-any-host): one of any machine will do; then only "
                       "your own devices should be vouched for"));
}

// Below what scrolls, so that whoever tests or saves sees what came of it.
static GtkWidget *
make_told (Editor *self)
{
  GtkWidget *label = gtk_label_new (NULL);

  self->told = GTK_LABEL (label);
  gtk_label_set_wrap (self->told, TRUE);
  gtk_label_set_xalign (self->told, 0);
  gtk_label_set_selectable (self->told, TRUE);
  gtk_widget_add_css_class (label, "panel-content");
  return label;
}

static GtkWidget *
make_button (Editor *self, const char *label, GCallback cb)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  g_signal_connect_swapped (button, "clicked", cb, self);
  return button;
}

static GtkWidget *
make_header (Editor *self)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));
  GtkWidget *save = make_button (self, _ ("_Save"), G_CALLBACK (save_cb));

  gtk_widget_add_css_class (save, "suggested-action");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (cancel), "window.close");
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), save);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header),
                           make_button (self, _ ("_Test"), G_CALLBACK (test_cb)));
  return header;
}

void
odl_node_window_present (GtkWidget *page,
                         OdlSettings *settings,
                         const char *name,
                         void (*saved) (void *data),
                         void *data)
{
  Editor *self = g_new0 (Editor, 1);
  g_autoptr (GPtrArray) nodes = odl_nodes_load (settings);
  g_autoptr (OdlArchiveNode) fresh = odl_archive_node_new ();
  OdlArchiveNode *node = odl_archive_nodes_find (nodes, name);
  GtkWidget *outer = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->settings = g_object_ref (settings);
  self->before = node != NULL ? g_strdup (name) : NULL;
  self->saved = saved;
  self->data = data;
  self->window
      = odl_child_window_new (GTK_WINDOW (gtk_widget_get_root (page)),
                              node != NULL ? _ ("Node") : _ ("New Node"), WIDTH, HEIGHT);
  g_object_set_data_full (G_OBJECT (self->window), "odl-node", self, editor_free);
  gtk_window_set_modal (GTK_WINDOW (self->window), TRUE);
  gtk_widget_add_css_class (box, "panel-content");
  fill (self, box);
  show_node (self, node != NULL ? node : fresh);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (outer), make_header (self));
  gtk_box_append (GTK_BOX (outer), scrolled);
  gtk_box_append (GTK_BOX (outer), make_told (self));
  tell (self, true, "");
  adw_window_set_content (ADW_WINDOW (self->window), outer);
  gtk_window_present (GTK_WINDOW (self->window));
}
