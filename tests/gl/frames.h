// SPDX-License-Identifier: MIT
// Frames that differ, and what becomes of each by itself: for tests of announced frames.
#pragma once

#include "fixture.h"

#define ODL_GL_TEST_MOST_FRAMES 9

typedef struct {
  OdlEngine *engine; // shared
  OdlPlan *plan;
  int n;
  OdlImage *frames[ODL_GL_TEST_MOST_FRAMES];
  OdlImage *alone[ODL_GL_TEST_MOST_FRAMES]; // results without any hint
} OdlGlTestFrames;

// `n` frames of noise for `recipe`, in the variant that the shared engine has.
void odl_gl_test_frames_init (OdlGlTestFrames *f,
                              const char *recipe,
                              int n,
                              int width,
                              int height,
                              int channels,
                              OdlSampleType type);
void odl_gl_test_frames_clear (OdlGlTestFrames *f);

// Runs `plan`, of theirs or another one, on a frame.
void odl_gl_test_frames_run (const OdlGlTestFrames *f, OdlPlan *plan, int frame);

// A slot of the plan that ran last. Transfer full.
OdlImage *odl_gl_test_frames_read (const OdlGlTestFrames *f, OdlPlan *plan, int slot);

// The result of a frame that nobody announced, with none announced behind it.
OdlImage *odl_gl_test_frames_alone (const OdlGlTestFrames *f, OdlPlan *plan, int frame);

// Fails the test unless the result of `plan`, which ran last, is `expected`, bit by bit.
void odl_gl_test_frames_check (const OdlGlTestFrames *f,
                               OdlPlan *plan,
                               const OdlImage *expected);
