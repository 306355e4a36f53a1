// SPDX-License-Identifier: MIT
// What the filters log-compress and log-expand share.
#pragma once

#include "plan/spatial.h"

// Indices of the values of both steps.
enum {
  ODL_COMPRESSION_TIMES, // compressing: factor of a sample whose logarithm is 0 at white;
                         // where PEAK found the reference, of it as a share of that
                         // expanding: what white becomes
  ODL_COMPRESSION_SLOPE, // compressing: share of black to white of a doubled amplitude
                         // expanding: doublings from black to white
};

// Both take a sample f to 1 + slope log2 (times f), and back.
typedef struct {
  double times;
  double slope;
} OdlCompression;

// Of recipe item `item`, which has the parameters range, gain and reference.
OdlCompression odl_compression_of_item (const OdlRecipe *recipe, int item);

// Amplitudes times `times` that are smaller count as this: it is black in any range.
#define ODL_LEAST_AMPLITUDE 1e-12

// The least reference: −66 dB of full scale.
#define ODL_LEAST_REFERENCE 0.0005

// Of a frame whose parts have these largest samples (plan/numbers.h).
float odl_compression_reference (const float peaks[]);
