// SPDX-License-Identifier: MIT
// Every filter of the table with every end of the range of each of its parameters, and
// each of its choices, against the reference: a filter that is added is proved without a
// line here, and an engine that has no code for one of its steps is named.
#include "proof.h"
#include "../helpers/plans.h"

#include <math.h>
#include <string.h>

#include "plan/equalise.h"
#include "plan/flow.h"
#include "plan/numbers.h"

#include "filter/own/words.h"
#include "filter/inside.h"

#define FRAMES 3 // of a take, for filters over time

static const int sizes[][2]
    = { { 1, 1 }, { 2, 5 }, { 17, 9 }, { 45, 22 }, { 600, 3 }, { 4, 8 } };

// The curve of a tile of one sample rises within one bin. What is not whole may belong to
// either of two bins by rounding, which is worth one sample of a tile.
static double
bound_of_equalisation (const OdlPlan *plan, const OdlStep *step)
{
  const OdlGeometry *geometry = &plan->geometry;
  const bool whole = geometry->channels == 1 && geometry->bits <= 16;
  const OdlEqualiseTile tile
      = odl_equalise_tile (geometry->width, geometry->height, step->side);

  return 1.2e-7 * step->bins + (whole ? 0 : 1.001 / ((double) tile.width * tile.height));
}

// Where a gate opens by the distance of two frames, errors count by its width. Diffusion
// makes differences about κ larger, with every step, and their errors with them: 1.3e-4
// after 400 of them on one of the pictures, 3e-5 on another.
// SURE's threshold of a band of few details moves where one of them changes a share;
// BayesShrink's of the smallest bands is a quotient of two small numbers: 1.05e-5 on one
// of the pictures, 1.4e-5 on an H200.
// Non-local means add up to 961 samples, in another order on each engine: 1.4e-5 on an
// H100.
// BM3D keeps or drops each coefficient of a group by σ. Where that is measured on the
// way, its last digit differs, and one beside its threshold falls the other way: 1.5e-4
// on one of the pictures.
static double
bound_of (const OdlPlan *plan)
{
  double bound = 1e-5;
  bool registers = false;
  int diffusions = 0;

  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    if (step->kind == ODL_STEP_PERSISTENCE)
      bound = MAX (bound, 5e-7 / step->parameters.threshold);
    if (step->kind == ODL_STEP_NON_LOCAL_MEANS)
      bound = MAX (bound, 2e-8 * step->side * step->side);
    if (step->kind == ODL_STEP_BM3D && step->reads[3] != ODL_PLAN_NO_SLOT)
      bound = MAX (bound, 5e-4);
    // Relative errors of 2e-6 or less.
    if (step->kind == ODL_STEP_LOG_EXPAND)
      bound = MAX (bound, 2e-6 * step->parameters.values[0]);
    // Places are rounded to single precision, as shares of all columns and rows of what
    // is read: 1.03e-5 on an H200 where that is 64 columns wide.
    if (step->kind == ODL_STEP_SCAN_CONVERT) {
      const OdlSlot *read = &plan->slots[step->reads[0]];
      bound = MAX (bound, 3e-7 * (read->width + read->height));
    }
    if (step->kind == ODL_STEP_BAYES)
      bound = MAX (bound, 2e-5);
    if (step->kind == ODL_STEP_CLAHE)
      bound = MAX (bound, bound_of_equalisation (plan, step));
    diffusions += step->kind == ODL_STEP_DIFFUSION;
    // Of noise that has nothing in common each iteration multiplies rounding errors;
    // tests/golden/register.py compares engines on pictures that do.
    registers = registers || step->kind == ODL_STEP_REGISTER;
  }
  return registers ? 0.01 : MAX (bound, 1e-6 * diffusions);
}

// gl-lookup measures only the largest samples of a picture, gl-fragment nothing of bands
// that are pictures, no histogram of a picture and no contours, and neither of them the
// dual tree; gl-lookup has one pyramid at a time, combines no two, and shrinks it once.
// gl-fragment and gl-lookup have no tensors and no BM3D; registration is for processors
// alone. What asks for them goes to another engine.
static bool
may_lack (const OdlEngineClass *klass, const OdlStep *step)
{
  const OdlStepKind kind = step->kind;

  if (odl_step_row (kind)->class == ODL_STEP_CLASS_DUAL_TREE)
    return g_str_equal (klass->name, "gl-fragment")
           || g_str_equal (klass->name, "gl-lookup");
  if (kind == ODL_STEP_REGISTER || kind == ODL_STEP_PYTHON)
    return g_str_has_prefix (klass->name, "gl-");
  if (kind == ODL_STEP_OWN) // code for graphics cards
    return !g_str_has_prefix (klass->name, "gl-");
  if (kind == ODL_STEP_BM3D || kind == ODL_STEP_BM3D_TIME || kind == ODL_STEP_OPPONENT
      || odl_step_row (kind)->class == ODL_STEP_CLASS_TENSOR)
    return g_str_equal (klass->name, "gl-fragment")
           || g_str_equal (klass->name, "gl-lookup");
  if (kind == ODL_STEP_BIVARIATE)
    return g_str_equal (klass->name, "gl-fragment")
           || g_str_equal (klass->name, "gl-lookup");
  if (odl_step_row (kind)->class == ODL_STEP_CLASS_BANDS)
    return kind != ODL_STEP_SHIFT
           && (g_str_equal (klass->name, "gl-fragment")
               || g_str_equal (klass->name, "gl-lookup"));
  if (kind == ODL_STEP_COMBINE)
    return g_str_equal (klass->name, "gl-lookup");
  return odl_step_row (kind)->class == ODL_STEP_CLASS_MEASURE
         && ((g_str_equal (klass->name, "gl-lookup") && kind != ODL_STEP_PEAK)
             || ((kind == ODL_STEP_TROUGH || kind == ODL_STEP_SNAKES
                  || kind == ODL_STEP_EQUALISE || step->band > 0)
                 && g_str_equal (klass->name, "gl-fragment")));
}

bool
odl_proof_may_lack (const OdlEngineClass *klass, const OdlPlan *plan)
{
  bool may = false;

  for (int i = 0; i < plan->n_steps; i++)
    may = may || may_lack (klass, &plan->steps[i])
          || (g_str_equal (klass->name, "gl-lookup") && odl_plan_shrinks_again (plan, i));
  return may;
}

static bool
refuses (Proof *proof, const OdlPlan *plan)
{
  if (!odl_proof_may_lack (proof->engine->klass, plan))
    return false;
  g_assert_false (odl_engine_can_run (proof->engine->klass, plan, NULL));
  proof->refused++;
  return true;
}

// Where the reference would look at more samples than a test has time for: patches of a
// large search window, or hundreds of steps, in a picture that is large for this test.
static bool
takes_too_long (const OdlPlan *plan)
{
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    const OdlSlot *slot = &plan->slots[step->writes];
    if (step->kind == ODL_STEP_NON_LOCAL_MEANS
        && slot->width * slot->height * step->side * step->side > 400000)
      return true;
    if (step->kind == ODL_STEP_SCAN_CONVERT && slot->width * slot->height > 400000)
      return true;
    if (plan->n_steps > 100 && slot->width * slot->height > 200)
      return true;
  }
  return false;
}

static void
compare (Proof *proof, const OdlPlan *plan, OdlImage *image, const char *what)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) got = odl_engine_process (proof->engine, plan, image, &error);

  if (got == NULL)
    g_error ("%s, %s: %s", proof->name, what, error->message);
  g_autoptr (OdlImage) wanted = odl_proof_wanted (proof, plan, image, what);
  const double distance = odl_proof_distance (got, wanted);
  if (!(distance <= bound_of (plan)))
    g_error ("%s, %s: %g > %g", proof->name, what, distance, bound_of (plan));
}

// The same samples as beams of one array or the other, which scan-convert asks for.
static OdlImage *
as_beams (OdlImage *image, guint32 seed)
{
  static const OdlBeams arrays[] = {
    { ODL_BEAMS_CURVILINEAR, 60, -0.5, 0, 0, 2, 0.9 },
    { ODL_BEAMS_LINEAR, 0, -0.5, 0, 0.2, 0, 0.04 },
    { ODL_BEAMS_CURVILINEAR, 0, -0.9, 0, 0, 0, 0.3 },
  };
  OdlImageInfo info = *odl_image_info (image);

  info.beams = arrays[seed % G_N_ELEMENTS (arrays)];
  info.beams.step = -2 * info.beams.first / MAX (info.extent.x - 1, 1);
  return odl_image_with_info (image, &info);
}

static void
check_size (Proof *proof,
            const char *recipe,
            int width,
            int height,
            int channels,
            guint32 seed)
{
  static const OdlSampleType types[]
      = { ODL_SAMPLE_U8, ODL_SAMPLE_F32, ODL_SAMPLE_S16, ODL_SAMPLE_U16 };

  for (int frame = 0; frame < FRAMES; frame++) {
    g_autoptr (OdlImage) noise
        = odl_proof_noise (width, height, channels, types[seed % G_N_ELEMENTS (types)],
                           seed + 1000 * (guint32) frame);
    g_autoptr (OdlImage) image = as_beams (noise, seed);
    g_autoptr (OdlPlan) plan = odl_proof_plan (recipe, image);
    g_autofree char *what = g_strdup_printf ("%d×%d, frame %d, seed %u, %s", width,
                                             height, frame, seed, recipe);
    if (refuses (proof, plan) || takes_too_long (plan))
      return;
    proof->engine->moment = proof->reference->moment
        = (OdlMoment){ seed + 1, (uint64_t) frame + 1 };
    compare (proof, plan, image, what);
    proof->compared++;
    if (odl_plan_frames (plan) == 1)
      break;
  }
}

// ---- sequences -----------------------------------------------------------------------

#define SEQUENCE 8
#define SEQUENCE_NOISE 0.03

// Squares of several levels that move, and noise.
static OdlImage *
moved_squares (int channels, int frame)
{
  enum { WIDTH = 30, HEIGHT = 22 };
  const OdlImageInfo info = { .extent = { WIDTH, HEIGHT, 1 },
                              .channels = channels,
                              .type = ODL_SAMPLE_F32,
                              .stored_max = 1 };
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) frame);
  float *samples;
  OdlImage *image = odl_image_alloc (&info, (void **) &samples, NULL);

  for (int i = 0; i < WIDTH * HEIGHT * channels; i++) {
    const int x = i / channels % WIDTH + frame, y = i / channels / WIDTH,
              c = i % channels;
    double value = 0.15 + 0.1 * ((x / 9 * 5 + y / 7 * 3 + c * 2) % 7);
    for (int k = 0; k < 12; k++)
      value += SEQUENCE_NOISE * (g_rand_double (random) - 0.5);
    samples[i] = (float) value;
  }
  return image;
}

// A block whose match flips, where two are nearly as far, is moved; that is rare.
static void
assert_mostly_alike (OdlImage *got, OdlImage *wanted, double bound, const char *what)
{
  const OdlImageInfo *info = odl_image_info (got);
  const float *a = info->planes[0].data, *b = odl_image_info (wanted)->planes[0].data;
  const size_t n = (size_t) info->extent.x * info->extent.y * info->channels;
  size_t off = 0, far = 0;

  for (size_t i = 0; i < n; i++) {
    off += !(fabsf (a[i] - b[i]) <= bound);
    far += !(fabsf (a[i] - b[i]) <= SEQUENCE_NOISE / 10);
  }
  if (100 * far > n || 20 * off > n)
    g_error ("%s: of %zu samples %zu are off, %zu far", what, n, off, far);
}

static OdlPlan *
plan_in_sequence (OdlImage *const *images, int frame, const OdlRecipe *recipe)
{
  OdlGeometry geometry = odl_geometry_of (images[frame]);
  const OdlTimeReach reach = odl_plan_time_reach (recipe, &geometry);
  g_autoptr (OdlNeighbours) about = odl_neighbours_new (frame, SEQUENCE);

  for (int i = MAX (frame - reach.past, 0); i <= MIN (frame + reach.ahead, SEQUENCE - 1);
       i++)
    odl_neighbours_put (about, i, images[i]);
  geometry.neighbours = about;
  return odl_test_plan_of (recipe, &geometry);
}

// Filters that look at other frames: where a sequence begins, is jumped in, goes on, and
// ends.
static void
check_sequence (Proof *proof, const char *text, int channels)
{
  static const int frames[] = { 1, 4, 5, SEQUENCE - 1 };
  const OdlRecipe recipe = odl_test_recipe (text);
  OdlImage *images[SEQUENCE];

  for (int i = 0; i < SEQUENCE; i++)
    images[i] = moved_squares (channels, i);
  for (size_t i = 0; i < G_N_ELEMENTS (frames); i++) {
    g_autoptr (OdlPlan) plan = plan_in_sequence (images, frames[i], &recipe);
    g_autofree char *what = g_strdup_printf ("sequence, frame %d, %s", frames[i], text);
    g_autoptr (GError) error = NULL;
    if (refuses (proof, plan))
      break;
    proof->engine->moment = proof->reference->moment = (OdlMoment){ 0 };
    g_autoptr (OdlImage) got
        = odl_engine_process (proof->engine, plan, images[frames[i]], &error);
    if (got == NULL)
      g_error ("%s, %s: %s", proof->name, what, error->message);
    g_autoptr (OdlImage) wanted = odl_proof_wanted (proof, plan, images[frames[i]], what);
    assert_mostly_alike (got, wanted, bound_of (plan), what);
    proof->compared++;
  }
  for (int i = 0; i < SEQUENCE; i++)
    odl_image_unref (images[i]);
}

static bool
looks_about (const char *text)
{
  const OdlRecipe recipe = odl_test_recipe (text);
  const OdlGeometry none = { 0 };

  return odl_plan_time_reach (&recipe, &none).past > 0;
}

// Where a GPU is emulated, each program is compiled by the processor, for grey and for
// colours. There a recipe has every other size, and one of these in OpenGL ES, which has
// the same text of shaders, if all cases come again there.
static bool
has_size (const Proof *proof, int recipe, int size)
{
  return !proof->software
         || ((recipe + size) % 2 == 0 && (!proof->again || size / 2 == recipe / 2 % 3));
}

// Nor has a recipe both there, unless it is a filter at its defaults; values of a
// parameter that follow each other differ.
static int
channels_of (const Proof *proof, int recipe, guint32 seed, bool defaults)
{
  return (!proof->software || defaults ? seed % 3 : (guint32) (recipe + recipe / 3) % 3)
                 == 1
             ? 3
             : 1;
}

// Each way another size of each recipe.
static void
check_recipe (Proof *proof, const char *recipe, bool defaults)
{
  const int first = proof->cases++;

  for (int i = 0; i < (int) G_N_ELEMENTS (sizes); i++) {
    const guint32 seed = (guint32) (7 * first + i);
    if (odl_proof_takes (proof, first + i) && has_size (proof, first, i))
      check_size (proof, recipe, sizes[i][0], sizes[i][1],
                  channels_of (proof, first, seed, defaults), seed);
  }
  if (looks_about (recipe) && odl_proof_takes (proof, first)
      && (!proof->again || first % 2 == 0))
    check_sequence (proof, recipe, proof->software ? 1 : first % 2 == 0 ? 3 : 1);
}

// The filter with one parameter as text, all others at their defaults.
static void
check_value (Proof *proof, const OdlFilter *filter, const char *key, const char *value)
{
  // Alone it has nothing to undo.
  const char *before = filter->kind == ODL_FILTER_RESTORE ? "stabilise:method=box-cox "
                       : filter->kind == ODL_FILTER_UNSCAN_CONVERT
                           ? "scan-convert:width=64 "
                           : "";
  g_autofree char *recipe
      = key != NULL ? g_strdup_printf ("%s%s:%s=%s", before, filter->name, key, value)
                    : g_strconcat (before, filter->name, NULL);

  check_recipe (proof, recipe, key == NULL);
}

// The filter inside a transform of each kind, wherever it may stand; a threshold before
// and another one behind it, so that one step of a level is followed by another one.
static void
check_inside (Proof *proof, const OdlFilter *filter)
{
  static const char *const views[] = { "", " view=filtered-analysis", " view=analysis",
                                       " view=residual", " view=level:2" };
  const OdlParameter *kinds
      = odl_filter_parameter (odl_filter_find ("transform"), "transform");

  for (int k = 0; kinds->choices[k] != NULL; k++)
    for (int at = 0; odl_at_names[at] != NULL; at++) {
      if (odl_own_is_filter (filter) // golden/own_code.py and own_python.py have code
          || !odl_filter_fits_inside (filter, (OdlTransformKind) k)
          || (at > 0 && !odl_filter_has_at (filter)))
        continue;
      g_autofree char *place = odl_filter_has_at (filter)
                                   ? g_strdup_printf (":at=%s", odl_at_names[at])
                                   : g_strdup ("");
      g_autofree char *recipe = g_strdup_printf (
          "transform:levels=3,transform=%s hard-threshold:threshold=0.02 %s%s "
          "soft-threshold:threshold=0.03 inverse%s",
          kinds->choices[k], filter->name, place,
          views[proof->cases % (int) G_N_ELEMENTS (views)]);
      check_recipe (proof, recipe, false);
    }
}

static void
check_parameter (Proof *proof, const OdlFilter *filter, const OdlParameter *parameter)
{
  const double ends[] = { parameter->minimum, odl_parameter_maximum (parameter) };

  // The other cases walk the wavelets, and every plan has a second picture.
  if (parameter->kind == ODL_PARAMETER_WAVELET || odl_parameter_is_file (parameter))
    return;
  if (parameter->kind == ODL_PARAMETER_PULLS) {
    check_value (proof, filter, parameter->key, "10:10:20:5/1:2:3:4");
    return;
  }
  if (parameter->kind == ODL_PARAMETER_SPECTRUM)
    check_value (proof, filter, parameter->key,
                 "2.3:1.5:0.8:0.4:0.3:0.2:0.1:0.1/1.4/1:1:0.6:0.5:0.4:0.3:0.2:0.1/0.3");
  if (parameter->kind == ODL_PARAMETER_MATRIX)
    check_value (proof, filter, parameter->key,
                 parameter->follows == ODL_FOLLOWS_SLICES
                     ? "0.03:0.01:0.06:0.1/0.02/auto:0.07:0.04:auto"
                     : "0.03:0.01:0.06/0.02/0.05:0.07:0.04");
  for (int i = 0; parameter->choices != NULL && parameter->choices[i] != NULL; i++)
    check_value (proof, filter, parameter->key, parameter->choices[i]);
  if (parameter->over_frames)
    check_value (proof, filter, parameter->key, "frame");
  if (parameter->each_frame)
    check_value (proof, filter, parameter->key, "each-frame");
  for (size_t i = 0; parameter->choices == NULL && i < G_N_ELEMENTS (ends); i++) {
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    check_value (proof, filter, parameter->key,
                 g_ascii_dtostr (text, sizeof text, ends[i]));
  }
}

// ODL_PROOF_FILTER names the one that is wanted.
static bool
is_wanted (const OdlFilter *filter)
{
  const char *wanted = g_getenv ("ODL_PROOF_FILTER");

  return wanted == NULL || g_str_equal (wanted, filter->name);
}

void
odl_proof_every_filter (Proof *proof)
{
  for (size_t f = 0; f < odl_filter_count (); f++) {
    const OdlFilter *filter = odl_filter_at (f);
    if (!is_wanted (filter))
      continue;
    check_value (proof, filter, NULL, NULL);
    for (size_t p = 0; p < filter->n_parameters; p++)
      check_parameter (proof, filter, &filter->parameters[p]);
    check_inside (proof, filter);
  }
  if (is_wanted (odl_filter_find ("bayes-shrink")))
    check_recipe (proof, "bayes-shrink:wavelet=sym8", true); // with margins
}

// Slices of which each has a brightness and noise of its own.
static OdlImage *
unlike_slices (int channels)
{
  enum { WIDTH = 13, HEIGHT = 10, DEPTH = 6 };
  const OdlImageInfo info = { .extent = { WIDTH, HEIGHT, DEPTH },
                              .channels = channels,
                              .type = ODL_SAMPLE_F32,
                              .stored_max = 1 };
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) channels);
  void *samples;
  OdlImage *volume = odl_image_alloc (&info, &samples, NULL);
  const int slice = WIDTH * HEIGHT * channels;

  for (int i = 0; i < slice * DEPTH; i++) {
    const int z = i / slice;
    ((float *) samples)[i]
        = (float) (0.1 * (z * 3 % DEPTH + 1) + 0.03 * (z + 1) * g_rand_double (random));
  }
  return volume;
}

static void
check_volume (Proof *proof, const char *recipe, OdlImage *volume)
{
  const OdlEngineClass *klass = proof->engine->klass;
  g_autoptr (OdlPlan) plan = odl_proof_plan (recipe, volume);

  if (!odl_proof_takes (proof, proof->cases++))
    return;
  // Of filters of pictures gl-compute has few for slices; the others have none.
  if (!odl_engine_can_run (klass, plan, NULL)) {
    g_assert_true (g_str_has_prefix (klass->name, "gl-"));
    proof->refused++;
    return;
  }
  proof->engine->moment = proof->reference->moment
      = (OdlMoment){ (guint64) proof->cases, 1 };
  compare (proof, plan, volume, recipe);
  proof->compared++;
}

// Behind a filter of volumes and before one slices lie beside each other; a filter of
// pictures sees each of them.
static void
check_beside (Proof *proof,
              const OdlFilter *filter,
              const char *settings,
              OdlImage *volume)
{
  static const char deep[]
      = "convolve:dimensions=3,shape=gaussian,size=3,border=symmetric";
  const char *before
      = filter->kind == ODL_FILTER_RESTORE ? "stabilise:method=box-cox " : "";
  g_autofree char *behind = g_strconcat (deep, " ", before, filter->name, settings, NULL);
  g_autofree char *ahead = g_strconcat (before, filter->name, settings, " ", deep, NULL);

  check_volume (proof, behind, volume);
  check_volume (proof, ahead, volume);
}

void
odl_proof_every_filter_of_volumes (Proof *proof)
{
  for (int channels = 1; channels <= 3; channels += 2) {
    g_autoptr (OdlImage) volume = unlike_slices (channels);
    for (size_t f = 0; f < odl_filter_count (); f++) {
      const OdlFilter *filter = odl_filter_at (f);
      if (!is_wanted (filter))
        continue;
      check_beside (proof, filter, "", volume);
      for (size_t p = 0; p < filter->n_parameters; p++)
        if (filter->parameters[p].over_frames) {
          g_autofree char *frame
              = g_strdup_printf (":%s=frame", filter->parameters[p].key);
          check_beside (proof, filter, frame, volume);
        }
      // Second pictures are no volumes here.
      if (odl_filter_parameter (filter, "dimensions") != NULL
          && odl_filter_file (filter) == NULL)
        check_beside (proof, filter, ":dimensions=3", volume);
    }
  }
  g_assert_true (proof->compared > 0 || g_getenv ("ODL_PROOF_FILTER") != NULL
                 || !g_str_equal (proof->engine->klass->name, "gl-compute"));
}

// Whether the engine has code for every kind of step, whatever filter asks for it.
void
odl_proof_every_step (Proof *proof)
{
  for (OdlStepKind kind = 0; kind < ODL_N_STEP_KINDS; kind++) {
    const OdlStep step = { .kind = kind };
    if (odl_step_row (kind)->name == NULL)
      g_error ("step kind %d has no row in src/plan/step.c", kind);
    if (!proof->engine->klass->has_step (&step)
        && !may_lack (proof->engine->klass, &step))
      g_error ("%s has no step “%s”", proof->name, odl_step_row (kind)->name);
    if (!proof->reference->klass->has_step (&step)
        && !may_lack (proof->reference->klass, &step))
      g_error ("the reference has no step “%s”", odl_step_row (kind)->name);
  }
  proof->compared++;
}
