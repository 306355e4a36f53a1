// SPDX-License-Identifier: MIT
// The single pass of the CPU engine, with every instruction set of this machine, against
// the reference.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "engine/cpu/stream.h"
#include "fixtures.h"

#define MOST_VARIANTS 8

typedef struct {
  const char *name;
  OdlEngine *engine;
} Opened;

static Opened opened[MOST_VARIANTS];
static int n_opened;
static OdlEngine *reference;

static void
open_all (void)
{
  reference = open_engine ("reference");
  for (size_t v = 0; v < odl_cpu_variant_count (); v++) {
    const OdlCpuVariant *variant = odl_cpu_variant_at (v);
    if (variant->runs_here ())
      opened[n_opened++] = (Opened){ variant->name, open_cpu (variant->name) };
  }
}

static void
close_all (void)
{
  for (int i = 0; i < n_opened; i++)
    odl_engine_close (opened[i].engine);
  odl_engine_close (reference);
}

// Largest difference where `want` is a number; `places` gets how many are above `limit`.
static double
difference (const OdlImage *want, const OdlImage *got, double limit, int *places)
{
  const OdlImageInfo *info = odl_image_info (want);
  double largest = 0;

  *places = 0;
  for (int c = 0; c < info->channels; c++)
    for (int y = 0; y < info->extent.y; y++)
      for (int x = 0; x < info->extent.x; x++) {
        const double w = sample_of (want, c, x, y), g = sample_of (got, c, x, y);
        if (isnan (w))
          continue;
        *places += !(fabs (w - g) <= limit);
        largest = isnan (g) ? INFINITY : fmax (largest, fabs (w - g));
      }
  return largest;
}

// A hard threshold is a jump: where rounding moves a coefficient over it, a neighbourhood
// differs. Then the picture is that of a threshold a little higher or lower; or, where
// the image is large, few places differ.
static bool
is_explained_by_jump (const char *text, OdlImage *image, const OdlImage *got, int places)
{
  const OdlImageInfo *info = odl_image_info (image);
  const char *hard = strstr (text, "threshold=0.07");

  if (hard == NULL || strstr (text, "hard") == NULL)
    return false;
  for (int sign = -1; sign <= 1; sign += 2) {
    g_autofree char *near
        = g_strdup_printf ("%.*sthreshold=%.7f%s", (int) (hard - text), text,
                           0.07 + sign * 2e-6, hard + strlen ("threshold=0.07"));
    g_autoptr (OdlImage) want = process (reference, near, image);
    int others;
    if (difference (want, got, 4e-6, &others) <= 4e-6)
      return true;
  }
  return places < (int64_t) info->extent.x * info->extent.y / 100;
}

static void
check (const char *text, OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  g_autoptr (OdlImage) want = process (reference, text, image);

  for (int i = 0; i < n_opened; i++) {
    g_autoptr (OdlImage) got = process (opened[i].engine, text, image);
    int places;
    const double largest = difference (want, got, 4e-6, &places);
    if (places > 0 && !is_explained_by_jump (text, image, got, places))
      g_error ("%s: %s on %d×%d×%d differs by %g, at %d places", opened[i].name, text,
               info->extent.x, info->extent.y, info->channels, largest, places);
  }
}

// Filters take turns, so that every size meets several.
static void
check_size (int width, int height, int levels, int turn)
{
  static const char *const filters[] = {
    "soft-threshold:threshold=0.05",
    "hard-threshold:threshold=0.07",
    "shrinkage:thresholds=0.1:0.07:0.13/0.04/0.02:0.03:0.01",
    "bayes-shrink:sigma=0.05",
    "visu-shrink:sigma=0.02",
  };
  static const char *const wavelets[] = { "cdf97", "cdf53" };
  static const int channels[] = { 1, 3, 1, 4, 3 };
  const int n_channels = channels[turn % 5];
  g_autoptr (OdlImage) image = make_noise (width, height, n_channels, turn, 0, 1);

  for (size_t w = 0; w < G_N_ELEMENTS (wavelets); w++) {
    g_autofree char *text = g_strdup_printf (
        "%s,wavelet=%s,levels=%d%s", filters[(turn + w) % G_N_ELEMENTS (filters)],
        wavelets[w], levels, turn % 5 == 4 ? " colour=luma" : "");
    check (text, image);
  }
}

static void
test_small (void)
{
  int turn = 0;

  for (int n = 1; n <= 67; n++) {
    // Every size; the longer ones with one number of levels in turn.
    const int sizes[][2] = { { n, n }, { n, 68 - n }, { 1, n }, { n, 1 } };
    for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++) {
      const int most = odl_max_levels (sizes[s][0], sizes[s][1]);
      for (int levels = 1; levels <= MAX (most, 1); levels++)
        if (n < 20 || levels % 3 == n % 3 || levels == most)
          check_size (sizes[s][0], sizes[s][1], levels, turn++);
    }
  }
}

static void
test_large (void)
{
  static const int sizes[][2]
      = { { 256, 256 }, { 97, 211 }, { 511, 333 }, { 131, 1031 } };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int levels = 1; levels <= 8; levels += 3)
      check_size (sizes[s][0], sizes[s][1], levels, levels + (int) s);
  check_size (1955, 1841, 3, 0);
}

static void
test_magnitudes (void)
{
  static const float scales[] = { 1e-30f, 1e-38f, 1e-42f, 1e30f };

  for (size_t s = 0; s < G_N_ELEMENTS (scales); s++)
    for (int n = 20; n < 90; n += 23) {
      // The steps are linear: what a picture of that size gives, scaled.
      g_autoptr (OdlImage) image = make_noise (n, n + 3, 1, n, -scales[s], scales[s]);
      const char *text = "soft-threshold:levels=3,threshold=0";
      for (int i = 0; i < n_opened; i++) {
        g_autoptr (OdlImage) got = process (opened[i].engine, text, image);
        int places;
        const double largest = difference (image, got, 0, &places);
        // Numbers below 1.2e-38 may count as zero, in each of the steps.
        g_assert_cmpfloat (largest, <=, 2e-6 * scales[s] + 1e-36);
      }
    }
}

static void
test_types (void)
{
  static const OdlSampleType types[] = { ODL_SAMPLE_U8, ODL_SAMPLE_U16, ODL_SAMPLE_S16 };

  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    for (int channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1)
      for (int width = 61; width < 66; width += 2) {
        OdlImageInfo info
            = { .extent = { width, 41 }, .channels = channels, .type = types[t] };
        void *samples;
        g_autoptr (GError) error = NULL;
        g_autoptr (OdlImage) whole = odl_image_alloc (&info, &samples, &error);
        const size_t bytes = (size_t) width * 41 * channels * odl_sample_size (types[t]);
        guint32 noise = 7;
        for (size_t i = 0; i < bytes; i++)
          ((guint8 *) samples)[i]
              = (guint8) ((noise = noise * 1664525u + 1013904223u) >> 24);
        check ("soft-threshold:levels=3,threshold=0.02", whole);
        check ("soft-threshold:levels=2,threshold=0.02 colour=luma", whole);

        // Every second row of it, one column in: rows that start at odd addresses.
        info = *odl_image_info (whole);
        info.extent.x = width - 1;
        info.extent.y = 20;
        for (int c = 0; c < channels; c++) {
          info.planes[c].data
              = (const char *) info.planes[c].data + info.planes[c].sample_stride_bytes;
          info.planes[c].row_stride_bytes *= 2;
        }
        g_autoptr (OdlImage) part = odl_image_wrap (&info, NULL, NULL, &error);
        g_assert_no_error (error);
        check ("soft-threshold:levels=2,threshold=0.02,wavelet=cdf53", part);
      }
}

// Not a bit differs, whatever the number of strips.
static void
test_strips (void)
{
  static const char *const texts[] = {
    "soft-threshold:levels=1,threshold=0.05",
    "soft-threshold:levels=2,threshold=0.05,wavelet=cdf53",
    "shrinkage:levels=3",
    "hard-threshold:levels=4,threshold=0.05 colour=luma",
    "sure-shrink:levels=3",
  };
  static const int threads[] = { 1, 2, 3, 64 };
  const int before = odl_parallel_threads ();

  for (size_t t = 0; t < G_N_ELEMENTS (texts); t++) {
    g_autoptr (OdlImage) image = make_noise (261, 2051, 1 + 2 * (t == 3), 9, 0, 1);
    g_autoptr (OdlPlan) plan = odl_test_plan (texts[t], image);
    int most_strips = 0;
    for (int i = 0; i < n_opened; i++) {
      g_autoptr (OdlImage) first = NULL;
      for (size_t n = 0; n < G_N_ELEMENTS (threads); n++) {
        odl_parallel_set_threads (threads[n]);
        OdlCpuSpan span = odl_cpu_stream_span (plan, 0);
        if (span.n_steps == 0) // LOAD stands by itself
          span = odl_cpu_stream_span (plan, 1);
        OdlCpuStream *stream
            = odl_cpu_stream_new (plan, &span, odl_cpu_variant_at (0), threads[n], false);
        most_strips = MAX (most_strips, odl_cpu_stream_strips (stream));
        odl_cpu_stream_free (stream);
        g_autoptr (OdlImage) result = process (opened[i].engine, texts[t], image);
        const OdlImageInfo *info = odl_image_info (result);
        if (first == NULL)
          first = odl_image_ref (result);
        if (memcmp (odl_image_info (first)->planes[0].data, info->planes[0].data,
                    sizeof (float) * 261 * 2051 * info->channels)
            != 0)
          g_error ("%s: %s differs with %d threads", opened[i].name, texts[t],
                   threads[n]);
      }
    }
    g_assert_cmpint (most_strips, >, 2);
  }
  odl_parallel_set_threads (before);
}

// A picture of bytes, or one channel of it alone, whose samples lie apart.
static OdlImage *
make_byte_picture (int width, int height, int channels, bool one)
{
  OdlImageInfo info
      = { .extent = { width, height }, .channels = channels, .type = ODL_SAMPLE_U8 };
  void *samples;
  guint32 noise = 7;
  g_autoptr (GError) error = NULL;
  OdlImage *whole = odl_image_alloc (&info, &samples, &error);

  g_assert_no_error (error);
  for (size_t i = 0; i < (size_t) width * height * channels; i++)
    ((guint8 *) samples)[i] = (guint8) ((noise = noise * 1664525u + 1013904223u) >> 24);
  if (!one)
    return whole;
  info = *odl_image_info (whole);
  info.channels = 1;
  info.planes[0] = info.planes[1];
  OdlImage *channel
      = odl_image_wrap (&info, (GDestroyNotify) odl_image_unref, whole, &error);
  g_assert_no_error (error);
  return channel;
}

static int
columns_of (const char *text, OdlImage *image, int threads)
{
  g_autoptr (OdlPlan) plan = odl_test_plan (text, image);
  const OdlCpuSpan span = odl_cpu_stream_span (plan, 0);
  OdlCpuStream *stream
      = odl_cpu_stream_new (plan, &span, odl_cpu_variant_at (0), threads, false);
  const int columns = odl_cpu_stream_columns (stream);

  odl_cpu_stream_free (stream);
  return columns;
}

// Not a bit differs either where strips lie side by side, wherever their rows come from.
static void
test_columns (void)
{
  static const struct {
    int threads, columns;
  } turns[] = { { 1, 1 }, { 4, 1 }, { 7, 1 }, { 8, 4 } };
  const int width = 4133, height = 481, before = odl_parallel_threads ();
  g_autoptr (OdlImage) floats = make_noise (width, height, 1, 9, 0, 1);
  g_autoptr (OdlImage) woven_floats = make_noise (width, height, 3, 9, 0, 1);
  g_autoptr (OdlImage) bytes = make_byte_picture (width, height, 1, false);
  g_autoptr (OdlImage) woven_bytes = make_byte_picture (width, height, 4, false);
  g_autoptr (OdlImage) apart = make_byte_picture (width, height, 3, true);
  const struct {
    const char *text;
    OdlImage *image;
    bool one_span;
  } rows[] = {
    { "soft-threshold:levels=3,threshold=0.05", floats, true },
    { "hard-threshold:levels=2,threshold=0.05,wavelet=cdf53", woven_floats, true },
    { "soft-threshold:levels=1,threshold=0.05", bytes, true },
    { "shrinkage:levels=3", woven_bytes, true },
    { "soft-threshold:levels=3,threshold=0.05", apart, true },
    { "gaussian soft-threshold:levels=3,threshold=0.05", floats, false },
    { "soft-threshold:levels=3,threshold=0.05 colour=luma", woven_bytes, false },
  };

  for (size_t r = 0; r < G_N_ELEMENTS (rows); r++)
    for (int i = 0; i < n_opened; i++) {
      g_autoptr (OdlImage) first = NULL;
      for (size_t t = 0; t < G_N_ELEMENTS (turns); t++) {
        odl_parallel_set_threads (turns[t].threads);
        if (rows[r].one_span)
          g_assert_cmpint (columns_of (rows[r].text, rows[r].image, turns[t].threads), ==,
                           turns[t].columns);
        g_autoptr (OdlImage) got
            = process (opened[i].engine, rows[r].text, rows[r].image);
        const OdlImageInfo *info = odl_image_info (got);
        if (first == NULL)
          first = odl_image_ref (got);
        if (memcmp (odl_image_info (first)->planes[0].data, info->planes[0].data,
                    sizeof (float) * width * height * info->channels)
            != 0)
          g_error ("%s: %s differs with %d threads", opened[i].name, rows[r].text,
                   turns[t].threads);
      }
    }
  odl_parallel_set_threads (before);
}

// Slots that the single pass left out are there when somebody asks.
static void
test_slots (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = make_noise (70, 51, 3, 4, 0, 1);
  g_autoptr (OdlPlan) plan = odl_test_plan ("soft-threshold:levels=3 colour=luma", image);

  g_assert_true (odl_cpu_stream_suits (plan));
  odl_engine_prepare (reference, plan, &error);
  g_assert_true (odl_engine_run (reference, plan, image, &error));
  for (int i = 0; i < n_opened; i++) {
    OdlEngine *engine = opened[i].engine;
    odl_engine_prepare (engine, plan, &error);
    g_assert_true (odl_engine_run (engine, plan, image, &error));
    g_assert_no_error (error);
    for (int slot = 0; slot < plan->n_slots; slot++) {
      g_autoptr (OdlImage) want = odl_engine_read_back (reference, plan, slot, &error);
      g_autoptr (OdlImage) got = odl_engine_read_back (engine, plan, slot, &error);
      int places;
      g_assert_no_error (error);
      difference (want, got, 4e-6, &places);
      g_assert_cmpint (places, ==, 0);
    }
  }
}

// Timed steps, and the words of ODL_CPU, give the same picture.
static void
test_step_by_step (void)
{
  g_autoptr (OdlImage) image = make_noise (123, 77, 1, 4, 0, 1);
  g_autoptr (OdlEngine) single = open_cpu ("small-pages");
  g_autoptr (OdlEngine) timed = open_cpu ("");
  g_autoptr (OdlEngine) stepwise = open_cpu ("per-level");
  const char *text = "soft-threshold:levels=3";
  int places;

  timed->timing = true;
  g_autoptr (OdlImage) a = process (single, text, image);
  g_autoptr (OdlImage) b = process (timed, text, image);
  g_autoptr (OdlImage) c = process (stepwise, text, image);
  const double single_to_timed = difference (a, b, 0, &places);
  g_assert_cmpfloat (single_to_timed, <, 4e-6);
  const double timed_to_stepwise = difference (b, c, 0, &places);
  g_assert_cmpfloat (timed_to_stepwise, ==, 0);
  g_assert_cmpint (single->step_ns[1], ==, 0);
  g_assert_cmpint (single->frame_ns, >, 0);
  g_assert_cmpint (timed->step_ns[1], >, 0);
  g_assert_cmpint (stepwise->step_ns[1], >, 0);
}

static void
test_what_suits (void)
{
  static const struct {
    const char *text;
    int width, height;
    bool suits;
  } rows[] = {
    { "soft-threshold:levels=3", 64, 64, true },
    { "shrinkage:levels=5,wavelet=cdf53", 64, 64, true },
    { "hard-threshold:levels=3 colour=luma", 64, 64, true },
    { "soft-threshold:levels=3", 64, 1, false },
    { "soft-threshold:levels=3", 5, 64, true },
    { "soft-threshold:levels=4", 5, 64, false },
    { "soft-threshold:levels=3 view=analysis", 64, 64, false },
    { "soft-threshold:levels=3 view=filtered-analysis", 64, 64, false },
    { "gaussian soft-threshold:levels=3", 64, 64, false },
    { "soft-threshold:levels=3 soft-threshold:levels=3", 64, 64, false },
    { "gaussian", 64, 64, false },
    { "", 64, 64, false },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (OdlImage) image = make_noise (rows[i].width, rows[i].height, 3, 1, 0, 1);
    g_autoptr (OdlPlan) plan = odl_test_plan (rows[i].text, image);
    g_test_message ("%s", rows[i].text);
    g_assert_cmpint (odl_cpu_stream_suits (plan), ==, rows[i].suits);
  }
}

// The result of `text` on a frame of a sequence. With `looks`, every slot is read back
// behind it.
static OdlImage *
process_frame (OdlEngine *engine,
               const char *text,
               OdlImage *image,
               uint64_t serial,
               bool looks)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlPlan) plan = odl_test_plan (text, image);

  engine->moment = (OdlMoment){ 1, serial };
  OdlImage *result = odl_engine_process (engine, plan, image, &error);
  g_assert_no_error (error);
  for (int slot = 0; looks && slot < plan->n_slots; slot++) {
    g_autoptr (OdlImage) back = odl_engine_read_back (engine, plan, slot, &error);
    g_assert_no_error (error);
  }
  return result;
}

static void
assert_same (const OdlImage *a, const OdlImage *b, const char *what)
{
  int places;
  const double largest = difference (a, b, 0, &places);

  if (places > 0)
    g_error ("%s: %d samples differ, by %g", what, places, largest);
}

// A filter in a chain is the filter alone, to the last bit, and looking at what lies
// between changes nothing of later frames.
static void
check_chain (const char *const *filters, int width, int height, int channels)
{
  g_autofree char *text = g_strjoinv (" ", (char **) filters);
  g_autoptr (OdlEngine) chain = open_cpu ("");
  g_autoptr (OdlEngine) looked_at = open_cpu ("small-pages");
  g_autoptr (GPtrArray) single = g_ptr_array_new ();

  for (int k = 0; filters[k] != NULL; k++)
    g_ptr_array_add (single, open_cpu (""));
  for (int frame = 1; frame <= 5; frame++) {
    g_autoptr (OdlImage) image
        = make_noise (width, height, channels, 4 + (guint32) frame, 0, 1);
    g_autoptr (OdlImage) want = odl_image_ref (image);
    for (int k = 0; filters[k] != NULL; k++) {
      OdlImage *next
          = process_frame (single->pdata[k], filters[k], want, (uint64_t) frame, false);
      odl_image_unref (want);
      want = next;
    }
    g_autoptr (OdlImage) got
        = process_frame (chain, text, image, (uint64_t) frame, false);
    g_assert_true (g_str_has_prefix (chain->variant, "streamed"));
    g_autoptr (OdlImage) seen
        = process_frame (looked_at, text, image, (uint64_t) frame, true);
    assert_same (got, want, text);
    assert_same (seen, want, text);
  }
  for (guint k = 0; k < single->len; k++)
    odl_engine_close (single->pdata[k]);
}

static void
test_chains (void)
{
  static const char *const chains[][6] = {
    { "shrinkage:levels=3", "recursive-average:weight=0.3" },
    { "recursive-average:weight=0.3", "shrinkage:levels=3" },
    { "sliding-median:frames=3", "soft-threshold:levels=2,threshold=0.05" },
    { "soft-threshold:levels=2,threshold=0.05", "persistence", "shrinkage:levels=3" },
    { "gaussian", "shrinkage:levels=3", "soft-threshold:levels=1,wavelet=cdf53",
      "hard-threshold:levels=2", "sliding-mean:frames=3" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (chains); i++) {
    check_chain (chains[i], 70, 51, 1);
    check_chain (chains[i], 66, 34, 3);
  }
  check_chain (chains[1], 700, 611, 1); // several strips
}

// Luma that is filtered over time and by wavelets, against all steps one by one.
static void
test_chains_on_luma (void)
{
  static const char *const texts[]
      = { "recursive-average shrinkage:levels=3 colour=luma",
          "soft-threshold:levels=2 sliding-mean:frames=3 colour=luma",
          "shrinkage:levels=2 soft-threshold:levels=2 colour=luma" };
  int places;

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (OdlEngine) chain = open_cpu ("");
    g_autoptr (OdlEngine) stepwise = open_cpu ("per-level");
    for (uint64_t frame = 1; frame <= 4; frame++) {
      g_autoptr (OdlImage) image = make_noise (70, 51, 3, (guint32) frame, 0, 1);
      g_autoptr (OdlImage) got = process_frame (chain, texts[i], image, frame, false);
      g_autoptr (OdlImage) want = process_frame (stepwise, texts[i], image, frame, false);
      g_assert_true (g_str_has_prefix (chain->variant, "streamed"));
      difference (want, got, 4e-6, &places);
      g_assert_cmpint (places, ==, 0);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  open_all ();
  g_test_add_func ("/cpu-stream/filters-in-a-chain-are-what-they-are-alone", test_chains);
  g_test_add_func ("/cpu-stream/chains-on-luma-are-the-steps-one-by-one",
                   test_chains_on_luma);
  g_test_add_func ("/cpu-stream/takes-plans-of-one-wavelet-filter", test_what_suits);
  g_test_add_func ("/cpu-stream/agrees-on-every-small-size", test_small);
  g_test_add_func ("/cpu-stream/agrees-on-large-sizes", test_large);
  g_test_add_func ("/cpu-stream/tiny-and-huge-values-come-back", test_magnitudes);
  g_test_add_func ("/cpu-stream/agrees-on-every-sample-type", test_types);
  g_test_add_func ("/cpu-stream/strips-change-nothing", test_strips);
  g_test_add_func ("/cpu-stream/strips-side-by-side-change-nothing", test_columns);
  g_test_add_func ("/cpu-stream/slots-left-out-are-computed-when-read", test_slots);
  g_test_add_func ("/cpu-stream/step-by-step-gives-the-same-picture", test_step_by_step);
  int status = g_test_run ();
  close_all ();
  return status;
}
