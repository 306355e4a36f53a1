// SPDX-License-Identifier: MIT
// The lines of an NRRD header (teem's "Definition of NRRD File Format"), as they stand in
// the file. Untrusted.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A part of the file's text, which is not terminated.
typedef struct {
  const char *at;
  size_t n; // bytes
} OdlNrrdText;

// "name: value" or, of a key, "name:=value".
typedef struct {
  OdlNrrdText name;
  OdlNrrdText value; // without blanks around it
  bool is_key;
} OdlNrrdLine;

typedef struct {
  GArray *lines; // OdlNrrdLine
  GPtrArray *names; // of the files after "data file: LIST" or SKIPLIST; one for each line
  GArray *skips; // int64_t for each name after SKIPLIST: bytes before its samples
  size_t end; // offset of what follows the empty line; 0: there is none
} OdlNrrdLines;

// Splits the header at the start of `data`, which must outlive the lines. Messages
// complete "Cannot open FILE: …". ODL_ERROR_CORRUPT, _UNSUPPORTED, _TOO_LARGE. Clear it
// in any case.
bool odl_nrrd_lines_read (OdlNrrdLines *lines,
                          const uint8_t *data,
                          size_t size,
                          GError **error);
void odl_nrrd_lines_clear (OdlNrrdLines *lines);

// The value of a field, by any of its spellings: letters of either case, with or without
// blanks. NULL: there is none. Transfer full.
char *odl_nrrd_field (const OdlNrrdLines *lines, const char *name);

// The value of a key, spelt so. NULL: there is none. Transfer full.
char *odl_nrrd_key (const OdlNrrdLines *lines, const char *name);

// A key's value as valid text on one line: \n and \\ are what they stand for, and line
// breaks become blanks. Where it is encoded, a per cent sign with two hexadecimal digits
// is a byte. Transfer full.
char *odl_nrrd_text_show (OdlNrrdText text, bool is_encoded);

// Whether the text begins so; `rest` is what follows.
bool odl_nrrd_text_begins (OdlNrrdText text, const char *begin, OdlNrrdText *rest);

// Takes the whole number at the beginning of the text. False: there is none.
bool odl_nrrd_text_take_number (OdlNrrdText *text, uint64_t *number);
