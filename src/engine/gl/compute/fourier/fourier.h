// SPDX-License-Identifier: MIT
// CONVOLVE by Fourier transforms in compute shaders (shaders/fourier/lines.comp), a
// dispatch for each axis and direction. Pictures are taken apart into blocks that overlap
// by what the kernel reaches, as in engine/cpu/steps/fourier.c; all of them go at once.
// The picture of a bank of kernels (plan/flow.h) is transformed once for all of them. Of
// sums of banks frequencies are added up, so that each kernel's result goes back once;
// the frequencies of pictures that a frame shares with the one before are kept
// (frequencies.h).
#pragma once

#include "engine/engine.h"
#include "engine/gl/compute/fourier/radix.h"
#include "engine/gl/compute/fourier/frequencies.h"
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

// One step, those of a bank, or those of a sum of banks.
typedef struct {
  OdlBankSum bank; // terms 1: no sum
  OdlGlFourierAxis axis[3];
  int last; // the axis along which two blocks go as one: 2 of volumes, 1 of pictures
  int pairs; // of blocks, of all channels
  int depth; // slices that the transform knows of
  int coefficients; // where the kernels' begin in the tables, pairs of floats
  int each; // likewise from one kernel to the next
  GLuint tables;
  GLuint *spectra; // of each kernel, for all terms
  OdlGlFrequencies kept; // of a sum
  float *kernels; // whose spectra these are; NULL: none yet
} OdlGlFourier;

// The first binding of a sum's terms in shaders/fourier/lines.comp.
#define ODL_GL_FOURIER_TERMS 4

typedef struct _OdlGlFouriers OdlGlFouriers;

// What the convolutions of `plan` need that go so. `engine` has their prices, is told the
// gain, and counts buffers. Without memory ODL_ERROR_GPU or ODL_ERROR_TOO_LARGE, but
// where the fastest way is wanted all go directly. `sums`: no slot of what is added up
// need be there. GL current.
OdlGlFouriers *odl_gl_fouriers_new (const OdlGlCaps *caps,
                                    const OdlPlan *plan,
                                    const OdlGlStores *stores,
                                    OdlGlConvolving convolving,
                                    bool sums,
                                    OdlEngine *engine,
                                    GError **error);
void odl_gl_fouriers_free (OdlGlFouriers *fouriers); // GL current; NULL is fine

// Of a step that is a convolution, or adds up some; NULL: it goes another way.
const OdlGlFourier *odl_gl_fouriers_at (const OdlGlFouriers *fouriers, int step);

// The buffers of the points, for all steps in turn: those that passes work on, and the
// frequencies of what a bank reads.
GLuint odl_gl_fouriers_points (const OdlGlFouriers *fouriers);
GLuint odl_gl_fouriers_whole (const OdlGlFouriers *fouriers);

// Writes the kernels of this frame's step, or its bank, to the tables if they are others
// than before. True: their spectra are to be made. GL current.
bool odl_gl_fouriers_renew (OdlGlFouriers *fouriers, int index, const OdlPlan *plan);

// The pictures of this frame, whose input is `input`: what is due of the sums.
void odl_gl_fouriers_begin (OdlGlFouriers *fouriers,
                            const OdlPlan *plan,
                            OdlImage *input,
                            GArray *dispatches);

// Whether the frame has to transform term `term` of the sum that `step` belongs to.
bool odl_gl_fouriers_is_due (const OdlGlFouriers *fouriers, int step, int term);

bool odl_gl_fouriers_have_sums (const OdlGlFouriers *fouriers);

// After a frame that failed.
void odl_gl_fouriers_forget (OdlGlFouriers *fouriers);

// Points of a pair of blocks.
size_t odl_gl_fourier_volume (const OdlGlFourier *fourier);
