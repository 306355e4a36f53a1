// SPDX-License-Identifier: MIT
// Tag trees (ISO/IEC 15444-1, B.10.2), and the bits of packet headers (B.10.1).
#pragma once

#include <glib.h>
#include <stdbool.h>

// Bits of a packet header: a byte after 0xFF has 7 of them.
typedef struct {
  GByteArray *bytes; // of the caller
  guint byte;
  int left; // free bits of it
} OdlJ2kBits;

void odl_j2k_bits_begin (OdlJ2kBits *bits, GByteArray *bytes);
void odl_j2k_bits_put (OdlJ2kBits *bits, guint value, int count);
void odl_j2k_bits_end (OdlJ2kBits *bits);

typedef struct _OdlJ2kTagTree OdlJ2kTagTree;

// For `columns` × `rows` numbers, at least one.
OdlJ2kTagTree *odl_j2k_tag_tree_new (int columns, int rows);
void odl_j2k_tag_tree_free (OdlJ2kTagTree *tree);

// All numbers, at least 0, row by row, before the first one is coded.
void odl_j2k_tag_tree_set (OdlJ2kTagTree *tree, const int *values);

// Says of number `leaf` whether it is below `threshold`, and if so what it is.
void
odl_j2k_tag_tree_code (OdlJ2kTagTree *tree, OdlJ2kBits *bits, int leaf, int threshold);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlJ2kTagTree, odl_j2k_tag_tree_free)
