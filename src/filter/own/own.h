// SPDX-License-Identifier: MIT
// Code of the user's own for the filters “glsl” and “python”: a file with one function.
// A name that ends with “.py” is Python (python.h); all others are GLSL,
//   SAMPLE filtered (ivec2 p)
// which makes sample p of the result from those of the picture, at (p), and of a second
// one, other (p). Comment lines before the code name its parameters:
//   // parameter: NAME MIN..MAX = DEFAULT UNIT  words for people
// A file of Python has a parameter more, “dimensions”: 3 for whole volumes.
// The file is taken apart word by word, and no word gets through that is not known to be
// harmless (tokens.h), so that what is left reads samples and counts; every loop has an
// end. Each file becomes a row of its own for the table of filters, whose parameters are
// those of the file. Rows stay in memory until exit, as names of files do.
#pragma once

#include "filter/filter.h"

#define ODL_OWN_MOST_BYTES 65536
#define ODL_OWN_MOST_PARAMETERS 8 // as many values as a step has
#define ODL_OWN_HASH_LENGTH 64

typedef enum {
  ODL_OWN_GLSL,
  ODL_OWN_PYTHON,
  ODL_N_OWN_LANGUAGES,
} OdlOwnLanguage;

// The language of a file, by its name. Any thread.
OdlOwnLanguage odl_own_language (const char *name);

// The filter that takes a file of it: “glsl”, “python”.
const char *odl_own_filter_name (OdlOwnLanguage language);

// How code that is a function of the program itself is run (run.h).
typedef struct _OdlOwnRun OdlOwnRun;
typedef bool OdlOwnRunner (const OdlOwnRun *run, GError **error);

// Engines put the text into shaders/spatial/own.glsl.
struct _OdlOwnCode {
  OdlOwnLanguage language;
  char *name; // of the file, without folder
  char *hash; // SHA-256 of its bytes, in hexadecimal
  char *bytes; // the file
  size_t length;
  char *text; // what is compiled: the author's lines, word by word, in their places; of
              // Python ""
  bool reads_other; // a second picture, its parameter “with”
  bool takes_out; // Python: the function has the parameter “out”
  bool tells_none; // Python: its result is 1 where it made no finite number, else 0
  OdlFilter filter;
  const OdlParameter *named; // those of the filter's parameters that the file names,
  size_t n_named; // whose values are those of a step
  OdlOwnRunner *call; // of a function of the program; NULL: it is a file
  void *call_data;
  // See the functions of these names.
  int state, ends_loops, withdrawn; // atomic
  const char *fault; // guarded by a lock
};

// Whether code may run. Without a program that asks its user all that is made may, since
// recipes that nobody trusts make none.
typedef enum {
  ODL_OWN_ALLOWED,
  ODL_OWN_WAITS, // for the user's answer
  ODL_OWN_REFUSED, // by the user, or what he had allowed was revoked
  ODL_OWN_FAILED, // it does not compile, or took too long: its fault says so
} OdlOwnState;

// The code in `length` bytes of a file `name`; the same bytes under the same name are the
// same code. NULL: ODL_ERROR_USAGE, a sentence with the line and the word. Any thread.
const OdlOwnCode *
odl_own_code_new (const char *name, const char *bytes, size_t length, GError **error);

// Reads a file, of at most ODL_OWN_MOST_BYTES. ODL_ERROR_IO, ODL_ERROR_CORRUPT, and those
// above. Any thread.
const OdlOwnCode *odl_own_code_load (const char *path, GError **error);

// What was made before, by name and hash; `name` NULL: by any,
// GLSL before others. NULL: none. Any thread.
const OdlOwnCode *odl_own_code_find (const char *name, const char *hash);

// A filter that recipes call by a name of its own, and that is a function of the program:
// `signature` is that of a function of Python, “def filter (picture, …):”, and nothing
// more. It takes the place of one that had the name; those who have that keep it.
// ODL_ERROR_USAGE for a name that is none, or a filter's, and a signature with a second
// picture. Any thread.
const OdlOwnCode *odl_own_register (const char *name,
                                    const char *signature,
                                    OdlOwnRunner *call,
                                    void *data,
                                    GError **error);

// The one of that name; NULL: none, or it was withdrawn. Any thread.
const OdlOwnCode *odl_own_registered (const char *name);

// From now on recipes do not know it, and runs of those that do fail. Any thread.
void odl_own_withdraw (const OdlOwnCode *code);
bool odl_own_is_withdrawn (const OdlOwnCode *code);

// From now on code that is made waits, and recipes may name code that nobody trusts yet:
// whoever calls this asks his user. Main thread.
void odl_own_ask (void);
bool odl_own_asks (void);

// Of all codes with these bytes in that language. `why` is the fault of code that failed,
// else NULL. Any thread.
OdlOwnState odl_own_state (const OdlOwnCode *code);
void odl_own_set_state (const OdlOwnCode *code, OdlOwnState state, const char *why);
const char *odl_own_fault (const OdlOwnCode *code); // "" unless it failed; until exit

// Whether loops of it were ended by their counter when it was tried. Any thread.
bool odl_own_loops_are_ended (const OdlOwnCode *code);
void odl_own_set_loops_are_ended (const OdlOwnCode *code, bool ended);

// Whether there is a loop in it. Any thread.
bool odl_own_has_loops (const OdlOwnCode *code);

// Twins of code, whose result is 1 where the code …, else 0.
typedef enum {
  ODL_OWN_TWIN_TURNS, // … had one of its loops ended by the counter
  ODL_OWN_TWIN_NUMBERS, // … made no finite number
  ODL_OWN_TWIN_AGAIN, // (the same as the code's, of Python by a process of its own)
} OdlOwnTwin;

// Any thread.
const OdlOwnCode *odl_own_twin (const OdlOwnCode *code, OdlOwnTwin twin);

// Whether `hash` is a SHA-256 as written here.
bool odl_own_is_hash (const char *hash);

// What a compiler said of the text, for the author: "NAME, line 12: …" with the author's
// words; NULL: it names no line of his. `log` is the compiler's. Transfer full.
char *odl_own_explain (const OdlOwnCode *code, const char *log);
