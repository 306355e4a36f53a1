// SPDX-License-Identifier: MIT
// Messages between the program and ondelette-rehearsal, which compiles code of the user's
// own (filter/own/own.h) and runs it once, before the program's own context does. One
// order, one answer; both come from the same installation, so that neither has a version.
#pragma once

#include <stdint.h>

#include "filter/own/own.h"

#define ODL_REHEARSAL_MAGIC 0x4f444c52u
#define ODL_REHEARSAL_MOST_WORDS 1024
// What it may take by the clock, compiling included, and the picture that is made.
#define ODL_REHEARSAL_SECONDS 20
#define ODL_REHEARSAL_SIDE 128

// The order, before the file's bytes. Texts end with a zero.
typedef struct {
  uint32_t magic;
  uint32_t n_bytes; // of the file
  char engine[64]; // with its variant
  char name[256]; // of the file
  double values[ODL_OWN_MOST_PARAMETERS]; // of its parameters
} OdlRehearsalOrder;

typedef enum {
  ODL_REHEARSAL_DONE,
  ODL_REHEARSAL_REFUSED, // for a reason
  ODL_REHEARSAL_TOO_LONG,
} OdlRehearsalEnd;

typedef struct {
  uint32_t magic;
  uint32_t end; // an OdlRehearsalEnd
  uint32_t ends_loops; // whether its counter ended one of its loops
  char reason[ODL_REHEARSAL_MOST_WORDS]; // translated, "" unless it was refused
} OdlRehearsalAnswer;
