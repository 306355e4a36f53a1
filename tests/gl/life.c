// SPDX-License-Identifier: MIT
// What happens over many frames: nothing is made, nothing is lost, nothing is left
// behind.
#include <epoxy/gl.h>
#include <string.h>

#include "base/error.h"
#include "engine/gl/compute/compute.h"
#include "../helpers/plans.h"
#include "fixture.h"

static void
run (OdlEngine *engine, const char *recipe, OdlImage *image)
{
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);

  odl_test_run (engine, plan, image);
}

// Sliders change parameters only: 50 frames of them.
static void
run_frames (OdlEngine *engine)
{
  engine->timing = true;
  for (size_t f = 0; f < 2; f++) {
    OdlEngineCounters before = { 0 };
    for (int frame = 0; frame < 50; frame++) {
      g_autoptr (OdlImage) image
          = odl_gl_test_noise (96, 64, 1, ODL_SAMPLE_U8, (guint32) frame);
      g_autofree char *recipe
          = f == 0
                ? g_strdup_printf ("soft-threshold:levels=3,threshold=%g", frame / 100.0)
                : g_strdup_printf ("gaussian:sigma=%g sharpen:amount=%g",
                                   0.3 + frame / 10.0, frame / 50.0);
      run (engine, recipe, image);
      if (frame == 0)
        before = engine->counters;
    }
    g_assert_cmpuint (engine->counters.allocations, ==, before.allocations);
    g_assert_cmpuint (engine->counters.programs, ==, before.programs);
    g_assert_cmpuint (engine->counters.textures, ==, before.textures);
  }
}

static void
frames_make_nothing (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  const OdlEngineVariant *v = engine->klass->variants;

  run_frames (engine);
  for (; v != NULL && v->name != NULL; v++) {
    g_assert_true (odl_gl_test_choose (engine, v->name));
    run_frames (engine);
  }
}

// A variant that is chosen between frames of one plan is the one that runs next, and what
// the other one held is gone.
static void
variants_change_between_frames (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (80, 50, 1, ODL_SAMPLE_U8, 1);
  size_t textures[ODL_GL_N_VARIANTS] = { 0 };

  for (int round = 0; round < 3; round++)
    for (int v = 0; v < ODL_GL_N_VARIANTS; v++) {
      g_assert_true (odl_gl_test_choose (engine, odl_gl_variants[v].name));
      run (engine, "soft-threshold:levels=3", image);
      g_assert_cmpstr (engine->variant, ==, odl_gl_variants[v].name);
      if (!odl_gl_variants[v].inexact)
        g_assert_cmpfloat (
            odl_gl_test_distance (engine, "soft-threshold:levels=3", image, true), <=,
            1e-5);
      if (round <= 1) // the first one makes what all share
        textures[v] = odl_gl_test_objects (false);
      g_assert_cmpuint (odl_gl_test_objects (false), ==, textures[v]);
    }
}

// No way gives way for colours, but the one that knows one border; then that is said.
static void
colour_runs_as_asked (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (40, 30, 3, ODL_SAMPLE_U8, 1);

  for (int v = 0; v < ODL_GL_N_VARIANTS; v++) {
    g_assert_true (odl_gl_test_choose (engine, odl_gl_variants[v].name));
    run (engine, "soft-threshold:levels=2", image);
    g_assert_cmpstr (engine->variant, ==, odl_gl_variants[v].name);
  }
  g_assert_true (odl_gl_test_choose (engine, "mirror"));
  run (engine, "soft-threshold:levels=2 border=periodic", image);
  g_assert_cmpstr (engine->variant, ==, "quads, not mirror");
}

// Sizes and kinds change back and forth: textures in use are those of the last plan.
static void
changes_leak_no_textures (void)
{
  static const char *const recipes[] = {
    "gaussian:sigma=1",
    "soft-threshold:levels=3",
    "soft-threshold:levels=2 precision=16",
    "",
  };
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  size_t before[G_N_ELEMENTS (recipes)] = { 0 };
  size_t programs = 0;

  for (int round = 0; round < 6; round++) {
    for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++) {
      const int channels = r % 2 == 0 ? 1 : 3;
      g_autoptr (OdlImage) image
          = odl_gl_test_noise (80 + 16 * (int) r, 50, channels, ODL_SAMPLE_U8, 1);
      run (engine, recipes[r], image);
      if (round <= 1) // the first one makes what all share
        before[r] = odl_gl_test_objects (false);
      g_assert_cmpuint (odl_gl_test_objects (false), ==, before[r]);
    }
    if (round == 0)
      programs = engine->counters.programs;
    g_assert_cmpuint (engine->counters.programs, ==, programs);
  }
}

static void
close_deletes_every_object (void)
{
  const size_t before = odl_gl_test_objects (true);
  OdlEngine *engine = odl_gl_test_engine ();
  for (int size = 20; size < 60; size += 7) {
    g_autoptr (OdlImage) image = odl_gl_test_noise (size, size, 3, ODL_SAMPLE_U8, 1);
    run (engine, "soft-threshold:levels=3", image);
    g_autoptr (OdlPlan) plan = odl_gl_test_plan ("soft-threshold:levels=3", image);
    g_assert_cmpuint (odl_gl_engine_picture (engine, plan, plan->result).texture, !=, 0);
  }
  odl_engine_close (engine);
  g_assert_cmpuint (odl_gl_test_objects (true), ==, before);
}

static void
too_much_storage_is_said_and_survived (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (130, 60, 1, ODL_SAMPLE_U8, 1);
  g_autoptr (OdlImage) small = odl_gl_test_noise (64, 64, 1, ODL_SAMPLE_U8, 1);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan ("soft-threshold:levels=2", image);
  g_autoptr (GError) error = NULL;

  run (engine, "soft-threshold:levels=2", small);
  const size_t buffers = odl_gl_test_objects (false);
  odl_gl_compute_set_max_storage (engine, 128 * 60 * 4);
  g_assert_false (odl_engine_prepare (engine, plan, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
  g_clear_error (&error);
  g_assert_cmpuint (odl_gl_test_objects (false), ==, buffers);
  g_assert_cmpfloat (
      odl_gl_test_distance (engine, "soft-threshold:levels=2", small, false), <=, 1e-5);
}

static void
too_large_is_said_and_survived (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (130, 20, 1, ODL_SAMPLE_U8, 1);
  g_autoptr (OdlImage) small = odl_gl_test_noise (64, 64, 1, ODL_SAMPLE_U8, 1);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan ("soft-threshold:levels=2", image);
  g_autoptr (GError) error = NULL;

  run (engine, "soft-threshold:levels=2", small);
  odl_gl_test_set_max_side (engine, 128);
  g_assert_false (odl_engine_prepare (engine, plan, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "128"));
  g_clear_error (&error);
  g_assert_cmpfloat (
      odl_gl_test_distance (engine, "soft-threshold:levels=2", small, false), <=, 1e-5);
}

// The picture fits, the addresses of its borders do not.
static void
tables_too_wide_are_said_and_survived (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (128, 20, 1, ODL_SAMPLE_U8, 1);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan ("soft-threshold:levels=2", image);
  g_autoptr (GError) error = NULL;

  run (engine, "gaussian:sigma=1", image);
  const size_t textures = odl_gl_test_objects (false);
  odl_gl_test_set_max_side (engine, 128);
  g_assert_false (odl_engine_prepare (engine, plan, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "128"));
  g_clear_error (&error);
  g_assert_cmpuint (odl_gl_test_objects (false), ==, textures);
  g_assert_cmpfloat (odl_gl_test_distance (engine, "gaussian:sigma=1", image, false), <=,
                     1e-5);
}

// A texture that is within the limit but not within the memory.
static void
out_of_memory_is_said_and_survived (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) small = odl_gl_test_noise (64, 64, 1, ODL_SAMPLE_U8, 1);
  g_autoptr (OdlImage) image = odl_gl_test_noise (64, 64, 1, ODL_SAMPLE_U8, 1);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan ("sharpen", image);
  g_autoptr (GError) error = NULL;

  run (engine, "soft-threshold:levels=2", small);
  const size_t textures = odl_gl_test_objects (false);
  // Beyond what any driver takes, so that glTexImage2D itself refuses.
  for (int i = 0; i < plan->n_slots; i++)
    plan->slots[i].width = 1 << 24;
  g_assert_false (odl_engine_prepare (engine, plan, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_GPU);
  g_clear_error (&error);
  odl_gl_test_no_gl_error ();
  g_assert_cmpuint (odl_gl_test_objects (false), ==, textures);
  g_assert_cmpfloat (
      odl_gl_test_distance (engine, "soft-threshold:levels=2", small, false), <=, 1e-5);
}

// What GTK may have set in the same context.
static const GLenum state_names[] = { GL_DRAW_FRAMEBUFFER_BINDING,
                                      GL_READ_FRAMEBUFFER_BINDING,
                                      GL_CURRENT_PROGRAM,
                                      GL_VERTEX_ARRAY_BINDING,
                                      GL_ACTIVE_TEXTURE,
                                      GL_TEXTURE_BINDING_2D,
                                      GL_UNPACK_ALIGNMENT,
                                      GL_UNPACK_ROW_LENGTH,
                                      GL_PACK_ALIGNMENT,
                                      GL_BLEND,
                                      GL_SCISSOR_TEST,
                                      GL_DEPTH_TEST,
                                      GL_BLEND_SRC_RGB,
                                      GL_BLEND_DST_RGB,
                                      GL_PIXEL_UNPACK_BUFFER_BINDING,
                                      GL_SAMPLER_BINDING,
                                      GL_RENDERBUFFER_BINDING,
                                      GL_STENCIL_TEST };

typedef struct {
  GLuint texture, framebuffer, vertex_array;
} Foreign;

static void
disturb_state (Foreign *foreign)
{
  glGenTextures (1, &foreign->texture);
  glActiveTexture (GL_TEXTURE2);
  glBindTexture (GL_TEXTURE_2D, foreign->texture);
  glGenFramebuffers (1, &foreign->framebuffer);
  glBindFramebuffer (GL_FRAMEBUFFER, foreign->framebuffer);
  glGenVertexArrays (1, &foreign->vertex_array);
  glBindVertexArray (foreign->vertex_array);
  glPixelStorei (GL_UNPACK_ALIGNMENT, 8);
  glPixelStorei (GL_UNPACK_ROW_LENGTH, 100);
  glPixelStorei (GL_PACK_ALIGNMENT, 2);
  glEnable (GL_BLEND);
  glEnable (GL_SCISSOR_TEST);
  glEnable (GL_DEPTH_TEST);
  glBlendFunc (GL_SRC_ALPHA, GL_ONE);
  glEnable (GL_STENCIL_TEST);
  glViewport (1, 2, 3, 4);
  glScissor (0, 0, 1, 1);
}

static void
calm_state (const Foreign *foreign)
{
  glBindFramebuffer (GL_FRAMEBUFFER, 0);
  glBindVertexArray (0);
  glDisable (GL_BLEND);
  glDisable (GL_SCISSOR_TEST);
  glDisable (GL_DEPTH_TEST);
  glDisable (GL_STENCIL_TEST);
  glPixelStorei (GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei (GL_UNPACK_ROW_LENGTH, 0);
  glDeleteFramebuffers (1, &foreign->framebuffer);
  glDeleteVertexArrays (1, &foreign->vertex_array);
  glDeleteTextures (1, &foreign->texture);
}

static void
run_every_variant (OdlEngine *engine, OdlImage *image)
{
  run (engine, "soft-threshold:levels=2", image);
  for (const OdlEngineVariant *v = engine->klass->variants; v && v->name; v++) {
    g_assert_true (odl_gl_test_choose (engine, v->name));
    run (engine, "soft-threshold:levels=2", image);
  }
  g_assert_true (odl_gl_test_choose (engine, NULL));
  g_assert_cmpfloat (
      odl_gl_test_distance (engine, "soft-threshold:levels=2", image, true), <=, 1e-5);
}

static void
state_stays (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (33, 21, 1, ODL_SAMPLE_U8, 1);
  GLint before[G_N_ELEMENTS (state_names)], viewport[4];
  Foreign foreign;

  disturb_state (&foreign);
  for (size_t i = 0; i < G_N_ELEMENTS (state_names); i++)
    glGetIntegerv (state_names[i], &before[i]);
  run_every_variant (engine, image);
  for (size_t i = 0; i < G_N_ELEMENTS (state_names); i++) {
    GLint after;
    glGetIntegerv (state_names[i], &after);
    if (after != before[i])
      g_error ("state 0x%x was %d and is %d", state_names[i], before[i], after);
  }
  glGetIntegerv (GL_VIEWPORT, viewport);
  g_assert_cmpint (
      viewport[0] * 1000 + viewport[1] * 100 + viewport[2] * 10 + viewport[3], ==, 1234);
  calm_state (&foreign);
}

static void
times_arrive (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (128, 128, 1, ODL_SAMPLE_U8, 1);
  OdlGlCaps caps;
  g_autoptr (GError) error = NULL;

  odl_gl_caps_init (&caps, &error);
  g_assert_no_error (error);
  if (!caps.timer_queries) {
    g_test_skip ("no timer queries in this context");
    return;
  }
  engine->timing = true;
  for (int frame = 0; frame < 12; frame++) {
    run (engine, "soft-threshold:levels=3", image);
    glFinish ();
  }
  g_assert_cmpint (engine->n_step_ns, >, 0);
  g_assert_cmpint (engine->frame_ns, >, 0);
  int64_t sum = 0;
  for (int i = 0; i < engine->n_step_ns; i++)
    sum += engine->step_ns[i];
  g_assert_cmpint (sum, ==, engine->frame_ns);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "life/frames-make-nothing", frames_make_nothing },
    { "life/variants-change-between-frames", variants_change_between_frames,
      "gl-fragment" },
    { "life/colour-runs-as-asked", colour_runs_as_asked, "gl-fragment" },
    { "life/changes-leak-no-textures", changes_leak_no_textures },
    { "life/close-deletes-every-object", close_deletes_every_object },
    { "life/too-large-is-said-and-survived", too_large_is_said_and_survived,
      "gl-fragment, gl-lookup" },
    { "life/tables-too-wide-are-said-and-survived", tables_too_wide_are_said_and_survived,
      "gl-lookup" },
    { "life/too-much-storage-is-said-and-survived", too_much_storage_is_said_and_survived,
      "gl-compute" },
    { "life/out-of-memory-is-said-and-survived", out_of_memory_is_said_and_survived,
      "gl-fragment" },
    { "life/state-stays", state_stays },
    { "life/times-arrive", times_arrive },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
