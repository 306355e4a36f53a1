// SPDX-License-Identifier: MIT
#include "widgets/stay_awake.h"

#include <glib/gi18n-lib.h>

#define SAVER_NAME "org.freedesktop.ScreenSaver"
#define SAVER_PATH "/org/freedesktop/ScreenSaver"

struct _OdlStayAwake {
  GtkWindow *window; // borrowed; NULL: ended
  gulong map_handler;
  GtkApplication *application;
  guint cookie; // of GTK; 0: none
  GDBusConnection *bus;
  guint saver_cookie; // of the screen saver; 0: none
  bool asking; // the screen saver; keeps this object
};

static void
really_free (OdlStayAwake *self)
{
  g_clear_object (&self->bus);
  g_clear_object (&self->application);
  g_free (self);
}

static void
call_saver (OdlStayAwake *self,
            const char *method,
            GVariant *parameters,
            GAsyncReadyCallback cb)
{
  g_dbus_connection_call (self->bus, SAVER_NAME, SAVER_PATH, SAVER_NAME, method,
                          parameters, NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, cb, self);
}

static void
let_saver_go (OdlStayAwake *self)
{
  if (self->saver_cookie)
    call_saver (self, "UnInhibit", g_variant_new ("(u)", self->saver_cookie), NULL);
  self->saver_cookie = 0;
}

static void
asked_cb (GObject *bus, GAsyncResult *result, void *data)
{
  OdlStayAwake *self = data;
  g_autoptr (GVariant) answer
      = g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, NULL);
  self->asking = false;
  if (answer && g_variant_is_of_type (answer, G_VARIANT_TYPE ("(u)")))
    g_variant_get (answer, "(u)", &self->saver_cookie);
  if (self->window)
    return;
  let_saver_go (self);
  really_free (self);
}

static void
begin (OdlStayAwake *self)
{
  const char *reason = _ ("A picture is shown full screen");
  if (self->cookie || self->saver_cookie || self->asking)
    return;
  self->cookie = gtk_application_inhibit (self->application, self->window,
                                          GTK_APPLICATION_INHIBIT_IDLE, reason);
  if (self->cookie)
    return;
  g_set_object (&self->bus,
                g_application_get_dbus_connection (G_APPLICATION (self->application)));
  if (!self->bus)
    return;
  self->asking = true;
  call_saver (self, "Inhibit", g_variant_new ("(ss)", "Ondelette", reason), asked_cb);
}

OdlStayAwake *
odl_stay_awake_new (GtkWindow *window)
{
  GtkApplication *application = gtk_window_get_application (window);
  if (!application)
    return NULL;
  OdlStayAwake *self = g_new0 (OdlStayAwake, 1);
  self->window = window;
  self->application = g_object_ref (application);
  // On Wayland the request needs a surface, which a window has from then on.
  self->map_handler = g_signal_connect_swapped (window, "map", G_CALLBACK (begin), self);
  if (gtk_widget_get_mapped (GTK_WIDGET (window)))
    begin (self);
  return self;
}

void
odl_stay_awake_free (OdlStayAwake *self)
{
  if (!self)
    return;
  g_clear_signal_handler (&self->map_handler, self->window);
  self->window = NULL;
  if (self->cookie)
    gtk_application_uninhibit (self->application, self->cookie);
  let_saver_go (self);
  if (!self->asking)
    really_free (self);
}
