// SPDX-License-Identifier: MIT
#include "widgets/panels/keys_ahead.h"

struct _OdlKeysAhead {
  GtkWidget *window; // weak
  GtkEventController *controller; // its; borrowed
  GString *typed;
  bool entered, given_up;
};

static bool
is_command (GdkModifierType state)
{
  return state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK);
}

static gboolean
pressed_cb (OdlKeysAhead *self, guint key, guint code, GdkModifierType state)
{
  const gunichar character = is_command (state) ? 0 : gdk_keyval_to_unicode (key);

  if (key == GDK_KEY_Escape)
    self->given_up = true;
  else if (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter)
    self->entered = true;
  else if (key == GDK_KEY_BackSpace && self->typed->len > 0)
    g_string_truncate (self->typed,
                       (gsize) (g_utf8_prev_char (self->typed->str + self->typed->len)
                                - self->typed->str));
  else if (character != 0 && g_unichar_isprint (character) && !self->entered)
    g_string_append_unichar (self->typed, character);
  return TRUE;
}

OdlKeysAhead *
odl_keys_ahead_new (GtkWidget *widget)
{
  OdlKeysAhead *self = g_new0 (OdlKeysAhead, 1);

  g_set_weak_pointer (&self->window, GTK_WIDGET (gtk_widget_get_root (widget)));
  self->typed = g_string_new (NULL);
  self->controller = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (self->controller, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (self->controller, "key-pressed", G_CALLBACK (pressed_cb),
                            self);
  gtk_widget_add_controller (self->window, self->controller);
  return self;
}

bool
odl_keys_ahead_given_up (const OdlKeysAhead *self)
{
  return self->given_up;
}

void
odl_keys_ahead_hand_over (OdlKeysAhead *self, GtkEditable *entry)
{
  if (self->typed->len > 0) {
    g_string_append (self->typed, gtk_editable_get_text (entry));
    gtk_editable_set_text (entry, self->typed->str);
    gtk_editable_set_position (entry, -1);
  }
  if (self->entered && self->typed->len > 0)
    g_signal_emit_by_name (entry, "activate");
}

void
odl_keys_ahead_free (OdlKeysAhead *self)
{
  if (!self)
    return;
  if (self->window)
    gtk_widget_remove_controller (self->window, self->controller);
  g_clear_weak_pointer (&self->window);
  g_string_free (self->typed, TRUE);
  g_free (self);
}
