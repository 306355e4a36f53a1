// SPDX-License-Identifier: MIT
// The function of a file of Python,
//   def filter (picture, amount: "0..4 px  How much steeper edges get" = 0.5):
// as far as it can be told without running anything: its parameters are annotated with
// range, unit and words, and have a number as default; one without a point is whole.
// Two names are no parameters of a recipe: “out”, the memory of the result, and “other”,
// a second picture.
#pragma once

#include "filter/own/header.h"

typedef struct {
  bool out, other;
} OdlOwnPythonTakes;

// Reads the last such function of `text`, which ends with a zero. False: ODL_ERROR_USAGE.
bool odl_own_python_read (OdlOwnHeader *h, const char *text, OdlOwnPythonTakes *takes);

// “half-width” is half_width in the code. Transfer full.
char *odl_own_python_key (const OdlParameter *parameter);
