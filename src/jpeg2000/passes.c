// SPDX-License-Identifier: MIT
#include "jpeg2000/passes.h"

#include "jpeg2000/mq.h"

// Bits of a flag word. Significance: bit 3 r + c for row r (0 above the stripe, 5 below)
// and column c (1 its own). Above them, of sample k of its own column: whether this plane
// has coded it already (18 + 3 k), whether it has been refined (19 + 3 k), whether it is
// negative (20 + 3 k); and whether the samples above (30) and below (31) are.
//
// Sets of samples have bit 3 k for sample k.
#define SIGNIFICANT_ANY 0x3FFFFu
#define SAMPLES 0x249u
#define SIGNIFICANT 4
#define CODED 18
#define REFINED 19
#define NEGATIVE 20
#define NEGATIVE_ABOVE 30
#define NEGATIVE_BELOW 31

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
neighbours (guint32 flags, int at)
{
  return flags >> at & ODL_J2K_NEIGHBOURS;
}

// Those with a significant neighbour: in the row above, in the row below, at the sides.
ALWAYS_INLINE guint32
with_neighbours (guint32 flags)
{
  const guint32 sides = flags | flags >> 2;
  const guint32 rows = sides | flags >> 1;

  return (rows | rows >> 6 | sides >> 3) & SAMPLES;
}

// A sample of a column and all of its neighbours learn that it is significant.
ALWAYS_INLINE void
set_significant (guint32 *column, int at, guint32 negative)
{
  column[0] |= 1u << (at + SIGNIFICANT) | negative << (at + NEGATIVE);
  column[-1] |= 1u << (at + 5);
  column[1] |= 1u << (at + 3);
  if (at == 0) {
    guint32 *above = column - ODL_J2K_FLAG_STRIDE;
    above[-1] |= 1u << 17;
    above[0] |= 1u << 16 | negative << NEGATIVE_BELOW;
    above[1] |= 1u << 15;
  } else if (at == 3 * (ODL_J2K_STRIPE - 1)) {
    guint32 *below = column + ODL_J2K_FLAG_STRIDE;
    below[-1] |= 1u << 2;
    below[0] |= 1u << 1 | negative << NEGATIVE_ABOVE;
    below[1] |= 1u;
  }
}

ALWAYS_INLINE void
code_sign (Pass *pass, guint32 *column, int at, guint32 sample)
{
  const guint32 own = column[0], left = column[-1], right = column[1];
  const guint32 negative = sample >> 31;
  const int above = at == 0 ? NEGATIVE_ABOVE : at + NEGATIVE - 3;
  const int below = at == 9 ? NEGATIVE_BELOW : at + NEGATIVE + 3;
  const guint32 index = (own >> (at + 3) & 1) | (own >> (at + 5) & 1) << 1
                        | (own >> (at + 1) & 1) << 2 | (own >> (at + 7) & 1) << 3
                        | (left >> (at + NEGATIVE) & 1) << 4
                        | (right >> (at + NEGATIVE) & 1) << 5 | (own >> above & 1) << 6
                        | (own >> below & 1) << 7;

  *pass->out++ = (guint8) (pass->contexts->sign[index] ^ negative);
  set_significant (column, at, negative);
  if (pass->measured)
    pass->saved += saved_by_significance (sample, pass->plane);
}

// ---- the passes, column by column
//
// `all` are the samples of the column that lie in the block.

// What is coded here may have a neighbour below that is to be coded then.
ALWAYS_INLINE void
significance_column (Pass *pass, guint32 *column, const guint32 *samples, guint32 all)
{
  guint32 flags = *column;
  guint32 left = with_neighbours (flags) & ~(flags >> SIGNIFICANT) & all;

  while (left != 0) {
    const int at = __builtin_ctz (left);
    const guint32 sample = samples[PLACE (at)];
    const guint32 bit = sample >> pass->plane & 1;
    *pass->out++ = (guint8) (pass->zero[neighbours (flags, at)] | bit);
    left &= left - 1;
    if (bit != 0) {
      code_sign (pass, column, at, sample);
      flags = *column;
      left |= (8u << at) & ~(flags >> SIGNIFICANT) & all;
    }
    flags |= 1u << (at + CODED);
    *column = flags;
  }
}

ALWAYS_INLINE void
refinement_column (Pass *pass, guint32 *column, const guint32 *samples, guint32 all)
{
  const guint32 flags = *column;
  guint32 left = flags >> SIGNIFICANT & ~(flags >> CODED) & all;

  *column = flags | left << REFINED;
  for (; left != 0; left &= left - 1) {
    const int at = __builtin_ctz (left);
    const guint32 sample = samples[PLACE (at)];
    const int context
        = (flags >> (at + REFINED) & 1) != 0 ? 2 : neighbours (flags, at) != 0;
    *pass->out++
        = ODL_J2K_SYMBOL (ODL_J2K_MAGNITUDE + context, sample >> pass->plane & 1);
    if (pass->measured)
      pass->saved += saved_by_refinement (sample, pass->plane);
  }
}

// A column that knows of nothing significant is coded as a run of zeros. Returns the
// samples that are left to be coded.
ALWAYS_INLINE guint32
code_run (Pass *pass, guint32 *column, const guint32 *samples)
{
  const guint32 any = samples[0] | samples[1] | samples[2] | samples[3];
  int k = 0;

  if ((any >> pass->plane & 1) == 0) {
    *pass->out++ = ODL_J2K_SYMBOL (ODL_J2K_RUN, 0);
    return 0;
  }
  while ((samples[k] >> pass->plane & 1) == 0)
    k++;
  *pass->out++ = ODL_J2K_SYMBOL (ODL_J2K_RUN, 1);
  *pass->out++ = ODL_J2K_SYMBOL (ODL_J2K_UNIFORM, k >> 1);
  *pass->out++ = ODL_J2K_SYMBOL (ODL_J2K_UNIFORM, k & 1);
  code_sign (pass, column, 3 * k, samples[k]);
  return SAMPLES << 3 * (k + 1) & SAMPLES;
}

ALWAYS_INLINE void
cleanup_column (Pass *pass, guint32 *column, const guint32 *samples, guint32 all)
{
  guint32 left = ~(*column >> SIGNIFICANT | *column >> CODED) & all;

  if (*column == 0 && all == SAMPLES)
    left = code_run (pass, column, samples);
  for (; left != 0; left &= left - 1) {
    const int at = __builtin_ctz (left);
    const guint32 sample = samples[PLACE (at)];
    const guint32 bit = sample >> pass->plane & 1;
    *pass->out++ = (guint8) (pass->zero[neighbours (*column, at)] | bit);
    if (bit != 0)
      code_sign (pass, column, at, sample);
  }
  *column &= ~(SAMPLES << CODED);
}

ALWAYS_INLINE void
run_columns (const OdlJ2kPlanes *planes,
             guint32 *column,
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
  guint32 *column = planes->flags + ODL_J2K_FLAG_STRIDE + 1;
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
