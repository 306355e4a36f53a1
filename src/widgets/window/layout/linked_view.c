// SPDX-License-Identifier: MIT
#include "widgets/window/layout/linked_view.h"

#include <math.h>
#include <string.h>

#include "image/annotation/scale.h"

// Directions that differ by less are the same (cosines).
#define SAME_DIRECTION 1e-3

static void
lay_out (OdlViewport *viewport, OdlView *view)
{
  GtkWidget *widget = GTK_WIDGET (viewport);
  const int scale = gtk_widget_get_scale_factor (widget);
  const int width
      = gtk_widget_get_width (widget) / (odl_viewport_beside (viewport) ? 2 : 1);
  odl_view_layout (view, MAX (width * scale, 1),
                   MAX (gtk_widget_get_height (widget) * scale, 1));
}

static double
fitting_zoom (OdlViewport *viewport)
{
  OdlView view = *odl_viewport_view (viewport);
  odl_view_fit (&view);
  lay_out (viewport, &view);
  return view.zoom;
}

static bool
is_in_mm (const OdlFrame *frame, OdlScale *scale)
{
  *scale = odl_scale_of (odl_image_info (frame->input));
  return scale->known && scale->place == ODL_SPACING_IN_OBJECT && !frame->planes
         && !frame->renders;
}

static bool
has_same_directions (const OdlSlicePlaces *a, const OdlSlicePlaces *b)
{
  for (int i = 0; i < 6; i++)
    if (fabs (a->orientation[i] - b->orientation[i]) > SAME_DIRECTION)
      return false;
  return true;
}

// Positions of samples count from the outer corner of the first one, whose middle is the
// origin.
static OdlPoint
same_point (OdlPoint at,
            const OdlScale *from,
            const OdlSlicePlaces *a,
            const OdlScale *to,
            const OdlSlicePlaces *b)
{
  double in_plane[2] = { (at.x - 0.5) * from->x, (at.y - 0.5) * from->y };
  for (int axis = 0; axis < 2; axis++)
    for (int i = 0; i < 3; i++)
      in_plane[axis] += (a->origin[i] - b->origin[i]) * b->orientation[3 * axis + i];
  return (OdlPoint){ in_plane[0] / to->x + 0.5, in_plane[1] / to->y + 0.5 };
}

void
odl_linked_view_take (OdlViewport *from,
                      const OdlFrame *from_frame,
                      OdlViewport *to,
                      const OdlFrame *to_frame,
                      const OdlSlicePlaces *a,
                      const OdlSlicePlaces *b)
{
  OdlView leads = *odl_viewport_view (from);
  const OdlView before = *odl_viewport_view (to);
  const OdlWindow window = odl_viewport_window (to);
  OdlView view = before;
  OdlScale from_scale, to_scale;
  lay_out (from, &leads);
  view.fit = leads.fit;
  const bool in_mm = is_in_mm (from_frame, &from_scale) && is_in_mm (to_frame, &to_scale);
  if (leads.fit) {
    odl_view_fit (&view);
  } else if (in_mm) {
    view.zoom = leads.zoom * to_scale.y / from_scale.y;
    view.centre = a && b && has_same_directions (a, b)
                      ? same_point (leads.centre, &from_scale, a, &to_scale, b)
                      : (OdlPoint){
                          view.image_width / 2.0
                              + (leads.centre.x - leads.image_width / 2.0) * from_scale.x
                                    / to_scale.x,
                          view.image_height / 2.0
                              + (leads.centre.y - leads.image_height / 2.0) * from_scale.y
                                    / to_scale.y,
                        };
  } else {
    view.zoom = fitting_zoom (to) * leads.zoom / fitting_zoom (from);
    view.centre = (OdlPoint){
      leads.centre.x / leads.image_width * view.image_width,
      leads.centre.y / leads.image_height * view.image_height,
    };
  }
  if (view.fit != before.fit || view.zoom != before.zoom
      || view.centre.x != before.centre.x || view.centre.y != before.centre.y)
    odl_viewport_restore (to, &view, &window, false);
}
