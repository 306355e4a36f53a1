// SPDX-License-Identifier: MIT
// From the steps of a plan to dispatches of compute shaders. The steps along x and y of a
// level are one dispatch, and synthesis shrinks the detail as it reads it.
#pragma once

#include "engine/gl/compute/fourier/fourier.h"
#include "engine/gl/compute/fusion/fusion.h"
#include "engine/gl/compute/shape.h"
#include "engine/gl/compute/stores.h"
#include "engine/gl/platform/program.h"
#include "plan/flow.h"

typedef struct _OdlGlBm3dStreams OdlGlBm3dStreams; // bm3d_streams.h

#define ODL_GL_DISPATCH_BUFFERS 16 // sums in time bind as many
#define ODL_GL_KERNEL_BINDING 2 // of a volume's kernel
#define ODL_GL_SUM_BINDING 3 // of what a convolution is added to

typedef struct {
  const OdlGlProgram *program;
  GLuint buffers[ODL_GL_DISPATCH_BUFFERS]; // by binding; 0: none
  unsigned written; // bits: the bindings that it writes; 0: the last one
  unsigned rewritten; // those of `written` that it reads, too
  bool once; // for each kernel, not for each frame
  int term; // of a sum in time, from 1, that it transforms if that is due; 0: none
  bool overlaps; // the next one needs nothing of it and leaves alone what it uses
  GLuint texture; // of unit 0; 0: none
  GLuint groups[3];
  OdlGlLevelKind lanes; // what rows of lanes march over; samples 0: others
  // With what an earlier frame has kept; NULL: it is the same.
  const OdlGlProgram *resumed;
  const OdlGlProgram *observed; // while numbers are; NULL: the same
  int step; // of the plan, the last that this dispatch completes
  int parameters; // step whose parameters it takes
  OdlBank bank; // of convolutions, of which it takes all kernels; count 0: none
  const OdlGlFusion *fusion; // takes those of several steps; NULL for others
  OdlGlUniforms uniforms;
} OdlGlDispatch;

typedef struct {
  const OdlGlCaps *caps;
  const OdlPlan *plan;
  OdlGlStores *stores;
  const GArray *past; // GLuint, of each step over time, or that measures
  OdlGlPrograms *programs;
  const GArray *fusions; // OdlGlFusion: levels that go as one dispatch
  const OdlGlFouriers *fouriers; // of convolutions
  OdlGlBm3dStreams *streams; // of BM3D of several frames
  const OdlGlTuning *tuning;
  bool accumulates; // ADD takes the convolution before it, as odl_gl_accumulates says
  bool convolution; // filter banks even where the wavelet has lifting steps
} OdlGlDispatchParams;

// All dispatches (OdlGlDispatch), in their order; LOAD has one without program and
// source. Links programs. ODL_ERROR_GPU, ODL_ERROR_UNSUPPORTED. GL current.
GArray *odl_gl_dispatches_compile (const OdlGlDispatchParams *params, GError **error);

// The LOAD pass for samples of a kind (`defines`, of shaders/include/stored.glsl).
// ODL_ERROR_GPU.
const OdlGlProgram *odl_gl_load_program (const OdlGlDispatchParams *params,
                                         const char *defines,
                                         GError **error);

// Whether step `index` adds what the convolution before it has made, which nothing else
// reads: then one dispatch may do both.
bool odl_gl_accumulates (const OdlPlan *plan, int index);

// The convolutions that go as one dispatch with step `index`, as many as it has buffers
// for.
OdlBank odl_gl_bank_of (const OdlGlCaps *caps, const OdlPlan *plan, int index);

// Whether a volume's kernel is small enough for convolve_stream.comp.
bool odl_gl_kernel_streams (const OdlStep *step);

// Bytes of the coefficients of a volume's kernel, or of a bank of kernels with its last
// step, each row in whole quads; 0 for others.
size_t odl_gl_kernel_bytes (const OdlGlCaps *caps, const OdlPlan *plan, int index);

// Writes them, if there are any and they are others than before, to the dispatch's buffer
// of them. `written` keeps what lies there, by step, for g_free. GL current.
void odl_gl_write_kernels (GPtrArray *written,
                           const OdlGlDispatch *dispatch,
                           const OdlGlCaps *caps,
                           const OdlPlan *plan);

// Bytes that a measuring step needs between its dispatches, which leave zeros there; 0:
// none.
size_t odl_gl_measure_bytes (const OdlStep *step);

// #define lines for shaders that shrink by the numbers of slot `numbers`; "" for none.
const char *odl_gl_measured_defines (int numbers);

// What `step`, FORWARD x or INVERSE y, would have written to its slot, as one picture of
// single floats that alternates low and high columns; the caller adds buffers[2]. False
// and ODL_ERROR_GPU when the program fails.
bool odl_gl_compile_half (const OdlGlDispatchParams *params,
                          int step,
                          OdlGlDispatch *dispatch,
                          GError **error);

// A pass that copies a picture into the texture of image unit 0. `format`: "r32f".
bool odl_gl_compile_show (const OdlGlDispatchParams *params,
                          int slot,
                          const char *format,
                          OdlGlDispatch *dispatch,
                          GError **error);

// Whether such steps can be compiled.
bool odl_gl_dispatches_have_step (const OdlStep *step);

// Likewise in plans for volumes.
bool odl_gl_dispatches_have_volume_step (const OdlStep *step);

// Takes over the parameters of this frame's `plan`.
void odl_gl_dispatch_parameters (OdlGlDispatch *dispatch, const OdlPlan *plan);

// Issues a dispatch; what earlier ones wrote is visible to it, but for those that it may
// overlap. GL current.
void odl_gl_dispatch (const OdlGlDispatch *dispatch);
