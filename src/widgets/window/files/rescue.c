// SPDX-License-Identifier: MIT
#include "widgets/window/files/rescue.h"

#include <glib/gi18n-lib.h>

#include "session/save/rescue.h"
#include "widgets/diagnostics.h"
#include "widgets/window/parts.h"

#define NAME_CHARS 40

struct _OdlRescue {
  const OdlWindowParts *parts;
  GPtrArray *unfinished; // OdlUnfinished to ask about; NULL: none
};

// A callback that may come when the window is closed already holds a reference to it, and
// so to this.
static void
release (OdlRescue *self)
{
  g_object_unref (self->parts->window);
}

static OdlRescue *
hold (OdlRescue *self)
{
  g_object_ref (self->parts->window);
  return self;
}

static bool
is_closed (const OdlRescue *self)
{
  return !gtk_widget_get_realized (GTK_WIDGET (self->parts->window));
}

static void ask_next (OdlRescue *self);

static char *
short_name (OdlRescue *self, const char *path)
{
  g_autofree char *base
      = odl_names_of_file (odl_names_of (self->parts->session), path, NULL);
  return odl_diagnostics_short_name (base, NAME_CHARS);
}

static void
finished_cb (const char *path, const GError *error, void *data)
{
  OdlRescue *self = data;
  g_autofree char *name = path ? short_name (self, path) : NULL;
  g_autofree char *text
      = path ? g_strdup_printf (_ ("Saved “%s”"), name) : g_strdup (error->message);
  if (!is_closed (self)) {
    if (path)
      odl_files_remember (self->parts->files, path);
    odl_messages_say (self->parts->messages, text);
    ask_next (self);
  }
  release (self);
}

static void
answered_cb (OdlRescue *self, const char *answer, AdwMessageDialog *dialog)
{
  const OdlUnfinished *unfinished = g_object_get_data (G_OBJECT (dialog), "unfinished");
  if (g_str_equal (answer, "finish")) {
    odl_rescue_finish (unfinished, finished_cb, hold (self));
    return;
  }
  if (g_str_equal (answer, "discard"))
    odl_unfinished_discard (unfinished);
  ask_next (self);
}

static void
ask (OdlRescue *self, OdlUnfinished *unfinished)
{
  g_autofree char *name = short_name (self, unfinished->target);
  g_autofree char *size = g_format_size ((guint64) unfinished->bytes);
  GtkWidget *widget = adw_message_dialog_new (GTK_WINDOW (self->parts->window),
                                              _ ("Keep the Unfinished Video?"), NULL);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);
  adw_message_dialog_format_body (dialog,
                                  _ ("“%s” was being written when Ondelette ended. What "
                                     "there is of it (%s) can be kept as a video."),
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
  odl_window_connect (self->parts, dialog, "response", G_CALLBACK (answered_cb), self);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
ask_next (OdlRescue *self)
{
  if (self->unfinished && self->unfinished->len > 0)
    ask (self, g_ptr_array_steal_index (self->unfinished, 0));
  else
    g_clear_pointer (&self->unfinished, g_ptr_array_unref);
}

static void
listed_cb (GPtrArray *list, void *data)
{
  OdlRescue *self = data;
  if (!self->unfinished && !is_closed (self)) {
    self->unfinished = g_ptr_array_ref (list);
    ask_next (self);
  }
  release (self);
}

static void
offer_cb (void *data, GVariant *parameter)
{
  odl_rescue_list (listed_cb, hold (data));
}

static void
map_cb (OdlRescue *self)
{
  g_signal_handlers_disconnect_by_func (self->parts->window, map_cb, self);
  odl_rescue_list (listed_cb, hold (self));
}

OdlRescue *
odl_rescue_new (const OdlWindowParts *parts)
{
  static const OdlWindowAction entry = { "offer-unfinished", G_CALLBACK (offer_cb) };
  OdlRescue *self = g_new0 (OdlRescue, 1);
  self->parts = parts;
  odl_window_add_actions (parts, &entry, 1, self);
  odl_window_connect (parts, parts->window, "map", G_CALLBACK (map_cb), self);
  odl_window_own (parts, "odl-rescue", self, g_free);
  return self;
}

void
odl_rescue_stop (OdlRescue *self)
{
  g_clear_pointer (&self->unfinished, g_ptr_array_unref);
}
