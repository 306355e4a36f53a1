// SPDX-License-Identifier: MIT
// The lifting kernels for ODL_LANES floats in a register, compiled once per instruction
// set. Every function is inlined into its callers with constant arguments, so that one
// text gives the code for two and for four lifting steps, for every sample type and every
// kind of shrinkage.
#ifdef __AVX2__
#include "engine/cpu/kernels/bm3d_filter_kernels.h"
#include "engine/cpu/kernels/bm3d_match_kernels.h"
#endif
#include "engine/cpu/kernels/convolve_kernels.h"
#include "engine/cpu/kernels/diffusion_kernels.h"
#include "engine/cpu/kernels/dual_kernels.h"
#include "engine/cpu/kernels/fourier_kernels.h"
#include "engine/cpu/kernels/lift_pairs.h"
#include "engine/cpu/kernels/lift_rows.h"
#include "engine/cpu/kernels/measure_kernels.h"
#include "engine/cpu/kernels/median_kernels.h"
#include "engine/cpu/kernels/patch_kernels.h"
#include "engine/cpu/kernels/step_kernels.h"
#include "engine/cpu/kernels/time_kernels.h"
#include "engine/cpu/kernels/variant.h"
#include "engine/cpu/kernels/window_kernels.h"

// Each instance has its own name and test of the processor (see meson.build).
#define STRING_OF(word) #word
#define STRING(word) STRING_OF (word)
#define PASTE_OF(a, b) a##b
#define PASTE(a, b) PASTE_OF (a, b)

static bool
runs_here (void)
{
#if defined __AVX512F__
  return __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512bw")
         && __builtin_cpu_supports ("avx512vl") && __builtin_cpu_supports ("avx512dq");
#elif defined __AVX2__
  return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma");
#else
  return true;
#endif
}

#ifdef __AVX2__
static const OdlBm3dKernels bm3d_kernels = { bm3d_find, bm3d_filter };
#define BM3D_KERNELS &bm3d_kernels
#else
#define BM3D_KERNELS &odl_bm3d_plain
#endif

extern const OdlCpuVariant PASTE (odl_cpu_variant_, ODL_VARIANT);
const OdlCpuVariant PASTE (odl_cpu_variant_, ODL_VARIANT) = {
  .name = STRING (ODL_VARIANT),
  .runs_here = runs_here,
  .forward_row = forward_row_any,
  .inverse_row = inverse_row_any,
  .forward_pairs = forward_pairs_any,
  .inverse_pairs = inverse_pairs_any,
  .combine = combine_any,
  .combine_two = combine_two,
  .convolve = convolve_any,
  .lines = ODL_LANES,
  .fourier = fourier_lines,
  .multiply = fourier_multiply,
  .turn = turn_square,
  .add_patches = add_patches,
  .weigh = weigh_line,
  .diffuse = diffuse_line,
  .speckle_shares = speckle_shares_line,
  .flow = flow_line,
  .split = split_line,
  .join = join_line,
  .unweave = unweave_line,
  .shrink = shrink_line,
  .quad_powers = quad_powers_line,
  .shares = shares_line,
  .bivariate_shares = bivariate_shares_line,
  .quad_scale = quad_scale_line,
  .lift_whole = lift_whole_line,
  .median = median_line,
  .median_square = median_square_line,
  .weighted_median = weighted_median_line,
  .distance = distance_line,
  .follow = follow_line,
  .flag = flag_line,
  .spread = spread_line,
  .measure = measure_line,
  .place = place_line,
  .pick = pick_line,
  .below = below_line,
  .bm3d = BM3D_KERNELS,
};
