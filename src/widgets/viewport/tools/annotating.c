// SPDX-License-Identifier: MIT
// Annotations on the canvas: which of them are on the frame that is shown, how they are
// drawn, and their words for people who cannot see them.
#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/text.h"

#include "image/annotation/calibration.h"
#include "widgets/viewport/private.h"

// A result on the graphics card is read back once a frame has stayed for so long, so that
// a slider that is dragged, or a video, is not held up; and if it is no larger.
#define READ_MS 120
#define MOST_SAMPLES ((int64_t) 64 << 20)

static void
clear_item (void *data)
{
  g_free (((OdlDrawingItem *) data)->text);
}

static GArray *
new_items (void)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (OdlDrawingItem));
  g_array_set_clear_func (items, clear_item);
  return items;
}

// Removes the text of the same annotation from `items`; NULL: there is none.
static char *
take_text (GArray *items, const OdlAnnotation *annotation, OdlUnit unit, double pixel)
{
  for (guint i = 0; items && i < items->len; i++) {
    OdlDrawingItem *item = &g_array_index (items, OdlDrawingItem, i);
    if (item->annotation.id == annotation->id && item->unit == unit
        && item->pixel == pixel && odl_annotation_is_same (&item->annotation, annotation))
      return g_steal_pointer (&item->text);
  }
  return NULL;
}

// If it is on screen.
static void
add_item (OdlViewport *self,
          GArray *items,
          const OdlAnnotation *annotation,
          const OdlFrame *frame,
          OdlImage *result,
          GArray *known)
{
  OdlGround ground;
  if (!odl_viewport_ground_of (self, annotation, &ground))
    return;
  g_auto (OdlGroundSubject) made = { 0 };
  odl_viewport_ground_subject (self, &ground, frame, result, &made);
  OdlDrawingItem item = { .annotation = odl_ground_lay (&ground, annotation),
                          .note = odl_annotation_note (annotation, &made.subject.scale),
                          .unit = made.subject.unit,
                          .pixel = made.subject.scale.y };
  item.text = take_text (known, &item.annotation, item.unit, item.pixel);
  if (!item.text && !odl_annotation_is_empty (annotation))
    item.text = odl_annotation_to_text (annotation, &made.subject);
  g_array_append_val (items, item);
}

// Whether the session's annotations are those of the shown source.
static bool
are_fitting (OdlViewport *self, const OdlFrame *frame)
{
  const OdlExtent extent
      = odl_image_info (frame->volume ? frame->volume : frame->input)->extent;
  return odl_annotations_fit (odl_session_annotations (self->session), extent.x,
                              extent.y);
}

// Items of `frame`, the draft last. `known`: items of the same frame and result, or NULL.
static GArray *
items_on (OdlViewport *self, const OdlFrame *frame, OdlImage *result, GArray *known)
{
  GArray *items = new_items ();
  const OdlAnnotating *annotating = &self->annotating;
  OdlAnnotations *all = odl_session_annotations (self->session);
  for (int i = 0; are_fitting (self, frame) && i < odl_annotations_count (all); i++) {
    const OdlAnnotation *annotation = odl_annotations_at (all, i);
    if (!(annotating->drafting && annotation->id == annotating->draft.id))
      add_item (self, items, annotation, frame, result, known);
  }
  if (annotating->drafting)
    add_item (self, items, &annotating->draft, frame, result, known);
  return items;
}

void
odl_viewport_forget_items (OdlViewport *self)
{
  g_clear_pointer (&self->items, g_array_unref);
  g_clear_pointer (&self->items_of, odl_frame_unref);
}

OdlImage *
odl_viewport_result_of (OdlViewport *self, const OdlFrame *frame)
{
  return self->read_of == frame ? self->read : frame->result;
}

bool
odl_viewport_subject (OdlViewport *self, OdlSubject *subject)
{
  const OdlFrame *frame = odl_viewport_annotated_frame (self);
  if (!frame)
    return false;
  OdlImage *before = frame->input, *after = odl_viewport_result_of (self, frame);
  const bool filtered = frame->plan->result != frame->plan->source;
  // What stays on the graphics card is made once more beside it, also while it plays.
  const OdlBeforeAfter *pair
      = filtered && !after && frame->recipe.view == ODL_VIEW_SYNTHESIS
            ? odl_viewport_before_after (self, frame)
            : NULL;
  if (pair) {
    before = pair->before;
    after = pair->after;
  }
  // Both sides are of one frame.
  const OdlFrame *of = pair ? pair->of : frame;
  const OdlImage *first = odl_frame_before (of);
  *subject = (OdlSubject){ .scale = odl_viewport_scale (self, frame, before),
                           .before = before,
                           .after = after,
                           .other = after && first != of->input ? first : NULL,
                           .filtered = filtered,
                           .unit = odl_units_of (self->session) };
  odl_subject_set_suv (subject, odl_session_detail (self->session, "suv-factor"),
                       odl_session_detail (self->session, "suv-unknown"));
  return true;
}

bool
odl_viewport_lay (OdlViewport *self, const OdlAnnotation *annotation, OdlAnnotation *laid)
{
  const OdlFrame *frame = odl_viewport_annotated_frame (self);
  OdlGround ground;
  if (!frame || !are_fitting (self, frame)
      || !odl_viewport_ground_of (self, annotation, &ground))
    return false;
  *laid = odl_ground_lay (&ground, annotation);
  return true;
}

// Whether the frame on screen has the scale of the one that it lies on.
static bool
is_alike (OdlViewport *self, const OdlFrame *frame, const OdlAnnotation *annotation)
{
  const OdlSourceInfo *info = odl_session_info (self->session);
  const int64_t n = MAX (info->n_slices, 1);
  if (annotation->on.used)
    return frame->volume && annotation->frame == frame->index / n * n
           && odl_on_plane_fits (&annotation->on, odl_image_info (frame->volume));
  return annotation->frame == frame->index || annotation->frame == ODL_EVERY_FRAME
         || info->n_slices > 1 || !info->files;
}

bool
odl_viewport_scale_of (OdlViewport *self,
                       const OdlAnnotation *annotation,
                       OdlScale *scale)
{
  const OdlFrame *frame = odl_viewport_annotated_frame (self);
  OdlSubject subject;
  if (!frame || !is_alike (self, frame, annotation))
    return false;
  if (annotation->on.used) {
    const bool tilted = odl_session_detail (self->session, "gantry-tilt") != NULL;
    *scale = odl_on_plane_scale (odl_image_info (frame->volume), &annotation->on, tilted);
    return true;
  }
  // Filters that make a picture of beams give that its millimetres.
  const OdlImage *picture = frame->volume ? frame->volume : frame->input;
  if (!frame->volume && frame->plan->resized) {
    if (!odl_viewport_subject (self, &subject))
      return false;
    picture = subject.before;
  }
  *scale = odl_calibrated_scale (odl_session_annotations (self->session),
                                 annotation->frame == ODL_EVERY_FRAME ? frame->index
                                                                      : annotation->frame,
                                 odl_image_info (picture));
  return true;
}

unsigned
odl_viewport_selected (OdlViewport *self)
{
  return self->annotating.selected;
}

// ---- grey levels of a region ---------------------------------------------------------

// The one selected, or the last one, of those with samples on screen; NULL: none.
static const OdlAnnotation *
find_region (OdlViewport *self, OdlGround *ground)
{
  OdlAnnotations *all = odl_session_annotations (self->session);
  const OdlAnnotation *found = NULL;
  for (int i = 0; i < odl_annotations_count (all); i++) {
    const OdlAnnotation *annotation = odl_annotations_at (all, i);
    OdlGround here;
    if (!annotation->kind->samples || !odl_viewport_ground_of (self, annotation, &here))
      continue;
    found = annotation;
    *ground = here;
    if (annotation->id == self->annotating.selected)
      break;
  }
  return found;
}

const OdlAnnotation *
odl_viewport_region (OdlViewport *self, OdlImage **input)
{
  const OdlFrame *frame = odl_viewport_annotated_frame (self);
  OdlGround ground;
  const OdlAnnotation *region = frame ? find_region (self, &ground) : NULL;
  g_auto (OdlGroundSubject) made = { 0 };
  if (region) {
    odl_viewport_ground_subject (self, &ground, frame, NULL, &made);
    *input = odl_image_ref (made.before);
  }
  return region;
}

bool
odl_viewport_window_region (OdlViewport *self)
{
  const OdlFrame *frame = odl_viewport_annotated_frame (self);
  OdlGround ground;
  const OdlAnnotation *region = frame ? find_region (self, &ground) : NULL;
  OdlMeasurement measures[ODL_ANNOTATION_MAX_MEASURES];
  double least = NAN, most = NAN;
  if (!region)
    return false;
  g_auto (OdlGroundSubject) made = { 0 };
  odl_viewport_ground_subject (self, &ground, frame, NULL, &made);
  made.subject.filtered = false;
  made.subject.unit = ODL_UNIT_FILE;
  const int n = odl_annotation_measure (region, &made.subject, measures);
  for (int i = 0; i < n; i++) {
    if (g_str_equal (measures[i].name, "min"))
      least = measures[i].value;
    else if (g_str_equal (measures[i].name, "max"))
      most = measures[i].value;
  }
  // Of a single value as much as tells it from the next ones.
  if (!isfinite (least) || !isfinite (most))
    return false;
  odl_viewport_set_window (self, (least + most) / 2, most > least ? most - least : 1);
  return true;
}

// ---- results on the GPU --------------------------------------------------------------

void
odl_viewport_forget_read (OdlViewport *self)
{
  g_clear_handle_id (&self->read_id, g_source_remove);
  g_clear_pointer (&self->read, odl_image_unref);
  g_clear_pointer (&self->read_of, odl_frame_unref);
}

static gboolean
read_cb (void *data)
{
  OdlViewport *self = data;
  const OdlFrame *wanted = odl_viewport_annotated_frame (self);
  OdlFrame *frame;
  if (wanted && odl_session_playing (self->session))
    return G_SOURCE_CONTINUE;
  self->read_id = 0;
  odl_viewport_forget_read (self);
  if (!wanted || wanted->result)
    return G_SOURCE_REMOVE;
  // One that cannot be read is not tried again.
  self->read_of = odl_frame_ref ((OdlFrame *) wanted);
  self->read = odl_viewport_result (self, &frame, NULL);
  odl_viewport_forget_items (self);
  odl_viewport_annotation_changed (self);
  return G_SOURCE_REMOVE;
}

static bool
is_worth_reading (const OdlFrame *frame, const GArray *items)
{
  const OdlGeometry *geometry = &frame->plan->geometry;
  if (frame->result || frame->plan->result == frame->plan->source
      || (int64_t) geometry->width * geometry->height * geometry->channels > MOST_SAMPLES)
    return false;
  for (guint i = 0; i < items->len; i++)
    if (g_array_index (items, OdlDrawingItem, i).annotation.kind->samples)
      return true;
  return false;
}

// Updates the items on screen; only new ones are measured. The measured frame is kept
// until the next one is painted.
static GArray *
update_items (OdlViewport *self)
{
  const OdlFrame *frame = odl_viewport_annotated_frame (self);
  const bool was_read = frame && self->read_of == frame;
  OdlImage *result = was_read ? self->read : frame ? frame->result : NULL;
  GArray *items = frame ? items_on (self, frame, result,
                                    self->items_of == frame ? self->items : NULL)
                        : new_items ();
  odl_viewport_forget_items (self);
  self->items = items;
  if (items->len > 0)
    self->items_of = odl_frame_ref ((OdlFrame *) frame);
  if (items->len > 0 && !was_read && !self->read_id && is_worth_reading (frame, items))
    self->read_id = g_timeout_add (READ_MS, read_cb, self);
  return items;
}

// ---- drawing and words ---------------------------------------------------------------

static void
draw_items (OdlViewport *self,
            OdlDrawing *drawing,
            GArray *items,
            const OdlDrawingRequest *request)
{
  OdlDrawingRequest complete = *request;
  complete.items = (const OdlDrawingItem *) items->data;
  complete.n_items = (int) items->len;
  odl_drawing_update (drawing, gtk_widget_get_pango_context (GTK_WIDGET (self)),
                      &complete);
}

void
odl_viewport_draw (OdlViewport *self,
                   OdlDrawing *drawing,
                   const OdlDrawingRequest *request)
{
  draw_items (self, drawing, update_items (self), request);
}

void
odl_viewport_draw_result (OdlViewport *self,
                          OdlDrawing *drawing,
                          const OdlFrame *frame,
                          OdlImage *result,
                          const OdlDrawingRequest *request)
{
  g_autoptr (GArray) items = odl_viewport_annotated_frame (self) == frame
                                 ? items_on (self, frame, result, NULL)
                                 : new_items ();
  draw_items (self, drawing, items, request);
}

// The selected annotation, in words.
static void
describe (OdlViewport *self)
{
  const OdlAnnotating *annotating = &self->annotating;
  const unsigned id = annotating->drafting ? annotating->draft.id : annotating->selected;
  GArray *items = update_items (self);
  for (guint i = items->len; i-- > 0;) {
    const OdlDrawingItem *item = &g_array_index (items, OdlDrawingItem, i);
    if (!item->text || item->annotation.id != id || (id == 0 && !annotating->drafting))
      continue;
    g_auto (GStrv) lines = g_strsplit (item->text, "\n", -1);
    g_autofree char *values = g_strjoinv (", ", lines);
    g_autofree char *text = g_strjoin (", ", _ (item->annotation.kind->title),
                                       *values ? values : NULL, item->note, NULL);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                    GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
    return;
  }
  gtk_accessible_reset_property (GTK_ACCESSIBLE (self),
                                 GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

void
odl_viewport_annotation_changed (OdlViewport *self)
{
  describe (self);
  odl_viewport_tell_stale (self, ODL_STALE_VALUE);
  odl_viewport_redraw (self);
}

void
odl_viewport_annotations_changed (OdlViewport *self)
{
  OdlAnnotating *annotating = &self->annotating;
  OdlAnnotations *all = odl_session_annotations (self->session);
  if (!odl_annotations_find (all, annotating->selected))
    annotating->selected = 0;
  odl_viewport_tell_stale (self, ODL_STALE_CORNERS);
  odl_viewport_annotation_changed (self);
  odl_viewport_changed (self);
}
