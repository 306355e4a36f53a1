// SPDX-License-Identifier: MIT
#include "jpeg2000/mq.h"

#include "base/clones.h"

#define ALWAYS_INLINE static inline __attribute__ ((always_inline))

// Table C.2: the probability of the less likely symbol, and the row that follows the
// more, and the less likely one; whether the latter becomes the likelier.
static const struct {
  guint16 probability;
  guint8 after_more, after_less, swaps;
} rows[] = {
  { 0x5601, 1, 1, 1 },   { 0x3401, 2, 6, 0 },   { 0x1801, 3, 9, 0 },
  { 0x0AC1, 4, 12, 0 },  { 0x0521, 5, 29, 0 },  { 0x0221, 38, 33, 0 },
  { 0x5601, 7, 6, 1 },   { 0x5401, 8, 14, 0 },  { 0x4801, 9, 14, 0 },
  { 0x3801, 10, 14, 0 }, { 0x3001, 11, 17, 0 }, { 0x2401, 12, 18, 0 },
  { 0x1C01, 13, 20, 0 }, { 0x1601, 29, 21, 0 }, { 0x5601, 15, 14, 1 },
  { 0x5401, 16, 14, 0 }, { 0x5101, 17, 15, 0 }, { 0x4801, 18, 16, 0 },
  { 0x3801, 19, 17, 0 }, { 0x3401, 20, 18, 0 }, { 0x3001, 21, 19, 0 },
  { 0x2801, 22, 19, 0 }, { 0x2401, 23, 20, 0 }, { 0x2201, 24, 21, 0 },
  { 0x1C01, 25, 22, 0 }, { 0x1801, 26, 23, 0 }, { 0x1601, 27, 24, 0 },
  { 0x1401, 28, 25, 0 }, { 0x1201, 29, 26, 0 }, { 0x1101, 30, 27, 0 },
  { 0x0AC1, 31, 28, 0 }, { 0x09C1, 32, 29, 0 }, { 0x08A1, 33, 30, 0 },
  { 0x0521, 34, 31, 0 }, { 0x0441, 35, 32, 0 }, { 0x02A1, 36, 33, 0 },
  { 0x0221, 37, 34, 0 }, { 0x0141, 38, 35, 0 }, { 0x0111, 39, 36, 0 },
  { 0x0085, 40, 37, 0 }, { 0x0049, 41, 38, 0 }, { 0x0025, 42, 39, 0 },
  { 0x0015, 43, 40, 0 }, { 0x0009, 44, 41, 0 }, { 0x0005, 45, 42, 0 },
  { 0x0001, 45, 43, 0 }, { 0x5601, 46, 46, 0 },
};

// Rows that contexts begin with (table D.7); all others with row 0.
#define ROW_OF_ZEROS 4
#define ROW_OF_RUN 3
#define ROW_OF_UNIFORM 46

// The state of a context: the probability, and above it twice the row plus what is
// likelier.
#define STATE(row, likely) (rows[row].probability | (4u * (row) + 2u * (likely)) << 16)

// After a renormalisation: of 2 × (state >> 16) + symbol.
typedef struct {
  guint32 after[4 * G_N_ELEMENTS (rows)];
} Transitions;

static const guint32 *
transitions (void)
{
  static Transitions all;
  static gsize made = 0;

  if (g_once_init_enter (&made)) {
    for (guint i = 0; i < G_N_ELEMENTS (all.after); i++) {
      const guint row = i / 4, likely = i / 2 % 2;
      all.after[i] = (i % 2) == likely
                         ? STATE (rows[row].after_more, likely)
                         : STATE (rows[row].after_less, likely ^ rows[row].swaps);
    }
    g_once_init_leave (&made, 1);
  }
  return all.after;
}

void
odl_j2k_mq_begin (OdlJ2kMq *mq, guint8 *bytes)
{
  *mq = (OdlJ2kMq){ .bytes = bytes, .count = 1, .a = 0x8000, .left = 12 };
  bytes[0] = 0;
  for (int i = 0; i < ODL_J2K_N_CONTEXTS; i++)
    mq->states[i] = STATE (0, 0);
  mq->states[ODL_J2K_ZERO] = STATE (ROW_OF_ZEROS, 0);
  mq->states[ODL_J2K_RUN] = STATE (ROW_OF_RUN, 0);
  mq->states[ODL_J2K_UNIFORM] = STATE (ROW_OF_UNIFORM, 0);
}

// BYTEOUT of figure C.8: a byte after 0xFF has 7 bits, so that a carry stops there.
ALWAYS_INLINE guint8 *
put_byte (guint8 *end, guint32 *c, int *left)
{
  const bool carries = end[-1] != 0xFF && (*c & 0x8000000) != 0;

  if (carries) {
    end[-1]++;
    *c &= 0x7FFFFFF;
  }
  if (end[-1] == 0xFF) {
    *end = (guint8) (*c >> 20);
    *c &= 0xFFFFF;
    *left = 7;
  } else {
    *end = (guint8) (*c >> 19);
    *c &= 0x7FFFF;
    *left = 8;
  }
  return end + 1;
}

// What a codeword needs while symbols are coded, in registers.
typedef struct {
  guint32 a, c;
  int left;
  guint8 *end;
  const guint8 *symbol;
} Registers;

ALWAYS_INLINE Registers
take_registers (const OdlJ2kMq *mq, const guint8 *symbols)
{
  return (Registers){ mq->a, mq->c, mq->left, mq->bytes + mq->count, symbols };
}

ALWAYS_INLINE void
leave_registers (const Registers *registers, OdlJ2kMq *mq)
{
  mq->a = registers->a;
  mq->c = registers->c;
  mq->left = registers->left;
  mq->count = (gsize) (registers->end - mq->bytes);
}

// CODEMPS and CODELPS without their branches, which nothing could predict. Of the two
// parts of the interval the lower one, as long as the probability, is taken by the less
// likely symbol unless it is the longer one.
ALWAYS_INLINE void
code_symbol (Registers *r, guint32 *states, const guint32 *after)
{
  const guint32 symbol = *r->symbol++;
  guint32 *state = &states[symbol >> 1];
  const guint32 now = *state, next = after[now >> 16 | (symbol & 1)];
  const guint32 probability = now & 0xFFFF;
  const guint32 less = (now >> 17 ^ symbol) & 1;
  const guint32 rest = r->a - probability;
  const guint32 takes = 0u - (less ^ (guint32) (rest < probability));
  guint32 a = (rest & ~takes) | (probability & takes);
  int shifts = __builtin_clz (a) - 16;

  r->c += probability & ~takes;
  *state = shifts != 0 ? next : now;
  r->a = a << shifts;
  while (shifts >= r->left) {
    r->c <<= r->left;
    shifts -= r->left;
    r->end = put_byte (r->end, &r->c, &r->left);
  }
  r->c <<= shifts;
  r->left -= shifts;
}

ODL_BIT_LOOP void
odl_j2k_mq_code (OdlJ2kMq *mq, const guint8 *symbols, gsize n)
{
  const guint32 *after = transitions ();
  Registers registers = take_registers (mq, symbols);

  for (gsize i = 0; i < n; i++)
    code_symbol (&registers, mq->states, after);
  leave_registers (&registers, mq);
}

ODL_BIT_LOOP void
odl_j2k_mq_code_two (OdlJ2kMq *first,
                     const guint8 *first_symbols,
                     OdlJ2kMq *second,
                     const guint8 *second_symbols,
                     gsize n)
{
  const guint32 *after = transitions ();
  Registers one = take_registers (first, first_symbols);
  Registers two = take_registers (second, second_symbols);

  for (gsize i = 0; i < n; i++) {
    code_symbol (&one, first->states, after);
    code_symbol (&two, second->states, after);
  }
  leave_registers (&one, first);
  leave_registers (&two, second);
}

OdlJ2kMark
odl_j2k_mq_mark (const OdlJ2kMq *mq)
{
  return (OdlJ2kMark){ mq->count, mq->a, mq->c, mq->left, mq->bytes[mq->count - 1] };
}

// FLUSH of figure C.11: as many ones as the interval allows.
void
odl_j2k_mq_end (OdlJ2kMq *mq)
{
  guint8 *end = mq->bytes + mq->count;
  const guint32 above = mq->c + mq->a;

  mq->c |= 0xFFFF;
  if (mq->c >= above)
    mq->c -= 0x8000;
  for (int i = 0; i < 2; i++) {
    mq->c <<= mq->left;
    end = put_byte (end, &mq->c, &mq->left);
  }
  mq->count = (gsize) (end - mq->bytes);
}

// Both the codeword and the interval at the mark are numbers in which the byte before the
// mark has weight 2^27, as the register c does after the shifts that are left. What is
// dropped counts as ones: the sum plus one of the last weight may not exceed the upper
// end of the interval. It must also be above the lower end: after a byte 0xFF, ones are
// less than a byte that a carry has reached.
gsize
odl_j2k_mq_needed (const OdlJ2kMq *mq, const OdlJ2kMark *mark)
{
  enum { FRACTION = 24, MOST = 5 };
  const guint64 lower = (((guint64) mark->last << 27) + ((guint64) mark->c << mark->left))
                        << FRACTION;
  const guint64 upper = lower + ((guint64) mark->a << mark->left << FRACTION);
  gsize count = mark->count;
  int weight = 27 + FRACTION;
  guint64 sum = (guint64) mq->bytes[count - 1] << weight;

  while (count < mq->count && count < mark->count + MOST
         && (sum + ((guint64) 1 << weight) > upper
             || sum + ((guint64) 1 << weight) <= lower)) {
    weight -= mq->bytes[count - 1] == 0xFF ? 7 : 8;
    sum += (guint64) mq->bytes[count++] << weight;
  }
  while (count > 1 && mq->bytes[count - 1] == 0xFF)
    count--;
  return count - 1;
}
