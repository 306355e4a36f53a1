// SPDX-License-Identifier: MIT
// CONVOLVE by Fourier transforms in compute shaders (shaders/fourier/lines.comp), a
// dispatch for each axis and direction. Pictures are taken apart into blocks that overlap
// by what the kernel reaches, as in engine/cpu/steps/fourier.c; all of them go at once.
// The picture of a bank of kernels (plan/flow.h) is transformed once for all of them.
#pragma once

#include "engine/gl/compute/fourier/radix.h"
#include "engine/gl/compute/stores.h"
#include "plan/flow.h"

// Which convolutions go so: those that are counted to be faster, none, or all that can.
typedef enum {
  ODL_GL_CONVOLVE_FASTEST,
  ODL_GL_CONVOLVE_DIRECT,
  ODL_GL_CONVOLVE_FOURIER,
} OdlGlConvolving;

typedef struct {
  int own; // samples that a block makes; the last one may have less
  int blocks;
  int radius;
  OdlGlRadix radix;
  int turns; // where its turns begin in the tables, pairs of floats
} OdlGlFourierAxis;

// One step, or those of a bank.
typedef struct {
  OdlBank bank;
  OdlGlFourierAxis axis[3];
  int last; // the axis along which two blocks go as one: 2 of volumes, 1 of pictures
  int pairs; // of blocks, of all channels
  int depth; // slices that the transform knows of
  int coefficients; // where the kernels' begin in the tables, pairs of floats
  int each; // likewise from one kernel to the next
  GLuint tables;
  GLuint *spectra; // of each kernel
  float *kernels; // whose spectra these are; NULL: none yet
} OdlGlFourier;

typedef struct _OdlGlFouriers OdlGlFouriers;

// What the convolutions of `plan` need that go so. `created` counts buffers. Without
// memory ODL_ERROR_GPU or ODL_ERROR_TOO_LARGE, but where the fastest way is wanted all go
// directly. GL current.
OdlGlFouriers *odl_gl_fouriers_new (const OdlGlCaps *caps,
                                    const OdlPlan *plan,
                                    const OdlGlStores *stores,
                                    OdlGlConvolving convolving,
                                    size_t *created,
                                    GError **error);
void odl_gl_fouriers_free (OdlGlFouriers *fouriers); // GL current; NULL is fine

// Of a step; NULL: it goes another way.
const OdlGlFourier *odl_gl_fouriers_at (const OdlGlFouriers *fouriers, int step);

// The buffers of the points, for all steps in turn: those that passes work on, and the
// frequencies of what a bank reads.
GLuint odl_gl_fouriers_points (const OdlGlFouriers *fouriers);
GLuint odl_gl_fouriers_whole (const OdlGlFouriers *fouriers);

// Writes the kernels of this frame's step, or its bank, to the tables if they are others
// than before. True: their spectra are to be made. GL current.
bool odl_gl_fouriers_renew (OdlGlFouriers *fouriers, int index, const OdlPlan *plan);

// Points of a pair of blocks.
size_t odl_gl_fourier_volume (const OdlGlFourier *fourier);
