// SPDX-License-Identifier: MIT
// Pictures and volumes of floats, slice by slice without gaps, as registration needs
// them.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  int size[3]; // along x, y, z; a picture has one slice
  float *at; // NULL: none
} OdlField;

// Zeroed; false without memory.
bool odl_field_make (OdlField *field, const int size[3]);
void odl_field_clear (OdlField *field);

// The same of `n` fields, all or none of which are of use.
bool odl_fields_make (OdlField *fields, int n, const int size[3]);
void odl_fields_clear (OdlField *fields, int n);

static inline size_t
odl_field_count (const OdlField *field)
{
  return (size_t) field->size[0] * (size_t) field->size[1] * (size_t) field->size[2];
}

// Half as large along all axes that keep `least` samples then, smoothed by 1 4 6 4 1
// along them; sample i lies where 2 i did. Borders are mirrored. False: none is so long,
// or memory is short, which *short_of_memory then says.
bool
odl_field_halve (const OdlField *field, int least, OdlField *half, bool *short_of_memory);

// Brings displacements along axis `along` from the coarser scale, or from none, to
// `size`, in place, by linear interpolation: doubled where that axis has become longer.
// False without memory.
bool odl_field_grow (OdlField *d, int along, const int size[3]);

// A Gaussian along all axes, with mirrored borders. `room` is as large; both may change
// their memory with each other.
void odl_field_smooth (OdlField *field, double sigma, OdlField *room);

// Each of `n` fields by the mean of what lies about it, weighted with `weights`, which
// are smoothed, too.
void odl_fields_smooth_weighted (OdlField *fields,
                                 int n,
                                 OdlField *weights,
                                 double sigma,
                                 OdlField *room);

// Copies `n` fields of `count` samples, or zeros if they are not done, and clears them.
void odl_fields_hand_over (OdlField *fields,
                           int n,
                           bool done,
                           size_t count,
                           float *const *out);

// Sample `i` of a line of `n`, mirrored about its ends, at any distance.
int odl_field_fold (int i, int n);

// With `margin` mirrored samples around, and `spare` more behind each row.
OdlField odl_field_pad (const OdlField *field, int margin, int spare);
