// SPDX-License-Identifier: MIT
// CONVOLVE by Fourier transforms in compute shaders (shaders/fourier/lines.comp), a
// dispatch for each axis and direction. Pictures are taken apart into blocks that overlap
// by what the kernel reaches, as in engine/cpu/steps/fourier.c; all of them go at once.
#pragma once

#include "engine/cpu/kernels/fourier.h"
#include "engine/gl/compute/stores.h"

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
  OdlCpuFourier fourier;
  int turns; // where those of its stages begin in the tables, pairs of floats
} OdlGlFourierAxis;

// One step.
typedef struct {
  int step;
  OdlGlFourierAxis axis[3];
  int last; // the axis along which two blocks go as one: 2 of volumes, 1 of pictures
  int pairs; // of blocks, of all channels
  int depth; // slices that the transform knows of
  int coefficients; // where the kernel's begin in the tables, pairs of floats
  GLuint tables, spectrum;
  float *kernel; // whose spectrum that is; NULL: none yet
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

// The buffer of the points, for all steps in turn.
GLuint odl_gl_fouriers_points (const OdlGlFouriers *fouriers);

// Writes the kernel of this frame's step to the tables if it is another one than before.
// True: its spectrum is to be made. GL current.
bool odl_gl_fouriers_renew (OdlGlFouriers *fouriers, int index, const OdlStep *step);

// Points of a pair of blocks.
size_t odl_gl_fourier_volume (const OdlGlFourier *fourier);
