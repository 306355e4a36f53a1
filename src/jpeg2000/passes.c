// SPDX-License-Identifier: MIT
#include "jpeg2000/passes.h"

#include "jpeg2000/mq.h"

// Bits of a flag word. Significance: bit 3 r + c for row r (0 above the stripe, 5 below)
// and column c (1 its own). Of sample k of its own column: whether this plane has coded
// it already (18 + 3 k), and whether it has been refined (19 + 3 k). In the upper half 3
// r: whether the sample of row r of its own column is negative.
//
// Sets of samples have bit 3 k for sample k.
#define SAMPLES 0x249u
#define SIGNIFICANT 4
#define CODED 18
#define REFINED 19
#define SIGNS 32
#define NEGATIVE 35

// With constants the compiler makes a loop of its own for each kind of pass.
#define ALWAYS_INLINE static inline __attribute__ ((always_inline))

typedef struct {
  const OdlJ2kContexts *contexts;
  const guint8 *zero; // of the band
  guint8 *out; // where the next symbol goes
  int plane;
  bool measured;
  gint64 saved;
} Pass;

// ---- what a decision saves
//
// Decoders put a coefficient in the middle of what its bits say. t is the magnitude in
// steps of the plane, taken from the middle of 1/64; the squares are in 1/4096.

enum { T_ONE = 2 << ODL_J2K_FRACTION, T_SCALE = T_ONE * T_ONE / ODL_J2K_UNIT };

// 1 ≤ t < 2: t² − (t − 1.5)²
ALWAYS_INLINE gint64
saved_by_significance (guint32 sample, int plane)
{
  const guint32 whole = (sample & ~ODL_J2K_NEGATIVE_SAMPLE) >> (plane - ODL_J2K_FRACTION);
  const gint64 t = 2 * (gint64) whole + 1;

  return (3 * T_ONE * t - 9 * T_ONE * T_ONE / 4) / T_SCALE;
}

// 0 ≤ t < 2, less the bits above: (t − 1)² − (t − (bit ? 1.5 : 0.5))²
ALWAYS_INLINE gint64
saved_by_refinement (guint32 sample, int plane)
{
  const gint64 t = 2 * (gint64) (sample >> (plane - ODL_J2K_FRACTION)) + 1;
  const gint64 before = (t & (2 * T_ONE - 1)) - T_ONE;
  const gint64 after = (t & (T_ONE - 1)) - T_ONE / 2;

  return (before * before - after * after) / T_SCALE;
}

// ---- the state of a column
//
// `at` is 3 k for sample k.
#define PLACE(at) ((at) *11 >> 5) // at / 3

ALWAYS_INLINE guint32
neighbours (guint64 flags, int at)
{
  return (guint32) (flags >> at) & ODL_J2K_NEIGHBOURS;
}

// Those with a significant neighbour: in the row above, in the row below, at the sides.
ALWAYS_INLINE guint32
with_neighbours (guint32 flags)
{
  const guint32 sides = flags | flags >> 2;
  const guint32 rows = sides | flags >> 1;

  return (rows | rows >> 6 | sides >> 3) & SAMPLES;
}

// Those whose bit is 1.
ALWAYS_INLINE guint32
ones (const guint32 *samples, int plane)
{
  const guint64 each = (guint64) 1 << 32 | 1;
  const guint64 upper = samples[0] | (guint64) samples[1] << 32;
  const guint64 lower = samples[2] | (guint64) samples[3] << 32;
  const guint64 all = (upper >> plane & each) | (lower >> plane & each) << 6;

  return (guint32) (all | all >> 29) & SAMPLES;
}

// A sample of a column and all of its neighbours learn that it is significant.
ALWAYS_INLINE void
set_significant (guint64 *column, int at, guint64 negative)
{
  column[0] |= (guint64) 1 << (at + SIGNIFICANT) | negative << (at + NEGATIVE);
  column[-1] |= 1u << (at + 5);
  column[1] |= 1u << (at + 3);
  if (at == 0) {
    guint64 *above = column - ODL_J2K_FLAG_STRIDE;
    above[-1] |= 1u << 17;
    above[0] |= 1u << 16 | negative << (SIGNS + 15);
    above[1] |= 1u << 15;
  } else if (at == 3 * (ODL_J2K_STRIPE - 1)) {
    guint64 *below = column + ODL_J2K_FLAG_STRIDE;
    below[-1] |= 1u << 2;
    below[0] |= 1u << 1 | negative << SIGNS;
    below[1] |= 1u;
  }
}

ALWAYS_INLINE void
code_sign (Pass *pass, guint64 *column, int at, guint32 sample)
{
  const guint64 own = column[0] >> at;
  const guint32 left = (guint32) (column[-1] >> (at + NEGATIVE)) & 1;
  const guint32 right = (guint32) (column[1] >> (at + NEGATIVE)) & 1;
  const guint32 above = (guint32) (own >> SIGNS) & 1;
  const guint32 below = (guint32) (own >> (SIGNS + 6)) & 1;
  const guint32 index
      = ((guint32) own & 0xAA) | above | left << 2 | right << 4 | below << 6;

  *pass->out++ = (guint8) (pass->contexts->sign[index] ^ sample >> 31);
  set_significant (column, at, sample >> 31);
  if (pass->measured)
    pass->saved += saved_by_significance (sample, pass->plane);
}

// ---- the passes, column by column
//
// `all` are the samples of the column that lie in the block.

// Symbols of zeros of those `left`. Which there are could not be predicted: all four are
// written, each where the last that counts ends.
ALWAYS_INLINE void
code_zeros (Pass *pass, guint64 flags, guint32 left)
{
  for (int k = 0; k < ODL_J2K_STRIPE; k++) {
    *pass->out = pass->zero[neighbours (flags, 3 * k)];
    pass->out += left >> 3 * k & 1;
  }
}

// What is coded here may have a neighbour below that is to be coded then.
ALWAYS_INLINE void
significance_column (Pass *pass, guint64 *column, const guint32 *samples, guint32 all)
{
  guint64 flags = *column;
  guint32 left
      = with_neighbours ((guint32) flags) & ~(guint32) (flags >> SIGNIFICANT) & all;
  const guint32 bits = ones (samples, pass->plane);

  if (left == 0)
    return;
  if ((left & bits) == 0) {
    code_zeros (pass, flags, left);
    *column = flags | (guint64) left << CODED;
    return;
  }
  while (left != 0) {
    const int at = __builtin_ctz (left);
    const guint32 bit = bits >> at & 1;
    *pass->out++ = (guint8) (pass->zero[neighbours (flags, at)] | bit);
    left &= left - 1;
    if (bit != 0) {
      code_sign (pass, column, at, samples[PLACE (at)]);
      flags = *column;
      left |= (8u << at) & ~(guint32) (flags >> SIGNIFICANT) & all;
    }
    flags |= 1u << (at + CODED);
    *column = flags;
  }
}

// As code_zeros.
ALWAYS_INLINE void
refinement_column (Pass *pass, guint64 *column, const guint32 *samples, guint32 all)
{
  const guint64 flags = *column;
  const guint32 left
      = (guint32) (flags >> SIGNIFICANT) & ~(guint32) (flags >> CODED) & all;

  if (left == 0)
    return;
  *column = flags | (guint64) left << REFINED;
  for (int k = 0; k < ODL_J2K_STRIPE; k++) {
    const guint32 sample = samples[k], counts = left >> 3 * k & 1;
    const guint32 again = (guint32) (flags >> (3 * k + REFINED)) & 1;
    const guint32 context = again << 1 | (~again & (neighbours (flags, 3 * k) != 0));
    *pass->out = (guint8) (ODL_J2K_SYMBOL (ODL_J2K_MAGNITUDE, 0) + 2 * context
                           + (sample >> pass->plane & 1));
    pass->out += counts;
    if (pass->measured)
      pass->saved += -(gint64) counts & saved_by_refinement (sample, pass->plane);
  }
}

// A column that knows of nothing significant is coded as a run of zeros. Returns the
// samples that are left to be coded.
ALWAYS_INLINE guint32
code_run (Pass *pass, guint64 *column, const guint32 *samples, guint32 bits)
{
  if (bits == 0) {
    *pass->out++ = ODL_J2K_SYMBOL (ODL_J2K_RUN, 0);
    return 0;
  }
  const int at = __builtin_ctz (bits), k = PLACE (at);
  *pass->out++ = ODL_J2K_SYMBOL (ODL_J2K_RUN, 1);
  *pass->out++ = ODL_J2K_SYMBOL (ODL_J2K_UNIFORM, k >> 1);
  *pass->out++ = ODL_J2K_SYMBOL (ODL_J2K_UNIFORM, k & 1);
  code_sign (pass, column, at, samples[k]);
  return SAMPLES << (at + 3) & SAMPLES;
}

ALWAYS_INLINE void
cleanup_column (Pass *pass, guint64 *column, const guint32 *samples, guint32 all)
{
  const guint64 flags = *column;
  const guint32 bits = ones (samples, pass->plane);
  guint32 left = ~(guint32) (flags >> SIGNIFICANT | flags >> CODED) & all;

  if (flags == 0 && all == SAMPLES)
    left = code_run (pass, column, samples, bits);
  if ((left & bits) == 0) {
    if (left != 0)
      code_zeros (pass, *column, left);
  } else {
    for (; left != 0; left &= left - 1) {
      const int at = __builtin_ctz (left);
      const guint32 bit = bits >> at & 1;
      *pass->out++ = (guint8) (pass->zero[neighbours (*column, at)] | bit);
      if (bit != 0)
        code_sign (pass, column, at, samples[PLACE (at)]);
    }
  }
  *column &= ~((guint64) SAMPLES << CODED);
}

ALWAYS_INLINE void
run_columns (const OdlJ2kPlanes *planes,
             guint64 *column,
             const guint32 *samples,
             Pass *pass,
             OdlJ2kPassKind kind,
             guint32 all)
{
  for (int x = 0; x < planes->width; x++, column++, samples += ODL_J2K_STRIPE)
    switch (kind) {
    case ODL_J2K_SIGNIFICANCE:
      significance_column (pass, column, samples, all);
      break;
    case ODL_J2K_REFINEMENT:
      refinement_column (pass, column, samples, all);
      break;
    case ODL_J2K_CLEANUP:
      cleanup_column (pass, column, samples, all);
      break;
    }
}

ALWAYS_INLINE OdlJ2kPassResult
run_pass (OdlJ2kPlanes *planes,
          OdlJ2kPassKind kind,
          int plane,
          bool measured,
          guint8 *symbols)
{
  const OdlJ2kContexts *contexts = odl_j2k_contexts ();
  const guint32 *samples = planes->samples;
  guint64 *column = planes->flags + ODL_J2K_FLAG_STRIDE + 1;
  const int whole = planes->height / ODL_J2K_STRIPE;
  const int rest = planes->height % ODL_J2K_STRIPE;
  Pass pass = { .contexts = contexts,
                .zero = contexts->zero[planes->band],
                .out = symbols,
                .plane = plane,
                .measured = measured };

  for (int stripe = 0; stripe < whole; stripe++) {
    run_columns (planes, column, samples, &pass, kind, SAMPLES);
    column += ODL_J2K_FLAG_STRIDE;
    samples += planes->width * ODL_J2K_STRIPE;
  }
  if (rest > 0)
    run_columns (planes, column, samples, &pass, kind, SAMPLES & ((1u << 3 * rest) - 1));
  return (OdlJ2kPassResult){ (gsize) (pass.out - symbols), pass.saved };
}

OdlJ2kPassResult
odl_j2k_pass_run (OdlJ2kPlanes *planes,
                  OdlJ2kPassKind kind,
                  int plane,
                  bool measured,
                  guint8 *symbols)
{
  switch (kind) {
  case ODL_J2K_SIGNIFICANCE:
    return measured ? run_pass (planes, ODL_J2K_SIGNIFICANCE, plane, true, symbols)
                    : run_pass (planes, ODL_J2K_SIGNIFICANCE, plane, false, symbols);
  case ODL_J2K_REFINEMENT:
    return measured ? run_pass (planes, ODL_J2K_REFINEMENT, plane, true, symbols)
                    : run_pass (planes, ODL_J2K_REFINEMENT, plane, false, symbols);
  case ODL_J2K_CLEANUP:
    break;
  }
  return measured ? run_pass (planes, ODL_J2K_CLEANUP, plane, true, symbols)
                  : run_pass (planes, ODL_J2K_CLEANUP, plane, false, symbols);
}
