// SPDX-License-Identifier: MIT
#include "engine/bench_tables.h"

#include <stdlib.h>
#include <string.h>

#include "engine/bench_copy.h"
#include "engine/bench_published.h"
#include "engine/bench_text.h"

#define NAME_WIDTH 54
#define CELL_WIDTH 9

static const OdlBenchCase *
case_at (const OdlBenchResult *result, guint index)
{
  return g_ptr_array_index (result->cases, index);
}

static char *
name_of (const OdlBenchCase *one, const char *variant)
{
  const OdlBenchRow *row = &one->row;
  const bool named = !g_str_equal (variant, "default");
  const bool cpu = one->stats[ODL_BENCH_OVERLAPPED].n == 0;
  g_autofree char *threads
      = g_strdup_printf (", %d thread%s", row->threads, row->threads == 1 ? "" : "s");

  return g_strdup_printf ("%s%s%s %s-%d%s", row->engine, named ? ":" : "",
                          named ? variant : "", row->channels == 1 ? "mono" : "colour",
                          row->precision, cpu ? threads : "");
}

char *
odl_bench_case_name (const OdlBenchCase *one)
{
  return name_of (one, one->row.variant);
}

static int
compare_sides (const void *a, const void *b)
{
  return *(const int *) a - *(const int *) b;
}

OdlBenchSides
odl_bench_sides (const OdlBenchResult *result)
{
  OdlBenchSides sides = { 0 };

  for (guint i = 0; i < result->cases->len; i++) {
    const OdlBenchRow *row = &case_at (result, i)->row;
    int k = 0;

    while (k < sides.n && sides.sides[k] != row->width)
      k++;
    if (row->width == row->height && k == sides.n && k < ODL_BENCH_MOST_COLUMNS)
      sides.sides[sides.n++] = row->width;
  }
  qsort (sides.sides, sides.n, sizeof sides.sides[0], compare_sides);
  return sides;
}

static void
line_clear (void *data)
{
  g_free (((OdlBenchLine *) data)->name);
}

GArray *
odl_bench_lines (const OdlBenchResult *result, const OdlBenchSides *sides)
{
  GArray *lines = g_array_new (FALSE, TRUE, sizeof (OdlBenchLine));

  g_array_set_clear_func (lines, line_clear);
  for (guint i = 0; i < result->cases->len; i++) {
    const OdlBenchCase *one = case_at (result, i);
    g_autofree char *name = odl_bench_case_name (one);
    guint k = 0;

    if (one->row.width != one->row.height)
      continue;
    while (k < lines->len
           && !g_str_equal (g_array_index (lines, OdlBenchLine, k).name, name))
      k++;
    if (k == lines->len) {
      const OdlBenchLine line = { .name = g_steal_pointer (&name) };
      g_array_append_val (lines, line);
    }
    for (int s = 0; s < sides->n; s++)
      if (sides->sides[s] == one->row.width)
        g_array_index (lines, OdlBenchLine, k).cases[s] = one;
  }
  return lines;
}

double
odl_bench_frame_ms (const OdlBenchCase *one)
{
  const OdlBenchStats *overlapped = &one->stats[ODL_BENCH_OVERLAPPED];

  return overlapped->n > 0 ? overlapped->median_ms
                           : one->stats[ODL_BENCH_TOTAL].median_ms;
}

static double
elements_per_us (const OdlBenchCase *one)
{
  const int channels = one->row.channels == 3 ? 4 : one->row.channels;
  const double ms = odl_bench_frame_ms (one);

  return ms > 0 ? (double) one->row.width * one->row.height * channels / (ms * 1e3) : 0;
}

static double
frames_per_s (const OdlBenchCase *one)
{
  const double ms = odl_bench_frame_ms (one);

  return ms > 0 ? 1e3 / ms : 0;
}

static void
append_sides (GString *out, const OdlBenchSides *sides)
{
  odl_bench_append_name (out, "", NAME_WIDTH);
  for (int s = 0; s < sides->n; s++) {
    g_autofree char *side = g_strdup_printf ("%d²", sides->sides[s]);
    odl_bench_append_cell (out, side, CELL_WIDTH);
  }
  g_string_append_c (out, '\n');
}

static void
append_published (GString *out,
                  const OdlBenchSides *sides,
                  const OdlBenchPublished *rows,
                  int n)
{
  for (int i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("  2007: %s", rows[i].name);

    odl_bench_append_name (out, name, NAME_WIDTH);
    for (int s = 0; s < sides->n; s++) {
      double value = 0;
      for (int p = 0; p < ODL_BENCH_PUBLISHED_SIZES; p++)
        if (odl_bench_published_sides[p] == sides->sides[s])
          value = rows[i].values[p];
      odl_bench_append_number (out, value, CELL_WIDTH);
    }
    g_string_append_c (out, '\n');
  }
}

// 0 where there is nothing to say.
typedef double (*CaseValue) (const OdlBenchCase *one);

static void
append_values (GString *out,
               const OdlBenchResult *result,
               const OdlBenchSides *sides,
               CaseValue value)
{
  g_autoptr (GArray) lines = odl_bench_lines (result, sides);

  append_sides (out, sides);
  for (guint i = 0; i < lines->len; i++) {
    const OdlBenchLine *line = &g_array_index (lines, OdlBenchLine, i);
    bool any = false;
    for (int s = 0; s < sides->n; s++)
      any |= line->cases[s] != NULL && value (line->cases[s]) > 0;
    if (!any)
      continue;
    odl_bench_append_name (out, line->name, NAME_WIDTH);
    for (int s = 0; s < sides->n; s++)
      odl_bench_append_number (out, line->cases[s] != NULL ? value (line->cases[s]) : 0,
                               CELL_WIDTH);
    g_string_append_c (out, '\n');
  }
}

static void
append_parts (GString *out, const OdlBenchResult *result, const OdlBenchSides *sides)
{
  static const OdlBenchPart parts[]
      = { ODL_BENCH_UPLOAD, ODL_BENCH_FORWARD, ODL_BENCH_FILTER, ODL_BENCH_BACKWARD };
  g_autoptr (GArray) lines = odl_bench_lines (result, sides);

  append_sides (out, sides);
  for (guint i = 0; i < lines->len; i++) {
    const OdlBenchLine *line = &g_array_index (lines, OdlBenchLine, i);
    for (size_t p = 0; p < G_N_ELEMENTS (parts); p++) {
      const OdlBenchCase *last = NULL;
      for (int s = 0; s < sides->n; s++)
        if (line->cases[s] != NULL && line->cases[s]->stats[parts[p]].n > 0)
          last = line->cases[s];
      if (last == NULL)
        continue;
      g_autofree char *own = name_of (last, last->parts_variant);
      g_autofree char *name
          = g_strdup_printf ("%-9s%s", odl_bench_part_name (parts[p]), own);
      odl_bench_append_name (out, name, NAME_WIDTH);
      for (int s = 0; s < sides->n; s++)
        odl_bench_append_number (
            out, line->cases[s] != NULL ? line->cases[s]->stats[parts[p]].median_ms : 0,
            CELL_WIDTH);
      g_string_append_c (out, '\n');
    }
  }
}

double
odl_bench_resident_us (const OdlBenchCase *one)
{
  const OdlBenchStats *stats = one->stats;

  if (stats[ODL_BENCH_OVERLAPPED].n == 0)
    return 0;
  return 1e3
         * (stats[ODL_BENCH_RESIDENT].n > 0
                ? stats[ODL_BENCH_RESIDENT].median_ms
                : stats[ODL_BENCH_FORWARD].median_ms + stats[ODL_BENCH_FILTER].median_ms
                      + stats[ODL_BENCH_BACKWARD].median_ms);
}

static double
slider_us (const OdlBenchCase *one)
{
  return 1e3 * one->stats[ODL_BENCH_SLIDER].median_ms;
}

static void
append_resident (GString *out, const OdlBenchResult *result, const OdlBenchSides *sides)
{
  bool any = false;

  for (guint i = 0; i < result->cases->len; i++)
    any |= odl_bench_resident_us (case_at (result, i)) > 0;
  if (!any)
    return;
  odl_bench_append_title (out,
                          "On the GPU already: microseconds of a frame, GPU's timer");
  append_values (out, result, sides, odl_bench_resident_us);
  if (result->filter != NULL)
    return;
  odl_bench_append_name (out, "  PDWT, CUDA, H200, mono-32", NAME_WIDTH);
  for (int s = 0; s < sides->n; s++) {
    double us = 0;
    for (int p = 0; p < ODL_BENCH_PUBLISHED_SIZES; p++)
      if (odl_bench_published_sides[p] == sides->sides[s])
        us = 1e3 * odl_bench_peers[0].values[p];
    odl_bench_append_number (out, us, CELL_WIDTH);
  }
  odl_bench_append_title (out, "A moved slider: microseconds of synthesis alone, kept "
                               "coefficients");
  append_values (out, result, sides, slider_us);
}

static const OdlBenchRow *
find_copy (const OdlBenchResult *result, int side, const char *variant, int threads)
{
  for (guint i = 0; i < result->rows->len; i++) {
    const OdlBenchRow *row = &g_array_index (result->rows, OdlBenchRow, i);
    if (g_str_equal (row->engine, ODL_BENCH_COPY) && g_str_equal (row->variant, variant)
        && row->width == side && row->height == side && row->channels == 1
        && (threads == 0 || row->threads == threads))
      return row;
  }
  return NULL;
}

// How many plain copies of the picture a frame costs, both on as many threads.
static void
append_copies (GString *out, const OdlBenchResult *result, const OdlBenchSides *sides)
{
  static const char *const variants[]
      = { "memory", "gl-fragment", "gl-image", "gl-buffer" };
  g_autoptr (GArray) lines = odl_bench_lines (result, sides);

  append_sides (out, sides);
  for (size_t v = 0; v < G_N_ELEMENTS (variants); v++) {
    bool any = false;
    for (int s = 0; s < sides->n; s++)
      any |= find_copy (result, sides->sides[s], variants[v], 0) != NULL;
    if (!any)
      continue;
    g_autofree char *name = g_strdup_printf ("copy of f32, %s, ms", variants[v]);
    odl_bench_append_name (out, name, NAME_WIDTH);
    for (int s = 0; s < sides->n; s++) {
      const OdlBenchRow *copy = find_copy (result, sides->sides[s], variants[v], 0);
      odl_bench_append_number (out, copy != NULL ? copy->median_ms : 0, CELL_WIDTH);
    }
    g_string_append_c (out, '\n');
  }
  for (guint i = 0; i < lines->len; i++) {
    const OdlBenchLine *line = &g_array_index (lines, OdlBenchLine, i);
    if (!g_str_has_prefix (line->name, "cpu") || strstr (line->name, " mono") == NULL)
      continue;
    g_autofree char *name = g_strdup_printf ("copies: %s", line->name);
    odl_bench_append_name (out, name, NAME_WIDTH);
    for (int s = 0; s < sides->n; s++) {
      const OdlBenchCase *one = line->cases[s];
      const OdlBenchRow *copy
          = one != NULL ? find_copy (result, sides->sides[s], "memory", one->row.threads)
                        : NULL;
      odl_bench_append_number (
          out, copy != NULL ? one->stats[ODL_BENCH_TOTAL].median_ms / copy->median_ms : 0,
          CELL_WIDTH);
    }
    g_string_append_c (out, '\n');
  }
}

// What a frame takes once its samples are where the engine works.
static double
own_ms (const OdlBenchCase *one)
{
  return one->stats[ODL_BENCH_OVERLAPPED].n > 0 ? 1e-3 * odl_bench_resident_us (one)
                                                : one->stats[ODL_BENCH_TOTAL].median_ms;
}

static double
samples_of (const OdlBenchCase *one)
{
  return (double) one->row.width * one->row.height * one->row.channels;
}

// A frame in plain copies of a float picture of its size, in the same API and on as many
// threads.
static double
copies_of_frame (const OdlBenchCase *one)
{
  return own_ms (one) * one->copy_gb_per_s * 1e6 / (8 * samples_of (one));
}

// How close the frame is to reading its samples once and writing them once at the speed
// of that copy, which bounds every recipe; of an engine with GL they lie there as floats.
static double
percent_of_bound (const OdlBenchCase *one)
{
  const double read = one->stats[ODL_BENCH_OVERLAPPED].n > 0 ? 4 : 1;
  const double bytes = samples_of (one) * (read + one->row.precision / 8.0);
  const double ms = own_ms (one) * one->copy_gb_per_s;

  return ms > 0 ? 100 * bytes * 1e-6 / ms : 0;
}

static char *
recipe_tables (const OdlBenchResult *result, const OdlBenchSides *sides, GString *out)
{
  odl_bench_append_title (out, "Frames per second");
  append_values (out, result, sides, frames_per_s);
  odl_bench_append_title (out, "Milliseconds by part");
  append_parts (out, result, sides);
  append_resident (out, result, sides);
  odl_bench_append_title (out, "A frame in plain copies of a float picture of its size");
  append_values (out, result, sides, copies_of_frame);
  odl_bench_append_title (out,
                          "Of the speed that reading and writing it once at a copy's "
                          "speed allows, %");
  append_values (out, result, sides, percent_of_bound);
  return g_string_free (out, FALSE);
}

char *
odl_bench_filter_tables (const OdlBenchResult *result)
{
  const OdlBenchSides sides = odl_bench_sides (result);
  GString *out = g_string_new (NULL);

  if (sides.n == 0)
    return g_string_free (out, FALSE);
  if (result->filter != NULL)
    return recipe_tables (result, &sides, out);
  odl_bench_append (out,
                    "\nRows “2007” were %s.\nOurs: frames that follow each other, upload "
                    "included, nothing read back.\n",
                    odl_bench_published_filter_source);
  odl_bench_append_title (out, "Elements per microsecond (colour: 4 for each pixel)");
  append_values (out, result, &sides, elements_per_us);
  append_published (out, &sides, odl_bench_published_elements,
                    ODL_BENCH_N_PUBLISHED_ELEMENTS);
  odl_bench_append_title (out, "Frames per second");
  append_values (out, result, &sides, frames_per_s);
  append_published (out, &sides, odl_bench_published_frames,
                    ODL_BENCH_N_PUBLISHED_FRAMES);
  odl_bench_append_title (out, "Milliseconds by part (2007: gpu-mono-16)");
  append_parts (out, result, &sides);
  append_published (out, &sides, odl_bench_published_parts, ODL_BENCH_N_PUBLISHED_PARTS);
  append_resident (out, result, &sides);
  odl_bench_append_title (out,
                          "Plain copies of a grey float picture, and frames in copies");
  append_copies (out, result, &sides);
  g_autofree char *demands = odl_bench_bars_table (result);
  g_string_append (out, demands);
  return g_string_free (out, FALSE);
}

char *
odl_bench_load_table (const OdlBenchResult *result)
{
  GString *out = g_string_new (NULL);

  odl_bench_append_title (out,
                          "Load of the processor at 20 frames per second, % of a core");
  odl_bench_append (
      out,
      "All threads of the process, upload and drawing included.\nRows “2007” "
      "were %s.\n\n",
      odl_bench_published_filter_source);
  odl_bench_append_name (out, "", NAME_WIDTH);
  odl_bench_append_cell (out, "size", 12);
  odl_bench_append_cell (out, "load %", CELL_WIDTH);
  odl_bench_append_cell (out, "per s", CELL_WIDTH);
  odl_bench_append_cell (out, "late", 12);
  g_string_append_c (out, '\n');
  for (guint i = 0; i < result->loads->len; i++) {
    const OdlBenchLoadRow *row = &g_array_index (result->loads, OdlBenchLoadRow, i);
    g_autofree char *name
        = g_strdup_printf ("%s:%s-%d, %d thr.", row->row.engine, row->row.variant,
                           row->row.precision, row->row.threads);
    g_autofree char *size = g_strdup_printf ("%d×%d×%d", row->row.width, row->row.height,
                                             row->row.channels);
    g_autofree char *late
        = g_strdup_printf ("%d of %d", row->load.late, row->load.frames);
    odl_bench_append_name (out, name, NAME_WIDTH);
    odl_bench_append_cell (out, size, 12);
    odl_bench_append_number (out, row->load.percent, CELL_WIDTH);
    odl_bench_append_number (out, row->load.fps, CELL_WIDTH);
    odl_bench_append_cell (out, late, 12);
    g_string_append_c (out, '\n');
  }
  for (int i = 0; i < ODL_BENCH_N_PUBLISHED_LOADS; i++)
    for (int p = 0; p < ODL_BENCH_PUBLISHED_SIZES; p++) {
      const OdlBenchPublished *row = &odl_bench_published_loads[i];
      g_autofree char *name = g_strdup_printf ("  2007: %s", row->name);
      g_autofree char *size = g_strdup_printf ("%d×%d×1", odl_bench_published_sides[p],
                                               odl_bench_published_sides[p]);
      if (row->values[p] <= 0)
        continue;
      odl_bench_append_name (out, name, NAME_WIDTH);
      odl_bench_append_cell (out, size, 12);
      odl_bench_append_number (out, row->values[p], CELL_WIDTH);
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}
