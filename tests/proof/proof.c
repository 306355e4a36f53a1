// SPDX-License-Identifier: MIT
// The proof: an engine, every variant of it, against the reference: every wavelet of the
// table with every border on one size, every size on wavelets of every kind in turn,
// large pictures, perfect reconstruction, and honest refusals. The program needs odl-core
// alone, so that it can be carried to a machine with a GPU.
//
// ODL_TEST_ENGINE names the engine; ODL_PROOF_SIDE is the side of the largest picture
// (2048, 1024 where a GPU is emulated; 8192 on a machine that is up to it; 256 is the
// least). Every way of an engine takes a share of the cases; with ODL_PROOF_ALL set, all
// of them, which takes minutes where shaders are compiled by the processor.
#include "proof.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

// Of every kind: symmetric of odd and even length, whole numbers, few and many taps, the
// least stable one.
static const struct {
  const char *wavelet, *border;
} kinds[] = {
  { "cdf97", "symmetric" },   { "haar", "zero" },         { "db4", "periodic" },
  { "cdf53", "symmetric" },   { "int53", "symmetric" },   { "coif5", "periodic" },
  { "bior6.8", "symmetric" }, { "cdf97", "periodic" },    { "bior1.3", "periodic" },
  { "haar", "periodic" },     { "rbio2.4", "symmetric" }, { "db10", "periodic" },
};

static const char *const filters[] = {
  "soft-threshold:threshold=0.03",
  "shrinkage:thresholds=0.07:0.11:0.05/0.02:0.03:0.05/0.013",
  "soft-threshold:threshold=0.11",
};

// What an engine may refuse. Anything else must run.
static bool
may_refuse (const OdlEngineClass *klass, const OdlWavelet *wavelet)
{
  return g_str_equal (klass->name, "gl-lookup") && wavelet->reversible;
}

static char *
make_recipe (const OdlWavelet *wavelet, const char *border, int turn)
{
  return g_strdup_printf (
      "%s,wavelet=%s,levels=%d,transform=%s border=%s%s%s",
      filters[turn % G_N_ELEMENTS (filters)], wavelet->name,
      turn % 4 == 3 ? 16 : 1 + turn % 4,
      odl_transform_names[turn % 3 == 2 ? 1 + turn / 3 % (ODL_N_TRANSFORMS - 1) : 0],
      border,
      turn % 7 == 5   ? " view=filtered-analysis"
      : turn % 7 == 3 ? " view=level:2"
                      : "",
      turn % 5 == 4 ? " colour=luma" : "");
}

// True when the engine refuses the plan, as it may, and says so properly.
static bool
refuses (Proof *proof, const OdlPlan *plan, const OdlWavelet *wavelet)
{
  g_autoptr (GError) error = NULL;

  if (odl_engine_can_run (proof->engine->klass, plan, NULL))
    return false;
  g_assert_false (odl_engine_prepare (proof->engine, plan, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, proof->engine->klass->name));
  proof->refused++;
  if (odl_proof_may_lack (proof->engine->klass, plan))
    return true;
  g_assert_nonnull (strstr (error->message, wavelet->label));
  if (!may_refuse (proof->engine->klass, wavelet))
    g_error ("%s", error->message);
  return true;
}

// Whole numbers that were none before: luma is rounded first, and single precision may
// round it the other way, by a step of the samples, which the lifting steps spread.
static double
bound_of (const OdlWavelet *wavelet, const char *border, const OdlPlan *plan)
{
  if (wavelet->reversible)
    for (int i = 0; i < plan->n_steps; i++)
      if (plan->steps[i].kind == ODL_STEP_LUMA)
        return 4 / 255.0;
  return 1e-5 * odl_proof_unrest (wavelet, border);
}

static void
check (Proof *proof,
       const OdlWavelet *wavelet,
       const char *border,
       int width,
       int height,
       int turn)
{
  static const OdlSampleType types[]
      = { ODL_SAMPLE_U8, ODL_SAMPLE_F32, ODL_SAMPLE_U8, ODL_SAMPLE_U16, ODL_SAMPLE_S16 };
  static const int channels[] = { 1, 1, 3, 1, 4, 3, 1 };
  const OdlSampleType type = types[turn % G_N_ELEMENTS (types)];
  g_autoptr (OdlImage) image = odl_proof_noise (
      width, height, channels[turn % G_N_ELEMENTS (channels)], type, (guint32) turn);
  g_autofree char *recipe = make_recipe (wavelet, border, turn);
  g_autoptr (OdlPlan) plan = odl_proof_plan (recipe, image);

  if (refuses (proof, plan, wavelet))
    return;

  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) got = odl_engine_process (proof->engine, plan, image, &error);
  g_assert_no_error (error);
  g_autofree char *what = g_strdup_printf ("seed %d, %s", turn, recipe);
  g_autoptr (OdlImage) wanted = odl_proof_wanted (proof, plan, image, what);
  const double distance = odl_proof_distance (got, wanted);
  const double bound = bound_of (wavelet, border, plan);
  if (!(distance <= bound))
    g_error ("%s, %d×%d, %d channels, type %d, %s: %g > %g", proof->name, width, height,
             odl_image_info (image)->channels, type, what, distance, bound);
  proof->compared++;
}

// ---- the cases -----------------------------------------------------------------------

// Lines of odd and even length on every level, the coarsest shorter than most filters.
static void
every_wavelet_and_border (Proof *proof)
{
  int turn = 0;

  for (size_t w = 0; w < odl_wavelet_count (); w++)
    for (OdlBorder border = 0; border < ODL_N_BORDERS; border++) {
      const OdlWavelet *wavelet = odl_wavelet_at (w);
      if ((wavelet->borders & 1u << border) == 0)
        continue;
      turn++;
      if (odl_proof_takes (proof, turn)) // three levels, or two
        check (proof, wavelet, odl_border_names[border + 1], 45, 22,
               (proof->slow ? 1 : 2) + 4 * turn);
    }
}

static void
check_kind (Proof *proof, int width, int height, int turn)
{
  const size_t kind = (size_t) turn % G_N_ELEMENTS (kinds);

  check (proof, odl_wavelet_find (kinds[kind].wavelet), kinds[kind].border, width, height,
         turn);
}

// Each size with one kind in turn; squares, lines, columns and oblongs with another each.
static void
every_size (Proof *proof)
{
  for (int n = 1; n <= 67; n++) {
    if (!odl_proof_takes (proof, n) || (proof->slow && n % 4 != proof->turn % 4))
      continue;
    check_kind (proof, n, n, n);
    if (proof->slow && n % 8 != proof->turn % 8)
      continue;
    check_kind (proof, n, 68 - n, n + 5);
    check_kind (proof, 1, n, n + 3);
    check_kind (proof, n, 1, n + 8);
  }
}

static void
primes_and_long_lines (Proof *proof)
{
  static const int sizes[][2]
      = { { 71, 73 },  { 127, 113 }, { 131, 2 },  { 251, 3 }, { 5, 509 },
          { 1, 1021 }, { 1024, 1 },  { 2, 1031 }, { 257, 67 } };

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (odl_proof_takes (proof, (int) i))
      check_kind (proof, sizes[i][0], sizes[i][1], 3 * (int) i + proof->turn);
}

static void
check_reconstruction (Proof *proof,
                      const OdlWavelet *wavelet,
                      const char *border,
                      OdlTransformKind transform,
                      int turn)
{
  static const int sizes[][2] = { { 33, 50 }, { 64, 64 }, { 17, 1 } };
  const int *size = sizes[turn % (int) G_N_ELEMENTS (sizes)];
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image
      = odl_proof_noise (size[0], size[1], 1, ODL_SAMPLE_U8, (guint32) turn);
  g_autofree char *recipe = g_strdup_printf (
      "soft-threshold:threshold=0,wavelet=%s,levels=%d,transform=%s border=%s",
      wavelet->name, turn % 4 != 0 ? 3 : 16, odl_transform_names[transform], border);
  g_autoptr (OdlPlan) plan = odl_proof_plan (recipe, image);

  if (refuses (proof, plan, wavelet))
    return;
  g_autoptr (OdlImage) got = odl_engine_process (proof->engine, plan, image, &error);
  g_assert_no_error (error);
  const double distance = odl_proof_distance (got, image);
  // A whole number comes back as itself; its fraction of the range may be rounded.
  const double bound
      = wavelet->reversible ? 6e-8 : 2e-6 * odl_proof_unrest (wavelet, border);
  if (!(distance <= bound))
    g_error ("%s, %d×%d, seed %d, %s: %g > %g", proof->name, size[0], size[1], turn,
             recipe, distance, bound);
  proof->compared++;
}

// Nothing is lost with a threshold of 0, borders included.
static void
reconstructs (Proof *proof)
{
  int turn = 0;

  for (size_t w = 0; w < odl_wavelet_count (); w++)
    for (OdlBorder border = 0; border < ODL_N_BORDERS; border++) {
      const OdlWavelet *wavelet = odl_wavelet_at (w);
      if ((wavelet->borders & 1u << border) == 0)
        continue;
      turn++;
      if (!odl_proof_takes (proof, turn) || (proof->slow && turn % 4 != 1))
        continue;
      for (OdlTransformKind t = 0; t < ODL_N_TRANSFORMS; t++)
        check_reconstruction (proof, wavelet, odl_border_names[border + 1], t, turn);
    }
}

static const struct {
  const char *wavelet, *border;
  int tile; // repeats evenly at 3 levels
} large_cases[] = { { "cdf97", "symmetric", 65 },
                    { "db4", "periodic", 64 },
                    { "int53", "symmetric", 65 },
                    { "haar", "zero", 64 } };

// A picture that repeats a small one, as its border does, is transformed as the small one
// is, everywhere: so no reference has to be computed at this size.
static void
large (Proof *proof)
{
  const char *text = g_getenv ("ODL_PROOF_SIDE");
  // Smaller ones would hold no whole tile.
  const int side = text != NULL ? MAX (atoi (text), 256) : proof->software ? 1024 : 2048;

  for (size_t i = 0; i < G_N_ELEMENTS (large_cases); i++) {
    if (!odl_proof_takes (proof, (int) i))
      continue;
    const OdlWavelet *wavelet = odl_wavelet_find (large_cases[i].wavelet);
    const int tile = large_cases[i].tile;
    const bool mirrored = tile % 2 == 1;
    const int n = mirrored ? side / (tile - 1) * (tile - 1) - tile + 2 : side;
    const OdlBorder repeat = mirrored ? ODL_BORDER_WHOLE_SAMPLE : ODL_BORDER_PERIODIC;
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlImage) small = odl_proof_noise (tile, tile, 1, ODL_SAMPLE_U8, 5);
    g_autoptr (OdlImage) image = odl_proof_repeat (small, n, n, repeat);
    g_autofree char *recipe
        = g_strdup_printf ("soft-threshold:threshold=0.03,wavelet=%s,levels=3 border=%s",
                           wavelet->name, large_cases[i].border);
    g_autoptr (OdlPlan) plan = odl_proof_plan (recipe, image);
    g_autoptr (OdlPlan) small_plan = odl_proof_plan (recipe, small);
    if (refuses (proof, plan, wavelet))
      continue;
    g_autoptr (OdlImage) got = odl_engine_process (proof->engine, plan, image, &error);
    g_assert_no_error (error);
    g_autoptr (OdlImage) once
        = odl_engine_process (proof->reference, small_plan, small, &error);
    g_assert_no_error (error);
    g_autoptr (OdlImage) wanted = odl_proof_repeat (once, n, n, repeat);
    const double distance = odl_proof_distance (got, wanted);
    if (!(distance <= 1e-5))
      g_error ("%s, %d×%d, %s: %g", proof->name, n, n, recipe, distance);
    g_test_message ("%s, %d×%d, %s: %g", proof->name, n, n, recipe, distance);
    proof->compared++;
  }
}

static void
the_registry_is_covered (Proof *proof)
{
  g_auto (GStrv) engines = g_strsplit (g_getenv ("ODL_PROOF_ENGINES"), " ", -1);

  for (size_t i = 0; i < odl_engine_count (); i++)
    if (odl_engine_at (i) != proof->reference->klass
        && !g_strv_contains ((const char *const *) engines, odl_engine_at (i)->name))
      g_error ("no proof runs for the engine %s", odl_engine_at (i)->name);
  proof->compared++;
}

int
main (int argc, char **argv)
{
  static const ProofCase cases[] = {
    { "every-step-has-code", odl_proof_every_step },
    { "every-filter-equals-the-reference", odl_proof_every_filter },
    { "every-filter-of-volumes-equals-the-reference", odl_proof_every_filter_of_volumes },
    { "second-pictures-come-and-go", odl_proof_second_pictures },
    { "every-wavelet-and-border-equals-the-reference", every_wavelet_and_border },
    { "every-size-equals-the-reference", every_size },
    { "primes-and-long-lines-equal-the-reference", primes_and_long_lines },
    { "nothing-is-lost-with-a-threshold-of-zero", reconstructs },
    { "large-pictures-equal-the-reference", large, G_N_ELEMENTS (large_cases) },
    { "every-engine-has-a-proof", the_registry_is_covered },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_proof_run (cases, G_N_ELEMENTS (cases));
}
