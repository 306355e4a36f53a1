// SPDX-License-Identifier: MIT
// The camera in the window: which one was used last, and what is said when it fails.
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "config.h"
#include "session/cameras.h"
#include "widgets/window/private.h"

#define ANY_CAMERA "webcam"

// ---- which camera --------------------------------------------------------------------

// The camera that was used last, with its format.
static char *
last_camera (OdlMainWindow *self)
{
  g_autofree char *last = odl_settings_get_string (self->settings, "last-camera");
  return g_strdup (odl_camera_is_location (last) ? last : ANY_CAMERA);
}

char *
odl_main_window_resolve_camera (OdlMainWindow *self, const char *location)
{
  return g_str_equal (location, ANY_CAMERA) ? last_camera (self) : g_strdup (location);
}

static void
open_camera_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_main_window_open (data, ANY_CAMERA, NULL);
}

void
odl_main_window_remember_camera (OdlMainWindow *self)
{
  const char *location = odl_session_detail (self->session, "camera-location");
  self->any_has_recipe = false;
  if (location && !self->show)
    odl_settings_set_string (self->settings, "last-camera", location);
  g_autofree char *last = last_camera (self);
  odl_source_panel_set_last_camera (self->source_panel, last);
}

// ---- trouble -------------------------------------------------------------------------

bool
odl_main_window_take_camera_failure (OdlMainWindow *self,
                                     const char *location,
                                     const GError *error)
{
  if (!location || !odl_camera_is_location (location)
      || g_error_matches (error, ODL_ERROR, ODL_ERROR_USAGE))
    return false;
  g_autofree char *last = last_camera (self);
  // The camera of last time is elsewhere today: any other one will do.
  if (self->any_camera && !g_str_equal (location, ANY_CAMERA)
      && g_str_equal (location, last)
      && g_error_matches (error, ODL_ERROR, ODL_ERROR_NO_DEVICE)) {
    self->any_camera = false;
    odl_session_open (self->session, ANY_CAMERA,
                      self->any_has_recipe ? &self->any_recipe : NULL);
    return true;
  }
  odl_main_window_show_page (self, ODL_FAILURE_CAMERA, location, error);
  return true;
}

static void
trouble_cb (OdlMainWindow *self)
{
  const GError *trouble = odl_session_trouble (self->session);
  if (trouble) {
    self->rate = (OdlRateMeter){ 0 };
    odl_transport_update (self->transport, 0, true);
    odl_main_window_update_line (self);
  }
  if (trouble && odl_main_window_present_failed (self, trouble))
    return;
  // While another camera is being opened this one has given way.
  if (!trouble) {
    odl_main_window_present_opened (self);
    // What is said about another camera stays.
    if (self->camera_lost)
      odl_main_window_close_page (self, true);
  } else if (!odl_session_opening (self->session) && !self->failed)
    odl_main_window_show_page (self, ODL_FAILURE_LOST,
                               odl_session_location (self->session), trouble);
}

void
odl_main_window_retry_camera (OdlMainWindow *self)
{
  const bool keeps = odl_session_is_capture (self->session);
  g_autofree char *location = g_strdup (self->failed_camera);
  odl_main_window_close_page (self, true);
  odl_session_open (self->session, location,
                    keeps                  ? odl_session_recipe (self->session)
                    : self->any_has_recipe ? &self->any_recipe
                                           : NULL);
}

void
odl_main_window_add_camera (OdlMainWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "open-camera", .activate = open_camera_cb },
  };
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries),
                                   self);
  g_signal_connect_object (self->session, "trouble-changed", G_CALLBACK (trouble_cb),
                           self, G_CONNECT_SWAPPED);
}
