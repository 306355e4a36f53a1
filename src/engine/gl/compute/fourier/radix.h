// SPDX-License-Identifier: MIT
// Fourier transforms of lines in two steps, each in the registers of an invocation
// (shaders/fourier/lines.comp): first of `first` points that stand `second` apart, then,
// turned, of `second` points that follow one another.
#pragma once

#include <glib.h>
#include <stdbool.h>

#define ODL_GL_MOST_POINTS 400

typedef struct {
  int first, second;
} OdlGlRadix;

static inline int
odl_gl_radix_points (OdlGlRadix radix)
{
  return radix.first * radix.second;
}

// The least such transform of at least `n` points, 1 … ODL_GL_MOST_POINTS.
OdlGlRadix odl_gl_radix_for (int n);

// How many turns there are, pairs of floats, and writes them: those of what the first
// step leaves of line j · second …, but for its first point, one line after the other.
int odl_gl_radix_turns (OdlGlRadix radix);
void odl_gl_radix_write_turns (OdlGlRadix radix, float *turns);

// Appends the macro TRANSFORMS, functions of GLSL for both steps, and EACH_FIRST (macro)
// and EACH_SECOND (macro), which call it with each number of a point in a step.
void odl_gl_radix_append (OdlGlRadix radix, GString *text);
