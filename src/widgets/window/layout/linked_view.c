// SPDX-License-Identifier: MIT
#include "widgets/window/layout/linked_view.h"

#include "image/annotation/scale.h"

static void
lay_out (OdlViewport *viewport, OdlView *view)
{
  GtkWidget *widget = GTK_WIDGET (viewport);
  const int scale = gtk_widget_get_scale_factor (widget);
  const int width
      = gtk_widget_get_width (widget) / (odl_viewport_beside (viewport) ? 2 : 1);
  odl_viewport_layout (viewport, view, MAX (width * scale, 1),
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

static OdlPoint
same_point (OdlPoint at,
            const OdlScale *from,
            const OdlSlicePlaces *a,
            const OdlScale *to,
            const OdlSlicePlaces *b)
{
  double point[2];
  odl_slice_places_same_point (a, (double[]){ from->x, from->y }, b,
                               (double[]){ to->x, to->y }, (double[]){ at.x, at.y },
                               point);
  return (OdlPoint){ point[0], point[1] };
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
    view.centre = a && b && odl_slice_places_run_alike (a, b)
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
