// SPDX-License-Identifier: MIT
// Numbers below 1e-38 cost a hundred times the time of others and mean nothing here:
// inside kernels they count as zero. The mode belongs to the thread and is put back.
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
