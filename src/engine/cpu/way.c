// SPDX-License-Identifier: MIT
#include "engine/cpu/way.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"

const OdlEngineVariant odl_cpu_variants[] = {
  { "scalar", N_ ("plain C"), false },
  { "sse2", N_ ("SSE2: 4 samples at a time"), false },
  { "avx2", N_ ("AVX2 and FMA: 8 samples at a time"), false },
  { "avx512", N_ ("AVX-512: 16 samples at a time"), false },
  { "neon", N_ ("NEON: 4 samples at a time"), false },
  { ODL_CPU_WAY_PER_LEVEL, N_ ("level by level, never in one pass"), false },
  { ODL_CPU_WAY_FILTERING, N_ ("level by level, with filter taps instead of lifting"),
    false },
  { ODL_CPU_WAY_FOURIER, N_ ("convolution by Fourier transforms"), false },
  { ODL_CPU_WAY_DIRECT, N_ ("convolution without Fourier transforms"), false },
  { NULL, NULL, false },
};

OdlCpuWay
odl_cpu_way_of (const char *const *words)
{
  const bool filtering = g_strv_contains (words, ODL_CPU_WAY_FILTERING);
  const OdlCpuConvolving convolving
      = g_strv_contains (words, ODL_CPU_WAY_FOURIER)  ? ODL_CPU_CONVOLVING_FOURIER
        : g_strv_contains (words, ODL_CPU_WAY_DIRECT) ? ODL_CPU_CONVOLVING_DIRECT
                                                      : ODL_CPU_CONVOLVING_FASTEST;

  return (OdlCpuWay){
    .steps = { odl_cpu_variant_choose (words), filtering, convolving },
    .per_level = filtering || g_strv_contains (words, ODL_CPU_WAY_PER_LEVEL),
  };
}

bool
odl_cpu_way_choose (OdlCpuWay *way, const char *name, GError **error)
{
  if (g_strcmp0 (name, ODL_CPU_WAY_PER_LEVEL) == 0
      || g_strcmp0 (name, ODL_CPU_WAY_FILTERING) == 0) {
    way->per_level = true;
    way->steps.filtering = g_str_equal (name, ODL_CPU_WAY_FILTERING);
  } else if (g_strcmp0 (name, ODL_CPU_WAY_FOURIER) == 0
             || g_strcmp0 (name, ODL_CPU_WAY_DIRECT) == 0) {
    way->steps.convolving = g_str_equal (name, ODL_CPU_WAY_FOURIER)
                                ? ODL_CPU_CONVOLVING_FOURIER
                                : ODL_CPU_CONVOLVING_DIRECT;
  } else if (name != NULL) {
    way->steps.variant = odl_cpu_variant_choose ((const char *const[]){ name, NULL });
    if (!g_str_equal (way->steps.variant->name, name))
      return odl_error_set (
          error, ODL_ERROR_UNSUPPORTED,
          _ ("this processor, or this build, cannot run the instructions “%s”"), name);
  }
  return true;
}
