// SPDX-License-Identifier: MIT
// Sets of measurements.
#pragma once

#include "bench/bench.h"

typedef struct {
  const char *name; // "filter"
  // Defaults of the set.
  const OdlBenchSize *sizes;
  int n_sizes;
  int channels; // 0: grey and colour in all precisions; else only 32 bits
  int levels;
  // Variants to measure with all engines except the reference, which use filter banks
  // instead of lifting. NULL: all engines with their default variant.
  const char *const *variants;
  bool decode, cold;
  double load_seconds;
  int patience_ms; // per frame, unless sizes were given
} OdlBenchSet;

// Arrays allocated by odl_bench_set_complete; must outlive its parameters.
typedef struct {
  GPtrArray *engines; // names; NULL-terminated
  GArray *sizes; // OdlBenchSize
  int channels, precision, threads[2];
} OdlBenchDefaults;

// "filter": analysis, shrinkage and synthesis on all engines. "video": decomposition
// and reconstruction of colour pictures up to 8192². "start": cold and warm start-up,
// five levels, as Wong et al. have it. "load": processor load at 20 frames per second.
size_t odl_bench_set_count (void);
const OdlBenchSet *odl_bench_set_at (size_t index);
const OdlBenchSet *odl_bench_set_find (const char *name); // NULL when unknown

// Fills in unset parameters.
void odl_bench_set_complete (const OdlBenchSet *set,
                             OdlBenchParams *params,
                             OdlBenchDefaults *defaults);
void odl_bench_defaults_clear (OdlBenchDefaults *defaults);
