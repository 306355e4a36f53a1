// SPDX-License-Identifier: MIT
// What the GL tests share: contexts of both APIs, random images, comparison with the
// reference.
#pragma once

#include "engine/engine.h"
#include "engine/gl/fragment/fragment.h"
#include "engine/gl/platform/headless.h"

typedef struct {
  const char *name; // path below /gl-fragment/desktop/ and the like
  void (*test) (void);
  const char *engine; // the only ones that it is for, by name; NULL: all
} OdlGlTest;

// Runs every test in a desktop context, then in a GLES one, on the engine that
// ODL_TEST_ENGINE names (gl-fragment without); skips, by name, what this machine cannot
// make. The end of main.
int odl_gl_test_run (const OdlGlTest *tests, size_t n_tests);

// Inside such a test.
OdlGlApi odl_gl_test_api (void);
const char *odl_gl_test_engine_name (void);
OdlEngine *odl_gl_test_engine (void); // a new one
OdlEngine *odl_gl_test_shared_engine (void); // the same for all tests; do not close

// What each engine calls its own: textures, or buffers of gl-compute; its programs.
size_t odl_gl_test_working_set (OdlEngine *engine);
OdlGlPrograms *odl_gl_test_programs (OdlEngine *engine);

// Another texture limit than the context's, for engines that keep pictures in textures.
void odl_gl_test_set_max_side (OdlEngine *engine, int max_side);

// Chooses a variant of the engine under test (NULL: its own choice); false when it has
// none of that name.
bool odl_gl_test_choose (OdlEngine *engine, const char *variant);

// Reproducible noise over the whole stored range (F32: 0 … 1), interleaved.
OdlImage *
odl_gl_test_noise (int width, int height, int channels, OdlSampleType type, guint32 seed);

// A plan from recipe text, such as "soft-threshold:levels=3 precision=16". Second
// pictures are of noise, whatever file the text names.
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
