// SPDX-License-Identifier: MIT
#include "jpeg2000/mq.h"

#include <string.h>

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

// A row for each state and symbol.
typedef struct {
  guint16 probability;
  guint8 less; // 1: the less likely symbol
  guint8 after; // state after a renormalisation
} Decision;

static const Decision *
all_decisions (void)
{
  static Decision decisions[4 * G_N_ELEMENTS (rows)];
  static gsize made = 0;

  if (g_once_init_enter (&made)) {
    for (guint i = 0; i < G_N_ELEMENTS (decisions); i++) {
      const guint row = i / 4, likely = i / 2 % 2, less = (i % 2) ^ likely;
      decisions[i] = (Decision){
        .probability = rows[row].probability,
        .less = (guint8) less,
        .after = (guint8) (less ? 2 * rows[row].after_less + (likely ^ rows[row].swaps)
                                : 2 * rows[row].after_more + likely),
      };
    }
    g_once_init_leave (&made, 1);
  }
  return decisions;
}

void
odl_j2k_mq_begin (OdlJ2kMq *mq, guint8 *bytes)
{
  *mq = (OdlJ2kMq){ .bytes = bytes, .count = 1, .a = 0x8000, .left = 12 };
  bytes[0] = 0;
  mq->states[ODL_J2K_ZERO] = 2 * ROW_OF_ZEROS;
  mq->states[ODL_J2K_RUN] = 2 * ROW_OF_RUN;
  mq->states[ODL_J2K_UNIFORM] = 2 * ROW_OF_UNIFORM;
}

// BYTEOUT of figure C.8: a byte after 0xFF has 7 bits, so that a carry stops there.
static inline guint8 *
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

// CODEMPS and CODELPS without their branches, which nothing could predict. Of the two
// parts of the interval the lower one, as long as the probability, is taken by the less
// likely symbol unless it is the longer one.
void
odl_j2k_mq_code (OdlJ2kMq *mq, const guint8 *symbols, gsize n)
{
  const Decision *decisions = all_decisions ();
  guint8 *end = mq->bytes + mq->count;
  guint8 states[ODL_J2K_N_CONTEXTS];
  guint32 a = mq->a, c = mq->c;
  int left = mq->left;

  memcpy (states, mq->states, sizeof states);
  for (const guint8 *symbol = symbols; symbol < symbols + n; symbol++) {
    guint8 *state = &states[*symbol >> 1];
    const Decision *decision = &decisions[2 * *state + (*symbol & 1)];
    const guint32 probability = decision->probability;

    a -= probability;
    const guint32 takes = 0u - (decision->less ^ (guint32) (a < probability));
    c += probability & ~takes;
    a = (a & ~takes) | (probability & takes);
    int shifts = __builtin_clz (a) - 16;
    if (shifts == 0)
      continue;
    *state = decision->after;
    a <<= shifts;
    while (shifts >= left) {
      c <<= left;
      shifts -= left;
      end = put_byte (end, &c, &left);
    }
    c <<= shifts;
    left -= shifts;
  }
  memcpy (mq->states, states, sizeof states);
  mq->count = (gsize) (end - mq->bytes);
  mq->a = a;
  mq->c = c;
  mq->left = left;
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
// end of the interval.
gsize
odl_j2k_mq_needed (const OdlJ2kMq *mq, const OdlJ2kMark *mark)
{
  enum { FRACTION = 24, MOST = 5 };
  const guint64 upper
      = (((guint64) mark->last << 27) + ((guint64) (mark->c + mark->a) << mark->left))
        << FRACTION;
  gsize count = mark->count;
  int weight = 27 + FRACTION;
  guint64 sum = (guint64) mq->bytes[count - 1] << weight;

  while (count < mq->count && count < mark->count + MOST
         && sum + ((guint64) 1 << weight) > upper) {
    weight -= mq->bytes[count - 1] == 0xFF ? 7 : 8;
    sum += (guint64) mq->bytes[count++] << weight;
  }
  while (count > 1 && mq->bytes[count - 1] == 0xFF)
    count--;
  return count - 1;
}
