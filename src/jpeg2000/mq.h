// SPDX-License-Identifier: MIT
// The MQ coder: adaptive binary arithmetic coding (ISO/IEC 15444-1, annex C).
#pragma once

#include <glib.h>
#include <stdbool.h>

// Contexts of the block coder (annex D), in the order of its tables.
enum {
  ODL_J2K_ZERO, // 9 of zero coding
  ODL_J2K_SIGN = 9, // 5 of sign coding
  ODL_J2K_MAGNITUDE = 14, // 3 of magnitude refinement
  ODL_J2K_RUN = 17,
  ODL_J2K_UNIFORM = 18,
  ODL_J2K_N_CONTEXTS,
};

// A decision as the passes of the block coder write it down.
#define ODL_J2K_SYMBOL(context, bit) ((guint8) ((context) << 1 | (bit)))

// Bytes that `n` symbols and the end of the codeword take at most.
#define ODL_J2K_MOST_BYTES(n) (3 * (gsize) (n) + 8)

typedef struct {
  guint8 *bytes; // of the caller; the first one is no part of the codeword and 0
  gsize count; // written, that one included
  guint32 a, c; // registers
  int left; // shifts until the next byte
  guint32 states[ODL_J2K_N_CONTEXTS]; // see mq.c
} OdlJ2kMq;

// Where the coder stood at the end of a pass.
typedef struct {
  gsize count;
  guint32 a, c;
  int left;
  guint8 last; // byte `count` − 1 at that time
} OdlJ2kMark;

void odl_j2k_mq_begin (OdlJ2kMq *mq, guint8 *bytes);

// Codes `n` symbols; there must be room for ODL_J2K_MOST_BYTES (n) bytes.
void odl_j2k_mq_code (OdlJ2kMq *mq, const guint8 *symbols, gsize n);

// The same of two codewords at a time: what one waits for, the other one computes.
void odl_j2k_mq_code_two (OdlJ2kMq *first,
                          const guint8 *first_symbols,
                          OdlJ2kMq *second,
                          const guint8 *second_symbols,
                          gsize n);

OdlJ2kMark odl_j2k_mq_mark (const OdlJ2kMq *mq);

// Ends the codeword; needs room for 8 bytes.
void odl_j2k_mq_end (OdlJ2kMq *mq);

// Bytes of the codeword that a decoder needs for all symbols up to the mark, if it goes
// on with ones, as all decoders do; of a codeword that has ended.
gsize odl_j2k_mq_needed (const OdlJ2kMq *mq, const OdlJ2kMark *mark);
