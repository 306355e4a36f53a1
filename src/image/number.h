// SPDX-License-Identifier: MIT
// The types of numbers that files store, most of which OdlSampleType does not have.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef enum {
  ODL_NUMBER_UNKNOWN,
  ODL_NUMBER_BOOL, // a byte, 0 or 1
  ODL_NUMBER_U8,
  ODL_NUMBER_S8,
  ODL_NUMBER_U16,
  ODL_NUMBER_S16,
  ODL_NUMBER_U32,
  ODL_NUMBER_S32,
  ODL_NUMBER_U64,
  ODL_NUMBER_S64,
  ODL_NUMBER_F16, // IEEE 754 binary16
  ODL_NUMBER_F32,
  ODL_NUMBER_F64,
  ODL_N_NUMBERS,
} OdlNumberType;

size_t odl_number_size (OdlNumberType type); // bytes; 0: unknown
bool odl_number_is_float (OdlNumberType type);

// Whether it is no number, infinite or of a magnitude that stands for missing data in
// files (3e38 and more).
bool odl_number_is_missing (double value);

// The smallest and largest number of a type of whole numbers.
void odl_number_ends (OdlNumberType type, double ends[2]);

// The first in the order of the enumeration, without BOOL, that holds all whole numbers
// from `least` to `most`; F64 where none does.
OdlNumberType odl_number_for_range (double least, double most);

// A number in native byte order, at any address; of 64 bits the nearest double.
double odl_number_get (OdlNumberType type, const void *at);

// Sets one, of which `type` holds the value, or the nearest one for floats.
void odl_number_put (OdlNumberType type, double value, void *at);

// Moves one from a type to another that holds it, without a detour over doubles where
// both are the same.
void odl_number_move (OdlNumberType from, const void *at, OdlNumberType to, void *out);

G_END_DECLS
