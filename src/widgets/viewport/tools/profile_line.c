// SPDX-License-Identifier: MIT
// The profile on the canvas whose values are plotted, and the place that the plot and the
// line have in common.
#include <math.h>

#include "widgets/viewport/private.h"

// Within this distance in logical pixels the pointer is over the line.
#define REACH 12.0

static bool
is_shown (OdlViewport *self, const OdlAnnotation *annotation, OdlGround *ground)
{
  return annotation->kind == &odl_annotation_profile
         && !odl_annotation_is_empty (annotation)
         && odl_viewport_ground_of (self, annotation, ground);
}

static bool
find_line (OdlViewport *self, OdlAnnotation *line, OdlGround *ground)
{
  const OdlAnnotating *annotating = &self->annotating;
  OdlAnnotations *all = odl_session_annotations (self->session);
  bool found = false;
  if (annotating->drafting && is_shown (self, &annotating->draft, ground)) {
    *line = annotating->draft;
    return true;
  }
  for (int i = 0; i < odl_annotations_count (all); i++) {
    const OdlAnnotation *annotation = odl_annotations_at (all, i);
    OdlAnnotation laid;
    OdlGround here;
    if (!is_shown (self, annotation, &here)
        || !odl_viewport_lay (self, annotation, &laid))
      continue;
    found = true;
    *line = *annotation;
    *ground = here;
    if (annotation->id == annotating->selected)
      break;
  }
  return found;
}

bool
odl_viewport_profile_line (OdlViewport *self,
                           OdlAnnotation *line,
                           OdlFrame **frame,
                           OdlImage **result)
{
  OdlGround ground;
  if (!odl_viewport_annotated_frame (self) || !find_line (self, line, &ground))
    return false;
  *frame = odl_session_frame (self->session);
  *result = odl_viewport_result_of (self, *frame);
  return true;
}

bool
odl_viewport_read_profile (OdlViewport *self, OdlProfile *profile)
{
  const OdlFrame *frame = odl_viewport_annotated_frame (self);
  OdlAnnotation line;
  OdlGround ground;
  if (!frame || !find_line (self, &line, &ground))
    return false;
  g_auto (OdlGroundSubject) made = { 0 };
  odl_viewport_ground_subject (self, &ground, frame, odl_viewport_result_of (self, frame),
                               &made);
  *profile = odl_profile_read (&line, &made.subject);
  return profile->n > 1;
}

// ---- the place that both show --------------------------------------------------------

void
odl_viewport_mark_profile (OdlViewport *self, double at)
{
  const bool marks = isfinite (at);
  if (marks == self->marks_profile && (!marks || at == self->profile_at))
    return;
  self->marks_profile = marks;
  self->profile_at = at;
  odl_viewport_redraw (self);
}

bool
odl_viewport_profile_mark (OdlViewport *self, OdlPoint *at)
{
  const OdlFrame *frame = odl_viewport_annotated_frame (self);
  OdlAnnotation line;
  OdlGround ground;
  if (!self->marks_profile || !frame || !find_line (self, &line, &ground))
    return false;
  g_auto (OdlGroundSubject) made = { 0 };
  odl_viewport_ground_subject (self, &ground, frame, NULL, &made);
  const OdlScale scale = odl_annotation_scale (&line, &made.subject.scale);
  const double length = odl_scale_distance (&scale, line.points[0], line.points[1]);
  const double t = length > 0 ? CLAMP (self->profile_at / length, 0, 1) : 0;
  const OdlPoint a = line.points[0], b = line.points[1];
  *at = (OdlPoint){ ground.origin.x + a.x + t * (b.x - a.x),
                    ground.origin.y + a.y + t * (b.y - a.y) };
  return true;
}

double
odl_viewport_profile_pointer (OdlViewport *self, const OdlProfile *profile)
{
  const OdlScale metric = { .x = self->view.pixel_aspect, .y = 1 };
  const double reach
      = REACH * gtk_widget_get_scale_factor (GTK_WIDGET (self)) / self->view.zoom;
  OdlAnnotation line;
  OdlGround ground;
  if (!self->pointer_inside || profile->n < 2 || !odl_viewport_annotated_frame (self)
      || !find_line (self, &line, &ground))
    return NAN;
  const OdlPoint at = odl_ground_place (
      &ground, odl_viewport_to_image (self, self->pointer.x, self->pointer.y));
  const double along = odl_profile_nearest (profile, &metric, at);
  const OdlPoint nearest = odl_profile_position (profile, along);
  return odl_scale_distance (&metric, nearest, at) <= reach ? along : NAN;
}
