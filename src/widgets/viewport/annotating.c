// SPDX-License-Identifier: MIT
// Annotations on the canvas: which of them are on the frame that is shown, how they are
// drawn, and their words for people who cannot see them.
#include <glib/gi18n-lib.h>

#include "config.h"
#include "widgets/viewport/private.h"

const OdlFrame *
odl_viewport_annotated_frame (OdlViewport *self)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  return frame && !frame->planes && frame->plan->view == ODL_VIEW_SYNTHESIS
                 && frame->source_serial == self->view_serial
             ? frame
             : NULL;
}

int64_t
odl_viewport_annotated_index (OdlViewport *self, const OdlFrame *frame)
{
  return odl_session_info (self->session)->live ? ODL_EVERY_FRAME : frame->index;
}

// Elements are OdlAnnotation.
static GArray *
annotations_on (OdlViewport *self, const OdlFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (OdlAnnotation));
  const OdlAnnotating *annotating = &self->annotating;
  OdlAnnotations *all = odl_session_annotations (self->session);
  const int64_t index = odl_viewport_annotated_index (self, frame);
  const OdlExtent extent = odl_image_info (frame->input)->extent;
  if (odl_annotations_fit (all, extent.x, extent.y))
    for (int i = 0; i < odl_annotations_count (all); i++) {
      const OdlAnnotation *annotation = odl_annotations_at (all, i);
      if (odl_annotation_is_on (annotation, index)
          && !(annotating->drafting && annotation->id == annotating->draft.id))
        g_array_append_vals (items, annotation, 1);
    }
  if (annotating->drafting && odl_annotation_is_on (&annotating->draft, index))
    g_array_append_vals (items, &annotating->draft, 1);
  return items;
}

void
odl_viewport_draw (OdlViewport *self,
                   OdlDrawing *drawing,
                   const OdlFrame *frame,
                   const OdlDrawingRequest *request)
{
  OdlDrawingRequest complete = *request;
  g_autoptr (GArray) items = odl_viewport_annotated_frame (self) == frame
                                 ? annotations_on (self, frame)
                                 : g_array_new (FALSE, FALSE, sizeof (OdlAnnotation));
  complete.items = (const OdlAnnotation *) items->data;
  complete.n_items = (int) items->len;
  complete.scale = odl_scale_of (odl_image_info (frame->input));
  odl_drawing_update (drawing, gtk_widget_get_pango_context (GTK_WIDGET (self)),
                      &complete);
}

// The selected annotation, in words.
static void
describe (OdlViewport *self)
{
  const OdlAnnotating *annotating = &self->annotating;
  const OdlFrame *frame = odl_viewport_annotated_frame (self);
  const OdlAnnotation *selected
      = annotating->drafting
            ? &annotating->draft
            : odl_annotations_find (odl_session_annotations (self->session),
                                    annotating->selected);
  if (!frame || !selected) {
    gtk_accessible_reset_property (GTK_ACCESSIBLE (self),
                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
    return;
  }
  const OdlScale scale = odl_scale_of (odl_image_info (frame->input));
  g_autofree char *value
      = odl_annotation_row (selected->kind)->measure (selected, &scale);
  const char *note = odl_scale_note (&scale);
  g_autofree char *text = note ? g_strdup_printf ("%s, %s", value, note) : NULL;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text ? text : value, -1);
}

void
odl_viewport_annotation_changed (OdlViewport *self)
{
  describe (self);
  odl_viewport_update_probe (self);
  odl_viewport_redraw (self);
}

void
odl_viewport_annotations_changed (OdlViewport *self)
{
  OdlAnnotating *annotating = &self->annotating;
  OdlAnnotations *all = odl_session_annotations (self->session);
  if (!odl_annotations_find (all, annotating->selected))
    annotating->selected = 0;
  odl_viewport_annotation_changed (self);
  odl_viewport_changed (self);
}
