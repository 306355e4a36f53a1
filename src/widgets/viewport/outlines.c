// SPDX-License-Identifier: MIT
#include "widgets/viewport/outlines.h"

#include <string.h>

#include "widgets/viewport/private.h"

void
odl_viewport_clear_outlines (OdlViewport *self)
{
  odl_outlines_unref (self->outlined.outlines);
  self->outlined = (OdlOutlined){ 0 };
}

void
odl_viewport_set_outlines (OdlViewport *self,
                           const OdlFrame *frame,
                           OdlOutlines *outlines)
{
  if (!outlines && !self->outlined.outlines)
    return;
  odl_viewport_clear_outlines (self);
  // The next ones may lie at the same address.
  odl_drawing_clear (&self->drawing);
  if (outlines)
    self->outlined = (OdlOutlined){ .outlines = odl_outlines_ref (outlines),
                                    .source_serial = frame->source_serial,
                                    .index = frame->index,
                                    .planes = frame->planes,
                                    .voxel = frame->voxel,
                                    .oblique = frame->oblique };
  odl_viewport_redraw (self);
  odl_viewport_tell_stale (self, ODL_STALE_CORNERS);
}

// Of planes the cross-hair and how they are turned say where they lie.
static bool
is_made_for (const OdlOutlined *outlined, const OdlFrame *frame)
{
  return outlined->source_serial == frame->source_serial
         && outlined->planes == frame->planes
         && (frame->planes
                 ? memcmp (&outlined->voxel, &frame->voxel, sizeof frame->voxel) == 0
                       && memcmp (&outlined->oblique, &frame->oblique,
                                  sizeof frame->oblique)
                              == 0
                 : outlined->index == frame->index);
}

const OdlOutlines *
odl_viewport_outlines (OdlViewport *self, const OdlFrame *frame)
{
  const OdlOutlined *outlined = &self->outlined;
  return outlined->outlines && !self->window.hide_overlay && !frame->renders
                 && frame->plan->details.levels == 0 && !odl_viewport_shows_surface (self)
                 && is_made_for (outlined, frame)
             ? outlined->outlines
             : NULL;
}
