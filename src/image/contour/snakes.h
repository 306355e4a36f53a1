// SPDX-License-Identifier: MIT
// Active contours (snakes): closed lines that edges of a picture attract.
//
// M. Kass, A. Witkin, D. Terzopoulos, "Snakes: active contour models", International
// Journal of Computer Vision 1 (1988); the force is gradient vector flow: C. Xu, J.
// Prince, "Snakes, shapes, and gradient vector flow", IEEE Transactions on Image
// Processing 7 (1998).
//
// The field is computed on cells of f × f samples, where f is the least for which no side
// has more than ODL_SNAKES_SIDE cells. e is the mean of the edge picture in a cell,
// divided by its largest value; the flow (u, v) starts as ∇e and goes ODL_SNAKES_FLOW
// steps of
//   u ← (u + μ ∇²u + |∇e|² e_x) / (1 + |∇e|²)
// with mirrored borders, v likewise: equation 13 with the second term taken at the new
// step, which is stable for every |∇e|. Only its direction counts: F = (u, v) / (|(u, v)|
// + ODL_SNAKES_FAINT).
//
// Cells are inside where at least half of their samples are, else outside likewise. The
// edge of a collimator has a shadow, a strip of cells along what is outside that pass for
// inside. It is as wide as the median, over all steps along the border of what is
// outside, of how many cells inside follow each other across; so many of them, and half
// as many again, are not inside. What leads out of the field keeps the rest.
//
// Each outline of what is inside, of holes too, starts a contour if it surrounds at least
// `smallest` of the picture; of more than ODL_CONTOUR_MOST the largest. Points stand
// about ODL_SNAKES_SPACING cells apart, further where there would be too many, and are
// spread evenly again every ODL_SNAKES_SPREAD steps. A step solves
//   (1 − α D² + β D⁴) p = q + ODL_SNAKES_SPEED · F (q)
// for the points p, from the ones before, q. D² is the second difference along the closed
// line, so that the matrix is circulant, and its inverse a convolution.
//
// At last points go to where edges are steepest in the picture itself, ODL_SNAKES_SETTLES
// times: along the normal of the line to the mean place of what lies up to a cell away,
// at least two samples, weighted by the squares of the edges; and the equation above,
// without a force, keeps the line smooth.
//
// By hand. Each pull takes the point that is nearest to a place, of all contours, to
// another one; of what lies along the line at a distance s below r, (1 − (s / r)²)² goes
// the same way, where r is how far the point goes, at least ODL_SNAKES_DRAGGED. Then
// points settle as above, but for those that were pulled, this one and earlier ones,
// which is a hard constraint in the place of Kass' springs.
//
// With `pinned`, points on a border of the picture stay on it: there what is inside ends
// without an edge.
//
// A contour that shrinks below a quarter of `smallest` is gone. Without edges all do that
// are not pinned.
#pragma once

#include "image/contour/contour.h"

#define ODL_SNAKES_SIDE 512
#define ODL_SNAKES_FLOW 80
#define ODL_SNAKES_STEPS 120
#define ODL_SNAKES_SPREAD 10
#define ODL_SNAKES_SETTLES 4
#define ODL_SNAKES_DRAGGED 8 // cells
#define ODL_SNAKES_SPACING 1.5
#define ODL_SNAKES_SPEED 0.3
#define ODL_SNAKES_FAINT 1e-4
#define ODL_SNAKES_FEWEST_CELLS 6

// Of samples and cells; 0: neither.
#define ODL_SNAKES_INSIDE 1
#define ODL_SNAKES_OUTSIDE 2

typedef struct {
  int width;
  int height;
  // Fills row y: how steep edges are, at least 0, and ODL_SNAKES_INSIDE for samples from
  // whose outline the contours start, ODL_SNAKES_OUTSIDE for those outside of the exposed
  // field, or 0. Called from several threads at once.
  void (*row) (const void *data, int y, float *edges, uint8_t *inside);
  // How steep edges are at a sample of the picture; the same numbers.
  float (*edge) (const void *data, int x, int y);
  const void *data;
  double tension; // α, 0 … 2
  double rigidity; // β, 0 … 2
  double diffusion; // μ, 0 … 0.25: how far edges are felt
  double smallest; // share of the picture
  bool pinned;
  const double *pulls; // from x, y to x, y each; samples
  int n_pulls;
} OdlSnakes;

// The contours, in odl_contour_numbers (height) floats. Never fails: what is too small or
// has no edges gives none. The same for any number of threads. Any one thread at a time.
void odl_snakes_find (const OdlSnakes *snakes, float *numbers);
