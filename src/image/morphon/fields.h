// SPDX-License-Identifier: MIT
// Pictures and volumes of floats, slice by slice without gaps, as registration needs
// them.
#pragma once

#include <glib.h>
#include <math.h>
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

// Numbers that registration has in common in two and three dimensions.

#define ODL_MORPHON_MOST_SCALES 10
// Samples of a scale that an iteration moves at most.
#define ODL_MORPHON_MOST_MOVE 2.0f
// Frequencies (radians per sample) that a response may have, down from twice the least
// and up from half of the most with less certainty: others come from where its magnitude
// is about 0.
#define ODL_MORPHON_LEAST_FREQUENCY 0.2f
#define ODL_MORPHON_MOST_FREQUENCY 2.5f
// Added to the certainties, as a share of their mean: what is not known at all does not
// move by itself.
#define ODL_MORPHON_DOUBT 1e-3
// Of the sum of displacements, as a share of the smoothing.
#define ODL_MORPHON_SUM_SMOOTHING 0.5

// The weights of four samples about a place `t` behind the second one (Keys, a = −½).
static inline void
odl_morphon_cubic (float t, float weights[4])
{
  const float t2 = t * t, t3 = t2 * t;

  weights[0] = -0.5f * t3 + t2 - 0.5f * t;
  weights[1] = 1.5f * t3 - 2.5f * t2 + 1;
  weights[2] = -1.5f * t3 + 2 * t2 + 0.5f * t;
  weights[3] = 0.5f * t3 - 0.5f * t2;
}

// How certain a filter is of the phase between the responses a + ib of the reference and
// re + i im of what is deformed: 0 where it says nothing. The reference's phase changes
// by `frequency` radians per sample, `along` of them in the filter's direction.
static inline float
odl_morphon_certainty (float a,
                       float b,
                       float re,
                       float im,
                       float along,
                       float frequency,
                       float *phase)
{
  // They fade, so that no rounding error decides.
  const float low = along / ODL_MORPHON_LEAST_FREQUENCY - 1;
  const float high = 2 - 2 * frequency / ODL_MORPHON_MOST_FREQUENCY;

  if (!(low > 0) || !(high > 0))
    return 0;
  // q2 times the conjugate of q1.
  *phase = atan2f (im * a - re * b, re * a + im * b);
  const float power = a * a + b * b, other = re * re + im * im;
  const float half = cosf (*phase / 2);
  return sqrtf (sqrtf (power * other)) * half * half * MIN (low, 1) * MIN (high, 1);
}
