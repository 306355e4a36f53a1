// SPDX-License-Identifier: MIT
// What annotations lie on: a picture, or one of the planes of a volume, which have
// positions and millimetres of their own.
#include <glib/gi18n-lib.h>

#include "image/annotation/calibration.h"
#include "widgets/viewport/private.h"

const OdlFrame *
odl_viewport_annotated_frame (OdlViewport *self)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  return frame && frame->plan->view == ODL_VIEW_SYNTHESIS
                 && frame->source_serial == self->view_serial
                 && !odl_viewport_shows_surface (self)
             ? frame
             : NULL;
}

// Of a plane of the shown volume.
static OdlGround
make_ground (OdlViewport *self, const OdlFrame *frame, OdlPlaneKind plane)
{
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  const OdlPlanePlace *place = &planes.planes[plane];
  const OdlPlanesLook look = { frame->voxel, frame->slab, frame->oblique, { 0 } };
  const int64_t n = MAX (odl_session_info (self->session)->n_slices, 1);
  return (OdlGround){ .frame = frame->index / n * n,
                      .on = odl_on_plane_make (&planes, plane, &look),
                      .origin = { place->x, place->y },
                      .width = place->width,
                      .height = place->height };
}

static OdlGround
picture_ground (OdlViewport *self, const OdlFrame *frame)
{
  const OdlExtent extent = odl_image_info (frame->input)->extent;
  const bool live = odl_session_info (self->session)->live;
  return (OdlGround){ .frame = live ? ODL_EVERY_FRAME : frame->index,
                      .width = extent.x,
                      .height = extent.y };
}

bool
odl_viewport_ground_at (OdlViewport *self, OdlPoint at, OdlGround *ground)
{
  const OdlFrame *frame = odl_viewport_annotated_frame (self);
  if (!frame)
    return false;
  if (!frame->planes) {
    *ground = picture_ground (self, frame);
    return true;
  }
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  OdlVoxel voxel;
  const OdlPlaneKind plane = odl_planes_find (&planes, at.x, at.y, &voxel);
  if (plane != ODL_N_PLANES)
    *ground = make_ground (self, frame, plane);
  return plane != ODL_N_PLANES;
}

static bool
is_within (const OdlAnnotation *annotation, const OdlGround *ground)
{
  for (int i = 0; i < annotation->n_points; i++)
    if (annotation->points[i].x > ground->width
        || annotation->points[i].y > ground->height)
      return false;
  return true;
}

bool
odl_viewport_ground_of (OdlViewport *self,
                        const OdlAnnotation *annotation,
                        OdlGround *ground)
{
  const OdlFrame *frame = odl_viewport_annotated_frame (self);
  if (!frame || frame->planes != annotation->on.used)
    return false;
  *ground = frame->planes ? make_ground (self, frame, annotation->on.plane)
                          : picture_ground (self, frame);
  return odl_annotation_is_on (annotation, ground->frame, &ground->on)
         && is_within (annotation, ground);
}

OdlPoint
odl_ground_place (const OdlGround *ground, OdlPoint at)
{
  return (OdlPoint){ at.x - ground->origin.x, at.y - ground->origin.y };
}

OdlAnnotation
odl_ground_lay (const OdlGround *ground, const OdlAnnotation *annotation)
{
  OdlAnnotation laid = *annotation;
  for (int i = 0; i < laid.n_points; i++) {
    laid.points[i].x += ground->origin.x;
    laid.points[i].y += ground->origin.y;
  }
  return laid;
}

void
odl_ground_subject_clear (OdlGroundSubject *self)
{
  g_clear_pointer (&self->before, odl_image_unref);
  g_clear_pointer (&self->after, odl_image_unref);
  g_clear_pointer (&self->other, odl_image_unref);
}

OdlScale
odl_viewport_scale (OdlViewport *self, const OdlFrame *frame, const OdlImage *image)
{
  return odl_calibrated_scale (odl_session_annotations (self->session), frame->index,
                               odl_image_info (image));
}

void
odl_viewport_ground_subject (OdlViewport *self,
                             const OdlGround *ground,
                             const OdlFrame *frame,
                             OdlImage *result,
                             OdlGroundSubject *made)
{
  const OdlImageInfo *info
      = odl_image_info (frame->volume ? frame->volume : frame->input);
  const bool tilted = odl_session_detail (self->session, "gantry-tilt") != NULL;
  const bool plane = ground->on.used;
  made->before = plane ? odl_on_plane_cut (frame->input, info, ground->on.plane)
                       : odl_image_ref (frame->input);
  made->after = !result ? NULL
                : plane ? odl_on_plane_cut (result, info, ground->on.plane)
                        : odl_image_ref (result);
  OdlImage *other = result && odl_frame_before (frame) != frame->input
                        ? odl_frame_before (frame)
                        : NULL;
  made->other = !other  ? NULL
                : plane ? odl_on_plane_cut (other, info, ground->on.plane)
                        : odl_image_ref (other);
  made->subject = (OdlSubject){
    .scale = plane ? odl_on_plane_scale (info, &ground->on, tilted)
                   : odl_viewport_scale (self, frame, frame->input),
    .before = made->before,
    .after = made->after,
    .other = made->other,
    .filtered = frame->plan->result != frame->plan->source,
    .unit = odl_units_of (self->session),
  };
  odl_subject_set_suv (&made->subject, odl_session_detail (self->session, "suv-factor"),
                       odl_session_detail (self->session, "suv-unknown"));
}

void
odl_viewport_refuse_rendering (OdlViewport *self)
{
  g_signal_emit_by_name (self, "message",
                         _ ("Planes are measured. A rendered view has no depth at which "
                            "a length could lie."));
}
