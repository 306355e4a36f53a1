// SPDX-License-Identifier: MIT
// The copies that the benchmark compares with: they copy, they can be timed, and they
// leave nothing behind in the context.
#include <epoxy/gl.h>

#include "base/error.h"
#include "engine/gl/platform/copies.h"
#include "engine/gl/platform/program.h"
#include "engine/gl/texture_stores.h"
#include "fixture.h"

#define WIDTH 36
#define HEIGHT 10
#define N (WIDTH * HEIGHT)

static const OdlGlProgram *
program_of (OdlGlCaps *caps, OdlGlPrograms **programs, OdlGlPassId pass)
{
  static size_t linked;
  g_autoptr (GError) error = NULL;

  odl_gl_caps_init (caps, &error);
  g_assert_no_error (error);
  *programs = odl_gl_programs_new (caps, &linked);
  const OdlGlProgram *program
      = odl_gl_programs_get (*programs, pass, false, NULL, &error);
  g_assert_no_error (error);
  return program;
}

static void
fill (float *values)
{
  for (int i = 0; i < N; i++)
    values[i] = (float) i / 7 - 3;
}

static void
buffers_are_copied (void)
{
  OdlGlCaps caps;
  OdlGlPrograms *programs;
  GLuint buffers[2];
  float values[N];
  const OdlGlUniforms uniforms = { .n = N / 4 };

  odl_gl_caps_init (&caps, NULL);
  if (!caps.compute) {
    g_test_skip ("no compute shaders");
    return;
  }
  const OdlGlProgram *program = program_of (&caps, &programs, ODL_GL_PASS_COMPUTE_COPY);
  fill (values);
  glGenBuffers (2, buffers);
  for (GLuint i = 0; i < 2; i++) {
    glBindBufferBase (GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
    glBufferData (GL_SHADER_STORAGE_BUFFER, sizeof values, i == 0 ? values : NULL,
                  GL_DYNAMIC_COPY);
  }
  glUseProgram (program->id);
  odl_gl_set_uniforms (program, &uniforms);
  glDispatchCompute (1, 1, 1);
  glMemoryBarrier (GL_BUFFER_UPDATE_BARRIER_BIT);
  const float *copied
      = glMapBufferRange (GL_SHADER_STORAGE_BUFFER, 0, sizeof values, GL_MAP_READ_BIT);
  g_assert_cmpmem (copied, sizeof values, values, sizeof values);
  glUnmapBuffer (GL_SHADER_STORAGE_BUFFER);
  glUseProgram (0);
  glDeleteBuffers (2, buffers);
  odl_gl_programs_free (programs);
  odl_gl_test_no_gl_error ();
}

static void
textures_are_copied (void)
{
  OdlGlCaps caps;
  OdlGlPrograms *programs;
  const OdlGlProgram *program = program_of (&caps, &programs, ODL_GL_PASS_COPY);
  GLuint vertex_array, textures[2] = { odl_gl_texture_new (1, 32, WIDTH, HEIGHT),
                                       odl_gl_texture_new (1, 32, WIDTH, HEIGHT) };
  GLuint framebuffer = odl_gl_framebuffer_new (&textures[1], 1);
  float values[N], texels[4 * N];

  fill (values);
  glActiveTexture (GL_TEXTURE0);
  glBindTexture (GL_TEXTURE_2D, textures[0]);
  glTexSubImage2D (GL_TEXTURE_2D, 0, 0, 0, WIDTH, HEIGHT, GL_RED, GL_FLOAT, values);
  glGenVertexArrays (1, &vertex_array);
  glBindVertexArray (vertex_array);
  const OdlGlDraw draw = { .program = program,
                           .framebuffer = framebuffer,
                           .viewport = { 0, 0, WIDTH, HEIGHT },
                           .vertices = 3,
                           .textures = { textures[0] } };
  odl_gl_draw (&draw);
  glBindFramebuffer (GL_READ_FRAMEBUFFER, framebuffer);
  glReadPixels (0, 0, WIDTH, HEIGHT, GL_RGBA, GL_FLOAT, texels);
  for (int i = 0; i < N; i++)
    g_assert_cmpfloat (texels[4 * i], ==, values[i]);
  glBindFramebuffer (GL_FRAMEBUFFER, 0);
  glBindVertexArray (0);
  glUseProgram (0);
  glDeleteFramebuffers (1, &framebuffer);
  glDeleteTextures (2, textures);
  glDeleteVertexArrays (1, &vertex_array);
  odl_gl_programs_free (programs);
  odl_gl_test_no_gl_error ();
}

static void
times_are_taken_and_nothing_stays_bound (void)
{
  for (int copy = 0; copy < ODL_GL_N_COPIES; copy++) {
    g_autofree OdlGlTimes *times = g_new0 (OdlGlTimes, 1);
    g_autoptr (GError) error = NULL;
    GLint program = -1, framebuffer = -1, vertex_array = -1;

    if (!odl_gl_copy_time (copy, 64, 33, 2000000, times, &error)) {
      g_assert_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
      g_test_message ("%s: %s", odl_gl_copy_name (copy), error->message);
      continue;
    }
    g_assert_cmpint (times->n, >=, 1);
    // The timers of drawing with the CPU miss much of the work.
    g_assert_false (times->by_timer && odl_gl_is_software ());
    for (int i = 0; i < times->n; i++)
      g_assert_cmpint (times->ns[i], >, 0);
    glGetIntegerv (GL_CURRENT_PROGRAM, &program);
    glGetIntegerv (GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
    glGetIntegerv (GL_VERTEX_ARRAY_BINDING, &vertex_array);
    g_assert_cmpint (program, ==, 0);
    g_assert_cmpint (framebuffer, ==, 0);
    g_assert_cmpint (vertex_array, ==, 0);
    odl_gl_test_no_gl_error ();
  }
}

static void
too_large_is_refused (void)
{
  g_autofree OdlGlTimes *times = g_new0 (OdlGlTimes, 1);
  g_autoptr (GError) error = NULL;

  g_assert_false (
      odl_gl_copy_time (ODL_GL_COPY_FRAGMENT, 1 << 20, 8, 1000000, times, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
}

static void
repeat_once (void *data)
{
  OdlEngine *engine = data;

  engine->klass->repeat (engine, false);
}

// The benchmark measures engine after engine in one context.
static void
engines_follow_a_metered_one (void)
{
  g_autoptr (OdlImage) image = odl_gl_test_noise (70, 45, 1, ODL_SAMPLE_U8, 7);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan ("shrinkage:levels=3", image);
  g_autofree OdlGlTimes *times = g_new0 (OdlGlTimes, 1);

  for (int i = 0; i < 2; i++) {
    g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
    g_autoptr (GError) error = NULL;
    GLint program = -1;

    if (engine->klass->repeat == NULL) {
      g_test_skip ("this engine repeats nothing");
      return;
    }
    g_autoptr (OdlImage) result = odl_engine_process (engine, plan, image, &error);
    g_assert_no_error (error);
    odl_gl_meter (repeat_once, engine, 3000000, times);
    glGetIntegerv (GL_CURRENT_PROGRAM, &program);
    g_assert_cmpint (program, ==, 0);
    odl_gl_test_no_gl_error ();
  }
}

// What the benchmark repeats gives the picture that a frame gives.
static void
repeated_frames_give_the_same_picture (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (70, 45, 1, ODL_SAMPLE_U8, 7);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan ("shrinkage:levels=3", image);
  g_autoptr (GError) error = NULL;

  if (engine->klass->repeat == NULL) {
    g_test_skip ("this engine repeats nothing");
    return;
  }
  g_autoptr (OdlImage) first = odl_engine_process (engine, plan, image, &error);
  g_assert_no_error (error);
  for (int synthesis_only = 0; synthesis_only < 2; synthesis_only++) {
    engine->klass->repeat (engine, synthesis_only == 1);
    g_autoptr (OdlImage) again
        = odl_engine_read_back (engine, plan, plan->result, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat (odl_gl_test_difference (first, again, 0, 0).max, ==, 0);
  }
  odl_gl_test_no_gl_error ();
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "buffers-are-copied", buffers_are_copied, NULL },
    { "textures-are-copied", textures_are_copied, NULL },
    { "times-are-taken-and-nothing-stays-bound", times_are_taken_and_nothing_stays_bound,
      NULL },
    { "too-large-is-refused", too_large_is_refused, NULL },
    { "engines-follow-a-metered-one", engines_follow_a_metered_one, NULL },
    { "repeated-frames-give-the-same-picture", repeated_frames_give_the_same_picture,
      NULL },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
