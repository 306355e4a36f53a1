// SPDX-License-Identifier: MIT
// What the window says in passing.
#include <glib/gi18n-lib.h>

#include "config.h"
#include "widgets/window_private.h"

// Longer sentences do not fit a toast.
#define TOAST_CHARS 90

static AdwToast *
add_toast (OdlMainWindow *self, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_free (self->last_toast);
  self->last_toast = g_strdup (valid);
  // A toast's title is markup, and sentences hold names of files.
  g_autofree char *title = g_markup_escape_text (valid, -1);
  AdwToast *toast = adw_toast_new (title);
  adw_toast_set_timeout (toast, 8);
  if (g_utf8_strlen (valid, -1) > TOAST_CHARS) {
    adw_toast_set_button_label (toast, _ ("_Details"));
    adw_toast_set_action_name (toast, "win.show-details");
    adw_toast_set_action_target (toast, "s", valid);
  }
  adw_toast_overlay_add_toast (self->toasts, g_object_ref (toast));
  return toast;
}

void
odl_main_window_say (OdlMainWindow *self, const char *text)
{
  g_autoptr (AdwToast) toast = add_toast (self, text);
}

static void
dismissed_cb (OdlMainWindow *self, AdwToast *toast)
{
  g_ptr_array_remove (self->source_toasts, toast);
}

void
odl_main_window_say_of_source (OdlMainWindow *self, const char *text)
{
  AdwToast *toast = add_toast (self, text);
  g_ptr_array_add (self->source_toasts, toast);
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (dismissed_cb), self,
                           G_CONNECT_SWAPPED);
}

void
odl_main_window_hush_source (OdlMainWindow *self)
{
  while (self->source_toasts->len > 0) {
    g_autoptr (AdwToast) toast = g_object_ref (self->source_toasts->pdata[0]);
    g_ptr_array_remove_index (self->source_toasts, 0);
    adw_toast_dismiss (toast);
  }
}

const char *
odl_main_window_last_toast (OdlMainWindow *self)
{
  return self->last_toast;
}
