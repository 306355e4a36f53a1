// SPDX-License-Identifier: MIT
// The per-level form of the CPU engine by lifting, with every instruction set of this
// machine: against the reference, against filter taps, and against itself in bands.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/steps/transform/transform.h"
#include "fixtures.h"

#define BOUND 2.5e-6 // of rounding in single precision, over all levels and both axes
#define MOST_VARIANTS 8

typedef struct {
  const char *name;
  OdlEngine *lifting;
  OdlEngine *filtering;
} Opened;

static Opened opened[MOST_VARIANTS];
static int n_opened;
static OdlEngine *reference;

static OdlEngine *
open_form (const char *instructions, const char *form)
{
  g_autofree char *words = g_strjoin (",", instructions, form, NULL);

  return open_cpu (words);
}

static void
open_all (void)
{
  reference = open_engine ("reference");
  for (size_t v = 0; v < odl_cpu_variant_count (); v++) {
    const OdlCpuVariant *variant = odl_cpu_variant_at (v);
    if (variant->runs_here ())
      opened[n_opened++]
          = (Opened){ variant->name, open_form (variant->name, "per-level"),
                      open_form (variant->name, "filtering") };
  }
}

static void
close_all (void)
{
  for (int i = 0; i < n_opened; i++) {
    odl_engine_close (opened[i].lifting);
    odl_engine_close (opened[i].filtering);
  }
  odl_engine_close (reference);
}

static void
check_close (const OdlImage *want, const OdlImage *got, const char *what)
{
  const OdlImageInfo *info = odl_image_info (want);

  for (int c = 0; c < info->channels; c++)
    for (int y = 0; y < info->extent.y; y++)
      for (int x = 0; x < info->extent.x; x++) {
        const double w = sample_of (want, c, x, y), g = sample_of (got, c, x, y);
        if (!(fabs (w - g) <= BOUND))
          g_error ("%s: (%d, %d) of %d×%d is %.9g, not %.9g", what, x, y, info->extent.x,
                   info->extent.y, g, w);
      }
}

static bool
lifts (const OdlWavelet *wavelet)
{
  return wavelet->lifting.count > 0 && !wavelet->reversible;
}

// Coefficients as they are, and what comes back of them; levels as many as there are, and
// fewer in turn.
static void
check_size (int width, int height, int channels, int turn)
{
  static const char *const views[] = { " view=analysis", "" };
  g_autoptr (OdlImage) image = make_noise (width, height, channels, turn, 0, 1);

  for (size_t w = 0; w < odl_wavelet_count (); w++)
    for (size_t v = 0; v < G_N_ELEMENTS (views) && lifts (odl_wavelet_at (w)); v++) {
      g_autofree char *text = g_strdup_printf (
          "soft-threshold:wavelet=%s,levels=%d,threshold=0.03 border=symmetric%s",
          odl_wavelet_at (w)->name, turn % 3 == 0 ? 7 : 1 + turn % 4, views[v]);
      g_autoptr (OdlImage) want = process (reference, text, image);
      for (int i = 0; i < n_opened; i++) {
        g_autofree char *what = g_strconcat (opened[i].name, ", ", text, NULL);
        g_autoptr (OdlImage) got = process (opened[i].lifting, text, image);
        g_autoptr (OdlImage) filtered = process (opened[i].filtering, text, image);
        check_close (want, got, what);
        check_close (filtered, got, what);
        if (width > 1 && height > 1) {
          g_assert_true (g_str_has_prefix (opened[i].lifting->variant, "per-level-"));
          g_assert_true (g_str_has_prefix (opened[i].filtering->variant, "filtering-"));
        }
      }
    }
}

static void
test_small (void)
{
  int turn = 0;

  for (int n = 1; n <= 67; n++) {
    check_size (n, n, 1, turn++);
    check_size (n, 68 - n, 1, turn++);
    check_size (1, n, 1, turn++);
    check_size (n, 1, 1, turn++);
  }
}

// Primes, and more columns than go down together: an odd number of them, and so many that
// the low ones alone are more.
static void
test_large (void)
{
  check_size (97, 211, 3, 0);
  check_size (509, 257, 1, 3);
  check_size (131, 1031, 1, 6);
  check_size (2049, 37, 1, 9);
  check_size (4099, 23, 1, 12);
}

// Wavelets and borders that have no such form are filtered, and say so.
static void
test_what_is_filtered (void)
{
  static const char *const texts[] = {
    "soft-threshold:wavelet=db2,levels=2",
    "soft-threshold:wavelet=cdf97,levels=2 border=periodic",
  };
  g_autoptr (OdlImage) image = make_noise (40, 30, 1, 5, 0, 1);

  for (size_t t = 0; t < G_N_ELEMENTS (texts); t++) {
    g_autoptr (OdlImage) want = process (reference, texts[t], image);
    g_autoptr (OdlImage) got = process (opened[0].lifting, texts[t], image);
    check_close (want, got, texts[t]);
    g_assert_true (g_str_has_prefix (opened[0].lifting->variant, "filtering-"));
  }
  g_autoptr (OdlImage) whole
      = process (opened[0].filtering, "soft-threshold:wavelet=int53,levels=2", image);
  g_assert_true (g_str_has_prefix (opened[0].filtering->variant, "per-level-"));
  g_autoptr (OdlImage) single = process (opened[0].filtering, "gaussian", image);
  g_assert_true (g_str_has_prefix (opened[0].filtering->variant, "filtering-"));
}

// Not a bit differs, whatever the number of threads.
static void
test_threads (void)
{
  static const char *const texts[] = {
    "soft-threshold:levels=3 view=analysis",
    "soft-threshold:levels=4,wavelet=cdf53",
    "gaussian soft-threshold:levels=7",
  };
  static const int threads[] = { 1, 2, 3, 64 };
  const int before = odl_parallel_threads ();
  g_autoptr (OdlImage) image = make_noise (261, 1027, 3, 9, 0, 1);

  for (size_t t = 0; t < G_N_ELEMENTS (texts); t++)
    for (int i = 0; i < n_opened; i++) {
      g_autoptr (OdlImage) first = NULL;
      for (size_t n = 0; n < G_N_ELEMENTS (threads); n++) {
        odl_parallel_set_threads (threads[n]);
        g_autoptr (OdlImage) result = process (opened[i].lifting, texts[t], image);
        if (first == NULL)
          first = odl_image_ref (result);
        if (memcmp (odl_image_info (first)->planes[0].data,
                    odl_image_info (result)->planes[0].data,
                    sizeof (float) * 261 * 1027 * 3)
            != 0)
          g_error ("%s: %s differs with %d threads", opened[i].name, texts[t],
                   threads[n]);
      }
    }
  odl_parallel_set_threads (before);
}

// ---- one step in bands
// -----------------------------------------------------------------

typedef void (*RunPairs) (const OdlCpuWork *work, int channel, int from, int to);

static OdlCpuPicture
make_picture (int width, int height, size_t pitch)
{
  OdlCpuPicture picture = { width, height, 1, pitch, NULL };

  picture.samples = g_new0 (float, pitch *height + ODL_CPU_SLACK);
  return picture;
}

static void
fill_picture (const OdlCpuPicture *picture, guint32 seed)
{
  for (int y = 0; y < picture->height; y++)
    for (int x = 0; x < picture->width; x++) {
      seed = seed * 1664525u + 1013904223u;
      odl_cpu_row (picture, 0, y)[x] = (float) (seed >> 8) / 16777215.0f;
    }
}

// `work` along y in bands of `band` pairs on pictures whose rows lie `gap` floats further
// apart than they have to, result in out.
static void
run_in_bands (OdlCpuWork work, RunPairs run, int band, size_t gap, OdlCpuPicture *out)
{
  const int width = out->width, height = out->height;
  const size_t pitch = (size_t) (width + 15) / 16 * 16 + 16 + gap;
  OdlCpuPicture low = make_picture ((width + 1) / 2, (height + 1) / 2, pitch);
  OdlCpuPicture in = make_picture (width, height, pitch);
  OdlCpuPicture made = make_picture (width, height, pitch);

  fill_picture (&in, 1);
  fill_picture (&low, 2);
  work.in[0] = work.step->kind == ODL_STEP_INVERSE ? &low : &in;
  work.in[1] = &in;
  work.out = &made;
  // From the last band to the first: none may rest on what another left.
  const int pairs = (height + 1) / 2;
  for (int from = (pairs - 1) / band * band; from >= 0; from -= band)
    run (&work, 0, from, MIN (from + band, pairs));
  for (int y = 0; y < height; y++)
    memcpy (odl_cpu_row (out, 0, y), odl_cpu_row (&made, 0, y), width * sizeof (float));
  g_free (low.samples);
  g_free (in.samples);
  g_free (made.samples);
}

static void
check_bands (const OdlCpuVariant *variant, const OdlStep *step, int width, int height)
{
  static const int bands[] = { 1, 2, 3, 5, 8, 11, 16, 31 };
  const RunPairs run = step->kind == ODL_STEP_FORWARD ? odl_cpu_forward_lifted_pairs
                                                      : odl_cpu_inverse_lifted_pairs;
  const OdlCpuWork work = {
    .step = step, .variant = variant, .lifts = true, .lift = odl_cpu_lift_of_step (step)
  };
  OdlCpuPicture want = make_picture (width, height, width);
  OdlCpuPicture got = make_picture (width, height, width);

  run_in_bands (work, run, height, 0, &want);
  for (size_t b = 0; b < G_N_ELEMENTS (bands); b++) {
    run_in_bands (work, run, bands[b], 2 * b + 1, &got);
    if (memcmp (want.samples, got.samples, (size_t) width * height * sizeof (float)) != 0)
      g_error ("%s, %s, %s: %d×%d differs in bands of %d pairs", variant->name,
               step->wavelet->name, odl_step_row (step->kind)->name, width, height,
               bands[b]);
  }
  g_free (want.samples);
  g_free (got.samples);
}

static void
test_bands (void)
{
  static const int heights[] = { 2, 3, 4, 5, 7, 8, 16, 33, 61, 62 };

  for (size_t v = 0; v < odl_cpu_variant_count (); v++)
    for (size_t w = 0; w < odl_wavelet_count () && odl_cpu_variant_at (v)->runs_here ();
         w++)
      for (int inverse = 0; inverse < 2 && lifts (odl_wavelet_at (w)); inverse++)
        for (size_t h = 0; h < G_N_ELEMENTS (heights); h++) {
          const OdlStep step = { .kind = inverse ? ODL_STEP_INVERSE : ODL_STEP_FORWARD,
                                 .axis = ODL_AXIS_Y,
                                 .level = 1,
                                 .wavelet = odl_wavelet_at (w) };
          check_bands (odl_cpu_variant_at (v), &step, 3 + 9 * (int) h, heights[h]);
        }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  open_all ();
  g_test_add_func ("/cpu-levels/agree-on-every-small-size", test_small);
  g_test_add_func ("/cpu-levels/agree-on-large-sizes", test_large);
  g_test_add_func ("/cpu-levels/what-cannot-lift-is-filtered", test_what_is_filtered);
  g_test_add_func ("/cpu-levels/threads-change-no-bit", test_threads);
  g_test_add_func ("/cpu-levels/bands-and-strides-change-no-bit", test_bands);
  const int status = g_test_run ();
  close_all ();
  return status;
}
