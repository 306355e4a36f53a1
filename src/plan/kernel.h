// SPDX-License-Identifier: MIT
// Kernels of CONVOLVE: those that were read, and those that are made here.
#pragma once

#include "image/image.h"
#include "plan/step.h"

G_BEGIN_DECLS

typedef struct {
  int width; // odd, 1 … ODL_PLAN_MAX_KERNEL
  int height; // likewise
  float value[4 * ODL_PLAN_KERNEL_QUADS]; // row by row; what is left is 0
} OdlKernel;

// A quadrature filter: in frequency, R (ρ) D (u) with
//   R = exp (−4 ln² (ρ / frequency) / (bandwidth² ln 2)),
//   D = cos² of the angle between u and `direction` where that is below a right one, else
//   0
// G. Granlund, H. Knutsson, "Signal processing for computer vision" (1995), chapter 5.
typedef struct {
  double frequency; // radians per sample
  double bandwidth; // octaves
  double direction; // degrees from the x axis towards y
  bool imaginary; // the odd part, else the even one
} OdlQuadrature;

// False with a sentence that names the file `name` when the picture is no kernel: of even
// sides or too large, of colours, without any coefficient but 0.
bool odl_kernel_check (const OdlImage *image, const char *name, GError **error);

// The stored values of a picture that was checked.
void odl_kernel_init_image (OdlKernel *kernel, const OdlImage *image);

// Sampled Gaussian with a sum of 1.
void odl_kernel_init_gaussian (OdlKernel *kernel, int side, double sigma);

void odl_kernel_init_quadrature (OdlKernel *kernel, int side, const OdlQuadrature *shape);

// Whether the kernel is that of `column` and `row`, one after the other, within rounding.
bool odl_kernel_split (const OdlKernel *kernel, OdlKernel *row, OdlKernel *column);

G_END_DECLS
