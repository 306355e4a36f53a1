// SPDX-License-Identifier: MIT
// The text of a Wavefront OBJ file as statements and words. Words are slices of the text;
// a backslash at its end continues a line, # begins a comment.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *at, *end;
  int line; // of `at`, from 1
} OdlStatements;

typedef struct {
  const char *text; // not terminated
  size_t length;
} OdlWord;

// The first word of the next statement; skips what is left of the current one. False: the
// text is at its end.
bool odl_statements_next (OdlStatements *statements, OdlWord *word);

// The next word of the current statement; false: it has no more.
bool odl_statements_word (OdlStatements *statements, OdlWord *word);

bool odl_word_is (const OdlWord *word, const char *text);

// The whole word as a finite number. ODL_ERROR_CORRUPT names the line.
bool odl_statements_number (const OdlStatements *statements,
                            const OdlWord *word,
                            double *number,
                            GError **error);

// The next word of the statement as such a number; a statement that ends is an error,
// too.
bool
odl_statements_next_number (OdlStatements *statements, double *number, GError **error);

// A whole number, also one before a slash (“12/3/4”). ODL_ERROR_CORRUPT.
bool odl_statements_integer (const OdlStatements *statements,
                             const OdlWord *word,
                             gint64 *number,
                             GError **error);
