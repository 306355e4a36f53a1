// SPDX-License-Identifier: MIT
// The words of code of the user's own (own.h), by a list of those that are allowed:
// types, branches, loops, and functions of numbers. There is no way to declare an
// interface (“layout”, “uniform”, “buffer”), to name an image, or to reach the
// preprocessor. Names that the author declares are given another beginning, so that none
// means anything of the engine's or of the language's. Loops count their turns, all of a
// sample together, and indices of arrays stay within them.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#define ODL_OWN_MOST_TOKENS 8192
#define ODL_OWN_MOST_DEPTH 64 // of brackets
#define ODL_OWN_MOST_ARRAY 512 // elements
#define ODL_OWN_MOST_ELEMENTS 2048 // of all arrays of a file

typedef struct {
  const char *text; // the file
  size_t length;
  const char *name; // of the file, for messages
  const char *const *parameters; // as they are written in the code, NULL-terminated
} OdlOwnSource;

// The text to compile; `*reads_other`: whether it names other (). NULL: ODL_ERROR_USAGE.
// Transfer full. Any thread.
char *odl_own_rewrite (const OdlOwnSource *source, bool *reads_other, GError **error);

// What stands before names that the author declared, and before those that he is given.
#define ODL_OWN_PREFIX "own_"
#define ODL_OWN_GIVEN "given_"
#define ODL_OWN_PARAMETER "OWN" // and its number
