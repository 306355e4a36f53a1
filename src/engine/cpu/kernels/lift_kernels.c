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
#include "engine/cpu/kernels/fourier_kernels.h"
#include "engine/cpu/kernels/lanes.h"
#include "engine/cpu/kernels/lift_pairs.h"
#include "engine/cpu/kernels/lift_rows.h"
#include "engine/cpu/kernels/measure_kernels.h"
#include "engine/cpu/kernels/median_kernels.h"
#include "engine/cpu/kernels/step_kernels.h"
#include "engine/cpu/kernels/variant.h"

// exp (−x) of x ≥ 0, within 1e-7 of it: 2^−n times a polynomial of the rest, fitted to
// the least relative error.
INLINE Lanes
exp_minus (Lanes x)
{
  const Lanes turns = lanes_min (x * 1.44269504f, lanes_all (126));
  const IntLanes whole = __builtin_convertvector(turns, IntLanes);
  const Lanes rest = turns - __builtin_convertvector(whole, Lanes);
  Lanes result = rest * -0.0009387852624f + 0.0091886036098f;

  result = result * rest - 0.0552797168493f;
  result = result * rest + 0.2401721924543f;
  result = result * rest - 0.6931422352791f;
  result = result * rest + 0.9999999403954f;
  return result * (Lanes) ((127 - whole) << 23);
}

// Weighted means of windows; their sums stay in registers.

INLINE void
weigh_any (const OdlCpuWindow *c, float *restrict out, int n, bool steep)
{
  for (int i = 0; i < n; i += ODL_LANES) {
    const Lanes centre = lanes_load (c->centre + i);
    const Lanes steepness = steep ? lanes_load (c->steepness + i) : lanes_all (1);
    Lanes sum = { 0 }, weights = { 0 };
    for (int k = 0; k < c->samples; k++) {
      const Lanes g = lanes_load (c->window[k] + i), d = g - centre;
      const Lanes weight = exp_minus (steep ? c->distances[k] * steepness
                                            : c->distances[k] + c->factor * (d * d));
      sum += weight * g;
      weights += weight;
    }
    lanes_store_first (out + i, sum / weights, n - i);
  }
}

static void
weigh_line (const OdlCpuWindow *c, float *restrict out, int n)
{
  if (c->steepness != NULL)
    weigh_any (c, out, n, true);
  else
    weigh_any (c, out, n, false);
}

// What one offset of the search window adds to a block of non-local means. Squares are
// summed along columns while they are in registers, then along rows, so that a patch
// costs the sum of its sides. Sums are made anew for each sample: what is taken off a
// running one leaves its rounding errors behind.

#define GROUP 8 // rows at a time, at least the largest patch less 1
#define PATCH_STRIDE 96 // at least ODL_CPU_PATCH_COLUMNS, a patch and a vector

INLINE Lanes
patch_square (const float *a, ptrdiff_t offset, bool speckle)
{
  const Lanes one = lanes_load (a), other = lanes_load (a + offset);
  const Lanes difference = one - other;
  /* Squares are kept for the next row, so a compiler may not fuse some of them into a
   * sum. */
  const Lanes square = lanes_rounded (difference * difference);

  if (!speckle)
    return square;
  return square / lanes_max (0.5f * (one + other), lanes_all (ODL_CPU_PATCH_DARKEST));
}

// Sums of `patch` neighbours, which is constant.
INLINE void
patch_sums (const Lanes *square, int patch, Lanes *sum)
{
  Lanes pair[2 * GROUP], four[2 * GROUP] = { { 0 } };

  for (int i = 0; i < GROUP + patch - 2; i++)
    pair[i] = square[i] + square[i + 1];
  for (int i = 0; i < GROUP + patch - 4; i++)
    four[i] = pair[i] + pair[i + 2];
  for (int i = 0; i < GROUP; i++)
    sum[i] = square[i + patch - 1]
             + (patch == 3   ? pair[i]
                : patch == 5 ? four[i]
                : patch == 7 ? four[i] + pair[i + 4]
                             : four[i] + four[i + 4]);
}

INLINE void
patch_columns (const OdlCpuPatches *c,
               ptrdiff_t offset,
               int patch,
               bool speckle,
               float lines[][PATCH_STRIDE])
{
  for (int x = 0; x < ODL_CPU_PATCH_COLUMNS + patch - 1; x += ODL_LANES) {
    const float *a = c->patches + x;
    Lanes square[2 * GROUP], sum[GROUP];
    for (int k = 0; k < patch - 1; k++)
      square[k] = patch_square (a + k * c->stride, offset, speckle);
    for (int y = 0; y < c->rows; y += GROUP) {
      for (int i = 0; i < GROUP; i++)
        square[patch - 1 + i]
            = patch_square (a + (y + patch - 1 + i) * c->stride, offset, speckle);
      patch_sums (square, patch, sum);
      for (int i = 0; i < GROUP; i++)
        lanes_store (lines[y + i] + x, sum[i]);
      for (int k = 0; k < patch - 1; k++)
        square[k] = square[GROUP + k];
    }
  }
}

#define PATCH_VECTORS (ODL_CPU_PATCH_COLUMNS / ODL_LANES)

// Sums of `patch` neighbours along a line, which is constant.
#if ODL_LANES == 16 && defined __AVX512F__

// The lanes `by` to the right, which is constant; the last ones come from `following`.
#define LANES_FURTHER(value, following, by) \
  ((Lanes) _mm512_alignr_epi32 ((__m512i) (following), (__m512i) (value), by))

// Of sums of two and four, in registers: loads at every place would cross cache lines.
INLINE void
patch_line_sums (const float *line, int patch, Lanes *sum)
{
  Lanes one[PATCH_VECTORS + 2], two[PATCH_VECTORS + 2], four[PATCH_VECTORS + 1];

  for (int i = 0; i <= PATCH_VECTORS; i++)
    one[i] = lanes_load (line + i * ODL_LANES);
  one[PATCH_VECTORS + 1] = two[PATCH_VECTORS + 1] = (Lanes){ 0 };
  for (int i = 0; i <= PATCH_VECTORS; i++)
    two[i] = one[i] + LANES_FURTHER (one[i], one[i + 1], 1);
  for (int i = 0; i <= PATCH_VECTORS; i++)
    four[i] = two[i] + LANES_FURTHER (two[i], two[i + 1], 2);
  for (int i = 0; i < PATCH_VECTORS; i++)
    sum[i] = patch == 3   ? two[i] + LANES_FURTHER (one[i], one[i + 1], 2)
             : patch == 5 ? four[i] + LANES_FURTHER (one[i], one[i + 1], 4)
             : patch == 7 ? four[i]
                                + (LANES_FURTHER (two[i], two[i + 1], 4)
                                   + LANES_FURTHER (one[i], one[i + 1], 6))
                          : four[i] + LANES_FURTHER (four[i], four[i + 1], 4)
                                + LANES_FURTHER (one[i], one[i + 1], 8);
}

#else

INLINE void
patch_line_sums (const float *line, int patch, Lanes *sum)
{
  for (int i = 0; i < PATCH_VECTORS; i++) {
    sum[i] = lanes_load (line + i * ODL_LANES);
    for (int k = 1; k < patch; k++)
      sum[i] += lanes_load (line + i * ODL_LANES + k);
  }
}

#endif

INLINE void
patch_rows (const OdlCpuPatches *c, ptrdiff_t offset, int patch, bool speckle)
{
  float lines[ODL_CPU_PATCH_ROWS][PATCH_STRIDE];

  patch_columns (c, offset, patch, speckle, lines);
  for (int y = 0; y < c->rows; y++) {
    const float *samples = c->samples + y * c->stride + offset;
    float *sums = c->sums + y * ODL_CPU_PATCH_COLUMNS;
    float *weights = c->weights + y * ODL_CPU_PATCH_COLUMNS;
    Lanes distances[PATCH_VECTORS];
    patch_line_sums (lines[y], patch, distances);
    for (int x = 0; x < ODL_CPU_PATCH_COLUMNS; x += ODL_LANES) {
      const Lanes weight = exp_minus (c->factor * distances[x / ODL_LANES]);
      lanes_store (sums + x, lanes_load (sums + x) + weight * lanes_load (samples + x));
      lanes_store (weights + x, lanes_load (weights + x) + weight);
    }
  }
}

static void
add_patches (const OdlCpuPatches *c, ptrdiff_t offset)
{
#define OF_SIDE(side) \
  case side: \
    if (c->speckle) \
      patch_rows (c, offset, side, true); \
    else \
      patch_rows (c, offset, side, false); \
    break;
  switch (c->patch) {
    OF_SIDE (3)
    OF_SIDE (5)
    OF_SIDE (7)
    OF_SIDE (9)
  }
#undef OF_SIDE
}

// Steps of anisotropic diffusion for ODL_LANES floats in a register; variant.h says what
// they do. Sums go by pairs, so that a flipped picture gives the same ones.

INLINE Lanes
flow_from (const float *neighbour, Lanes f, Lanes sharpness, bool rational)
{
  const Lanes d = lanes_load (neighbour) - f, square = d * d * sharpness;

  return rational ? d / (lanes_all (1) + square) : d * exp_minus (square);
}

INLINE void
diffuse_by (const OdlCpuDiffusion *c,
            const float *const rows[3],
            float *restrict out,
            int n,
            bool rational)
{
  const Lanes sharpness = lanes_all (c->sharpness), rate = lanes_all (c->rate);

  for (int i = 0; i < n; i += ODL_LANES) {
    const float *middle = rows[1] + i;
    const Lanes f = lanes_load (middle);
    const Lanes across = flow_from (middle - 1, f, sharpness, rational)
                         + flow_from (middle + 1, f, sharpness, rational);
    const Lanes down = flow_from (rows[0] + i, f, sharpness, rational)
                       + flow_from (rows[2] + i, f, sharpness, rational);
    lanes_store_first (out + i, f + rate * (across + down), n - i);
  }
}

static void
diffuse_line (const OdlCpuDiffusion *c,
              const float *const rows[3],
              float *restrict out,
              int n)
{
  if (c->rational)
    diffuse_by (c, rows, out, n, true);
  else
    diffuse_by (c, rows, out, n, false);
}

INLINE void
speckle_shares_by (const OdlCpuSpeckle *c,
                   const float *const rows[3],
                   float *restrict out,
                   int n,
                   bool compressed)
{
  const Lanes scale = lanes_all (c->scale), one = lanes_all (1);
  const Lanes floor = lanes_all (c->floor), least = lanes_all (ODL_LEAST_FLOW);

  for (int i = 0; i < n; i += ODL_LANES) {
    const Lanes f = lanes_load (rows[1] + i);
    const Lanes left = lanes_load (rows[1] + i - 1) - f;
    const Lanes right = lanes_load (rows[1] + i + 1) - f;
    const Lanes up = lanes_load (rows[0] + i) - f, down = lanes_load (rows[2] + i) - f;
    const Lanes squares = (left * left + right * right) + (up * up + down * down);
    const Lanes laplacian = (left + right) + (up + down);
    const Lanes variance = 0.5f * squares - 0.0625f * laplacian * laplacian;
    const Lanes mean = f + 0.25f * laplacian;
    const Lanes square = compressed ? one : mean * mean;
    const Lanes share = scale * square / lanes_max (floor * square + variance, least);
    lanes_store_first (out + i, lanes_min (share, one), n - i);
  }
}

static void
speckle_shares_line (const OdlCpuSpeckle *c,
                     const float *const rows[3],
                     float *restrict out,
                     int n)
{
  if (c->compressed)
    speckle_shares_by (c, rows, out, n, true);
  else
    speckle_shares_by (c, rows, out, n, false);
}

static void
flow_line (const float *const rows[3],
           const float *own,
           const float *below,
           float rate,
           float *restrict out,
           int n)
{
  for (int i = 0; i < n; i += ODL_LANES) {
    const float *middle = rows[1] + i;
    const Lanes f = lanes_load (middle);
    const Lanes right = lanes_load (own + i + 1) * (lanes_load (middle + 1) - f);
    const Lanes down = lanes_load (below + i) * (lanes_load (rows[2] + i) - f);
    const Lanes back = (lanes_load (middle - 1) - f) + (lanes_load (rows[0] + i) - f);
    lanes_store_first (out + i, f + rate * (right + down + lanes_load (own + i) * back),
                       n - i);
  }
}

// The kernels of the dual tree for ODL_LANES floats in a register; kernels.h says what
// they do. Lines are read up to a vector beyond their end and never written there.

static void
quad_powers_line (float *const quad[4],
                  float *restrict first,
                  float *restrict second,
                  int n)
{
  const Lanes half = lanes_all (0.5f);

  for (int i = 0; i < n; i += ODL_LANES) {
    const Lanes a = lanes_load (quad[0] + i), b = lanes_load (quad[1] + i);
    const Lanes c = lanes_load (quad[2] + i), d = lanes_load (quad[3] + i);
    const Lanes re1 = a - d, im1 = b + c, re2 = a + d, im2 = b - c;
    lanes_store_first (first + i, half * (re1 * re1 + im1 * im1), n - i);
    lanes_store_first (second + i, half * (re2 * re2 + im2 * im2), n - i);
  }
}

// A constant rule.
INLINE Lanes
lanes_left (Lanes power, Lanes limit, OdlShrinkingRule rule)
{
  const Lanes size = lanes_root (power);

  return lanes_keep (size > limit, lanes_share (size, limit, rule));
}

static void
shares_line (float *power, int n, float threshold, float gain, OdlShrinkingRule rule)
{
  const Lanes limit = lanes_all (threshold);

#define SHARES_LINE(RULE) \
  for (int i = 0; i < n; i += ODL_LANES) \
  lanes_store_first (power + i, gain * lanes_left (lanes_load (power + i), limit, RULE), \
                     n - i)
  BY_RULE (rule, SHARES_LINE)
}

static void
bivariate_shares_line (float *power,
                       const float *mean,
                       const float *parent,
                       int n,
                       float noise,
                       float weight)
{
  const Lanes limit = lanes_all (__builtin_sqrtf (3) * noise), zero = { 0 };

  for (int i = 0; i < n; i += ODL_LANES) {
    const Lanes square = lanes_load (power + i) + weight * lanes_load (parent + i);
    const Lanes signal = lanes_max (0.5f * lanes_load (mean + i) - noise, zero);
    const Lanes size = lanes_root (square) * lanes_root (signal);
    lanes_store_first (power + i, lanes_keep (size > limit, (size - limit) / size),
                       n - i);
  }
}

static void
quad_scale_line (float *const quad[4], const float *first, const float *second, int n)
{
  const Lanes half = lanes_all (0.5f);

  for (int i = 0; i < n; i += ODL_LANES) {
    const Lanes a = lanes_load (quad[0] + i), b = lanes_load (quad[1] + i);
    const Lanes c = lanes_load (quad[2] + i), d = lanes_load (quad[3] + i);
    const Lanes w1 = half * lanes_load (first + i), w2 = half * lanes_load (second + i);
    const Lanes re1 = w1 * (a - d), im1 = w1 * (b + c);
    const Lanes re2 = w2 * (a + d), im2 = w2 * (b - c);
    lanes_store_first (quad[0] + i, re2 + re1, n - i);
    lanes_store_first (quad[1] + i, im1 + im2, n - i);
    lanes_store_first (quad[2] + i, im1 - im2, n - i);
    lanes_store_first (quad[3] + i, re2 - re1, n - i);
  }
}

// The kernels of steps over time, but for the median, for ODL_LANES floats in a register;
// kernels.h says what they do. Lines are read up to a vector beyond their end and never
// written there.

static void
distance_line (const float *const *a,
               const float *const *b,
               int count,
               float *restrict out,
               int n)
{
  for (int i = 0; i < n; i += ODL_LANES) {
    Lanes sum = { 0 };
    for (int k = 0; k < count; k++) {
      const Lanes difference = lanes_load (a[k] + i) - lanes_load (b[k] + i);
      sum += lanes_max (difference, -difference);
    }
    lanes_store_first (out + i, sum, n - i);
  }
}

static void
follow_line (const OdlCpuGate *gate,
             const float *sums,
             const float *x,
             const float *before,
             float *restrict out,
             int n)
{
  const Lanes zero = { 0 }, one = lanes_all (1);
  const Lanes gain = lanes_all (gate->gain), weight = lanes_all (gate->weight);

  for (int i = 0; i < n; i += ODL_LANES) {
    const Lanes earlier = lanes_load (before + i);
    Lanes sum = lanes_load (sums + i);
    for (int k = 1; k < gate->count; k++)
      sum += lanes_load (sums + i + k);
    const Lanes moving = lanes_min (lanes_max (gain * sum - one, zero), one);
    const Lanes w = weight + (one - weight) * moving;
    lanes_store_first (out + i, earlier + w * (lanes_load (x + i) - earlier), n - i);
  }
}

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
static const OdlBm3dKernels bm3d_kernels = { bm3d_find, bm3d_filter, true };
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
