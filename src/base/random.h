// SPDX-License-Identifier: MIT
// Random numbers that are a function of a counter: the same on every machine, in any
// order and on any number of threads. Uses only operations that IEEE 754 rounds correctly
// (+ − × ÷ √), so that no bit depends on a mathematical library. Any thread.
#pragma once

#include <stdint.h>

// One block of Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As
// Easy as 1, 2, 3, SC 2011): encrypts `counter` with `key`, in place.
void odl_random_block (uint32_t counter[4], const uint32_t key[2]);

// Two numbers in (0, 1) of a block, of 52 bits each: (k + ½) / 2⁵².
typedef struct {
  double a, b;
} OdlUniforms;

OdlUniforms odl_random_uniforms (uint64_t seed, const uint32_t counter[4]);

// Inverse of the normal distribution: PPND16, Wichura, Algorithm AS 241, Applied
// Statistics 37(3), 1988; about 1 part in 10¹⁶. 0 < p < 1.
double odl_random_normal (double p);

// A number of events of mean `mean` ≥ 0. Below 10 by adding exponential intervals, from
// there by the transformed rejection PTRS (Hörmann, Insurance: Mathematics and Economics
// 12, 1993). counter[2] is counted up for as many blocks as it takes.
double odl_random_poisson (double mean, uint64_t seed, uint32_t counter[4]);

// The natural logarithm of a positive, normal number, within 2 units of the last place or
// 1e-16.
double odl_random_log (double x);
