// SPDX-License-Identifier: MIT
// Sets of measurements.
#pragma once

#include "bench/bench.h"

G_BEGIN_DECLS

typedef struct {
  const char *name; // "filter"
  // What is measured where nobody says otherwise.
  const OdlBenchSize *sizes;
  int n_sizes;
  int channels; // 0: grey and colour, in every precision; else single precision alone
  int levels;
  // All engines but the reference, and their variants of these names, which transform by
  // filter taps where the engine itself lifts. NULL: all engines, without variants.
  const char *const *variants;
  bool decode, cold;
  double load_seconds;
  int patience_ms; // for one frame, where nobody named the sizes
} OdlBenchSet;

// What completing a request made; alive as long as its parameters.
typedef struct {
  GPtrArray *engines; // names; NULL-terminated
  GArray *sizes; // OdlBenchSize
  int channels, precision, threads[2];
} OdlBenchDefaults;

// "filter": all engines at analysis, shrinkage, synthesis. "video": decomposition and
// reconstruction of colour pictures up to 8192². "start": cold and warm, five levels.
// "load": how busy the processor is at 20 frames per second.
size_t odl_bench_set_count (void);
const OdlBenchSet *odl_bench_set_at (size_t index);
const OdlBenchSet *odl_bench_set_find (const char *name); // NULL when unknown

// Fills what `params` leaves open.
void odl_bench_set_complete (const OdlBenchSet *set,
                             OdlBenchParams *params,
                             OdlBenchDefaults *defaults);
void odl_bench_defaults_clear (OdlBenchDefaults *defaults);

G_END_DECLS
