// SPDX-License-Identifier: MIT
// Denormal numbers (below 1e-38) are a hundred times as slow as others and insignificant
// here: kernels flush them to zero. The mode belongs to the thread and is restored.
#pragma once

#include <stdint.h>

#if defined __SSE2__
#include <immintrin.h>
#endif

typedef struct {
  uint64_t control;
} OdlCpuFloatMode;

static inline OdlCpuFloatMode
odl_cpu_float_mode_enter (void)
{
  OdlCpuFloatMode before = { 0 };

#if defined __SSE2__
  before.control = _mm_getcsr ();
  _mm_setcsr ((unsigned) before.control | 0x8040); // flush to zero, denormals are zero
#elif defined __aarch64__
  __asm__ volatile("mrs %0, fpcr" : "=r"(before.control));
  __asm__ volatile("msr fpcr, %0" : : "r"(before.control | (1u << 24)));
#endif
  return before;
}

static inline void
odl_cpu_float_mode_leave (OdlCpuFloatMode before)
{
#if defined __SSE2__
  _mm_setcsr ((unsigned) before.control);
#elif defined __aarch64__
  __asm__ volatile("msr fpcr, %0" : : "r"(before.control));
#else
  (void) before;
#endif
}
