// SPDX-License-Identifier: MIT
// What follows from the measurements of one engine on one geometry.
#pragma once

#include "bench/bench.h"
#include "bench/bytes.h"

G_BEGIN_DECLS

// Whether the whole plan ran as one pass where its steps were not timed.
bool odl_bench_is_one_pass (const OdlBenchCase *one);

// A frame of an engine with GL whose samples are on the GPU: as timed, else the sum of
// the parts.
double odl_bench_resident_ms (const OdlBenchCase *one);

// Which steps ran together, see odl_bench_groups.
int *odl_bench_case_groups (const OdlBenchCase *one, int *n_groups);

// Bytes read and written by a group.
double odl_bench_group_sum (const OdlPlan *plan, const int *groups, int group);

// With one fused pass for each level and direction, of 8-bit input: s_i + s_o + 2 s + 4 s
// R with R the sum of 4^-l below the number of levels.
double odl_bench_pass_of_each_level (const OdlBenchCase *one);

// What the engine moves, with or without a load of its own; 0: unknown.
double odl_bench_moved_bytes (const OdlBenchCase *one, bool with_load);

G_END_DECLS
