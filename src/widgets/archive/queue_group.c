// SPDX-License-Identifier: MIT
#include "widgets/archive/queue_group.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "widgets/archive/node_list.h"
#include "widgets/window/parts.h"

#define DATA "odl-outgoing"
#define ROW "odl-waiting"

typedef struct {
  const OdlWindowParts *parts;
  OdlOutgoing *outgoing; // NULL: the window is closed
  GtkWidget *group; // weak; NULL: nobody looks
  void (*told) (void *data); // whoever made it
  void *data;
  GPtrArray *rows; // borrowed, of the group
} Queue;

static void fill (Queue *self);

// ---- What goes by itself -------------------------------------------------------------

static GPtrArray *
nodes_cb (void *data)
{
  const Queue *self = data;

  return odl_nodes_load (self->parts->settings);
}

static void
changed_cb (void *data)
{
  const Queue *self = data;

  fill (data);
  if (self->group != NULL)
    self->told (self->data);
}

static void
went_cb (const OdlArchiveNode *node, const OdlArchiveSendCounts *counts, void *data)
{
  const Queue *self = data;
  g_autofree char *text = g_strdup_printf (
      ngettext ("%u file that waited was sent; %s has it",
                "%u files that waited were sent; %s has them", counts->n_sent),
      counts->n_sent, node->name);

  odl_messages_say (self->parts->messages, text);
}

static void
stop (Queue *self)
{
  g_clear_pointer (&self->outgoing, odl_outgoing_free);
}

static void
free_queue (void *data)
{
  Queue *self = data;

  stop (self);
  g_clear_weak_pointer (&self->group);
  g_ptr_array_unref (self->rows);
  g_free (self);
}

static Queue *
queue_of (const OdlWindowParts *parts)
{
  Queue *self = g_object_get_data (G_OBJECT (parts->window), DATA);

  if (self != NULL)
    return self;
  self = g_new0 (Queue, 1);
  self->parts = parts;
  self->rows = g_ptr_array_new ();
  self->outgoing
      = odl_outgoing_new (&(OdlOutgoingParams){ nodes_cb, changed_cb, went_cb, self });
  g_object_set_data_full (G_OBJECT (parts->window), DATA, self, free_queue);
  g_signal_connect_swapped (parts->window, "destroy", G_CALLBACK (stop), self);
  return self;
}

OdlOutgoing *
odl_queue_outgoing (const OdlWindowParts *parts)
{
  return queue_of (parts)->outgoing;
}

// ---- Buttons -------------------------------------------------------------------------

static const OdlWaiting *
waiting_of (GtkWidget *row)
{
  return g_object_get_data (G_OBJECT (row), ROW);
}

static void
send_cb (Queue *self, GtkWidget *button)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_ACTION_ROW);
  g_autoptr (GPtrArray) nodes = odl_nodes_load (self->parts->settings);
  const OdlArchiveNode *node = odl_outgoing_node_of (nodes, waiting_of (row));
  g_autoptr (GError) error = NULL;

  if (node != NULL && self->outgoing != NULL
      && !odl_outgoing_send_now (self->outgoing, node, &error))
    odl_messages_say (self->parts->messages, error->message);
}

static void
answered_cb (AdwMessageDialog *dialog, const char *answer, GtkWidget *group)
{
  Queue *self = g_object_get_data (G_OBJECT (group), DATA);
  const OdlWaiting *waiting = g_object_get_data (G_OBJECT (dialog), ROW);
  g_autoptr (GError) error = NULL;

  if (!g_str_equal (answer, "remove"))
    return;
  if (!odl_waiting_remove (waiting, &error))
    odl_messages_say (self->parts->messages, error->message);
  if (self->outgoing != NULL)
    odl_outgoing_look (self->outgoing);
}

// Nobody sends them then, and this may be the last copy.
static void
remove_cb (Queue *self, GtkWidget *button)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_ACTION_ROW);
  const OdlWaiting *waiting = waiting_of (row);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (gtk_widget_get_root (row)),
                                              _ ("Remove What Waits?"), NULL);

  adw_message_dialog_format_body (
      ADW_MESSAGE_DIALOG (dialog),
      ngettext (
          "%u file was not sent to %s. The copy that waits is removed, and it is "
          "not sent any more.",
          "%u files were not sent to %s. The copies that wait are removed, and they "
          "are not sent any more.",
          waiting->n_files),
      waiting->n_files, adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"),
                                    "remove", _ ("_Remove"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "remove",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  OdlWaiting *copy = g_new (OdlWaiting, 1);
  *copy = (OdlWaiting){ .node = g_strdup (waiting->node),
                        .folder = g_strdup (waiting->folder),
                        .why = g_strdup (waiting->why) };
  g_object_set_data_full (G_OBJECT (dialog), ROW, copy,
                          (GDestroyNotify) (void (*) (void)) odl_waiting_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (answered_cb), self->group, 0);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  gtk_window_present (GTK_WINDOW (dialog));
}

// ---- Rows ----------------------------------------------------------------------------

// When it is tried again, by the clock. Transfer full.
static char *
when_text (const OdlWaiting *waiting)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) then
      = g_date_time_add_seconds (now, odl_waiting_is_due_in (waiting));
  g_autofree char *clock = g_date_time_format (then, "%H:%M:%S");

  // Translators: a time of day.
  return g_strdup_printf (_ ("next try at %s"), clock);
}

static char *
subtitle (const Queue *self, const OdlWaiting *waiting, const OdlArchiveNode *node)
{
  g_autofree char *count = g_strdup_printf (
      ngettext ("%u file waits", "%u files wait", waiting->n_files), waiting->n_files);
  g_autofree char *address = node != NULL ? odl_archive_node_address (node) : NULL;
  g_autofree char *when
      = node == NULL ? g_strdup (_ ("no node of the preferences has this address"))
        : self->outgoing != NULL && odl_outgoing_is_sending (self->outgoing, address)
            ? g_strdup (_ ("being sent now"))
            : when_text (waiting);
  GString *text = g_string_new (count);

  if (*waiting->why != '\0')
    g_string_append_printf (text, "; %s", waiting->why);
  g_string_append_printf (text, "; %s", when);
  return g_string_free (text, FALSE);
}

static void
add_row (Queue *self, OdlWaiting *waiting, const OdlArchiveNode *node)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *now = gtk_button_new_with_mnemonic (_ ("Send _Now"));
  GtkWidget *gone = gtk_button_new_from_icon_name ("user-trash-symbolic");
  GtkWidget *const buttons[] = { now, gone };
  g_autofree char *text = subtitle (self, waiting, node);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (
      ADW_PREFERENCES_ROW (row),
      node != NULL ? node->name
                   : (*waiting->node != '\0' ? waiting->node : _ ("Unknown node")));
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), text);
  for (gsize i = 0; i < G_N_ELEMENTS (buttons); i++) {
    gtk_widget_set_valign (buttons[i], GTK_ALIGN_CENTER);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), buttons[i]);
  }
  gtk_widget_add_css_class (gone, "flat");
  gtk_widget_set_tooltip_text (gone, _ ("Remove"));
  gtk_widget_set_sensitive (now, node != NULL);
  g_signal_connect_swapped (now, "clicked", G_CALLBACK (send_cb), self);
  g_signal_connect_swapped (gone, "clicked", G_CALLBACK (remove_cb), self);
  g_object_set_data_full (G_OBJECT (row), ROW, waiting,
                          (GDestroyNotify) (void (*) (void)) odl_waiting_free);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->group), row);
  g_ptr_array_add (self->rows, row);
}

static void
fill (Queue *self)
{
  if (self->group == NULL)
    return;
  g_autoptr (GPtrArray) waiting = odl_waiting_list ();
  g_autoptr (GPtrArray) nodes = odl_nodes_load (self->parts->settings);

  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self->group),
                                  self->rows->pdata[i]);
  g_ptr_array_set_size (self->rows, 0);
  gtk_widget_set_visible (self->group, waiting->len > 0);
  g_ptr_array_set_free_func (waiting, NULL); // the rows have them
  for (guint i = 0; i < waiting->len; i++)
    add_row (self, waiting->pdata[i], odl_outgoing_node_of (nodes, waiting->pdata[i]));
}

GtkWidget *
odl_queue_group_new (const OdlWindowParts *parts,
                     void (*changed) (void *data),
                     void *data)
{
  Queue *self = queue_of (parts);
  GtkWidget *group = adw_preferences_group_new ();

  g_clear_weak_pointer (&self->group);
  g_ptr_array_set_size (self->rows, 0);
  g_set_weak_pointer (&self->group, group);
  self->told = changed;
  self->data = data;
  g_object_set_data (G_OBJECT (group), DATA, self);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Waiting"));
  adw_preferences_group_set_description (
      ADW_PREFERENCES_GROUP (group),
      _ ("Copies on this machine of what could not be sent yet; they go by themselves as "
         "long as a window is open"));
  fill (self);
  return group;
}
