// SPDX-License-Identifier: MIT
// Code of the user's own for the filter “glsl”: a file with one function,
//   SAMPLE filtered (ivec2 p)
// which makes sample p of the result from those of the picture, at (p), and of a second
// one, other (p). Comment lines before the code name its parameters:
//   // parameter: NAME MIN..MAX = DEFAULT UNIT  words for people
// The file is taken apart word by word, and no word gets through that is not known to be
// harmless (tokens.h), so that what is left reads samples and counts; every loop has an
// end. Each file becomes a row of its own for the table of filters, whose parameters are
// those of the file. Rows stay in memory until exit, as names of files do.
#pragma once

#include "filter/filter.h"

#define ODL_OWN_MOST_BYTES 65536
#define ODL_OWN_MOST_PARAMETERS 8 // as many values as a step has
#define ODL_OWN_HASH_LENGTH 64

// Engines put the text into shaders/spatial/own.glsl.
struct _OdlOwnCode {
  char *name; // of the file, without folder
  char *hash; // SHA-256 of its bytes, in hexadecimal
  char *bytes; // the file
  size_t length;
  char *text; // what is compiled: the author's lines, word by word, in their places
  bool reads_other; // a second picture, its parameter “with”
  OdlFilter filter;
};

// The code in `length` bytes of a file `name`; the same bytes under the same name are the
// same code. NULL: ODL_ERROR_USAGE, a sentence with the line and the word. Any thread.
const OdlOwnCode *
odl_own_code_new (const char *name, const char *bytes, size_t length, GError **error);

// Reads a file, of at most ODL_OWN_MOST_BYTES. ODL_ERROR_IO, ODL_ERROR_CORRUPT, and those
// above. Any thread.
const OdlOwnCode *odl_own_code_load (const char *path, GError **error);

// What was made before, by name and hash; `name` NULL: by any. NULL: none. Any thread.
const OdlOwnCode *odl_own_code_find (const char *name, const char *hash);

// Whether `hash` is a SHA-256 as written here.
bool odl_own_is_hash (const char *hash);

// What a compiler said of the text, for the author: "NAME, line 12: …" with the author's
// words; NULL: it names no line of his. `log` is the compiler's. Transfer full.
char *odl_own_explain (const OdlOwnCode *code, const char *log);
