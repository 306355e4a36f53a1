// SPDX-License-Identifier: MIT
// The frequencies of pictures that follow one another: each frame needs those about it,
// most of which the frame before has transformed.
#pragma once

#include <epoxy/gl.h>

#include "engine/gl/platform/caps.h"
#include "plan/plan.h"

typedef struct {
  int n;
  GLuint buffer[ODL_PLAN_MAX_KERNEL]; // of each term of the sum
  OdlImage *held[ODL_PLAN_MAX_KERNEL]; // whose frequencies these are; NULL: nobody's
  bool due[ODL_PLAN_MAX_KERNEL]; // they are to be made in this frame
} OdlGlRing;

// GL current, as for all of these.
void odl_gl_ring_make (OdlGlRing *ring, const OdlGlCaps *caps, int n, size_t bytes);
void odl_gl_ring_clear (OdlGlRing *ring);
void odl_gl_ring_forget (OdlGlRing *ring);

// Finds, or has transformed, the picture of each term (NULL: one that is nobody's), so
// that `buffer` changes its order. `before` gets the old one.
void odl_gl_ring_turn (OdlGlRing *ring, OdlImage *const images[], GLuint before[]);
