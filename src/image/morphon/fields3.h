// SPDX-License-Identifier: MIT
// Volumes of floats, slice by slice without gaps, as registration needs them.
#pragma once

#include <stddef.h>

typedef struct {
  int size[3]; // along x, y, z
  float *at; // NULL: none
} OdlField3;

// Zeroed; `at` is NULL without memory.
OdlField3 odl_field3_new (const int size[3]);
void odl_field3_clear (OdlField3 *field);

static inline size_t
odl_field3_count (const OdlField3 *field)
{
  return (size_t) field->size[0] * (size_t) field->size[1] * (size_t) field->size[2];
}

// Half as large along `axis`, smoothed by 1 4 6 4 1 along it; sample i lies where 2 i
// did. Borders are mirrored.
OdlField3 odl_field3_reduce (const OdlField3 *field, int axis);

// `n` samples along `axis`, from half as many, by linear interpolation.
OdlField3 odl_field3_expand (const OdlField3 *field, int axis, int n);

// A Gaussian along all axes, with mirrored borders. `room` is as large; both may change
// their memory with each other.
void odl_field3_smooth (OdlField3 *field, double sigma, OdlField3 *room);

// With `margin` mirrored samples around, and `spare` more behind each row.
OdlField3 odl_field3_pad (const OdlField3 *field, int margin, int spare);
