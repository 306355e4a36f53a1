// SPDX-License-Identifier: MIT
#include "bench/bench.h"

#include <glib/gi18n-lib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/parallel.h"
#include "bench/bytes.h"
#include "bench/copy.h"
#include "bench/task.h"

#define BUDGET_NS 300000000 // time per geometry and engine
#define ROUNDS 3
#define DECODES 5
#define MOST_DECODED 4194304 // pixels, unless sizes were given
#define MOST_CHOICES 48

// Above this number of samples, engines are measured one after the other: the buffers
// of all of them together would not fit in memory.
#define MOST_INTERLEAVED 8388608

// Fraction of the free memory that one engine may use.
#define MEMORY_SHARE 0.7
// Estimated ratio of an engine's buffers to the slots of its plan: padded fourth
// channel, read back.
#define MEMORY_FACTOR 2.0
// Per sample, for encoding, decoding and holding both pictures.
#define DECODE_BYTES 16.0

static const OdlBenchSize default_sizes[]
    = { { 128, 128 }, { 256, 256 }, { 512, 512 }, { 1024, 1024 }, { 2048, 2048 } };
static const int default_channels[] = { 1, 3 };
static const int default_precisions[] = { 32, 16 };

typedef struct {
  OdlBenchResult *result;
  OdlBenchParams params; // with defaults filled in
  OdlEngineChoice choices[MOST_CHOICES];
  int n_choices;
  bool unusable[MOST_CHOICES]; // failed to open; noted
  OdlGlHeadless *headless; // NULL: not needed or not available
  GError *no_gl; // why GL is not available
  GHashTable *paces; // key of a task -> double: nanoseconds per sample
} Bench;

// One case of an interleaved measurement.
typedef struct {
  OdlBenchTaskParams params;
  int choice; // index
  char *key;
  OdlBenchTask *task; // NULL: not measured
} Entry;

static void G_GNUC_PRINTF (2, 3) note (OdlBenchResult *result, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (result->notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

static void
note_entry (Bench *bench, const Entry *entry, const char *why)
{
  g_autofree char *name = odl_engine_choice_to_text (entry->params.choice);

  note (bench->result, "%s, %d×%d×%d, %d bit: %s", name, entry->params.size.width,
        entry->params.size.height, entry->params.channels, entry->params.precision, why);
}

static void
report_progress (const Bench *bench, const Entry *entry)
{
  if (bench->params.progress == NULL)
    return;

  g_autofree char *name = odl_engine_choice_to_text (entry->params.choice);
  g_autofree char *line = g_strdup_printf (
      "%s %d×%d×%d, %d bit", name, entry->params.size.width, entry->params.size.height,
      entry->params.channels, entry->params.precision);
  bench->params.progress (line, bench->params.user_data);
}

static double
samples_of (const Entry *entry)
{
  return (double) entry->params.size.width * entry->params.size.height
         * entry->params.channels;
}

static void
update_pace (Bench *bench, const Entry *entry, double frame_ns)
{
  double *pace = g_new (double, 1);

  *pace = frame_ns / samples_of (entry);
  g_hash_table_insert (bench->paces, g_strdup (entry->key), pace);
}

// Describes a lack of memory for `bytes`; NULL if there is enough. Transfer full.
static char *
lack_of_memory (double bytes)
{
  const double free_bytes = (double) odl_bench_free_memory ();

  if (free_bytes <= 0 || bytes <= MEMORY_SHARE * free_bytes)
    return NULL;
  return g_strdup_printf ("skipped: it may take %.1f GB of memory, %.1f GB are free",
                          bytes * 1e-9, free_bytes * 1e-9);
}

// False, with a note, if the case would not fit in memory or take too long.
static bool
is_reasonable (Bench *bench, const Entry *entry)
{
  const double *ns_per_sample = g_hash_table_lookup (bench->paces, entry->key);
  const double expected_ms
      = ns_per_sample != NULL ? *ns_per_sample * samples_of (entry) * 1e-6 : 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlPlan) plan = odl_bench_plan (&entry->params, &error);

  if (plan == NULL) {
    note_entry (bench, entry, error->message);
    return false;
  }
  g_autofree char *too_large
      = lack_of_memory (MEMORY_FACTOR * odl_bench_slot_bytes (plan));
  if (too_large != NULL) {
    note_entry (bench, entry, too_large);
    return false;
  }
  if (bench->params.patience_ms > 0 && expected_ms > bench->params.patience_ms) {
    g_autofree char *why = g_strdup_printf (
        "skipped: by the sizes before it, a frame would take %.1f s", expected_ms * 1e-3);
    note_entry (bench, entry, why);
    return false;
  }
  return true;
}

static void
open_entry (Bench *bench, Entry *entry)
{
  g_autoptr (GError) error = NULL;

  if (bench->unusable[entry->choice] || !is_reasonable (bench, entry))
    return;
  report_progress (bench, entry);
  entry->task = odl_bench_task_new (&entry->params, &error);
  if (entry->task == NULL)
    note_entry (bench, entry, error->message);
}

static void
close_entry (Entry *entry)
{
  g_clear_pointer (&entry->task, odl_bench_task_free);
}

static void
run_round (Bench *bench, Entry *entry, int rounds, int round)
{
  const int runs = bench->params.runs;
  // The first rounds take the remainder.
  const int own_runs = runs / rounds + (round < runs % rounds ? 1 : 0);
  g_autoptr (GError) error = NULL;

  // One round is enough for slow cases.
  if (entry->task == NULL || (runs > 0 && own_runs == 0)
      || (runs == 0 && round > 0 && odl_bench_task_cost_ns (entry->task) > BUDGET_NS))
    return;
  report_progress (bench, entry);
  if (odl_bench_task_round (entry->task, BUDGET_NS / rounds, own_runs, &error))
    return;
  note_entry (bench, entry, error->message);
  close_entry (entry);
}

static void
finish_entry (Bench *bench, Entry *entry)
{
  if (entry->task != NULL) {
    update_pace (bench, entry, (double) odl_bench_task_cost_ns (entry->task));
    odl_bench_task_report (entry->task, bench->result);
  }
  close_entry (entry);
}

static void
measure_side_by_side (Bench *bench, Entry *entries, int n)
{
  for (int i = 0; i < n; i++)
    open_entry (bench, &entries[i]);
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < n; i++)
      run_round (bench, &entries[i], ROUNDS, round);
  for (int i = 0; i < n; i++)
    finish_entry (bench, &entries[i]);
}

// All cases of one geometry. Transfer full.
static Entry *
list_entries (const Bench *bench, OdlBenchSize size, int channels, int *n)
{
  const OdlBenchParams *params = &bench->params;
  Entry *entries
      = g_new0 (Entry, bench->n_choices * MAX (params->n_precisions, params->n_threads));

  *n = 0;
  for (int i = 0; i < bench->n_choices; i++) {
    const bool gl = bench->choices[i].klass->needs_gl;
    const int kinds = gl ? params->n_precisions : params->n_threads;

    for (int k = 0; k < kinds; k++) {
      Entry *entry = &entries[(*n)++];
      *entry = (Entry){
        .params = { .params = params,
                    .choice = bench->choices[i],
                    .headless = gl ? bench->headless : NULL,
                    .size = size,
                    .channels = channels,
                    .precision = gl ? params->precisions[k] : 32,
                    .threads = gl ? bench->result->machine.threads : params->threads[k] },
        .choice = i,
      };
      entry->key = g_strdup_printf ("%d/%d/%d/%d", i, channels, entry->params.precision,
                                    entry->params.threads);
    }
  }
  return entries;
}

static void
measure_geometry (Bench *bench, OdlBenchSize size, int channels)
{
  int n;
  g_autofree Entry *entries = list_entries (bench, size, channels, &n);
  const guint first_case = bench->result->cases->len;

  odl_bench_copy (bench->result, size, channels, bench->params.threads,
                  bench->params.n_threads, bench->headless != NULL);
  if (n > 0 && samples_of (&entries[0]) <= MOST_INTERLEAVED)
    measure_side_by_side (bench, entries, n);
  else
    for (int i = 0; i < n; i++)
      measure_side_by_side (bench, &entries[i], 1);
  for (int i = 0; i < n; i++)
    g_free (entries[i].key);
  odl_parallel_set_threads (bench->result->machine.threads);
  for (guint i = first_case; i < bench->result->cases->len; i++) {
    OdlBenchCase *one = g_ptr_array_index (bench->result->cases, i);
    one->copy_gb_per_s = odl_bench_copy_speed (bench->result, &one->row);
  }
}

// False, with a note, if start-up with a smaller picture exceeded the limit: programs
// are compiled for each size.
static bool
starts_in_time (Bench *bench, const Entry *entry)
{
  double ms = 0;

  for (guint i = 0; i < bench->result->starts->len; i++) {
    const OdlBenchStart *start = &g_array_index (bench->result->starts, OdlBenchStart, i);
    const char *asked = entry->params.choice.variant;
    if (g_str_equal (start->asked, asked != NULL ? asked : "")
        && g_str_equal (start->row.engine, entry->params.choice.klass->name)
        && start->row.threads == entry->params.threads
        && start->row.precision == entry->params.precision)
      ms = start->context_ms + start->engine_ms + start->programs_ms + start->textures_ms
           + start->first_ms;
  }
  if (bench->params.patience_ms == 0 || ms <= bench->params.patience_ms)
    return true;
  g_autofree char *why = g_strdup_printf (
      "skipped: a cold start with the size before it took %.1f s", ms * 1e-3);
  note_entry (bench, entry, why);
  return false;
}

static bool
measure_load (Bench *bench, const Entry *entry, GError **error)
{
  OdlBenchLoadRow row;

  if (!odl_bench_measure_load (&entry->params, &row, error))
    return false;
  g_array_append_val (bench->result->loads, row);
  update_pace (bench, entry, row.load.percent * 1e7 / row.load.fps);
  return true;
}

// Creates its own context: none may be current.
static bool
measure_start (Bench *bench, const Entry *entry, GError **error)
{
  OdlBenchTaskParams params = entry->params;

  if (!starts_in_time (bench, entry))
    return true;
  for (int inverse = 0; inverse < 2; inverse++) {
    OdlBenchStart start;
    params.decomposes = inverse == 0;
    if (!odl_bench_measure_start (&params, &start, error))
      return false;
    g_array_append_val (bench->result->starts, start);
  }
  return true;
}

// Measurements outside the interleaved rounds.
static void
measure_once (Bench *bench,
              bool (*measure) (Bench *bench, const Entry *entry, GError **error))
{
  const OdlBenchParams *params = &bench->params;

  for (int i = 0; i < params->n_channels * params->n_sizes; i++) {
    int n;
    g_autofree Entry *entries = list_entries (bench, params->sizes[i % params->n_sizes],
                                              params->channels[i / params->n_sizes], &n);

    for (int k = 0; k < n; k++) {
      g_autoptr (GError) error = NULL;

      if (!bench->unusable[entries[k].choice] && is_reasonable (bench, &entries[k])) {
        report_progress (bench, &entries[k]);
        if (!measure (bench, &entries[k], &error))
          note_entry (bench, &entries[k], error->message);
      }
      g_free (entries[k].key);
    }
    odl_parallel_set_threads (bench->result->machine.threads);
  }
}

static void
measure_decode (Bench *bench, OdlBenchSize size, int channels)
{
  const OdlBenchParams *params = &bench->params;
  OdlBenchRow row = { .variant = "default",
                      .width = size.width,
                      .height = size.height,
                      .channels = channels,
                      .precision = 32,
                      .threads = bench->result->machine.threads,
                      .part = ODL_BENCH_DECODE };
  g_autofree OdlBenchSeries *series = g_new0 (OdlBenchSeries, 1);
  const int runs = params->runs > 0 ? params->runs : DECODES;
  const int64_t begin_ns = odl_clock_now_ns ();

  g_strlcpy (row.engine, params->decode_name, sizeof row.engine);
  g_autofree char *too_large
      = lack_of_memory (DECODE_BYTES * size.width * size.height * channels);
  if (too_large != NULL) {
    note (bench->result, "%s, %d×%d×%d: %s", row.engine, size.width, size.height,
          channels, too_large);
    return;
  }
  for (int i = -1; i < MIN (runs, ODL_BENCH_MOST_RUNS); i++) {
    g_autoptr (GError) error = NULL;
    int64_t start_ns = odl_clock_now_ns ();
    g_autoptr (OdlImage) image
        = params->decode (size.width, size.height, channels, params->user_data, &error);

    if (image == NULL) {
      note (bench->result, "%s: %s", row.engine, error->message);
      return;
    }
    if (i >= 0)
      odl_bench_series_add (series, odl_clock_now_ns () - start_ns);
    if (params->runs == 0 && series->n > 0
        && odl_clock_now_ns () - begin_ns > 2 * (int64_t) BUDGET_NS)
      break;
  }
  const OdlBenchStats stats = odl_bench_series_stats (series);
  odl_bench_add_row (bench->result, row, &stats,
                     (double) size.width * size.height * channels);
}

static OdlBenchParams
complete_params (const OdlBenchParams *params, const int *threads)
{
  OdlBenchParams full = *params;

  if (full.n_sizes == 0) {
    full.sizes = default_sizes;
    full.n_sizes = G_N_ELEMENTS (default_sizes);
  }
  if (full.n_channels == 0) {
    full.channels = default_channels;
    full.n_channels = G_N_ELEMENTS (default_channels);
  }
  if (full.n_precisions == 0) {
    full.precisions = default_precisions;
    full.n_precisions = G_N_ELEMENTS (default_precisions);
  }
  if (full.n_threads == 0) {
    full.threads = threads;
    full.n_threads = 1;
  }
  full.wavelet = full.wavelet != NULL ? full.wavelet : "cdf97";
  full.levels = full.levels > 0 ? full.levels : 3;
  full.decode_name = full.decode_name != NULL ? full.decode_name : "decode";
  return full;
}

// Resolves the list of engines.
static bool
choose_engines (Bench *bench, GError **error)
{
  const OdlBenchParams *params = &bench->params;

  if (odl_wavelet_find (params->wavelet) == NULL) {
    g_autofree char *message = odl_wavelet_unknown (params->wavelet);
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE, message);
    return false;
  }
  if (params->engines == NULL)
    for (size_t i = 0; i < odl_engine_count (); i++)
      bench->choices[bench->n_choices++]
          = (OdlEngineChoice){ .klass = odl_engine_at (i) };
  const guint n = params->engines != NULL ? g_strv_length ((char **) params->engines) : 0;
  if (params->engines != NULL && (n == 0 || n > MOST_CHOICES))
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("name at least one engine and at most %d"), MOST_CHOICES);
  for (guint i = 0; i < n; i++)
    if (!odl_engine_choice_parse (params->engines[i], &bench->choices[bench->n_choices++],
                                  error))
      return false;
  return true;
}

// The context that all GL engines share; notes engines that cannot open.
static void
open_context (Bench *bench)
{
  OdlBenchMachine *machine = &bench->result->machine;
  bool wanted = false;

  for (int i = 0; i < bench->n_choices; i++)
    wanted |= bench->choices[i].klass->needs_gl;
  if (!wanted)
    return;
  bench->headless = odl_gl_headless_new (&bench->no_gl);
  if (bench->headless != NULL) {
    g_free (machine->gl_renderer);
    g_free (machine->gl_driver);
    machine->gl_renderer = g_strdup (odl_gl_headless_renderer (bench->headless));
    machine->gl_driver = g_strdup (odl_gl_headless_gpu (bench->headless));
    machine->gl_software = odl_gl_headless_is_software (bench->headless);
  }
}

static void
try_engines (Bench *bench)
{
  for (int i = 0; i < bench->n_choices; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlEngine) engine = NULL;

    if (bench->choices[i].klass->needs_gl && bench->headless == NULL)
      error = g_error_copy (bench->no_gl);
    else
      engine = odl_engine_open_choice (bench->choices[i], &error);
    if (engine == NULL) {
      g_autofree char *name = odl_engine_choice_to_text (bench->choices[i]);
      note (bench->result, "%s: %s", name, error->message);
      bench->unusable[i] = true;
    }
  }
}

static void
measure_all (Bench *bench)
{
  const OdlBenchParams *params = &bench->params;

  if (params->cold)
    measure_once (bench, measure_start);
  open_context (bench);
  try_engines (bench);
  if (params->load_seconds > 0) {
    measure_once (bench, measure_load);
    return;
  }
  for (int c = 0; params->decode != NULL && c < params->n_channels; c++)
    for (int s = 0; s < params->n_sizes; s++)
      if (params->patience_ms == 0
          || (double) params->sizes[s].width * params->sizes[s].height <= MOST_DECODED)
        measure_decode (bench, params->sizes[s], params->channels[c]);
  for (int c = 0; c < params->n_channels; c++)
    for (int s = 0; s < params->n_sizes; s++)
      measure_geometry (bench, params->sizes[s], params->channels[c]);
}

OdlBenchResult *
odl_bench_run (const OdlBenchParams *params, GError **error)
{
  g_autoptr (OdlBenchResult) result = odl_bench_result_new ();
  g_autofree Bench *bench = g_new0 (Bench, 1);

  bench->result = result;
  result->filter = g_intern_string (params->filter);
  bench->params = complete_params (params, &result->machine.threads);
  if (!choose_engines (bench, error))
    return NULL;
  bench->paces = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  measure_all (bench);
  g_hash_table_unref (bench->paces);
  g_clear_pointer (&bench->headless, odl_gl_headless_free);
  g_clear_error (&bench->no_gl);
  if (result->cases->len + result->loads->len == 0)
    return odl_error_null (
        error, ODL_ERROR_UNSUPPORTED, _ ("nothing could be measured: %s"),
        result->notes->len > 0 ? (char *) result->notes->pdata[0] : "");
  return g_steal_pointer (&result);
}
