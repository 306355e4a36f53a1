// SPDX-License-Identifier: MIT
// Contours: closed lines about parts of a picture, as one row of floats, which is how
// they travel from the step that finds them to those that use them and to the window.
//
// Coordinates are pixels, x to the right and y downwards from the upper left corner, so
// that the centre of the first sample is at (0.5, 0.5). What an odd number of contours
// surrounds is inside: a hole is a contour within another one.
//
// For each row of the picture the row of floats also has where the contours cross the
// line through its centres, in ascending order: sample x is inside where the number of
// crossings at or before x + 0.5 is odd. Whoever needs a mask looks there and gets the
// same one as everybody else. Crossings beyond ODL_CONTOUR_CROSSINGS are left out, from
// the right.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define ODL_CONTOUR_MOST 64
#define ODL_CONTOUR_MOST_POINTS 4096 // of all together
#define ODL_CONTOUR_CROSSINGS 62 // of a row, an even number

enum {
  ODL_CONTOUR_COUNT,
  ODL_CONTOUR_STARTED, // how many there were before some shrank to nothing
  ODL_CONTOUR_SHARE, // of all samples, that are inside
  ODL_CONTOUR_ENDS, // of contour i: the first point that is no longer its own
  ODL_CONTOUR_POINTS = ODL_CONTOUR_ENDS + ODL_CONTOUR_MOST, // x, y, x, y, …
  ODL_CONTOUR_ROWS = ODL_CONTOUR_POINTS + 2 * ODL_CONTOUR_MOST_POINTS,
  ODL_CONTOUR_ROW = 1 + ODL_CONTOUR_CROSSINGS, // of each row: how many, then their x
};

// Floats for a picture of so many rows.
int odl_contour_numbers (int height);

static inline int
odl_contour_count (const float *numbers)
{
  return (int) numbers[ODL_CONTOUR_COUNT];
}

// The points first … end − 1 of contour i: point k is at x = numbers[ODL_CONTOUR_POINTS +
// 2 k], y = numbers[… + 1].
static inline int
odl_contour_first (const float *numbers, int i)
{
  return i == 0 ? 0 : (int) numbers[ODL_CONTOUR_ENDS + i - 1];
}

static inline int
odl_contour_end (const float *numbers, int i)
{
  return (int) numbers[ODL_CONTOUR_ENDS + i];
}

// The area that contour i surrounds, in pixels; below 0 where the line goes round it
// against the clock.
double odl_contour_area (const float *numbers, int i);

// Row y of the mask: 1 inside, else 0. Any thread.
void odl_contour_mask_row (const float *numbers, int width, int y, uint8_t *row);

// Fills in the crossings of each row and the share, from the points. For makers.
void odl_contour_complete (float *numbers, int width, int height);
