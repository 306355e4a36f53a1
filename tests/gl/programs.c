// SPDX-License-Identifier: MIT
// Shaders and the tables that speak of them.
#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "../helpers/ycbcr.h"
#include "../helpers/plans.h"
#include "fixture.h"
#include "image/volume/volume.h"
#include "wavelet/border.h"

// Whether all programs of an engine are wanted: OpenGL ES has the same text of shaders,
// and the same table, so that some of each kind show whether it takes them.
static bool
is_whole (void)
{
  return odl_gl_test_api () == ODL_GL_API_DESKTOP;
}

// The programs that a plan needs, linked. Their uniforms are known then; to run them, a
// software rasteriser would have to compile them, too, which takes most of the time.
static void
link_programs (OdlEngine *engine, const OdlPlan *plan)
{
  g_autoptr (GError) error = NULL;

  odl_engine_prepare (engine, plan, &error);
  g_assert_no_error (error);
}

// A frame of a video, for the passes that read luma and colour differences.
static void
run_video (OdlEngine *engine)
{
  g_autoptr (OdlImage) image
      = odl_test_ycbcr (&odl_test_layouts[0], &odl_test_matrices[1], false, 40, 8, 1);
  g_autoptr (OdlPlan) plan
      = odl_gl_test_plan ("soft-threshold:levels=1 colour=luma", image);
  g_autoptr (GError) error = NULL;

  odl_gl_test_choose (engine, NULL);
  odl_test_run (engine, plan, image);
  g_autoptr (OdlImage) source = odl_engine_read_back (engine, plan, plan->source, &error);
  g_assert_no_error (error);
}

// Frames smaller than the plan's, and parts of the result.
static void
run_parts (OdlEngine *engine)
{
  static const char *const recipes[][2] = {
    { "gaussian", NULL },
    { "soft-threshold:wavelet=cdf97,levels=2", NULL },
    { "soft-threshold:wavelet=cdf97,levels=2", "lifting" },
    { "soft-threshold:wavelet=cdf97,levels=2", "convolution" },
    { "soft-threshold:wavelet=cdf97,levels=2", "pairs" },
    { "bivariate:levels=1", NULL },
    { "convolve:shape=quadrature,size=9", "fft" },
  };
  const size_t n = is_whole () ? G_N_ELEMENTS (recipes) : 2;

  for (size_t r = 0; r < n; r++) {
    g_autoptr (OdlImage) wide = odl_gl_test_noise (40, 20, 1, ODL_SAMPLE_U8, 1);
    g_autoptr (OdlImage) frame = odl_gl_test_noise (31, 17, 1, ODL_SAMPLE_U8, 1);
    g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipes[r][0], wide);
    const OdlPart part = { 0, 0, 31, 17, 1, true };
    float samples[31 * 17];
    g_autoptr (GError) error = NULL;
    g_assert_true (odl_gl_test_choose (engine, recipes[r][1]));
    g_assert_true (
        odl_engine_prepare (engine, plan, &error)
        && odl_engine_run (engine, plan, frame, &error)
        && odl_engine_parts (engine, plan, ODL_PART_FLOATS, &part, 1, samples, &error));
  }
}

// Whether the variants of an engine differ in what they do of it.
static bool
has_transform (const OdlPlan *plan)
{
  for (int i = 0; i < plan->n_steps; i++)
    if (odl_step_row (plan->steps[i].kind)->class == ODL_STEP_CLASS_TRANSFORM)
      return true;
  return false;
}

// Of volumes, whose transform has steps along z.
static void
run_volumes (OdlEngine *engine)
{
  static const char *const recipes[] = {
    "shrinkage:levels=2,thresholds=0.1,dimensions=3",
    "shrinkage:wavelet=db2,levels=2,thresholds=0.1,dimensions=3,rule=firm",
    "sure-shrink:levels=2,dimensions=3",
    "neigh-shrink:levels=2,dimensions=3",
    "shrinkage:levels=2,dimensions=3 view=filtered-analysis",
    "convolve:shape=quadrature,size=3,dimensions=3",
  };
  g_autoptr (OdlImage) slice = odl_gl_test_noise (20, 10, 1, ODL_SAMPLE_U8, 1);
  g_autoptr (GError) error = NULL;
  void *samples;
  g_autoptr (OdlImage) volume = odl_volume_alloc (slice, 6, &samples, &error);

  g_assert_no_error (error);
  for (int z = 0; z < 6; z++)
    odl_volume_put (volume, samples, z, slice);
  g_assert_true (odl_gl_test_choose (engine, NULL));
  for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++) {
    const OdlRecipe recipe = odl_test_recipe (recipes[r]);
    OdlGeometry geometry = odl_geometry_of (volume);
    geometry.depth = 6;
    g_autoptr (OdlPlan) plan = odl_test_plan_of (&recipe, &geometry);
    link_programs (engine, plan);
  }
}

// Of a frame with those beside it.
static void
run_sequence (OdlEngine *engine, const char *text)
{
  const OdlRecipe recipe = odl_test_recipe (text);
  g_autoptr (OdlNeighbours) about = odl_neighbours_new (1, 3);
  g_autoptr (OdlImage) frame = odl_gl_test_noise (40, 20, 1, ODL_SAMPLE_U8, 1);
  OdlGeometry geometry = odl_geometry_of (frame);

  for (int i = 0; i < 3; i++)
    odl_neighbours_put (about, i, frame);
  geometry.neighbours = about;
  g_autoptr (OdlPlan) plan = odl_test_plan_of (&recipe, &geometry);
  if (!odl_engine_can_run (engine->klass, plan, NULL))
    return;
  g_assert_true (odl_gl_test_choose (engine, NULL));
  link_programs (engine, plan);
}

// The same samples as beams, which scan-convert asks for.
static OdlImage *
as_beams (OdlImage *image)
{
  OdlImageInfo info = *odl_image_info (image);

  info.beams = (OdlBeams){ .array = ODL_BEAMS_CURVILINEAR,
                           .radius_mm = 50,
                           .first = -0.4,
                           .step = 0.02,
                           .sample_mm = 2 };
  return odl_image_with_info (image, &info);
}

// All programs that some recipes need, in either precision and with every variant.
static OdlEngine *
engine_with_programs (void)
{
  static const char *const recipes[] = {
    "gaussian:sigma=2 sharpen soft-threshold:levels=3",
    "soft-threshold:levels=2 view=analysis",
    "soft-threshold:levels=2 view=filtered-analysis",
    "soft-threshold:levels=1,transform=stationary",
    "bivariate:levels=2 soft-threshold:levels=2,transform=dual-tree view=analysis",
    "soft-threshold:levels=1,transform=dual-tree",
    "soft-threshold:wavelet=cdf53,levels=2 colour=luma",
    "shrinkage:levels=2 precision=16",
    "soft-threshold:wavelet=cdf97,levels=1",
    "soft-threshold:wavelet=int53,levels=2",
    "soft-threshold:levels=2 sharpen",
    "stylise:levels=2",
    "stylise:levels=2,rule=sum",
    "recursive-average sliding-mean:frames=7",
    "persistence sliding-median:frames=7",
    "mix",
    "median:size=9 sobel convolve",
    "structure-tensor:output=sine",
    "non-local-means:patch=3,search=7",
    "bm3d",
    "bm3d:sigma=each-frame",
    "bm3d:sigma=0.1 colour=opponent",
    "bm3d:sigma=0.1,profile=2/1.5/1/0.5/0.5/0.5/0.5/0.5",
    "trough-threshold mask",
    "trough-threshold sobel contours mask",
    "weighted-median clahe:tiles=2",
    "bivariate:levels=2,transform=decimated",
    "transform:levels=2 gaussian median:at=approximation soft-threshold inverse",
    "soft-threshold:levels=2,shifts=2",
    "envelope log-compress scan-convert:width=16",
    "envelope log-compress:reference=frame",
    "bayes-shrink:levels=2",
    "bayes-shrink:wavelet=db2,levels=2 view=filtered-analysis precision=16",
  };
  static const OdlEngineVariant only_way[] = { { NULL, NULL } };
  OdlEngine *engine = odl_gl_test_engine ();
  const OdlEngineVariant *variants
      = engine->klass->variants != NULL ? engine->klass->variants : only_way;

  for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++)
    for (int channels = 1; channels <= 4; channels += 3)
      for (const OdlEngineVariant *v = variants; v == variants || v[-1].name; v++) {
        // High enough that two coarse levels go in tiles.
        g_autoptr (OdlImage) noise = odl_gl_test_noise (40 + (int) (v - variants), 20,
                                                        channels, ODL_SAMPLE_U8, 1);
        g_autoptr (OdlImage) image = as_beams (noise);
        g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipes[r], image);
        if (!odl_engine_can_run (engine->klass, plan, NULL)
            || (v != variants && (!is_whole () || !has_transform (plan))))
          continue;
        g_assert_true (odl_gl_test_choose (engine, v->name));
        if (r == 0 && v == variants) // loads the picture
          odl_test_run (engine, plan, image);
        else
          link_programs (engine, plan);
      }
  run_video (engine);
  run_sequence (engine, "bm3d:sigma=0.1,frames=3");
  run_sequence (engine, "bm3d:sigma=0.1,frames=3,profile=2/1.5/1/0.5/0.5/0.5/0.5/0.5");
  if (engine->klass->has_volume_step != NULL)
    run_volumes (engine);
  if (engine->klass->limits.pads && engine->klass->parts != NULL)
    run_parts (engine);
  return engine;
}

static const OdlGlUniform *
find_uniform (const OdlGlProgram *program, const char *name)
{
  for (int i = 0; i < ODL_GL_PASS_UNIFORMS && program->pass->uniforms[i].name; i++)
    if (strcmp (program->pass->uniforms[i].name, name) == 0)
      return &program->pass->uniforms[i];
  if (program->lines && strcmp (odl_gl_lines_uniforms[0].name, name) == 0)
    return &odl_gl_lines_uniforms[0];
  return NULL;
}

static int
find_sampler (const OdlGlProgram *program, const char *name)
{
  for (int i = 0; i < ODL_GL_PASS_SAMPLERS && program->pass->samplers[i]; i++)
    if (strcmp (program->pass->samplers[i], name) == 0)
      return i;
  return -1;
}

static bool
is_sampler (GLenum type)
{
  return type == GL_SAMPLER_2D || type == GL_UNSIGNED_INT_SAMPLER_2D
         || type == GL_INT_SAMPLER_2D;
}

// Checks the linked program's uniforms against its pass; adds the names of those that it
// really has to `seen`, which may be NULL, and returns how many they are.
static int
walk (const OdlGlProgram *program, GHashTable *seen)
{
  GLint n = 0;
  int found = 0;

  glGetProgramiv (program->id, GL_ACTIVE_UNIFORMS, &n);
  for (GLint i = 0; i < n; i++) {
    char name[64];
    GLint size, location, unit = -1;
    GLenum type;
    glGetActiveUniform (program->id, i, sizeof name, NULL, &size, &type, name);
    *strchrnul (name, '[') = '\0';
    location = glGetUniformLocation (program->id, name);
    if (type == GL_IMAGE_2D)
      continue; // bound in the shader
    if (seen != NULL)
      g_hash_table_add (seen, g_strdup (name));
    if (is_sampler (type)) {
      glGetUniformiv (program->id, location, &unit);
      g_assert_cmpint (find_sampler (program, name), ==, unit);
      found++;
      continue;
    }
    const OdlGlUniform *uniform = find_uniform (program, name);
    if (uniform == NULL)
      g_error ("%s: the table lacks uniform %s", program->pass->name, name);
    if (odl_gl_uniform_gl_type (uniform->type) != type || size > uniform->count)
      g_error ("%s: uniform %s is of another type or size", program->pass->name, name);
    found++;
  }
  return found;
}

static int
expected_count (const OdlGlProgram *program)
{
  int n = program->lines ? 1 : 0;

  for (int i = 0; i < ODL_GL_PASS_UNIFORMS && program->pass->uniforms[i].name; i++)
    n++;
  for (int i = 0; i < ODL_GL_PASS_SAMPLERS && program->pass->samplers[i]; i++)
    n++;
  return n;
}

// Those of gl-lookup, which shares what is not of the transform.
static const OdlGlPassId lookup_passes[] = {
  ODL_GL_PASS_LOAD,          ODL_GL_PASS_LUMA,
  ODL_GL_PASS_CONVOLVE,      ODL_GL_PASS_SPATIAL,
  ODL_GL_PASS_LAYOUT_COLOUR, ODL_GL_PASS_RECOMBINE,
  ODL_GL_PASS_LOOKUP,        ODL_GL_PASS_THRESHOLD_DETAIL,
  ODL_GL_PASS_RECURSIVE,     ODL_GL_PASS_PERSISTENCE,
  ODL_GL_PASS_MEAN,          ODL_GL_PASS_TEMPORAL_MEDIAN,
};

static bool
is_used (int pass)
{
  const char *engine = odl_gl_test_engine_name ();

  if (g_str_equal (engine, "gl-compute"))
    return pass >= ODL_GL_PASS_COMPUTE_LOAD && pass <= ODL_GL_PASS_COMPUTE_SHOW;
  if (g_str_equal (engine, "gl-fragment"))
    return pass <= ODL_GL_PASS_TEMPORAL_MEDIAN;
  for (size_t i = 0; i < G_N_ELEMENTS (lookup_passes); i++)
    if (pass == (int) lookup_passes[i])
      return true;
  return false;
}

static void
uniforms_match_the_table (void)
{
  g_autoptr (OdlEngine) engine = engine_with_programs ();
  const OdlGlPrograms *programs = odl_gl_test_programs (engine);
  GHashTable *seen[ODL_GL_N_PASSES] = { NULL };
  int expected[ODL_GL_N_PASSES] = { 0 };

  for (size_t i = 0; i < odl_gl_programs_count (programs); i++) {
    const OdlGlProgram *program = odl_gl_programs_at (programs, i);
    const size_t pass = program->pass - odl_gl_passes;
    if (seen[pass] == NULL)
      seen[pass] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    walk (program, seen[pass]);
    expected[pass] = MAX (expected[pass], expected_count (program));
  }
  // A name of the table that no program has would be a mistake of the table.
  for (int pass = 0; pass < ODL_GL_N_PASSES; pass++) {
    if (!is_used (pass))
      continue;
    if (seen[pass] == NULL && !is_whole ())
      continue;
    if (seen[pass] == NULL)
      g_error ("%s: no recipe of this test takes it", odl_gl_passes[pass].name);
    const int found = (int) g_hash_table_size (seen[pass]);
    g_test_message ("%s: %d of %d", odl_gl_passes[pass].name, found, expected[pass]);
    g_assert_cmpint (found, <=, expected[pass]);
    if (is_whole ())
      g_assert_cmpint (found, ==, expected[pass]);
  }
  for (int pass = 0; pass < ODL_GL_N_PASSES; pass++)
    g_clear_pointer (&seen[pass], g_hash_table_unref);
}

// What software rasterisers get is not what cards get, whose text is linked here at
// least. That of BM3D's passes is made together with their lists, which are those of
// software.
static void
text_for_cards_links (void)
{
  g_autoptr (OdlEngine) engine = engine_with_programs ();
  const OdlGlPrograms *own = odl_gl_test_programs (engine);
  g_autoptr (GError) error = NULL;
  OdlGlCaps caps;
  size_t linked = 0;

  odl_gl_caps_init (&caps, &error);
  g_assert_no_error (error);
  g_assert_true (caps.is_software || g_getenv ("LIBGL_ALWAYS_SOFTWARE") == NULL);
  caps.is_software = false;
  OdlGlPrograms *programs = odl_gl_programs_new (&caps, &linked);
  for (size_t i = 0; i < odl_gl_programs_count (own); i++) {
    const OdlGlProgram *program = odl_gl_programs_at (own, i);
    if (strstr (program->pass->name, "bm3d") != NULL)
      continue;
    odl_gl_programs_get (programs, (OdlGlPassId) (program->pass - odl_gl_passes),
                         program->lines, program->defines, &error);
    if (error != NULL)
      g_error ("%s: %s\n%s", program->pass->name, error->message, program->defines);
  }
  g_test_message ("%zu programs", linked);
  g_assert_cmpuint (linked, >, 0);
  odl_gl_programs_free (programs);
}

#define FIRST (-200)
#define LAST 300
#define MOST 67

static void
compare_texels (const float *texels, OdlBorder border)
{
  for (int n = 1; n <= MOST; n++)
    for (int index = FIRST; index <= LAST; index++) {
      const float *texel = texels + 4 * ((n - 1) * (LAST - FIRST + 1) + index - FIRST);
      const int folded = odl_border_index (border, index, n);
      const bool fold = border == ODL_BORDER_WHOLE_SAMPLE && index >= -(n - 1)
                        && index <= 2 * (n - 1);
      const bool wrap = border == ODL_BORDER_PERIODIC && index >= -n && index < 2 * n;
      g_assert_cmpfloat (texel[0], ==, folded);
      g_assert_cmpfloat (texel[1], ==, fold || wrap ? folded : -1);
      g_assert_cmpfloat (texel[2], ==, odl_border_length (border, n));
    }
}

static void
borders_equal_the_c_functions (void)
{
  OdlGlCaps caps;
  size_t linked = 0;
  g_autoptr (GError) error = NULL;
  const int width = LAST - FIRST + 1;
  g_autofree float *texels = g_new (float, 4 * width * MOST);
  GLuint texture, vertex_array;

  odl_gl_caps_init (&caps, &error);
  g_assert_no_error (error);
  OdlGlPrograms *programs = odl_gl_programs_new (&caps, &linked);
  OdlGlDraw draw = {
    .program
    = odl_gl_programs_get (programs, ODL_GL_PASS_FOLD_PROBE, false, NULL, &error),
    .viewport = { 0, 0, width, MOST },
    .vertices = 3,
    .uniforms.first = FIRST,
  };
  g_assert_no_error (error);
  g_assert_cmpint (walk (draw.program, NULL), ==, 2);
  texture = odl_gl_texture_new (4, 32, width, MOST);
  draw.framebuffer = odl_gl_framebuffer_new (&texture, 1);
  glGenVertexArrays (1, &vertex_array);
  glBindVertexArray (vertex_array);
  glBindFramebuffer (GL_READ_FRAMEBUFFER, draw.framebuffer);
  for (OdlBorder border = 0; border < ODL_N_BORDERS; border++) {
    draw.uniforms.border = border;
    odl_gl_draw (&draw);
    glReadPixels (0, 0, width, MOST, GL_RGBA, GL_FLOAT, texels);
    compare_texels (texels, border);
  }
  glUseProgram (0);
  glBindVertexArray (0);
  glDeleteFramebuffers (1, &draw.framebuffer);
  glDeleteTextures (1, &texture);
  glDeleteVertexArrays (1, &vertex_array);
  odl_gl_programs_free (programs);
}

// Waits as the window does, by asking again.
static bool
prepare (OdlEngine *engine, const OdlPlan *plan, GError **error)
{
  g_autoptr (GError) failure = NULL;

  while (!odl_engine_prepare (engine, plan, &failure)
         && g_error_matches (failure, ODL_ERROR, ODL_ERROR_PENDING)) {
    g_clear_error (&failure);
    g_usleep (1000);
  }
  const bool ok = failure == NULL;
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&failure));
  return ok;
}

static void
check_bad_shader (bool patient)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (30, 30, 1, ODL_SAMPLE_U8, 1);
  g_autoptr (OdlPlan) good = odl_gl_test_plan ("sharpen", image);
  g_autoptr (OdlPlan) bad = odl_gl_test_plan ("gaussian:sigma=1", image);
  g_autoptr (GError) error = NULL;
  const bool computes = g_str_equal (odl_gl_test_engine_name (), "gl-compute");
  const char *const convolve = computes ? "convolve.comp" : "convolve.frag";
  const char *const sources[] = { "void main () { oops; }", "not a shader" };

  engine->patient = patient;
  prepare (engine, good, &error);
  g_assert_no_error (error);
  const size_t textures = odl_gl_test_objects (false);
  for (size_t i = 0; i < G_N_ELEMENTS (sources); i++) {
    odl_gl_programs_inject (odl_gl_test_programs (engine), convolve, sources[i]);
    g_assert_false (prepare (engine, bad, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_GPU);
    g_assert_nonnull (strstr (error->message, convolve));
    g_clear_error (&error);
    odl_gl_test_no_gl_error ();
  }
  g_assert_cmpuint (odl_gl_test_objects (false), ==, textures);

  // The structure of before still works, and so does the other once its shader is whole.
  odl_engine_run (engine, good, image, &error);
  g_assert_no_error (error);
  odl_gl_programs_inject (odl_gl_test_programs (engine), NULL, NULL);
  engine->patient = false;
  g_assert_cmpfloat (odl_gl_test_distance (engine, "gaussian:sigma=1", image, true), <=,
                     1e-6);
}

static void
bad_shader_is_an_error_and_nothing_else (void)
{
  check_bad_shader (false);
  check_bad_shader (true);
}

// Is done, or is to be asked again: some drivers are done at once.
static void
ask (OdlEngine *engine, const OdlPlan *plan)
{
  g_autoptr (GError) error = NULL;

  engine->patient = true;
  if (!odl_engine_prepare (engine, plan, &error))
    g_assert_error (error, ODL_ERROR, ODL_ERROR_PENDING);
  engine->patient = false;
}

// While programs are compiled, the structure of before runs, and a third one may take the
// place of what is coming.
static void
compiling_holds_nothing_up (void)
{
  static const char recipe[] = "median:size=5 unsharp";
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (30, 30, 1, ODL_SAMPLE_U8, 1);
  g_autoptr (OdlPlan) before = odl_gl_test_plan ("sharpen", image);
  g_autoptr (OdlPlan) dropped = odl_gl_test_plan ("gaussian:sigma=1", image);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
  g_autoptr (GError) error = NULL;

  odl_test_run (engine, before, image);
  const size_t buffers = odl_gl_test_objects (false);
  ask (engine, dropped);
  ask (engine, plan);
  odl_test_run (engine, before, image);
  engine->patient = true;
  prepare (engine, plan, &error);
  engine->patient = false;
  g_assert_no_error (error);
  g_assert_cmpfloat (odl_gl_test_distance (engine, recipe, image, true), <=, 1e-6);
  odl_test_run (engine, before, image);
  g_assert_cmpuint (odl_gl_test_objects (false), ==, buffers);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "programs/uniforms-match-the-table", uniforms_match_the_table },
    { "programs/text-for-cards-links", text_for_cards_links },
    { "programs/borders-equal-the-c-functions", borders_equal_the_c_functions,
      "gl-fragment" },
    { "programs/bad-shader-is-an-error-and-nothing-else",
      bad_shader_is_an_error_and_nothing_else },
    { "programs/compiling-holds-nothing-up", compiling_holds_nothing_up, "gl-compute" },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
