// SPDX-License-Identifier: MIT
// The ways in which gl-fragment can transform. Analysis is the same in all but packed;
// synthesis makes even and odd samples, which have different kernels.
#pragma once

#include "engine/engine.h"
#include "engine/gl/caps.h"

typedef enum {
  ODL_GL_QUADS, // even and odd lines are drawn one by one, with a program each
  ODL_GL_PARITY, // one program looks at gl_FragCoord and picks its taps
  ODL_GL_STENCIL, // a program each, drawn over everything; the stencil test lets half
                  // pass
  ODL_GL_PACKED, // texels hold 2 × 2 samples, each pass makes them whole
  ODL_GL_MIRROR, // as parity, but the hardware mirrors, half a sample too far: inexact
  ODL_GL_N_VARIANTS,
} OdlGlVariant;

// By id, then an end with a NULL name.
extern const OdlEngineVariant odl_gl_variants[ODL_GL_N_VARIANTS + 1];

// The fastest exact one of a context.
OdlGlVariant odl_gl_variant_default (const OdlGlCaps *caps);

// `wanted`, or what runs in its place where it cannot run `plan`.
OdlGlVariant odl_gl_variant_for (OdlGlVariant wanted, const OdlPlan *plan);
