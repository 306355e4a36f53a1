// SPDX-License-Identifier: MIT
// The benchmark: wall time per part of one work load (analysis, wavelet shrinkage,
// synthesis) for every engine, as data. Needs the core library alone.
#pragma once

#include "engine/engine.h"

G_BEGIN_DECLS

typedef enum {
  ODL_BENCH_TOTAL, // run and display, on the wall clock
  ODL_BENCH_DECODE, // only with a decode function
  ODL_BENCH_UPLOAD, // the plan's load step
  ODL_BENCH_FORWARD,
  ODL_BENCH_FILTER,
  ODL_BENCH_BACKWARD,
  ODL_BENCH_DISPLAY, // read back and shown as 8-bit grey levels or colours in memory
  ODL_BENCH_N_PARTS,
} OdlBenchPart;

// The parts between upload and backward are timed by the engine: by the GPU's timer where
// it has one, else by the clock. An engine that cannot time them has no such rows.
typedef struct {
  char engine[24];
  char variant[24]; // "default" where an engine has only one way
  int width;
  int height;
  int channels;
  int precision; // bits of the intermediate pictures
  int levels;
  int threads; // of the CPU
  OdlBenchPart part;
  double median_ms;
  double min_ms;
  double mpx_per_s; // pixels of the picture by the median
  double gb_per_s; // bytes that the part's steps read and write once, by the median
} OdlBenchRow;

typedef struct {
  int width, height;
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
  const int *threads; // what ODL_PARALLEL_FOR uses; engines with GL are measured once
  int n_threads;
  const char *wavelet; // "cdf97"
  int levels; // 3
  int runs; // as many as fit into half a second, 5 … 200; fewer for very slow engines
  OdlBenchDecode decode; // no part decode
  const char *decode_name; // engine's name in the rows of decode
  void *user_data;
  // Called before each geometry with a line for people. May be NULL.
  void (*progress) (const char *line, void *user_data);
} OdlBenchParams;

typedef struct {
  GArray *rows; // OdlBenchRow
  GPtrArray *notes; // char *: engines that did not open and why
  char *cpu; // model name
  int threads; // at the start
  char *compiler;
  char *renderer; // of GL; "" when no GL engine was measured
  size_t changes; // counters of engines that moved after warm-up; 0 unless something
                  // is wrong
} OdlBenchResult;

// Fails with ODL_ERROR_USAGE for unknown engines and wavelets, and when nothing could be
// measured. GL engines get a headless context of their own: call it on a thread without
// one.
OdlBenchResult *odl_bench_run (const OdlBenchParams *params, GError **error);
void odl_bench_result_free (OdlBenchResult *result);

// The stable name of a part: "upload".
const char *odl_bench_part_name (OdlBenchPart part);

// The synthetic texture that is measured: deterministic, U8.
OdlImage *odl_bench_texture (int width, int height, int channels, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlBenchResult, odl_bench_result_free)

G_END_DECLS
