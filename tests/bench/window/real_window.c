// SPDX-License-Identifier: MIT
#include "real_window.h"

#include <adwaita.h>

#include "base/memory.h"
#include "widgets/viewport/gpu_device.h"
#include "widgets/window/parts.h"

bool
real_window_begin (void)
{
  odl_memory_share_heaps ();
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  odl_gpu_device_prepare ();
  g_setenv ("GTK_A11Y", "test", TRUE);
  if (!gtk_init_check ())
    return false;
  adw_init ();
  return true;
}

void
real_window_open (RealWindow *self, const char *engine, int width, int height)
{
  self->application = GTK_APPLICATION (odl_application_new ());
  g_application_set_flags (G_APPLICATION (self->application), G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (self->application), NULL, NULL);
  self->settings = odl_settings_new ();
  odl_settings_set_boolean (self->settings, "remember-recent", FALSE);
  if (width > 0) {
    odl_settings_set_int (self->settings, "window-width", width);
    odl_settings_set_int (self->settings, "window-height", height);
  }
  self->window
      = ODL_MAIN_WINDOW (odl_main_window_new (self->application, self->settings));
  self->session = odl_main_window_parts (self->window)->session;
  self->viewport = odl_main_window_parts (self->window)->viewport;
  odl_main_window_start_with (self->window, engine, false, false);
  gtk_window_present (GTK_WINDOW (self->window));
}

static gboolean
wake_cb (void *data)
{
  return G_SOURCE_CONTINUE;
}

void
real_window_run (double seconds)
{
  const int64_t end = g_get_monotonic_time () + (int64_t) (seconds * 1e6);
  // So that the loop comes round at the end, when nothing happens.
  const guint waker = g_timeout_add ((guint) (seconds * 1000) + 1, wake_cb, NULL);

  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (waker);
}

void
real_window_close (RealWindow *self)
{
  odl_session_set_playing (self->session, false);
  real_window_run (0.5);
  gtk_window_destroy (GTK_WINDOW (self->window));
  real_window_run (0.5);
  g_clear_object (&self->settings);
  g_clear_object (&self->application);
}
