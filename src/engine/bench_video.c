// SPDX-License-Identifier: MIT
// Tables of decomposition and reconstruction alone.
#include <string.h>

#include "engine/bench_published.h"
#include "engine/bench_tables.h"
#include "engine/bench_text.h"

#define NAME_WIDTH 46
#define FRAME_MS 40 // 25 frames per second
#define ACCEPTED_WIDTH 1920
#define ACCEPTED_HEIGHT 1080

// How an engine's steps transform when their variant does not say.
static const struct {
  const char *engine, *part_of_variant, *method;
} methods[] = {
  { "gl-compute", "convolution", "filtering" },
  { "gl-compute", "", "lifting" },
  { "gl-fragment", "", "filtering" },
  { "gl-lookup", "", "filtering" },
  { "cpu", "filtering", "filtering" },
  { "cpu", "", "lifting" },
  { "reference", "", "filtering" },
};

static const char *
method_of (const OdlBenchCase *one)
{
  for (size_t i = 0; i < G_N_ELEMENTS (methods); i++)
    if (g_str_equal (methods[i].engine, one->row.engine)
        && (strstr (one->parts_variant, methods[i].part_of_variant) != NULL
            || strstr (one->row.variant, methods[i].part_of_variant) != NULL))
      return methods[i].method;
  return "?";
}

// Engine, variant of the run whose parts were timed, threads, method.
static char *
line_name (const OdlBenchCase *one)
{
  const bool cpu = one->stats[ODL_BENCH_OVERLAPPED].n == 0;
  g_autofree char *threads = g_strdup_printf (", %d thr.", one->row.threads);

  return g_strdup_printf ("%s %s-%d%s, %s", one->row.engine, one->parts_variant,
                          one->row.precision, cpu ? threads : "", method_of (one));
}

static void
append_heading (GString *out)
{
  odl_bench_append_name (out, "", NAME_WIDTH);
  odl_bench_append_cell (out, "decompose", 12);
  odl_bench_append_cell (out, "+ transfer", 12);
  odl_bench_append_cell (out, "reconstruct", 12);
  odl_bench_append_cell (out, "+ transfer", 12);
  odl_bench_append_cell (out, "both, whole", 12);
  g_string_append_c (out, '\n');
}

static void
append_numbers (GString *out, const char *name, const double numbers[5])
{
  odl_bench_append_name (out, name, NAME_WIDTH);
  for (int i = 0; i < 5; i++)
    odl_bench_append_number (out, numbers[i], 12);
  g_string_append_c (out, '\n');
}

static void
append_ours (GString *out, const OdlBenchCase *one)
{
  g_autofree char *name = line_name (one);
  const double numbers[5] = {
    one->stats[ODL_BENCH_FORWARD].median_ms,  one->stats[ODL_BENCH_DECOMPOSE].median_ms,
    one->stats[ODL_BENCH_BACKWARD].median_ms, one->stats[ODL_BENCH_RECONSTRUCT].median_ms,
    one->stats[ODL_BENCH_TOTAL].median_ms,
  };

  append_numbers (out, name, numbers);
}

static void
append_published (GString *out, const OdlBenchPublishedVideo *row)
{
  append_numbers (out, "  2012: lifting",
                  (const double[5]){ row->lifting_alone, row->lifting });
  append_numbers (out, "  2012: filtering",
                  (const double[5]){ row->filtering_alone, row->filtering });
  append_numbers (out, "  2012: cpu, one core (estimated)",
                  (const double[5]){ row->cpu });
}

static bool
is_size (const OdlBenchCase *one, const OdlBenchPublishedVideo *size)
{
  return one->row.width == size->width && one->row.height == size->height
         && one->row.channels == 3;
}

static void
append_size (GString *out,
             const OdlBenchResult *result,
             const OdlBenchPublishedVideo *size)
{
  const OdlBenchCase *any = NULL;

  for (guint i = 0; i < result->cases->len; i++)
    if (is_size (g_ptr_array_index (result->cases, i), size))
      any = g_ptr_array_index (result->cases, i);
  if (any == NULL)
    return;
  odl_bench_append (out, "\n%d×%d, %d levels (2012: %d)\n", size->width, size->height,
                    any->row.levels, size->levels);
  append_heading (out);
  for (guint i = 0; i < result->cases->len; i++)
    if (is_size (g_ptr_array_index (result->cases, i), size))
      append_ours (out, g_ptr_array_index (result->cases, i));
  append_published (out, size);
}

static void
append_accepted (GString *out, const char *name, double mean, double min, double max)
{
  odl_bench_append_name (out, name, NAME_WIDTH + 18);
  odl_bench_append_number (out, mean, 9);
  odl_bench_append_number (out, min, 9);
  odl_bench_append_number (out, max, 9);
  odl_bench_append_number (out, 1e3 / mean, 9);
  odl_bench_append (out, "  %s\n",
                    max <= FRAME_MS    ? "every frame within 40 ms"
                    : mean <= FRAME_MS ? "within 40 ms on average"
                                       : "above 40 ms");
}

static void
append_acceptance (GString *out, const OdlBenchResult *result)
{
  static const struct {
    OdlBenchPart measure;
    const char *name;
  } ways[] = { { ODL_BENCH_DECOMPOSE, "decomposition" },
               { ODL_BENCH_RECONSTRUCT, "reconstruction" },
               { ODL_BENCH_WHOLE, "both" } };

  odl_bench_append_title (out, "Acceptance: 1920×1080, colour, 25 frames per second, "
                               "with transfer");
  odl_bench_append_name (out, "", NAME_WIDTH + 18);
  for (int i = 0; i < 4; i++)
    odl_bench_append_cell (out, ((const char *[]){ "mean ms", "min", "max", "per s" })[i],
                           9);
  g_string_append_c (out, '\n');
  for (guint i = 0; i < result->cases->len; i++) {
    const OdlBenchCase *one = g_ptr_array_index (result->cases, i);
    if (one->row.width != ACCEPTED_WIDTH || one->row.height != ACCEPTED_HEIGHT
        || one->row.channels != 3)
      continue;
    for (size_t w = 0; w < G_N_ELEMENTS (ways); w++) {
      const OdlBenchStats *stats = &one->stats[ways[w].measure];
      g_autofree char *line = line_name (one);
      g_autofree char *name
          = g_strdup_printf ("%s, %s of %d", line, ways[w].name, stats->n);
      if (stats->n > 0)
        append_accepted (out, name, stats->mean_ms, stats->min_ms, stats->max_ms);
    }
  }
  for (size_t i = 0; i < G_N_ELEMENTS (odl_bench_published_acceptance); i++) {
    const OdlBenchPublishedAcceptance *row = &odl_bench_published_acceptance[i];
    g_autofree char *name = g_strdup_printf ("  2012: %s", row->name);
    append_accepted (out, name, row->mean, row->min, row->max);
  }
}

char *
odl_bench_video_tables (const OdlBenchResult *result)
{
  GString *out = g_string_new (NULL);

  odl_bench_append_title (out, "Decomposition and reconstruction of colour pictures, ms");
  odl_bench_append (
      out,
      "Rows “2012” were %s.\nTransfer: upload of the 8-bit picture and read back of "
      "floats; on the CPU, where no bus lies between, reading the\npicture as floats and "
      "handing a copy out. “both, whole”: upload, decomposition, shrinkage and "
      "reconstruction in one\ngo, nothing read back. Steps timed one by one.\n",
      odl_bench_published_video_source);
  for (size_t i = 0; i < ODL_BENCH_N_PUBLISHED_VIDEO; i++)
    append_size (out, result, &odl_bench_published_video[i]);
  append_acceptance (out, result);
  return g_string_free (out, FALSE);
}
