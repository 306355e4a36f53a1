// SPDX-License-Identifier: MIT
// Shared by the GL tests: contexts of both APIs, random images, comparison with the
// reference.
#pragma once

#include "engine/engine.h"
#include "engine/gl/fragment/fragment.h"
#include "engine/gl/platform/headless.h"

typedef struct {
  const char *name; // path below /gl-fragment/desktop/ and the like
  void (*test) (void);
  const char *engine; // only for the engine of this name; NULL: all
  bool on_desktop; // only in a desktop context
} OdlGlTest;

// Runs every test in a desktop context and, unless its row says otherwise, in a GLES
// context, on the engine ODL_TEST_ENGINE (default gl-fragment); skips what this machine
// does not support. Call it at the end of main.
int odl_gl_test_run (const OdlGlTest *tests, size_t n_tests);

// The current test's context.
OdlGlApi odl_gl_test_api (void);
const char *odl_gl_test_engine_name (void);
OdlEngine *odl_gl_test_engine (void); // a new one
OdlEngine *odl_gl_test_shared_engine (void); // shared by all tests; do not close

// Whether case `index` of a row of them is run. In a desktop context all are; in one of
// GLES, whose shaders have the same text and which a software rasteriser would compile
// all of once more, each fourth is, and of the others the programs are linked, so that
// GLES has taken every text.
bool odl_gl_test_is_run (OdlEngine *engine, const OdlPlan *plan, size_t index);

// Textures, buffers and, if asked, programs that the driver has in the current context.
size_t odl_gl_test_objects (bool programs);
OdlGlPrograms *odl_gl_test_programs (OdlEngine *engine);

// Overrides the context's texture limit, for engines that use textures.
void odl_gl_test_set_max_side (OdlEngine *engine, int max_side);

// Selects a variant of the engine (NULL: automatic); false if there is none of that
// name.
bool odl_gl_test_choose (OdlEngine *engine, const char *variant);

// Reproducible noise over the full stored range (F32: 0 … 1), interleaved.
OdlImage *
odl_gl_test_noise (int width, int height, int channels, OdlSampleType type, guint32 seed);

// A plan from recipe text, such as "soft-threshold:levels=3 precision=16". Operands
// are noise, whatever file is named.
OdlPlan *odl_gl_test_plan (const char *recipe, const OdlImage *image);

typedef struct {
  double max; // largest |a − b|; infinite for NaN or different shapes
  int x, y, channel;
} OdlGlTestDifference;

// Ignores skip_width × skip_height samples at the top left.
OdlGlTestDifference odl_gl_test_difference (const OdlImage *a,
                                            const OdlImage *b,
                                            int skip_width,
                                            int skip_height);

// Runs a recipe on `image` in `engine` and in the reference; returns the difference.
// Aborts the test on errors.
double odl_gl_test_distance (OdlEngine *engine,
                             const char *recipe,
                             OdlImage *image,
                             bool stepwise);

// Asserts that soft thresholding by wavelets of both kinds, on all levels of a noise
// picture, agrees with the reference within the bound of `precision`.
void odl_gl_test_check_size (OdlEngine *engine,
                             int width,
                             int height,
                             int channels,
                             int precision);

// Fails the current test if the context has a GL error.
void odl_gl_test_no_gl_error (void);
