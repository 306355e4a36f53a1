// SPDX-License-Identifier: MIT
// Surfaces as Wavefront OBJ files: the control points with degrees and knots, or a mesh
// for programs that know no NURBS.
#pragma once

#include "image/surface/mesh.h"
#include "output/output.h"

// Whether the name ends with .obj.
bool odl_surface_name_is_known (const char *path);

// The surface of these control points (mesh.h), which read_frame of such a file gives
// back. `description` in a comment. ODL_ERROR_IO. Any thread.
bool odl_surface_write (OdlOutput *output,
                        const OdlSurface *surface,
                        const float *points,
                        const char *description,
                        GError **error);

// Its mesh: vertices, normals, quadrilaterals.
bool odl_surface_write_mesh (OdlOutput *output,
                             const OdlSurface *surface,
                             const float *points,
                             const char *description,
                             GError **error);
