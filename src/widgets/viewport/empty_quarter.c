// SPDX-License-Identifier: MIT
// The quarter of the canvas that three planes of a volume leave empty: what can be shown
// there, and how. Widgets over the canvas, so that no picture to take away has them.
#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/viewport/legend.h"
#include "widgets/viewport/private.h"

// Logical pixels: from the edges of the quarter; the widest line.
#define MARGIN 6
#define WIDEST 260
#define LEGEND 52 // the bar at the right edge, with the values at its ends

// The quarter, in logical pixels. False: something is there, or no planes are.
static bool
find_quarter (OdlViewport *self, int width, int height, GtkAllocation *quarter)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  if (!frame || !frame->planes || !odl_session_shows_planes (self->session)
      || frame->source_serial != self->view_serial || self->capture
      || !self->shows_corners || self->presents
      || odl_viewport_panes (self, width * scale).second > 0
      || !g_str_equal (odl_viewport_rendering (self), "none"))
    return false;
  OdlView view = self->view;
  odl_viewport_layout (self, &view, width * scale, height * scale);
  const OdlRenderPlace place
      = odl_viewport_render_place (frame, &view, width * scale, height * scale);
  *quarter = (GtkAllocation){ place.x / scale, place.y / scale, place.width / scale,
                              place.height / scale };
  const bool has_legend
      = odl_viewport_has_own_window (self) || odl_viewport_colour_map (self);
  const GtkAllocation canvas = { 0, 0, width - (has_legend ? LEGEND : 0), height };
  return gdk_rectangle_intersect (quarter, &canvas, quarter);
}

// The place of the words and the button in a quarter; of the button alone where there is
// no room for both. Empty: there is none for that either.
static GtkAllocation
fit (GtkWidget *box, const GtkAllocation *quarter)
{
  GtkWidget *words = gtk_widget_get_first_child (box);
  const int room = MIN (quarter->width - 2 * MARGIN, WIDEST);
  for (int with = 1; with >= 0; with--) {
    int least, wide, high;
    gtk_widget_set_visible (words, with);
    gtk_widget_measure (box, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wide, NULL, NULL);
    if (least > room)
      continue;
    wide = MIN (wide, room);
    gtk_widget_measure (box, GTK_ORIENTATION_VERTICAL, wide, NULL, &high, NULL, NULL);
    if (high <= quarter->height - 2 * MARGIN)
      return (GtkAllocation){ quarter->x + (quarter->width - wide) / 2,
                              quarter->y + (quarter->height - high) / 2, wide, high };
  }
  return (GtkAllocation){ 0 };
}

void
odl_viewport_update_empty_quarter (OdlViewport *self)
{
  GtkAllocation quarter, place = { 0 };
  if (find_quarter (self, gtk_widget_get_width (GTK_WIDGET (self)),
                    gtk_widget_get_height (GTK_WIDGET (self)), &quarter))
    place = fit (self->empty_quarter, &quarter);
  if (gdk_rectangle_equal (&place, &self->empty_place))
    return;
  self->empty_place = place;
  gtk_widget_set_child_visible (self->empty_quarter, place.width > 0);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
odl_viewport_set_presents (OdlViewport *self, bool presents)
{
  self->presents = presents;
  odl_viewport_update_empty_quarter (self);
}

void
odl_viewport_allocate_empty_quarter (OdlViewport *self)
{
  if (self->empty_place.width > 0)
    gtk_widget_size_allocate (self->empty_quarter, &self->empty_place, -1);
}

void
odl_viewport_add_empty_quarter (OdlViewport *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *words = gtk_label_new (
      _ ("Here the volume can be seen from outside: a maximum projection, or rays "
         "through bone, soft tissue, MR or ultrasound."));
  GtkWidget *button = gtk_button_new_with_label (_ ("Rendered View (U)"));
  gtk_label_set_wrap (GTK_LABEL (words), TRUE);
  gtk_label_set_justify (GTK_LABEL (words), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (words, "empty-quarter");
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "empty-quarter");
  gtk_widget_set_focus_on_click (button, FALSE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.next-rendering");
  gtk_box_append (GTK_BOX (box), words);
  gtk_box_append (GTK_BOX (box), button);
  gtk_widget_set_name (box, "empty-quarter");
  gtk_widget_set_parent (box, GTK_WIDGET (self));
  gtk_widget_set_child_visible (box, FALSE);
  self->empty_quarter = box;
}
