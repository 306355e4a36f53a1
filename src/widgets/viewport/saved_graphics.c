// SPDX-License-Identifier: MIT
// What belongs to a picture without being part of its file: lines and words that stay
// sharp at every zoom, an overlay, a shutter.
#include <glib/gi18n-lib.h>

#include "output/graphics.h"
#include "widgets/viewport/private.h"

void
odl_viewport_clear_graphics (OdlViewport *self)
{
  odl_graphics_unref (self->saved.graphics);
  odl_overlay_unref (self->saved.overlay);
  self->saved = (OdlSavedGraphics){ 0 };
  odl_drawing_clear (&self->drawing);
}

void
odl_viewport_set_graphics (OdlViewport *self, OdlGraphics *graphics)
{
  const OdlFrame *frame = odl_session_frame (self->session);
  if (!graphics && !self->saved.graphics)
    return;
  odl_viewport_clear_graphics (self);
  if (graphics && frame) {
    self->saved.graphics = odl_graphics_ref (graphics);
    self->saved.overlay = odl_graphics_join_overlays (
        odl_image_info (frame->input)->overlay, graphics->overlay);
  }
  odl_viewport_redraw (self);
  odl_viewport_changed (self);
}

// Planes through a volume and rendered views show other places.
static bool
is_shown (OdlViewport *self, const OdlFrame *frame)
{
  return self->saved.graphics && !self->window.hide_overlay && !frame->planes
         && !frame->renders && frame->plan->details.levels == 0
         && !odl_viewport_shows_surface (self);
}

const OdlGraphics *
odl_viewport_saved_graphics (OdlViewport *self, const OdlFrame *frame)
{
  const OdlGraphics *graphics = self->saved.graphics;
  const bool any = graphics && (graphics->lines->len > 0 || graphics->words->len > 0);
  return any && is_shown (self, frame) ? graphics : NULL;
}

void
odl_viewport_add_saved (OdlViewport *self, const OdlFrame *frame, OdlDisplay *display)
{
  if (!is_shown (self, frame))
    return;
  if (self->saved.overlay)
    display->overlay = self->saved.overlay;
  if (self->saved.graphics->shutter) {
    display->shutter = self->saved.graphics->shutter;
    display->shutter_level = (float) self->saved.graphics->shutter_level;
  }
}

// Of a stack each picture has its own states.
static int64_t
index_of (OdlViewport *self, const OdlFrame *frame)
{
  return odl_session_info (self->session)->files ? frame->index : -1;
}

void
odl_viewport_set_saved_states (OdlViewport *self, int n)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  self->corners.saved_states = frame ? n : 0;
  self->corners.saved_serial = frame ? frame->source_serial : 0;
  self->corners.saved_index = frame ? index_of (self, frame) : 0;
  odl_viewport_tell_stale (self, ODL_STALE_CORNERS);
}

char *
odl_viewport_saved_mark (OdlViewport *self, const OdlFrame *frame)
{
  const OdlCorners *corners = &self->corners;
  const int n = corners->saved_states;
  if (n == 0 || frame->source_serial != corners->saved_serial
      || index_of (self, frame) != corners->saved_index)
    return NULL;
  // Translators: a mark on a picture of which somebody saved how it is to be looked at
  // (presentation states).
  return g_strdup_printf (ngettext ("%d SAVED STATE", "%d SAVED STATES", (gulong) n), n);
}
