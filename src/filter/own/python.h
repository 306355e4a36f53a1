// SPDX-License-Identifier: MIT
// The function of a file of Python,
//   def filter (picture, amount: "0..4 px  How much steeper edges get" = 0.5):
// as far as it can be told without running anything: its parameters are annotated with
// range, unit and words, and have a number as default; one without a point is whole.
// “out” is no parameter of a recipe: the function is given the memory of its result.
#pragma once

#include "filter/own/header.h"

// Reads the last such function of `text`, which ends with a zero. False: ODL_ERROR_USAGE.
bool odl_own_python_read (OdlOwnHeader *h, const char *text, bool *takes_out);

// “half-width” is half_width in the code. Transfer full.
char *odl_own_python_key (const OdlParameter *parameter);
