// SPDX-License-Identifier: MIT
// What the files that find contours share.
#pragma once

#include "image/contour/snakes.h"

// The picture in cells, and the force on each.
typedef struct {
  int width, height; // cells
  int factor; // samples along a side of a cell
  uint8_t *inside;
  float *u, *v; // F, cells
} OdlSnakeField;

// False when memory is short. Free with odl_snake_field_clear.
bool odl_snake_field_init (OdlSnakeField *field, const OdlSnakes *snakes);
void odl_snake_field_clear (OdlSnakeField *field);

// A closed line in cells, clockwise about what is inside.
typedef struct {
  double (*points)[2];
  int n;
  double area; // cells; negative around holes
  int order; // in which it was found, row by row
} OdlOutline;

// Takes the shadow of what is outside off what is inside.
void odl_snake_take_shadow_off (OdlSnakeField *field);

// All outlines of at least `least` cells, the largest first, of equal ones that which was
// found first; at most ODL_CONTOUR_MOST. Their points are the
// corners of cells where the line turns. Transfer full; an array of OdlOutline that frees
// its points.
GArray *odl_snake_outlines (const OdlSnakeField *field, double least);
