// SPDX-License-Identifier: MIT
#include "widgets/window/last_camera.h"

#include "base/error.h"
#include "session/browse/cameras.h"
#include "widgets/window/parts.h"

#define ANY_CAMERA "webcam"

struct _OdlLastCamera {
  const OdlWindowParts *parts;
  bool any; // the last one was opened by a request for any camera
};

// With its format.
static char *
last_camera (const OdlLastCamera *self)
{
  g_autofree char *last = odl_settings_get_string (self->parts->settings, "last-camera");
  return g_strdup (odl_camera_is_location (last) ? last : ANY_CAMERA);
}

char *
odl_last_camera_resolve (OdlLastCamera *self, const char *location)
{
  char *resolved
      = g_str_equal (location, ANY_CAMERA) ? last_camera (self) : g_strdup (location);
  self->any = !g_str_equal (resolved, location);
  return resolved;
}

void
odl_last_camera_opened (OdlLastCamera *self)
{
  const OdlWindowParts *parts = self->parts;
  const char *location = odl_session_detail (parts->session, "camera-location");
  self->any = false;
  if (location && !parts->state->presenting)
    odl_settings_set_string (parts->settings, "last-camera", location);
  g_autofree char *last = last_camera (self);
  odl_source_panel_set_last_camera (parts->source_panel, last);
}

bool
odl_last_camera_opens_another (OdlLastCamera *self,
                               const char *location,
                               const GError *error)
{
  g_autofree char *last = last_camera (self);
  if (!self->any || g_str_equal (last, ANY_CAMERA) || g_strcmp0 (location, last) != 0
      || !g_error_matches (error, ODL_ERROR, ODL_ERROR_NO_DEVICE))
    return false;
  self->any = false;
  odl_session_open_again (self->parts->session, ANY_CAMERA);
  return true;
}

bool
odl_last_camera_failed (OdlLastCamera *self, const char *location, const GError *error)
{
  if (!location || !odl_camera_is_location (location)
      || g_error_matches (error, ODL_ERROR, ODL_ERROR_USAGE))
    return false;
  if (!odl_last_camera_opens_another (self, location, error))
    odl_page_show (self->parts->page, ODL_FAILURE_CAMERA, location, error);
  return true;
}

static void
open_cb (void *data, GVariant *parameter)
{
  odl_main_window_open (((OdlLastCamera *) data)->parts->window, ANY_CAMERA, NULL);
}

OdlLastCamera *
odl_last_camera_new (const OdlWindowParts *parts)
{
  static const OdlWindowAction entry = { "open-camera", G_CALLBACK (open_cb) };
  OdlLastCamera *self = g_new0 (OdlLastCamera, 1);
  self->parts = parts;
  odl_window_add_actions (parts, &entry, 1, self);
  odl_window_own (parts, "odl-camera", self, g_free);
  return self;
}
