// SPDX-License-Identifier: MIT
// Benchmark of one workload (analysis, wavelet shrinkage, synthesis, or a recipe) on
// every engine; results are data. Needs only the core library.
#pragma once

#include "bench/load.h"
#include "bench/machine.h"
#include "engine/engine.h"

// What is timed; the rows of a report.
typedef enum {
  ODL_BENCH_TOTAL, // a frame in wall-clock time: from the picture in memory to the
                   // filtered one in the engine; GL waits for completion
  ODL_BENCH_DECODE, // only with a decode function; not part of the total
  ODL_BENCH_UPLOAD, // the plan's load step
  ODL_BENCH_FORWARD,
  ODL_BENCH_FILTER,
  ODL_BENCH_BACKWARD,
  ODL_BENCH_DISPLAY, // read back and displayed as 8-bit grey levels or colours in memory;
                     // not part of the total
  ODL_BENCH_READ_BACK, // the first half of display
  ODL_BENCH_WHOLE, // total plus read back of the same frame
  ODL_BENCH_DECOMPOSE, // upload, forward and read back
  ODL_BENCH_RECONSTRUCT, // upload, backward and read back
  ODL_BENCH_OVERLAPPED, // per frame of a pipelined sequence; GL only
  ODL_BENCH_RESIDENT, // likewise without upload, by GPU timer
  ODL_BENCH_SLIDER, // likewise for synthesis only, from existing coefficients
  ODL_BENCH_N_PARTS,
} OdlBenchPart;

// Upload to backward are timed inside the engine: by the GPU's timer if there is one,
// else by the clock. Engines that cannot time them have no such rows.
typedef struct {
  char engine[24];
  char variant[40]; // "default" if the engine has only one
  int width;
  int height;
  int channels;
  int precision; // bits of the intermediate pictures
  int levels;
  int threads; // of the CPU
  const char *filter; // recipe text, interned; NULL: wavelet shrinkage
  OdlBenchPart part;
  double median_ms;
  double min_ms;
  double mean_ms;
  double max_ms;
  double mpx_per_s; // image pixels per median time
  double gb_per_s; // bytes of the part (bytes.h) per median time; 0: not applicable
} OdlBenchRow;

typedef struct {
  int n; // 0: not measured
  double median_ms, min_ms, mean_ms, max_ms;
} OdlBenchStats;

// Measurements of one engine on one geometry.
typedef struct {
  OdlBenchRow row; // common fields of its rows; part and times are unset
  char parts_variant[40]; // how the run worked whose parts were timed
  OdlBenchStats stats[ODL_BENCH_N_PARTS];
  OdlPlan *plan;
  double *step_ms; // median per step of the plan; NULL: not timed
  double copy_gb_per_s; // of a plain copy of the same size in the same API; 0: unknown
} OdlBenchCase;

// Start-up times until the first frame, wall-clock: of a decomposition, as an encoder
// needs it, or of both directions with wavelet shrinkage.
typedef struct {
  OdlBenchRow row; // engine, size, … of the frame
  const char *asked; // requested variant; "": none
  int inverse; // 1: both directions
  double context_ms; // creating an OpenGL context; 0 for other engines
  double engine_ms; // opening the engine
  double programs_ms; // preparing a small picture
  double textures_ms; // preparing this one: its buffers, and programs of its size
  double first_ms; // the first frame, from its upload on
  double read_back_ms; // of the coefficients, or of the picture
} OdlBenchStart;

// Processor load while pictures are drawn at a steady rate.
typedef struct {
  OdlBenchRow row;
  OdlBenchLoad load;
} OdlBenchLoadRow;

typedef struct {
  int width, height;
  int levels; // 0: those of OdlBenchParams
} OdlBenchSize;

// Decodes an 8-bit picture of that geometry; timed as the part decode. Transfer full.
typedef OdlImage *(
    *OdlBenchDecode) (int width, int height, int channels, void *data, GError **error);

// What to measure. Zero means the default given here.
typedef struct {
  const char *const *engines; // NULL-terminated names; all available engines
  const OdlBenchSize *sizes; // 128² 256² 512² 1024² 2048²
  int n_sizes;
  const int *channels; // 1 and 3
  int n_channels;
  const int *precisions; // 32 and 16; engines without GL compute in 32 bits and are
                         // measured once
  int n_precisions;
  const int *threads; // for ODL_PARALLEL_FOR: all; GL engines are measured once
  int n_threads;
  const char *filter; // recipe text, see odl_recipe_parse; wavelet shrinkage with:
  const char *wavelet; // "cdf97"
  int levels; // 3
  int runs; // as many as fit into 0.3 s; at least two per round, or one round
  int patience_ms; // skips, with a note, cases expected to take longer per frame with
                   // parts and read back, extrapolated from a smaller size; no limit
  bool cold; // also measure start-up
  double load_seconds; // above 0: measure only the load, this long per engine
  OdlBenchDecode decode; // the part decode is omitted
  const char *decode_name; // engine column of decode rows
  void *user_data;
  // Progress callback, called before each geometry. May be NULL.
  void (*progress) (const char *line, void *user_data);
} OdlBenchParams;

typedef struct {
  GArray *rows; // OdlBenchRow
  GPtrArray *cases; // OdlBenchCase
  GArray *starts; // OdlBenchStart; empty unless `cold`
  GArray *loads; // OdlBenchLoadRow; empty unless `load_seconds`
  GPtrArray *notes; // char *: what was skipped, and why
  OdlBenchMachine machine;
  const char *filter; // as requested, interned; NULL: wavelet shrinkage
  size_t changes; // allocations and compilations after warm-up, by engine counters; 0 is
                  // expected
} OdlBenchResult;

// Measures engines in interleaved rounds. ODL_ERROR_USAGE for unknown engines and
// wavelets, and if nothing could be measured. Creates a headless context for GL
// engines: call it on a thread without a current context.
OdlBenchResult *odl_bench_run (const OdlBenchParams *params, GError **error);
void odl_bench_result_free (OdlBenchResult *result);

// Appends the rows, cases, starts, loads and notes of `from` to `result` and empties
// `from`.
void odl_bench_result_append (OdlBenchResult *result, OdlBenchResult *from);

// Stable identifier of a part: "upload".
const char *odl_bench_part_name (OdlBenchPart part);

// The synthetic test picture: deterministic, U8.
OdlImage *odl_bench_texture (int width, int height, int channels, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlBenchResult, odl_bench_result_free)
