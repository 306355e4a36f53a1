// SPDX-License-Identifier: MIT
// Shared by the files that compile steps to draw calls: adding a draw call, and the
// kernel of a step along one axis.
#pragma once

#include "engine/gl/steps.h"

typedef struct {
  const OdlGlStepsParams *params;
  GArray *draws;
  int index; // of the step in the plan
  const OdlStep *step;
  const OdlSlot *out;
  const OdlGlTextureStore *target;
  const OdlGlTextureStore *sources[3]; // NULL where the step reads nothing
  GError **error;
} OdlGlCompiler;

typedef struct {
  OdlGlPassId pass;
  const char *defines;
  bool lines; // lines.vert: quads over every second line
  int reach; // farthest sample that the kernel reads, for the choice of border rule
  int shortest; // of the lines that it runs along
  int framebuffer;
} OdlGlDrawParams;

// Appends a draw call over the whole target; NULL when its program fails.
OdlGlDraw *odl_gl_compiler_draw (OdlGlCompiler *c, const OdlGlDrawParams *params);

static inline bool
odl_gl_compiler_is_colour (const OdlGlCompiler *c)
{
  return c->out->channels == 3;
}

static inline const char *
odl_gl_compiler_axis (const OdlGlCompiler *c)
{
  return c->step->axis == ODL_AXIS_X ? "#define AXIS 0\n" : "#define AXIS 1\n";
}

// Lines of the target along the axis of a step: from … to − 1.
typedef struct {
  int from, to;
} OdlGlRange;

// Restricts a draw call to some lines.
void odl_gl_compiler_cut (const OdlGlCompiler *c, OdlGlDraw *draw, OdlGlRange lines);

// For software rasterisers, where folding an index costs as much as a fetch: splits the
// last draw call so that its `inside`, where kernels reach no border, has a program that
// does not fold.
bool odl_gl_compiler_split (OdlGlCompiler *c,
                            const OdlGlDrawParams *params,
                            OdlGlRange inside);

// A step along one axis in numbers. Analysis and synthesis are one thing: output pair m
// is the sum over d of low[d] · e[m + low_first + d] + high[d] · o[m + high_first + d],
// where e and o are the even and odd samples that it reads (for synthesis: the low and
// high coefficients), .x is for the first of the pair (low, or the even sample) and .y
// for the second.
typedef struct {
  int n; // samples of a line
  int length; // of these, transformed; one that is left is copied
  float taps[2][ODL_GL_MAX_TAPS][2]; // of e, of o
  int first[2], count[2];
  OdlTaps own[2][2]; // by output (first, second of a pair) and input (e, o)
} OdlGlKernel;

void odl_gl_kernel_init (OdlGlKernel *kernel, const OdlStep *step, int n);

// A kernel that copies, for lines of one sample and for the last sample of an odd line.
void odl_gl_kernel_init_copy (OdlGlKernel *kernel, int n);

// Farthest that an output reaches, in samples.
int odl_gl_kernel_reach (const OdlGlKernel *kernel);

// Pairs whose samples lie inside the line.
OdlGlRange odl_gl_kernel_interior (const OdlGlKernel *kernel);

// #define LOW_FIRST, LOW_SIZE, LOW_BEGIN, LOW_END and the same for HIGH, and BORDER;
// `output` 0 or 1 limits BEGIN … END to what that one of a pair needs, and −1 does not.
char *odl_gl_kernel_defines (const OdlGlKernel *kernel, const OdlStep *step, int output);

void odl_gl_kernel_set (const OdlGlKernel *kernel, const OdlStep *step, OdlGlDraw *draw);

// Sets taps of e and o together, about one origin: returns it and how many there are.
typedef struct {
  int first, count;
} OdlGlTapRange;
OdlGlTapRange odl_gl_kernel_range (const OdlGlKernel *kernel);
void
odl_gl_kernel_set_pairs (const OdlGlKernel *kernel, const OdlStep *step, OdlGlDraw *draw);
