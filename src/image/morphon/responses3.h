// SPDX-License-Identifier: MIT
// The responses of the six quadrature filters of a volume, all at once: even parts are
// symmetric about the middle and odd ones antisymmetric, so that two samples that face
// each other are added, and subtracted, once for all filters.
#pragma once

#include "image/morphon/fields.h"
#include "image/morphon/morphon3.h"

#define ODL_RESPONSES3 (2 * ODL_MORPHON3_FILTERS)
// Responses are made by so many samples.
#define ODL_RESPONSES3_LANES 4

typedef struct {
  OdlField padded; // the volume with its mirrored borders
  int width, pairs;
  ptrdiff_t *offsets; // of the first of two samples that face each other, from the middle
  float *taps; // of each pair: of the even parts, then of the odd ones
} OdlResponses3;

// False: there is not enough memory. In both cases for odl_responses3_clear.
bool odl_responses3_init (OdlResponses3 *responses,
                          const OdlMorphon3 *morphon,
                          const OdlField *volume);
void odl_responses3_clear (OdlResponses3 *responses);

// Those of row y of slice z: `rows` are those of even parts, then of odd ones, each with
// room for `width` samples rounded up to lanes. Any thread.
void
odl_responses3_row (const OdlResponses3 *responses, int y, int z, float *const *rows);
