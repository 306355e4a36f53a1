// SPDX-License-Identifier: MIT
// What M. Brotherton, "GPU accelerated X-ray image enhancement" (2011), tables 14, 18 and
// 19, measured of work groups and of the histogram, on this GPU: the median of 3 × 3 and
// Sobel in groups of 1 … 400 invocations, and the histogram with its trough on the GPU
// beside reading the picture back and counting on the processor. Lines "NAME MEDIAN MEAN
// LEAST DEVIATION" in milliseconds, of RUNS runs. Arguments: width, height, runs.
#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/gl/platform/device_buffer.h"
#include "engine/gl/platform/headless.h"
#include "engine/gl/platform/program.h"
#include "engine/gl/steps.h"
#include "plan/trough.h"
#include "series.h"
#include "source/phantom/xray.h"

#define DISPATCHES 20 // of a run, so that starting to wait costs nothing

static const int group_sizes[] = { 1, 2, 4, 8, 10, 20, 40, 100, 128, 200, 400 };

static OdlPlan *
plan_for (const char *text, const OdlImage *image, GError **error)
{
  const OdlGeometry geometry = odl_geometry_of (image);
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  return odl_recipe_parse (&recipe, text, error)
             ? odl_plan_new (&recipe, &geometry, error)
             : NULL;
}

// The last step of the plan, a spatial one, in groups of `size` invocations in a row.
static bool
measure_group (OdlGlPrograms *programs,
               const OdlPlan *plan,
               const GLuint buffers[2],
               int size,
               int runs,
               GError **error)
{
  const OdlStep *step = &plan->steps[plan->n_steps - 1];
  const int width = plan->geometry.width, height = plan->geometry.height;
  const int pitch = (width + 3) / 4;
  g_autofree char *own = odl_gl_step_defines (plan, step);
  g_autofree char *defines
      = g_strdup_printf ("%s#define GROUP_WIDTH %d\n#define GROUP_HEIGHT 1\n", own, size);
  g_autofree char *name
      = g_strdup_printf ("%s-in-groups-of-%d", odl_step_row (step->kind)->name, size);
  OdlGlUniforms uniforms
      = { .size = { width, height }, .target_layout = { pitch, pitch * height } };
  double ms[MOST_RUNS];

  const OdlGlProgram *program = odl_gl_programs_get (
      programs, ODL_GL_PASS_COMPUTE_SPATIAL, false, defines, error);
  if (program == NULL)
    return false;
  odl_gl_step_parameters (step, &uniforms);
  glUseProgram (program->id);
  odl_gl_set_uniforms (program, &uniforms);
  for (GLuint i = 0; i < 2; i++)
    glBindBufferBase (GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
  for (int run = -2; run < runs; run++) {
    glFinish ();
    const int64_t start = odl_clock_now_ns ();
    for (int k = 0; k < DISPATCHES; k++) {
      glDispatchCompute ((GLuint) ((pitch + size - 1) / size), (GLuint) height, 1);
      glMemoryBarrier (GL_SHADER_STORAGE_BARRIER_BIT);
    }
    glFinish ();
    if (run >= 0)
      ms[run] = (double) (odl_clock_now_ns () - start) / 1e6 / DISPATCHES;
  }
  print_series (name, ms, runs);
  return odl_gl_check (name, error);
}

static bool
measure_groups (const OdlGlCaps *caps, OdlImage *image, int runs, GError **error)
{
  static const char *const recipes[] = { "median:size=3", "sobel" };
  const OdlExtent extent = odl_image_info (image)->extent;
  const size_t quads = (size_t) ((extent.x + 3) / 4) * extent.y;
  size_t linked = 0;
  OdlGlPrograms *programs = odl_gl_programs_new (caps, &linked);
  g_autofree float *samples = g_new0 (float, 4 * quads);
  const GLuint buffers[2]
      = { odl_gl_device_buffer_new (caps, 4 * quads * sizeof *samples),
          odl_gl_device_buffer_new (caps, 4 * quads * sizeof *samples) };
  GLuint filled = 0;
  bool ok = true;

  for (int y = 0; y < extent.y; y++)
    odl_image_scaled_row (image, 0, y, 0, 0,
                          samples + (size_t) y * ((extent.x + 3) / 4) * 4);
  glGenBuffers (1, &filled);
  glBindBuffer (GL_COPY_READ_BUFFER, filled);
  glBufferData (GL_COPY_READ_BUFFER, (GLsizeiptr) (4 * quads * sizeof *samples), samples,
                GL_STATIC_DRAW);
  glBindBuffer (GL_COPY_WRITE_BUFFER, buffers[0]);
  glCopyBufferSubData (GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0,
                       (GLsizeiptr) (4 * quads * sizeof *samples));
  glDeleteBuffers (1, &filled);
  for (size_t r = 0; ok && r < G_N_ELEMENTS (recipes); r++) {
    g_autoptr (OdlPlan) plan = plan_for (recipes[r], image, error);
    ok = plan != NULL;
    for (size_t i = 0; ok && i < G_N_ELEMENTS (group_sizes); i++)
      if (group_sizes[i] <= caps->max_group)
        ok = measure_group (programs, plan, buffers, group_sizes[i], runs, error);
  }
  glUseProgram (0); // the engine would put a deleted one back
  glDeleteBuffers (2, buffers);
  odl_gl_programs_free (programs);
  return ok;
}

// The picture read back, counted and searched for a trough by one thread.
static bool
count_here (OdlEngine *engine, const OdlPlan *plan, int slot, int *bin, GError **error)
{
  const OdlStep *step = &plan->steps[plan->n_steps - 2]; // TROUGH; the last is CUT
  const OdlTroughBins bins = odl_trough_bins (step->bins, step->parameters.unit);
  g_autofree guint32 *counts = g_new0 (guint32, bins.count);
  g_autofree float *row = g_new (float, plan->geometry.width);
  g_autoptr (OdlImage) image = odl_engine_read_back (engine, plan, slot, error);

  for (int y = 0; image != NULL && y < plan->geometry.height; y++) {
    odl_image_scaled_row (image, 0, y, 0, 0, row);
    for (int x = 0; x < plan->geometry.width; x++)
      counts[odl_trough_bin (&bins, (double) row[x])]++;
  }
  *bin = odl_trough_find (counts, bins.count, step->parameters.smoothing,
                          step->parameters.share, step->parameters.low)
             .bin;
  return image != NULL;
}

static bool
measure_histogram (OdlImage *image, int runs, GError **error)
{
  g_autoptr (OdlPlan) plan = plan_for ("median:size=3 trough-threshold", image, error);
  OdlEngine *engine
      = plan != NULL ? odl_engine_open (odl_engine_find ("gl-compute"), error) : NULL;
  const int trough = plan != NULL ? plan->n_steps - 2 : 0;
  bool ok = engine != NULL && odl_engine_prepare (engine, plan, error);
  double on_gpu[MOST_RUNS], back[MOST_RUNS];
  int bin = 0;

  for (int run = -4; ok && run < runs; run++) {
    engine->timing = true;
    ok = odl_engine_run (engine, plan, image, error);
    glFinish ();
    if (run >= 0)
      on_gpu[run] = (double) engine->step_ns[trough] / 1e6; // of some frames ago
    const int64_t start = odl_clock_now_ns ();
    ok = ok && count_here (engine, plan, plan->steps[trough].reads[0], &bin, error);
    if (run >= 0)
      back[run] = (double) (odl_clock_now_ns () - start) / 1e6;
  }
  if (ok) {
    print_series ("histogram-on-the-gpu", on_gpu, runs);
    print_series ("histogram-read-back", back, runs);
  }
  odl_engine_close (engine);
  return ok;
}

int
main (int argc, char **argv)
{
  g_autofree char *text = g_strdup_printf (
      "phantom:xray:%sx%s", argc > 1 ? argv[1] : "2920", argc > 2 ? argv[2] : "2320");
  const int runs = CLAMP (argc > 3 ? atoi (argv[3]) : 50, 1, MOST_RUNS);
  g_autoptr (GError) error = NULL;
  OdlXrayParams params;
  OdlGlCaps caps;

  g_autoptr (OdlGlHeadless) headless = odl_gl_headless_new (&error);
  g_autoptr (OdlImage) image = NULL;
  if (headless != NULL && odl_gl_caps_init (&caps, &error)
      && odl_xray_parse (text, &params, &error))
    image = odl_xray_image (&params, &error);
  if (image == NULL || !caps.compute || !measure_groups (&caps, image, runs, &error)
      || !measure_histogram (image, runs, &error)) {
    fprintf (stderr, "%s\n", error != NULL ? error->message : "no compute shaders");
    return 1;
  }
  return 0;
}
