// SPDX-License-Identifier: MIT
#include "bench/bench.h"

#include <string.h>

#include "base/error.h"

static OdlImage *
decode_texture (int width, int height, int channels, void *data, GError **error)
{
  ++*(int *) data;
  return odl_bench_texture (width, height, channels, error);
}

static void
test_rows (void)
{
  static const OdlBenchSize sizes[] = { { 40, 30 }, { 1, 1 } };
  static const int channels[] = { 1 };
  static const char *const engines[] = { "cpu", NULL };
  int decoded = 0;
  OdlBenchParams params = { .engines = engines,
                            .sizes = sizes,
                            .n_sizes = 2,
                            .channels = channels,
                            .n_channels = 1,
                            .runs = 4,
                            .decode = decode_texture,
                            .decode_name = "still",
                            .user_data = &decoded };
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlBenchResult) result = odl_bench_run (&params, &error);
  int rows = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (result->changes, ==, 0);
  g_assert_cmpuint (result->notes->len, ==, 0);
  g_assert_cmpint (decoded, ==, 2 * 5);
  for (guint i = 0; i < result->rows->len; i++) {
    const OdlBenchRow *row = &g_array_index (result->rows, OdlBenchRow, i);
    bool decode = row->part == ODL_BENCH_DECODE;

    if (g_str_equal (row->engine, "copy"))
      continue;
    g_assert_cmpstr (row->engine, ==, decode ? "still" : "cpu");
    g_assert_cmpfloat (row->min_ms, <=, row->median_ms);
    if (row->part == ODL_BENCH_FORWARD && row->width == 40)
      // Each axis reads and writes every sample of its level once: 40 × 30, 20 × 15 and
      // 10 × 8.
      g_assert_cmpfloat_with_epsilon (row->gb_per_s * row->median_ms * 1e6,
                                      2 * 2 * 4 * (1200 + 300 + 80), 1);
    rows++;
  }
  // 40 × 30: all seven parts; one pixel: no transform at all.
  g_assert_cmpint (rows, >=, 7 + 4);
}

static void
test_texture (void)
{
  g_autoptr (OdlImage) a = odl_bench_texture (65, 33, 3, NULL);
  g_autoptr (OdlImage) b = odl_bench_texture (65, 33, 3, NULL);
  const uint8_t *samples = odl_image_info (a)->planes[0].data;
  int lowest = 255, highest = 0;

  g_assert_cmpmem (samples, 65 * 33 * 3, odl_image_info (b)->planes[0].data, 65 * 33 * 3);
  for (int i = 0; i < 65 * 33 * 3; i++) {
    lowest = MIN (lowest, samples[i]);
    highest = MAX (highest, samples[i]);
  }
  g_assert_cmpint (highest - lowest, >, 100);
}

static void
test_unknown_names (void)
{
  static const char *const engines[] = { "cpu", "magic", NULL };
  OdlBenchParams params = { .engines = engines };
  g_autoptr (GError) error = NULL;

  g_assert_null (odl_bench_run (&params, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "magic"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bench/rows-are-complete-and-frames-allocate-nothing", test_rows);
  g_test_add_func ("/bench/texture-is-deterministic", test_texture);
  g_test_add_func ("/bench/unknown-names-fail", test_unknown_names);
  return g_test_run ();
}
