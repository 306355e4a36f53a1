// SPDX-License-Identifier: MIT
// Messages between the program and ondelette-python, which runs code of the user's own
// that is Python (filter/own/own.h). The code goes first; then, for each frame, an order
// and an answer, as for the code. Both come from the same installation, so that neither
// has a version. bootstrap.py repeats these lines as formats of `struct`.
//
// Frames lie in the memory file ODL_HELPER_FILE_FD, whose size is sealed: `capacity`
// floats of the picture, with ODL_PYTHON_TAKES_OTHER as many of the second one, and from
// there as many that are written.
#pragma once

#include <stdint.h>

#include "filter/own/own.h"

#define ODL_PYTHON_MAGIC 0x4f444c79u
#define ODL_PYTHON_NAME 256
#define ODL_PYTHON_KEY 32
#define ODL_PYTHON_REASON 512

// Memory of its own beside the frames, and times the frame that it may take.
#define ODL_PYTHON_MEMORY ((uint64_t) 2 << 30)
#define ODL_PYTHON_FRAMES 24

// What the function has parameters for, and what is asked of it, in bits.
#define ODL_PYTHON_TAKES_OUT 1u
#define ODL_PYTHON_TAKES_OTHER 2u
#define ODL_PYTHON_TELLS_NONE 4u // the result is 1 where it made no finite number, else 0

// Before the file's bytes. Texts end with a zero.
typedef struct {
  uint32_t magic;
  uint32_t n_bytes; // of the file
  uint64_t capacity; // floats of the largest frame
  uint32_t n_keys; // of parameters
  uint32_t takes; // ODL_PYTHON_TAKES_…
  char name[ODL_PYTHON_NAME]; // of the file
  char keys[ODL_OWN_MOST_PARAMETERS][ODL_PYTHON_KEY]; // as the function names them
} OdlPythonCode;

typedef struct {
  uint32_t magic;
  uint32_t serial; // of the answer, too; 1, 2, …
  uint32_t width, height;
  uint32_t depth; // of a volume; 0: a picture
  uint32_t channels;
  uint32_t other_channels; // 0: there is no second picture
  uint32_t whole; // bits: values that are whole numbers
  double values[ODL_OWN_MOST_PARAMETERS];
} OdlPythonOrder;

typedef enum {
  ODL_PYTHON_DONE,
  ODL_PYTHON_NO_SANDBOX, // the system refuses it: the reason is a layer's name
  ODL_PYTHON_NO_INTERPRETER,
  ODL_PYTHON_NO_NUMPY,
  ODL_PYTHON_RAISED, // the reason is the exception's, with the line that it names, or 0
  ODL_PYTHON_NO_FUNCTION,
  ODL_PYTHON_NO_MEMORY,
  ODL_PYTHON_EXITED,
  ODL_PYTHON_OTHER_SHAPE, // the reason is what came
  ODL_N_PYTHON_ENDS,
} OdlPythonEnd;

typedef struct {
  uint32_t magic;
  uint32_t serial; // 0 after the code
  uint32_t end; // an OdlPythonEnd
  uint32_t line; // of the file
  char reason[ODL_PYTHON_REASON]; // in English, as Python says it
} OdlPythonAnswer;
