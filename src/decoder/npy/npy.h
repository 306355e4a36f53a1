// SPDX-License-Identifier: MIT
// NumPy's NPY files: their header, and their numbers one by one. Files with Python
// objects are refused: reading those runs programs.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/number.h"

#define ODL_NPY_MAGIC "\x93NUMPY"
#define ODL_NPY_MAX_AXES 8

typedef struct {
  char kind; // 'f', 'i', 'u' or 'b' (truth values)
  int bytes; // of a number: 1, 2, 4 or 8
  bool swapped;
  bool by_columns; // the first axis runs fastest
  int n_axes;
  uint64_t sides[ODL_NPY_MAX_AXES];
  size_t offset; // of the first number in the file
} OdlNpy;

bool odl_npy_begins (const uint8_t *data, size_t size);

// ODL_ERROR_CORRUPT, ODL_ERROR_UNSUPPORTED. Sides may be 0 or any size; what the file
// holds is for the caller to compare with `size`.
bool odl_npy_read (const uint8_t *data, size_t size, OdlNpy *npy, GError **error);

OdlNumberType odl_npy_type (const OdlNpy *npy);

// Copies the number whose bytes are at `at`, in native order.
void odl_npy_copy (const OdlNpy *npy, const uint8_t *at, void *number);

// That number.
double odl_npy_number (const OdlNpy *npy, const uint8_t *at);
