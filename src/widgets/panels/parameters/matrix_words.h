// SPDX-License-Identifier: MIT
// What the rows of a matrix say of its bands.
#pragma once

#include "filter/filter.h"

typedef struct {
  const char *bands[ODL_DEEP_BANDS];
  const char *icon, *follow; // of a button: its numbers are those of others
  const char *reset, *link; // translatable, as `follow`
} OdlMatrixWords;

// By an OdlFollowing.
extern const OdlMatrixWords odl_matrix_words[];
