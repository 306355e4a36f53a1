// SPDX-License-Identifier: MIT
// What the GL tests share: contexts of both APIs, random images, comparison with the
// reference.
#pragma once

#include "engine/engine.h"
#include "engine/gl/headless.h"

// Runs `test` once in a desktop context and once in a GLES one, as PATH/desktop and
// PATH/es; skips, by name, what this machine cannot make.
void odl_gl_test_add (const char *path, void (*test) (void));

// Inside such a test.
OdlGlApi odl_gl_test_api (void);
OdlEngine *odl_gl_test_engine (void); // gl-fragment

// Reproducible noise over the whole stored range (F32: 0 … 1), interleaved.
OdlImage *
odl_gl_test_noise (int width, int height, int channels, OdlSampleType type, guint32 seed);

// A plan from recipe text, such as "soft-threshold:levels=3 precision=16".
OdlPlan *odl_gl_test_plan (const char *recipe, const OdlImage *image);

typedef struct {
  double max; // largest |a − b|; infinite for NaN or another shape
  int x, y, channel;
} OdlGlTestDifference;

// Leaves out a corner of skip_width × skip_height at the top left.
OdlGlTestDifference odl_gl_test_difference (const OdlImage *a,
                                            const OdlImage *b,
                                            int skip_width,
                                            int skip_height);

// Runs a recipe on `image` in `engine` and in the reference; returns how far the results
// are apart. Aborts the test with a message when one fails.
double odl_gl_test_distance (OdlEngine *engine,
                             const char *recipe,
                             OdlImage *image,
                             bool stepwise);

// Fails the current test when the context holds a GL error.
void odl_gl_test_no_gl_error (void);
