// SPDX-License-Identifier: MIT
#include "keyboard.h"

#include <gdk/x11/gdkx.h>

char *
run_program (const char *const *command, char **errors)
{
  char *output = NULL;
  int status;
  g_autoptr (GError) error = NULL;
  g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output,
                errors, &status, &error);
  g_assert_no_error (error);
  return output;
}

void
press_key (const char *keys)
{
  g_autofree char *text
      = g_strconcat ("xdotool key --clearmodifiers --delay 0 ", keys, NULL);
  g_auto (GStrv) command = g_strsplit (text, " ", -1);
  g_free (run_program ((const char *const *) command, NULL));
}

void
type_text (const char *text)
{
  const char *const command[]
      = { "xdotool", "type", "--clearmodifiers", "--delay", "8", text, NULL };
  g_free (run_program (command, NULL));
}

static bool
is_active (Fixture *fixture, const void *window)
{
  return gtk_window_is_active (GTK_WINDOW (window));
}

void
focus_window (Fixture *fixture, GtkWindow *window)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  g_autofree char *id
      = g_strdup_printf ("%lu", (gulong) gdk_x11_surface_get_xid (surface));
  const char *const command[] = { "xdotool", "windowfocus", id, NULL };
  run_cycles (fixture, 2);
  g_free (run_program (command, NULL));
  wait_until (fixture, is_active, window);
}
