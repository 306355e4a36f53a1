// SPDX-License-Identifier: MIT
#include "../helpers/images.h"
#include "../helpers/operands.h"
#include "../helpers/plans.h"
#include "fixture.h"

#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

#include "engine/gl/compute/compute.h"
#include "engine/gl/lookup/lookup.h"
#include "plan/flow.h"
#include "wavelet/transform.h"

typedef struct {
  OdlGlApi api;
  void (*test) (void);
} Case;

// Software rasterisers compile every shader anew for every context and program: tests of
// one API share a context, and an engine where they can.
static OdlGlApi current_api;
static OdlGlHeadless *current_context;
static OdlEngine *shared_engine;

static void
close_context (void)
{
  g_clear_pointer (&shared_engine, odl_engine_close);
  g_clear_pointer (&current_context, odl_gl_headless_free);
}

static void
run_case (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (GError) error = NULL;

  if (current_api != c->api)
    close_context ();
  if (current_context == NULL)
    current_context = odl_gl_headless_new_for (c->api, &error);
  if (current_context == NULL) {
    g_test_skip (error->message);
    return;
  }
  current_api = c->api;

  // Some contexts lack what the engine needs.
  OdlEngine *engine
      = odl_engine_open (odl_engine_find (odl_gl_test_engine_name ()), &error);
  if (engine == NULL) {
    g_assert_error (error, ODL_ERROR, ODL_ERROR_GPU);
    g_test_skip (error->message);
    return;
  }
  odl_engine_close (engine);
  c->test ();
  odl_gl_test_no_gl_error ();
}

int
odl_gl_test_run (const OdlGlTest *tests, size_t n_tests)
{
  static const struct {
    OdlGlApi api;
    const char *name;
  } apis[] = { { ODL_GL_API_DESKTOP, "desktop" }, { ODL_GL_API_ES, "es" } };

  for (size_t i = 0; i < G_N_ELEMENTS (apis); i++)
    for (size_t t = 0; t < n_tests; t++) {
      if (tests[t].engine != NULL
          && strstr (tests[t].engine, odl_gl_test_engine_name ()) == NULL)
        continue;
      if (tests[t].on_desktop && apis[i].api != ODL_GL_API_DESKTOP)
        continue;
      g_autofree char *path = g_strconcat ("/", odl_gl_test_engine_name (), "/",
                                           apis[i].name, "/", tests[t].name, NULL);
      Case *c = g_new (Case, 1);
      *c = (Case){ apis[i].api, tests[t].test };
      g_test_add_data_func_full (path, c, run_case, g_free);
    }

  const int status = g_test_run ();
  close_context ();
  return status;
}

OdlEngine *
odl_gl_test_shared_engine (void)
{
  if (shared_engine == NULL)
    shared_engine = odl_gl_test_engine ();
  odl_gl_test_choose (shared_engine, NULL);
  return shared_engine;
}

OdlGlApi
odl_gl_test_api (void)
{
  return current_api;
}

bool
odl_gl_test_is_run (OdlEngine *engine, const OdlPlan *plan, size_t index)
{
  g_autoptr (GError) error = NULL;

  if (current_api == ODL_GL_API_DESKTOP || index % 4 == 0)
    return true;
  odl_engine_prepare (engine, plan, &error);
  g_assert_no_error (error);
  return false;
}

void
odl_gl_test_no_gl_error (void)
{
  g_assert_cmphex (glGetError (), ==, GL_NO_ERROR);
}

const char *
odl_gl_test_engine_name (void)
{
  const char *name = g_getenv ("ODL_TEST_ENGINE");

  return name != NULL ? name : "gl-fragment";
}

size_t
odl_gl_test_objects (bool programs)
{
  size_t n = 0;

  for (GLuint name = 1; name < 4096; name++)
    n += glIsTexture (name) + glIsBuffer (name) + (programs && glIsProgram (name));
  return n;
}

OdlGlPrograms *
odl_gl_test_programs (OdlEngine *engine)
{
  OdlGlPrograms *programs = odl_gl_fragment_programs (engine);

  if (programs == NULL)
    programs = odl_gl_lookup_programs (engine);
  return programs != NULL ? programs : odl_gl_compute_programs (engine);
}

bool
odl_gl_test_choose (OdlEngine *engine, const char *variant)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strjoin (":", engine->klass->name, variant, NULL);
  OdlEngineChoice choice;

  if (!odl_engine_choice_parse (text, &choice, NULL))
    return false;
  odl_engine_choose (engine, choice.variant, &error);
  g_assert_no_error (error);
  return true;
}

void
odl_gl_test_set_max_side (OdlEngine *engine, int max_side)
{
  if (odl_gl_fragment_programs (engine) != NULL)
    odl_gl_fragment_set_max_side (engine, max_side);
  if (odl_gl_lookup_programs (engine) != NULL)
    odl_gl_lookup_set_max_side (engine, max_side);
}

OdlEngine *
odl_gl_test_engine (void)
{
  g_autoptr (GError) error = NULL;
  OdlEngine *engine
      = odl_engine_open (odl_engine_find (odl_gl_test_engine_name ()), &error);

  g_assert_no_error (error);
  return engine;
}

OdlImage *
odl_gl_test_noise (int width, int height, int channels, OdlSampleType type, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  void *samples;
  OdlImage *image = odl_test_image (width, height, channels, type, &samples);

  for (size_t i = 0; i < (size_t) width * height * channels; i++)
    switch (type) {
    case ODL_SAMPLE_U8:
      ((guint8 *) samples)[i] = (guint8) g_rand_int_range (random, 0, 256);
      break;
    case ODL_SAMPLE_U16:
      ((guint16 *) samples)[i] = (guint16) g_rand_int_range (random, 0, 65536);
      break;
    case ODL_SAMPLE_S16:
      ((gint16 *) samples)[i] = (gint16) g_rand_int_range (random, -32768, 32768);
      break;
    case ODL_SAMPLE_F32:
      ((float *) samples)[i] = (float) g_rand_double (random);
      break;
    }
  return image;
}

OdlPlan *
odl_gl_test_plan (const char *text, const OdlImage *image)
{
  OdlGeometry geometry = odl_geometry_of (image);
  OdlRecipe recipe = odl_test_recipe (text);
  g_autoptr (OdlOperands) operands = geometry.operands
      = odl_test_operands (&recipe, &geometry, odl_gl_test_noise);

  return odl_test_plan_of (&recipe, &geometry);
}

OdlGlTestDifference
odl_gl_test_difference (const OdlImage *a,
                        const OdlImage *b,
                        int skip_width,
                        int skip_height)
{
  const OdlImageInfo *info = odl_image_info (a);
  const OdlImageInfo *other = odl_image_info (b);
  const int width = info->extent.x;
  OdlGlTestDifference result = { 0 };

  if (other->extent.x != width || other->extent.y != info->extent.y
      || other->channels != info->channels)
    return (OdlGlTestDifference){ .max = INFINITY };

  for (int c = 0; c < info->channels; c++)
    for (int y = 0; y < info->extent.y; y++) {
      const float *row_a = (const float *) ((const char *) info->planes[c].data
                                            + y * info->planes[c].row_stride_bytes);
      const float *row_b = (const float *) ((const char *) other->planes[c].data
                                            + y * other->planes[c].row_stride_bytes);
      for (int x = y < skip_height ? skip_width : 0; x < width; x++) {
        const double d = fabs ((double) row_a[x * info->channels]
                               - (double) row_b[x * other->channels]);
        if (!(d <= result.max))
          result = (OdlGlTestDifference){ isfinite (d) ? d : (double) INFINITY, x, y, c };
      }
    }
  return result;
}

// The slot that step `s` wrote, in both engines.
static double
slot_distance (OdlEngine *engine, OdlEngine *reference, const OdlPlan *plan, int s)
{
  const OdlStep *step = &plan->steps[s];
  const OdlSlot *slot = &plan->slots[step->writes];
  const bool no_approx = step->kind == ODL_STEP_THRESHOLD;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) got = odl_engine_read_back (engine, plan, step->writes, &error);
  g_assert_no_error (error);
  g_autoptr (OdlImage) wanted
      = odl_engine_read_back (reference, plan, step->writes, &error);
  g_assert_no_error (error);

  const OdlGlTestDifference d
      = odl_gl_test_difference (got, wanted, no_approx ? odl_low_count (slot->width) : 0,
                                no_approx ? odl_low_count (slot->height) : 0);
  if (g_test_verbose () || d.max > 0.01)
    g_test_message ("step %d %s level %d: %g at (%d, %d) channel %d", s,
                    odl_step_row (step->kind)->name, step->level, d.max, d.x, d.y,
                    d.channel);
  return d.max;
}

// Slots are reused: only the last writer of each still shows.
static bool
is_last_writer (const OdlPlan *plan, int s)
{
  for (int later = s + 1; later < plan->n_steps; later++)
    if (plan->steps[later].writes == plan->steps[s].writes)
      return false;
  return true;
}

// Half of a picture of coefficients is still the picture before, and the dual tree's
// halves have no store; nobody reads them back.
static bool
is_unfinished (const OdlPlan *plan, int step)
{
  const OdlStep *own = &plan->steps[step];
  const bool places = own->kind == ODL_STEP_PLACE || own->kind == ODL_STEP_DUAL_PLACE;

  return (places && own->writes != plan->result)
         || (odl_step_class (own) == ODL_STEP_CLASS_DUAL_TREE
             && odl_step_writes_half (own));
}

double
odl_gl_test_distance (OdlEngine *engine,
                      const char *recipe,
                      OdlImage *image,
                      bool stepwise)
{
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlEngine) reference
      = odl_engine_open (odl_engine_find ("reference"), &error);
  OdlEngine *engines[] = { engine, reference };
  double distance = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (engines); i++) {
    odl_test_run (engines[i], plan, image);
  }
  for (int s = 0; s < plan->n_steps; s++)
    if (is_last_writer (plan, s) && !is_unfinished (plan, s)
        && (stepwise || plan->steps[s].writes == plan->result))
      distance = MAX (distance, slot_distance (engine, reference, plan, s));
  return distance;
}

void
odl_gl_test_check_size (OdlEngine *engine,
                        int width,
                        int height,
                        int channels,
                        int precision)
{
  static const char *const wavelets[] = { "cdf97", "cdf53" };
  const double bound = precision == 16 ? 2e-3 : 1e-5;
  g_autoptr (OdlImage) image
      = odl_gl_test_noise (width, height, channels, ODL_SAMPLE_U8, width * 100 + height);

  for (size_t w = 0; w < G_N_ELEMENTS (wavelets); w++) {
    g_autofree char *recipe
        = g_strdup_printf ("soft-threshold:wavelet=%s,levels=16,threshold=0.05 "
                           "precision=%d",
                           wavelets[w], precision);
    const double distance = odl_gl_test_distance (engine, recipe, image, false);
    if (distance > bound)
      g_test_message ("%d × %d, %d channels, %s: %g", width, height, channels, recipe,
                      distance);
    g_assert_cmpfloat (distance, <=, bound);
  }
}
