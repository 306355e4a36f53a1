// SPDX-License-Identifier: MIT
// OdlSurface: what a grid of control points is the grid of: degrees, knots and weights of
// a NURBS surface (Piegl and Tiller, The NURBS Book, 2nd ed., 1997). The control points
// are an image of three channels x, y, z: columns go along u, rows along v. Immutable,
// counted by reference.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

#define ODL_SURFACE_MAX_DEGREE 5
#define ODL_SURFACE_MAX_SIDE 4096 // control points along u or v

// Directions.
enum { ODL_SURFACE_U, ODL_SURFACE_V, ODL_SURFACE_DIRECTIONS };

typedef struct {
  int points[ODL_SURFACE_DIRECTIONS]; // of the grid: its columns and rows
  int degree[ODL_SURFACE_DIRECTIONS]; // 1 … ODL_SURFACE_MAX_DEGREE
  bool rational; // has weights
} OdlSurfaceShape;

typedef struct {
  gatomicrefcount ref_count;
  OdlSurfaceShape shape;
  const double *knots[ODL_SURFACE_DIRECTIONS]; // points + degree + 1, never descending
  const double *range[ODL_SURFACE_DIRECTIONS]; // first and last parameter
  const double *weights; // above 0, row by row; NULL: all are 1
  double numbers[];
} OdlSurface;

// How many numbers a surface of that shape has: knots along u, along v, the first and
// last parameter along u, along v, weights. 0: the shape is out of range.
size_t odl_surface_count (const OdlSurfaceShape *shape);

// Copies odl_surface_count numbers. ODL_ERROR_CORRUPT when they are no surface; the
// message completes "Cannot open FILE: …". Any thread.
OdlSurface *
odl_surface_new (const OdlSurfaceShape *shape, const double *numbers, GError **error);

// A surface without weights whose knots are as far from each other as can be and which
// reaches to its outer control points.
OdlSurface *odl_surface_new_uniform (const OdlSurfaceShape *shape);

// Both accept NULL.
const OdlSurface *odl_surface_ref (const OdlSurface *surface);
void odl_surface_unref (const OdlSurface *surface);

// The B-splines along a direction that are not zero at parameter `at`, which is clamped
// to the range: degree + 1 values and derivatives (algorithm A2.3). Returns the number of
// the first one.
int odl_surface_basis (const OdlSurface *surface,
                       int direction,
                       double at,
                       double values[ODL_SURFACE_MAX_DEGREE + 1],
                       double derivatives[ODL_SURFACE_MAX_DEGREE + 1]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlSurface, odl_surface_unref)

G_END_DECLS
