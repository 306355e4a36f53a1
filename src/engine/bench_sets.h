// SPDX-License-Identifier: MIT
// Sets of measurements with the tables that go with them.
#pragma once

#include "engine/bench.h"

G_BEGIN_DECLS

// What a set fills into the parameters; alive as long as these.
typedef struct {
  GPtrArray *engines; // names; NULL-terminated
  GArray *sizes; // OdlBenchSize
  int threads[2];
} OdlBenchDefaults;

typedef struct {
  const char *name; // "filter"
  // Fills what `params` leaves open.
  void (*complete) (OdlBenchParams *params, OdlBenchDefaults *defaults);
  // Tables of the result. Transfer full.
  char *(*tables) (const OdlBenchResult *result);
} OdlBenchSet;

// "filter": all engines at analysis, shrinkage, synthesis. "video": decomposition and
// reconstruction of colour pictures up to 8192². "start": cold and warm, five levels.
// "load": how busy the processor is at 20 frames per second.
size_t odl_bench_set_count (void);
const OdlBenchSet *odl_bench_set_at (size_t index);
const OdlBenchSet *odl_bench_set_find (const char *name); // NULL when unknown

void odl_bench_defaults_clear (OdlBenchDefaults *defaults);

G_END_DECLS
