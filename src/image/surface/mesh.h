// SPDX-License-Identifier: MIT
// A NURBS surface as a mesh of quadrilaterals with normals, to be drawn or written.
#pragma once

#include "image/image.h"
#include "image/surface/surface.h"

#define ODL_MESH_FINEST 8 // pieces between two knots, at most
#define ODL_MESH_USUAL 256 // pieces along u or v, unless there are more knots
#define ODL_MESH_MOST 1024 // pieces along u or v, at most

// Immutable, counted by reference.
typedef struct {
  gatomicrefcount ref_count;
  int columns, rows; // of vertices: along u and v
  float *positions; // x, y, z of each vertex, row by row
  float *normals; // unit vectors, along ∂S/∂u × ∂S/∂v
} OdlMesh;

// The control points of `grid`, x, y, z each, row by row, in the unit of `info`: `grid`
// is that picture itself, or what filters made of it. 3 · columns · rows floats. Transfer
// full.
float *odl_surface_points (const OdlImage *grid, const OdlImageInfo *info);

// Evaluates the surface of these control points. Any thread.
OdlMesh *odl_mesh_new (const OdlSurface *surface, const float *points);
// The control net: its vertices are the points, without normals (NULL).
OdlMesh *odl_mesh_new_net (const OdlSurface *surface, const float *points);
OdlMesh *odl_mesh_ref (OdlMesh *mesh);
void odl_mesh_unref (OdlMesh *mesh); // accepts NULL

// The middle of the box about all vertices, and the radius of the sphere about it that
// holds them; the radius is above 0.
void odl_mesh_measure (const OdlMesh *mesh, float centre[3], float *radius);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlMesh, odl_mesh_unref)
