// SPDX-License-Identifier: MIT
// Display shutters (PS3.3 C.7.6.11): which samples of a picture their shapes cover.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "image/display/view.h"

G_BEGIN_DECLS

// Edges and vertices may lie this far from the picture. Polygons have few corners; each
// row is compared with all of them.
#define ODL_SHUTTER_MOST_PLACE 1e6
#define ODL_SHUTTER_MOST_VERTICES 1024u

// Columns (x) and rows (y) from 1, as DICOM counts them. What any of its shapes covers is
// covered.
typedef struct {
  bool has_rectangle, has_circle;
  double left, right, upper, lower; // edges, which are shown themselves
  OdlPoint centre;
  double radius; // in columns
  double aspect; // columns that a row is high
  guint n_vertices; // of a polygon; 0: there is none
  OdlPoint vertices[ODL_SHUTTER_MOST_VERTICES];
} OdlShutter;

// The shape of that name, by numbers as the elements of the standard have them; how many
// there are is in `n`. False: they make none.
bool odl_shutter_set_rectangle (OdlShutter *shutter, const double edges[4]);
bool odl_shutter_set_circle (OdlShutter *shutter, const double row_column_radius[3]);
bool odl_shutter_set_polygon (OdlShutter *shutter, const double *rows_columns, gsize n);

// Sets the bits (as OdlOverlay) of what is covered; returns of how many samples. Any
// thread.
gsize odl_shutter_cover (const OdlShutter *shutter, int width, int height, uint8_t *bits);

G_END_DECLS
