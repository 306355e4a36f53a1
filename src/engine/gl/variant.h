// SPDX-License-Identifier: MIT
// The variants of gl-fragment's transform.
#pragma once

#include "engine/engine.h"

typedef enum {
  // The published method: synthesis draws even and odd lines one by one, with a program
  // for the kernel of each.
  ODL_GL_QUADS,
  ODL_GL_PACKED, // texels hold 2 × 2 samples, each pass makes them whole; the fastest
  // As quads, with the published method's border as well: the sampler mirrors, half a
  // sample
  // too far, which is inexact.
  ODL_GL_MIRROR,
  ODL_GL_N_VARIANTS,
} OdlGlVariant;

// By id, then an end with a NULL name.
extern const OdlEngineVariant odl_gl_variants[ODL_GL_N_VARIANTS + 1];

// `wanted`, or what runs in its place where it cannot run `plan`.
OdlGlVariant odl_gl_variant_for (OdlGlVariant wanted, const OdlPlan *plan);
