// SPDX-License-Identifier: MIT
// Figures derived from the measurements of one engine on one geometry.
#pragma once

#include "bench/bench.h"
#include "bench/bytes.h"

// Whether the whole plan ran as one pass when its steps were not timed.
bool odl_bench_is_one_pass (const OdlBenchCase *one);

// Time of a frame of a GL engine with samples on the GPU: as timed, else the sum of
// its parts.
double odl_bench_resident_ms (const OdlBenchCase *one);

// Fused groups, see odl_bench_groups.
int *odl_bench_case_groups (const OdlBenchCase *one, int *n_groups);

// Bytes read and written by a group.
double odl_bench_group_sum (const OdlPlan *plan, const int *groups, int group);

// Minimum bytes with one fused pass per level and direction, from 8-bit input: s_i +
// s_o + 2 s + 4 s R, where R is the sum of 4^-l for l below the number of levels.
double odl_bench_least_bytes (const OdlBenchCase *one);

// Bytes that the engine moves, with or without its own load step; 0: unknown.
double odl_bench_moved_bytes (const OdlBenchCase *one, bool with_load);
