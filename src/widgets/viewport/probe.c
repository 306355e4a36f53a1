// SPDX-License-Identifier: MIT
// The value under the pointer: a label in the upper right corner of the canvas.
#include <glib/gi18n-lib.h>
#include <math.h>

#include "config.h"
#include "image/probe.h"
#include "widgets/viewport/private.h"

#define MARGIN 10

// The original's value, and that of the result where it lies in memory: a picture that
// stays on the graphics card is not read back for a label.
static char *
text_at (const OdlFrame *frame, int x, int y)
{
  const bool filtered = frame->plan->result != frame->plan->source;
  const bool comparable = frame->result && frame->plan->view == ODL_VIEW_SYNTHESIS;
  OdlProbe before, after;
  if (!odl_probe (frame->input, frame->input, x, y, &before))
    return NULL;
  g_autofree char *original = odl_probe_to_text (frame->input, &before);
  if (!filtered)
    return g_strdup_printf ("%d, %d: %s", x, y, original);
  if (!comparable || !odl_probe (frame->input, frame->result, x, y, &after)
      || after.channels != before.channels)
    // Translators: column, row: the value there before the filters.
    return g_strdup_printf (_ ("%d, %d: original %s"), x, y, original);
  g_autofree char *processed = odl_probe_to_text (frame->input, &after);
  // Translators: column, row: the value there before and after the filters.
  return g_strdup_printf (_ ("%d, %d: %s → %s"), x, y, original, processed);
}

void
odl_viewport_update_probe (OdlViewport *self)
{
  OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  g_autofree char *text = NULL;
  if (self->shows_values && self->pointer_inside && frame
      && frame->source_serial == self->view_serial) {
    const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
    const OdlPoint at = odl_view_to_image (
        &self->view, gtk_widget_get_width (GTK_WIDGET (self)) * scale,
        gtk_widget_get_height (GTK_WIDGET (self)) * scale,
        odl_viewport_to_device (self, self->pointer.x, self->pointer.y));
    text = text_at (frame, (int) floor (at.x), (int) floor (at.y));
  }
  gtk_widget_set_visible (GTK_WIDGET (self->probe), text != NULL);
  if (text)
    gtk_label_set_text (self->probe, text);
}

void
odl_viewport_move_pointer (OdlViewport *self, bool inside, double x, double y)
{
  self->pointer_inside = inside;
  self->pointer = (OdlPoint){ x, y };
  odl_viewport_update_probe (self);
}

void
odl_viewport_set_shows_values (OdlViewport *self, bool shows)
{
  self->shows_values = shows;
  odl_viewport_update_probe (self);
  odl_viewport_changed (self);
}

bool
odl_viewport_shows_values (OdlViewport *self)
{
  return self->shows_values;
}

void
odl_viewport_add_probe (OdlViewport *self)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_widget_add_css_class (label, "half");
  gtk_widget_add_css_class (label, "numeric");
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_can_target (label, FALSE);
  gtk_widget_set_visible (label, FALSE);
  gtk_widget_set_parent (label, GTK_WIDGET (self));
  self->probe = GTK_LABEL (label);
  self->shows_values = true;
}

void
odl_viewport_allocate_probe (OdlViewport *self, int width)
{
  GtkWidget *label = GTK_WIDGET (self->probe);
  int wanted, height;
  if (!gtk_widget_get_visible (label))
    return;
  gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &wanted, NULL, NULL);
  wanted = MIN (wanted, MAX (width - 2 * MARGIN, 1));
  gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, wanted, NULL, &height, NULL, NULL);
  gtk_widget_size_allocate (
      label, &(GtkAllocation){ width - MARGIN - wanted, MARGIN, wanted, height }, -1);
}
