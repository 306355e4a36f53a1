// SPDX-License-Identifier: MIT
// The text of a header (odl_dicom_read_header) as a tree: a line for each element, and
// the lines of an item are those that follow and are deeper. Any thread.
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct {
  int depth;
  const char *tag, *value; // "(0008,0018)"; "" where there is none
} OdlHeaderLine;

// Part of the lines, which must outlive it.
typedef struct {
  const OdlHeaderLine *at, *end;
} OdlHeaderItem;

// OdlHeaderLine of a text, which is written to and must outlive them. Transfer full.
GArray *odl_header_split (char *text);

// All lines.
OdlHeaderItem odl_header_whole (const GArray *lines);

static inline bool
odl_header_is_empty (OdlHeaderItem item)
{
  return item.at == item.end;
}

// The item number `index`, from 0, of a sequence of `item`; empty: there is none.
OdlHeaderItem odl_header_item (OdlHeaderItem item, const char *sequence, int index);

// All items of a sequence of `item`, one after the other: the next one of `rest` is taken
// off its beginning. False: there is none.
OdlHeaderItem odl_header_items (OdlHeaderItem item, const char *sequence);
bool odl_header_next (OdlHeaderItem *rest, OdlHeaderItem *next);

// The value of an element of `item`; "": it has none.
const char *odl_header_text (OdlHeaderItem item, const char *tag);

// The same of words whose lines a header keeps, with '\n' between them. Transfer full.
char *odl_header_lines (OdlHeaderItem item, const char *tag);

// The numbers (double) before the first that is none, between backslashes: at most
// `most`. Transfer full.
GArray *odl_header_numbers (OdlHeaderItem item, const char *tag, guint most);

// Number `index` of them. False: there is no such number.
bool odl_header_number (OdlHeaderItem item, const char *tag, guint index, double *value);
