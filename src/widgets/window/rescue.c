// SPDX-License-Identifier: MIT
// Videos that were being written when the program was killed are offered, one by one.
#include <glib/gi18n-lib.h>

#include "config.h"
#include "session/save/rescue.h"
#include "widgets/diagnostics.h"
#include "widgets/window/private.h"

#define NAME_CHARS 40

static void ask_next (OdlMainWindow *self);

static char *
short_name (const char *path)
{
  g_autofree char *base = g_filename_display_basename (path);
  return odl_diagnostics_short_name (base, NAME_CHARS);
}

static void
finished_cb (const char *path, const GError *error, void *data)
{
  g_autoptr (OdlMainWindow) self = data;
  g_autofree char *name = path ? short_name (path) : NULL;
  g_autofree char *text
      = path ? g_strdup_printf (_ ("Saved “%s”"), name) : g_strdup (error->message);
  if (!gtk_widget_get_realized (GTK_WIDGET (self)))
    return;
  if (path)
    odl_main_window_remember (self, path);
  odl_main_window_say (self, text);
  ask_next (self);
}

static void
answered_cb (AdwMessageDialog *dialog, const char *answer, OdlMainWindow *self)
{
  const OdlUnfinished *unfinished = g_object_get_data (G_OBJECT (dialog), "unfinished");
  if (g_str_equal (answer, "finish")) {
    odl_rescue_finish (unfinished, finished_cb, g_object_ref (self));
    return;
  }
  if (g_str_equal (answer, "discard"))
    odl_unfinished_discard (unfinished);
  ask_next (self);
}

static void
ask (OdlMainWindow *self, OdlUnfinished *unfinished)
{
  g_autofree char *name = short_name (unfinished->target);
  g_autofree char *size = g_format_size ((guint64) unfinished->bytes);
  GtkWidget *widget = adw_message_dialog_new (GTK_WINDOW (self),
                                              _ ("Keep the Unfinished Video?"), NULL);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);
  adw_message_dialog_format_body (
      dialog,
      _ ("“%s” was being written when Ondelette ended. What there is of it (%s) can be "
         "kept as a video."),
      name, size);
  adw_message_dialog_add_responses (dialog, "discard", _ ("_Discard"), "later",
                                    _ ("_Later"), "finish", _ ("_Keep"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "discard",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (dialog, "finish", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "finish");
  adw_message_dialog_set_close_response (dialog, "later");
  g_object_set_data_full (G_OBJECT (dialog), "unfinished", unfinished,
                          (GDestroyNotify) odl_unfinished_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (answered_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
ask_next (OdlMainWindow *self)
{
  if (self->unfinished && self->unfinished->len > 0)
    ask (self, g_ptr_array_steal_index (self->unfinished, 0));
  else
    g_clear_pointer (&self->unfinished, g_ptr_array_unref);
}

static void
listed_cb (GPtrArray *list, void *data)
{
  g_autoptr (OdlMainWindow) self = data;
  if (self->unfinished || !gtk_widget_get_realized (GTK_WIDGET (self)))
    return;
  self->unfinished = g_ptr_array_ref (list);
  ask_next (self);
}

static void
offer_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_rescue_list (listed_cb, g_object_ref (data));
}

// Once it can be seen.
static void
map_cb (OdlMainWindow *self)
{
  g_signal_handlers_disconnect_by_func (self, map_cb, NULL);
  odl_rescue_list (listed_cb, g_object_ref (self));
}

void
odl_main_window_add_rescue (OdlMainWindow *self)
{
  static const GActionEntry entry = { .name = "offer-unfinished", .activate = offer_cb };
  g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
  g_signal_connect (self, "map", G_CALLBACK (map_cb), NULL);
}
