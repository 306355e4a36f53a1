// SPDX-License-Identifier: MIT
// The benchmark: times of one work load (analysis, wavelet shrinkage, synthesis) for
// every engine, as data. Needs the core library alone.
#pragma once

#include "bench/load.h"
#include "bench/machine.h"
#include "engine/engine.h"

G_BEGIN_DECLS

// What is timed: the rows of reports.
typedef enum {
  ODL_BENCH_TOTAL, // a frame on the clock: from the picture in memory to the filtered
                   // one in the engine; GL waits for its end
  ODL_BENCH_DECODE, // only with a decode function; not in the total
  ODL_BENCH_UPLOAD, // the plan's load step
  ODL_BENCH_FORWARD,
  ODL_BENCH_FILTER,
  ODL_BENCH_BACKWARD,
  ODL_BENCH_DISPLAY, // read back and shown as 8-bit grey levels or colours in memory;
                     // not in the total
  ODL_BENCH_READ_BACK, // the first half of the display
  ODL_BENCH_WHOLE, // total and read back of the same frame
  ODL_BENCH_DECOMPOSE, // upload, forward and a read back
  ODL_BENCH_RECONSTRUCT, // upload, backward and a read back
  ODL_BENCH_OVERLAPPED, // a frame of many that follow each other; GL alone
  ODL_BENCH_RESIDENT, // the same without upload, by the GPU's timer around a frame
  ODL_BENCH_SLIDER, // the same for synthesis alone, from coefficients that are there
  ODL_BENCH_N_PARTS,
} OdlBenchPart;

// The parts between upload and backward are timed by the engine: by the GPU's timer where
// it has one, else by the clock. An engine that cannot time them has no such rows.
typedef struct {
  char engine[24];
  char variant[40]; // "default" where an engine has only one way
  int width;
  int height;
  int channels;
  int precision; // bits of the intermediate pictures
  int levels;
  int threads; // of the CPU
  const char *filter; // text of the recipe, interned; NULL: wavelet shrinkage
  OdlBenchPart part;
  double median_ms;
  double min_ms;
  double mean_ms;
  double max_ms;
  double mpx_per_s; // pixels of the picture by the median
  double gb_per_s; // bytes of the part (bytes.h) by the median; 0: the part moves none
} OdlBenchRow;

typedef struct {
  int n; // 0: not measured
  double median_ms, min_ms, mean_ms, max_ms;
} OdlBenchStats;

// Everything known about one engine on one geometry.
typedef struct {
  OdlBenchRow row; // what its rows share; part and times are unset
  char parts_variant[40]; // how the run worked whose parts were timed
  OdlBenchStats stats[ODL_BENCH_N_PARTS];
  OdlPlan *plan;
  double *step_ms; // median of each step of the plan; NULL: not timed
  double copy_gb_per_s; // of a plain copy of that size in the same API; 0: unknown
} OdlBenchCase;

// From nothing to the first frame. All on the clock.
typedef struct {
  OdlBenchRow row; // of the frame: engine, size, …
  const char *asked; // variant that was asked for; NULL: none
  double context_ms; // an OpenGL context; 0 for engines without
  double engine_ms; // opening the engine
  double prepare_ms; // programs and buffers
  double first_ms; // the first frame, upload to synthesis
  double read_back_ms;
} OdlBenchStart;

// The load of the processor while pictures are drawn at a steady rate.
typedef struct {
  OdlBenchRow row;
  OdlBenchLoad load;
} OdlBenchLoadRow;

typedef struct {
  int width, height;
  int levels; // 0: those of OdlBenchParams
} OdlBenchSize;

// Decodes a picture of that geometry, 8 bits, from wherever it lies; the benchmark counts
// its time as the part decode. Transfer full.
typedef OdlImage *(
    *OdlBenchDecode) (int width, int height, int channels, void *data, GError **error);

// What to measure. Zero means the default that stands beside.
typedef struct {
  const char *const *engines; // NULL-terminated names; all that open
  const OdlBenchSize *sizes; // 128² 256² 512² 1024² 2048²
  int n_sizes;
  const int *channels; // 1 and 3
  int n_channels;
  const int *precisions; // 32 and 16; engines without GL compute both in 32 bits and
                         // are measured once
  int n_precisions;
  const int *threads; // what ODL_PARALLEL_FOR uses: all; engines with GL are measured
                      // once
  int n_threads;
  const char *filter; // text of a recipe, see odl_recipe_parse; wavelet shrinkage, of:
  const char *wavelet; // "cdf97"
  int levels; // 3
  int runs; // as many as fit into a third of a second; at least two a round, or one round
  int patience_ms; // leaves out, with a note, what would take longer for one frame, with
                   // its parts and read back, judged by a smaller size: nothing
  bool cold; // measures the way to the first frame too
  double load_seconds; // above 0: measures the load alone, so long for each engine
  OdlBenchDecode decode; // no part decode
  const char *decode_name; // engine's name in the rows of decode
  void *user_data;
  // Called before each geometry with a line for people. May be NULL.
  void (*progress) (const char *line, void *user_data);
} OdlBenchParams;

typedef struct {
  GArray *rows; // OdlBenchRow
  GPtrArray *cases; // OdlBenchCase
  GArray *starts; // OdlBenchStart; empty unless `cold`
  GArray *loads; // OdlBenchLoadRow; empty unless `load_seconds`
  GPtrArray *notes; // char *: what was not measured, and why
  OdlBenchMachine machine;
  const char *filter; // as asked for, interned; NULL: wavelet shrinkage
  size_t changes; // counters of engines that moved after warm-up; 0 unless something
                  // is wrong
} OdlBenchResult;

// Engines are measured in rounds that alternate between them. Fails with ODL_ERROR_USAGE
// for unknown engines and wavelets, and when nothing could be measured. GL engines get a
// headless context of their own: call it on a thread without one.
OdlBenchResult *odl_bench_run (const OdlBenchParams *params, GError **error);
void odl_bench_result_free (OdlBenchResult *result);

// Moves the rows, cases, starts, loads and notes of `from` to the end of those of
// `result`.
void odl_bench_result_absorb (OdlBenchResult *result, OdlBenchResult *from);

// The stable name of a part: "upload".
const char *odl_bench_part_name (OdlBenchPart part);

// The synthetic texture that is measured: deterministic, U8.
OdlImage *odl_bench_texture (int width, int height, int channels, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlBenchResult, odl_bench_result_free)

G_END_DECLS
