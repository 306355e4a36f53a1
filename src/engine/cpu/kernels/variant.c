// SPDX-License-Identifier: MIT
#include "engine/cpu/kernels/variant.h"

#include <glib.h>

#ifdef ODL_HAVE_SSE2
extern const OdlCpuVariant odl_cpu_variant_sse2;
#endif
#ifdef ODL_HAVE_AVX2
extern const OdlCpuVariant odl_cpu_variant_avx2;
#endif
#ifdef ODL_HAVE_AVX512
extern const OdlCpuVariant odl_cpu_variant_avx512;
#endif
#ifdef ODL_HAVE_NEON
extern const OdlCpuVariant odl_cpu_variant_neon;
#endif

static const OdlCpuVariant *const variants[] = {
  &odl_cpu_variant_scalar,
#ifdef ODL_HAVE_SSE2
  &odl_cpu_variant_sse2,
#endif
#ifdef ODL_HAVE_AVX2
  &odl_cpu_variant_avx2,
#endif
#ifdef ODL_HAVE_AVX512
  &odl_cpu_variant_avx512,
#endif
#ifdef ODL_HAVE_NEON
  &odl_cpu_variant_neon,
#endif
};

const char *const odl_cpu_words[] = {
  "scalar",    "sse2", "avx2",   "avx512",      "neon", "per-level",
  "filtering", "fft",  "direct", "small-pages", NULL,
};

OdlCpuLift
odl_cpu_lift_of_wavelet (const OdlWavelet *wavelet)
{
  OdlCpuLift lift = { .steps = wavelet->lifting.count };

  for (int i = 0; i < lift.steps; i++)
    lift.step[i] = (float) wavelet->lifting.step[i];
  return lift;
}

size_t
odl_cpu_variant_count (void)
{
  return G_N_ELEMENTS (variants);
}

const OdlCpuVariant *
odl_cpu_variant_at (size_t index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (variants), NULL);
  return variants[index];
}

const OdlCpuVariant *
odl_cpu_variant_choose (const char *const *words)
{
  const OdlCpuVariant *best = variants[0];

  for (size_t i = 0; i < G_N_ELEMENTS (variants); i++) {
    if (!variants[i]->runs_here ())
      continue;
    best = variants[i];
    if (g_strv_contains (words, best->name))
      return best;
  }
  return best;
}
