// SPDX-License-Identifier: MIT
// The window of results that the file's window suits not: those about 0, and tensors.
#pragma once

#include "filter/recipe.h"
#include "image/display/display.h"
#include "image/operands.h"

// What a structure tensor shows, if it is the last filter that acts and no view looks
// into the recipe; else NULL. Static. Any thread.
const char *odl_result_tensor_output (const OdlRecipe *recipe);

// How far the results of a recipe go from 0, as odl_kernel_swing, if a convolution is the
// last filter that acts, likewise; else 0. `operands` may be NULL. Any thread.
double odl_result_swing (const OdlRecipe *recipe, const OdlOperands *operands);

// The window that a result is seen in: `window`, but where that is the file's or the full
// range,
//   of a kernel whose sum is 0: about the value 0, so that 0 is grey, as wide as the
//     window that is replaced times a quarter of the swing: 90 % of what Sobel's and
//     Laplace's kernels and quadrature filters make of CT, MR and ultrasound lie within;
//   of a structure tensor: the full range, for energies an eighth of the window, from 0.
// `info` describes the source. Any thread.
OdlWindow odl_result_window (const OdlRecipe *recipe,
                             const OdlOperands *operands,
                             const OdlImageInfo *info,
                             const OdlWindow *window);
