// SPDX-License-Identifier: MIT
// The frequencies of pictures that follow one another: each frame needs those about it,
// most of which the frame before has transformed.
#pragma once

#include <epoxy/gl.h>

#include "engine/gl/platform/caps.h"
#include "plan/flow.h"

typedef struct {
  int n;
  GLuint buffer[ODL_PLAN_MAX_KERNEL]; // of each term of the sum
  OdlLoaded held[ODL_PLAN_MAX_KERNEL]; // what these are of; an image of NULL: nobody's
  bool due[ODL_PLAN_MAX_KERNEL]; // they are to be made in this frame
} OdlGlFrequencies;

// GL current, as for all of these.
void odl_gl_frequencies_make (OdlGlFrequencies *kept,
                              const OdlGlCaps *caps,
                              int n,
                              size_t bytes);
void odl_gl_frequencies_clear (OdlGlFrequencies *kept);
void odl_gl_frequencies_forget (OdlGlFrequencies *kept);

// Finds, or has transformed, the picture of each term (no image: one that is nobody's),
// so that `buffer` changes its order. `before` gets the old one.
void odl_gl_frequencies_turn (OdlGlFrequencies *kept,
                              const OdlLoaded terms[],
                              GLuint before[]);
