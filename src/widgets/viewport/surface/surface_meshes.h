// SPDX-License-Identifier: MIT
// The surface of a grid of control points on the canvas: its meshes, kept while frame and
// result are the same.
#pragma once

#include "image/surface/look.h"
#include "widgets/viewport/canvas.h"

typedef struct {
  OdlFrame *of; // NULL: none
  OdlMesh *mesh, *original;
  OdlMesh *net, *original_net; // control points of either
} OdlSurfaceMeshes;

// Those of a frame whose picture has a surface; `result` is what the filters made of it.
void
odl_surface_meshes_take (OdlSurfaceMeshes *meshes, OdlFrame *frame, OdlImage *result);
void odl_surface_meshes_clear (OdlSurfaceMeshes *meshes);

// What a canvas draws of them; borrowed.
OdlLookScene odl_surface_meshes_scene (const OdlSurfaceMeshes *meshes,
                                       const OdlScene *scene);
