// SPDX-License-Identifier: MIT
// Kernels of CONVOLVE: those that were read, and those that are made here.
#pragma once

#include "filter/recipe.h"
#include "image/image.h"
#include "image/operands.h"
#include "plan/step.h"

typedef struct {
  int width; // odd, 1 … ODL_PLAN_MAX_KERNEL
  int height; // likewise
  int depth; // likewise
  float *value; // slice by slice, row by row; of each time step after the other
  int duration; // time steps: likewise; 0 as 1
} OdlKernel;

// A quadrature filter: in frequency, R (ρ) D (u) with
//   R = exp (−4 ln² (ρ / frequency) / (bandwidth² ln 2)),
//   D = cos² of the angle between u and the direction where that is below a right one,
//   else 0
// G. Granlund, H. Knutsson, "Signal processing for computer vision" (1995), chapter 5.
typedef struct {
  double frequency; // radians per sample
  double bandwidth; // octaves
  double direction; // degrees from the x axis towards y
  double elevation; // degrees from there towards z
  double tempo; // degrees from there towards later
  bool imaginary; // the odd part, else the even one
} OdlQuadrature;

// False with a sentence that names the file `name` when the picture is no kernel of
// `dimensions` (2, 3, or 4 with time): of even sides or too large, of colours, without
// any coefficient but 0.
bool odl_kernel_check (const OdlImage *image,
                       int dimensions,
                       const char *name,
                       GError **error);

// What a kernel in four dimensions is along time; else it is not looked at.
typedef struct {
  int duration; // odd
  double sigma; // time steps
} OdlKernelTime;

// Each makes a kernel, for odl_kernel_clear. The stored values of a picture that was
// checked.
OdlKernel odl_kernel_of_image (const OdlImage *image);

// `along[axis]` are the factors of each axis, `side` of them, along time `duration`.
OdlKernel odl_kernel_of_factors (const double *const along[4],
                                 int dimensions,
                                 int side,
                                 int duration);

// Of 3: the sum of second differences along each axis; of 5: the sum of the differences
// to all neighbours.
OdlKernel odl_kernel_laplace (int dimensions, int side);

// Sampled Gaussian with a sum of 1.
OdlKernel
odl_kernel_gaussian (int dimensions, int side, double sigma, const OdlKernelTime *time);

OdlKernel odl_kernel_quadrature (int dimensions,
                                 int side,
                                 int duration,
                                 const OdlQuadrature *shape);

// What item `item` of `recipe`, a `convolve`, convolves with (plan/spatial/convolve.c).
// Width 0: it has a file that `operands`, which may be NULL, lack.
OdlKernel
odl_kernel_of_item (const OdlRecipe *recipe, int item, const OdlOperands *operands);

// How far its results lie from 0 at most, where the sum of its coefficients is 0, as a
// multiple of the range of the samples; else 0, and so it is without a file that it has.
// Of pictures that are filtered in time, of the whole kernel.
double odl_kernel_swing (const OdlRecipe *recipe, int item, const OdlOperands *operands);

// Likewise, if its shape is that.
OdlQuadrature odl_quadrature_of_item (const OdlRecipe *recipe, int item);

// The unit vector along which it looks.
void odl_quadrature_direction (const OdlQuadrature *shape, double n[4]);

// One direction of what is beyond a low band: in frequency H (ρ) times the square of the
// cosine of the angle between u and the unit vector `direction`, H = 1 − cos² (π ρ / 2
// cutoff) up to the cut-off (radians per sample), 1 beyond. Its sum is 0.
OdlKernel
odl_kernel_high_pass (int dimensions, int side, double cutoff, const double direction[4]);

// What a kernel in three or four dimensions is to a picture, which is a volume of one
// slice.
OdlKernel odl_kernel_flatten (const OdlKernel *kernel, OdlBorder border);

// The time step `t` of a kernel in four dimensions, as one in three.
OdlKernel odl_kernel_at (const OdlKernel *kernel, int t);

// Whether its time steps are multiples of one kernel, within rounding: then `weights` are
// what they are of the largest one, which *space becomes.
bool odl_kernel_split_time (const OdlKernel *kernel, double *weights, OdlKernel *space);

// The kernel as its factors along x, y and z, one after the other, within rounding: their
// number, without those of y and z where these are 1. 0: it has none.
int odl_kernel_split (const OdlKernel *kernel, OdlKernel factors[3]);

// Makes all coefficients 0.
void odl_kernel_erase (OdlKernel *kernel);

void odl_kernel_clear (OdlKernel *kernel);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlKernel, odl_kernel_clear)
