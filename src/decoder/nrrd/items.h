// SPDX-License-Identifier: MIT
// The items of a sequence in an NRRD file: their times, their states and what else the
// file says of each, as 3D Slicer (axis 3 index values) and PlusLib and IGSIO
// (Seq_Frame0000_Timestamp) write them. Untrusted.
#pragma once

#include "decoder/nrrd/header.h"
#include "decoder/picture.h"

typedef struct {
  GArray *stamps_s; // double per item, or fewer; NaN: none
  const char *stamps_name; // field that says them; NULL: none does
  GArray *index; // OdlNrrdText per item: its index value, as written
  char unit[24]; // of the index values
  double interval_s; // between items that have none; 0: unknown
  GHashTable *invalid; // set of items that the recording program marked as invalid
} OdlNrrdItems;

void odl_nrrd_items_read (OdlNrrdItems *items, const OdlNrrdHeader *header);
void odl_nrrd_items_clear (OdlNrrdItems *items);
