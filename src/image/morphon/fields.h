// SPDX-License-Identifier: MIT
// Pictures of floats, row by row without gaps, as registration needs them.
#pragma once

#include <stddef.h>

typedef struct {
  int width, height;
  float *at; // NULL: none
} OdlField;

// Zeroed; `at` is NULL without memory.
OdlField odl_field_new (int width, int height);
void odl_field_clear (OdlField *field);

static inline size_t
odl_field_size (const OdlField *field)
{
  return (size_t) field->width * (size_t) field->height;
}

// Half as large, smoothed by 1 4 6 4 1 along both axes; sample i lies where 2 i did.
OdlField odl_field_reduce (const OdlField *field);

// As large as `like`, from a field of half its size; values are doubled, as those of
// displacements are.
OdlField odl_field_expand (const OdlField *field, const OdlField *like);

// A Gaussian along both axes, in place, with mirrored borders. `room` is as large.
void odl_field_smooth (OdlField *field, double sigma, OdlField *room);
