// SPDX-License-Identifier: MIT
#include "widgets/viewport/surface/surface_meshes.h"

void
odl_surface_meshes_clear (OdlSurfaceMeshes *self)
{
  g_clear_pointer (&self->of, odl_frame_unref);
  g_clear_pointer (&self->mesh, odl_mesh_unref);
  g_clear_pointer (&self->original, odl_mesh_unref);
  g_clear_pointer (&self->net, odl_mesh_unref);
  g_clear_pointer (&self->original_net, odl_mesh_unref);
}

void
odl_surface_meshes_take (OdlSurfaceMeshes *self, OdlFrame *frame, OdlImage *result)
{
  const OdlImageInfo *info = odl_image_info (frame->input);
  const bool same_input = self->of && self->of->input == frame->input;
  if (self->of == frame)
    return;
  g_autofree float *points = odl_surface_points (result, info);
  g_clear_pointer (&self->mesh, odl_mesh_unref);
  g_clear_pointer (&self->net, odl_mesh_unref);
  self->mesh = odl_mesh_new (info->surface, points);
  self->net = odl_mesh_new_net (info->surface, points);
  if (!same_input) {
    g_autofree float *before = odl_surface_points (frame->input, info);
    g_clear_pointer (&self->original, odl_mesh_unref);
    g_clear_pointer (&self->original_net, odl_mesh_unref);
    self->original = odl_mesh_new (info->surface, before);
    self->original_net = odl_mesh_new_net (info->surface, before);
  }
  g_clear_pointer (&self->of, odl_frame_unref);
  self->of = odl_frame_ref (frame);
}

OdlLookScene
odl_surface_meshes_scene (const OdlSurfaceMeshes *self, const OdlScene *scene)
{
  const bool before = scene->show_original;
  OdlMesh *net = before ? self->original_net : self->net;
  return (OdlLookScene){ .mesh = before ? self->original : self->mesh,
                         .original = before ? NULL : self->original,
                         .net = scene->shows_net ? net : NULL,
                         .whole = self->original,
                         .look = scene->look,
                         .wipe_x = before ? 0 : scene->wipe_x };
}
