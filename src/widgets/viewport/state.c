// SPDX-License-Identifier: MIT
// What a viewport has and where it lies, and what it tells; all its other files use this
// one, which uses none of them.
#include "widgets/viewport/private.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/text.h"
#include "widgets/text_scale.h"
#include "widgets/viewport/gl_area.h"

// ---- what has changed ----------------------------------------------------------------

bool
odl_viewport_uses_soft (OdlViewport *self)
{
  return self->soft_canvas && gtk_widget_get_visible (self->soft_canvas);
}

void
odl_viewport_redraw (OdlViewport *self)
{
  if (odl_viewport_uses_soft (self))
    gtk_widget_queue_draw (self->soft_canvas);
  else if (self->gl_area)
    gtk_gl_area_queue_render (GTK_GL_AREA (self->gl_area));
}

void
odl_viewport_tell_stale (OdlViewport *self, unsigned stale)
{
  g_signal_emit_by_name (self, "stale", stale);
}

void
odl_viewport_changed (OdlViewport *self)
{
  odl_viewport_redraw (self);
  odl_viewport_tell_stale (self, ODL_STALE_ALL);
  g_signal_emit_by_name (self, "changed");
}

static gboolean
place_again_cb (void *data)
{
  OdlViewport *self = data;
  self->corners.place_id = 0;
  odl_viewport_changed (self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

void
odl_viewport_place_corners_again (OdlViewport *self)
{
  if (!self->corners.place_id)
    // Before the next picture: while pictures play, what is idle waits for long.
    self->corners.place_id
        = g_idle_add_full (G_PRIORITY_DEFAULT, place_again_cb, self, NULL);
}

// ---- places
// ----------------------------------------------------------------------------

void
odl_viewport_device_size (OdlViewport *self, int *width, int *height)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  *width = MAX (gtk_widget_get_width (GTK_WIDGET (self)) * scale, 1);
  *height = MAX (gtk_widget_get_height (GTK_WIDGET (self)) * scale, 1);
}

OdlPoint
odl_viewport_to_device (OdlViewport *self, double x, double y)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  return (OdlPoint){ x * scale, y * scale };
}

OdlPanes
odl_viewport_panes (OdlViewport *self, int width)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  const bool two = self->beside && width > 1 && frame && !frame->renders
                   && !odl_viewport_shows_surface (self);
  // Of an odd width the column between them belongs to the first one.
  return two ? (OdlPanes){ width / 2, width - width / 2 } : (OdlPanes){ width, 0 };
}

OdlView
odl_viewport_pane_view (OdlViewport *self, const OdlPanes *panes, int x, int width)
{
  OdlView view = self->view;
  if (panes->second > 0)
    odl_view_pan (&view, x + panes->width / 2.0 - width / 2.0, 0);
  return view;
}

void
odl_viewport_hold_pane (OdlViewport *self, double x)
{
  self->holds_pane = true;
  self->held_x = x;
}

void
odl_viewport_let_pane (OdlViewport *self)
{
  self->holds_pane = false;
}

// A point of the canvas as one of its pane.
OdlPoint
odl_viewport_in_pane (OdlViewport *self, const OdlPanes *panes, OdlPoint device)
{
  const double x
      = self->holds_pane ? odl_viewport_to_device (self, self->held_x, 0).x : device.x;
  return (OdlPoint){ device.x - (x >= panes->second ? panes->second : 0), device.y };
}

OdlPoint
odl_viewport_to_image (OdlViewport *self, double x, double y)
{
  int width, height;
  odl_viewport_device_size (self, &width, &height);
  const OdlPanes panes = odl_viewport_panes (self, width);
  const OdlPoint own
      = odl_viewport_in_pane (self, &panes, odl_viewport_to_device (self, x, y));
  return odl_view_to_image (&self->view, panes.width, height, own);
}

void
odl_viewport_layout (OdlViewport *self, OdlView *view, int width, int height)
{
  odl_view_layout (view, width, height);
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  // Even, so that what lies on whole pixels stays there.
  const int words
      = view->fit && frame && frame->planes ? (self->words_below + 1) & ~1 : 0;
  const int below = words < height / 2 ? words : 0;
  if (below == 0)
    return;
  const bool turned = view->quarter_turns & 1;
  odl_view_layout (view, width, height - below);
  const double high
      = view->zoom
        * (turned ? view->image_width * view->pixel_aspect : view->image_height);
  const double lack = below - (height - high) / 2;
  if (lack <= 0) {
    odl_view_layout (view, width, height);
    return;
  }
  odl_view_pan (view, 0, -ceil (lack));
  view->fit = true;
}

int
odl_viewport_badge_top (OdlViewport *self, int left, int right)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const int end = self->badge_x + self->badge.width;
  const bool apart
      = !self->badge.rgba || left * scale >= end || right * scale <= self->badge_x;
  return apart ? gtk_widget_get_height (GTK_WIDGET (self)) : self->badge_y / scale;
}

// ---- what is shown
// ---------------------------------------------------------------------

bool
odl_viewport_has_surface (OdlViewport *self)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  return frame && odl_image_info (frame->input)->surface;
}

bool
odl_viewport_shows_surface (OdlViewport *self)
{
  return !self->hides_surface && odl_viewport_has_surface (self)
         && odl_session_frame (self->session)->plan->view == ODL_VIEW_SYNTHESIS;
}

bool
odl_viewport_has_gpu (OdlViewport *self)
{
  return self->gl_level == ODL_GL_HARDWARE;
}

// Words grow with those of the system.
double
odl_viewport_text_scale (OdlViewport *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  return odl_text_scale (gtk_widget_get_pango_context (widget))
         * gtk_widget_get_scale_factor (widget);
}

double
odl_viewport_font (OdlViewport *self)
{
  return ODL_WORDS_FONT * odl_viewport_text_scale (self);
}

double
odl_viewport_suv_factor (OdlViewport *self)
{
  const char *text = odl_session_detail (self->session, "suv-factor");
  double factor = 0;
  return text && odl_number_from_text (text, &factor) && factor > 0 ? factor : 0;
}

OdlImage *
odl_viewport_result (OdlViewport *self, OdlFrame **frame, GError **error)
{
  *frame = odl_session_frame (self->session);
  if (!*frame) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("There is no picture. Open one first."));
    return NULL;
  }
  if ((*frame)->result)
    return odl_image_ref ((*frame)->result);
  if (self->gl_area)
    return odl_gl_area_read_back (ODL_GL_AREA (self->gl_area), *frame, error);
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_GPU,
                       _ ("The picture is not computed yet. Try again."));
  return NULL;
}

// ---- the tool
// --------------------------------------------------------------------------

const char *
odl_viewport_tool (OdlViewport *self)
{
  return self->tool->measures ? self->measuring->name : self->tool->name;
}

bool
odl_viewport_measures (OdlViewport *self)
{
  return self->tool->measures;
}

const OdlAnnotationKind *
odl_viewport_measuring (OdlViewport *self)
{
  return self->measuring;
}

void
odl_viewport_use_tool (OdlViewport *self,
                       const OdlTool *tool,
                       const OdlAnnotationKind *kind)
{
  const OdlTool *next = tool ? tool : self->first_tool;
  const bool other = kind && kind != self->measuring;
  if ((self->tool != next || other) && self->tool->leave)
    self->tool->leave (self);
  self->tool = next;
  self->measuring = kind ? kind : self->measuring;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), next->pointer);
  odl_viewport_changed (self);
}
