// SPDX-License-Identifier: MIT
// Cuts a large picture into bands of rows. Each band is filtered as a picture of its own,
// with as many rows above and below as its result depends on, and its rows of the result
// equal those of the whole picture bit by bit.
#pragma once

#include "plan/plan.h"

// Bytes of the scaled samples of a band: so many rows that those which neighbours compute
// as well are few, and still little compared with a large picture.
#define ODL_BAND_BYTES ((int64_t) 24 << 20)

// How to cut. All zero: not at all.
typedef struct {
  int height; // of the whole picture
  int own; // rows of the result in each band; the last one has fewer, or up to `more`
           // more
  int more; // rows above and below these
  int unit; // what `own`, `more` and the beginning of every band are multiples of
  bool ring; // a border is periodic: the first rows depend on the last ones
} OdlBands;

// One band: rows from … to − 1 of the picture, and below them, at the ends of a ring,
// rows tail … height − 1 (0: none). Of its result rows first … end − 1 of the whole are
// right; row y of the whole is its row y − top.
typedef struct {
  int first, end;
  int from, to;
  int tail;
  int top;
} OdlBand;

// How to cut, for pictures with at least one and a half times the rows of a band. All
// zero where it does not pay, and for plans whose result rows depend on too many rows:
// views of coefficients, measuring filters, and wavelets with so many levels that a band
// would need most of the picture. Any thread.
OdlBands odl_bands_of (const OdlPlan *plan, int64_t band_bytes);

// How many samples before and behind a sample of the result depends on along an axis, at
// most: x, y, or z of volumes, whatever the border. −1: all, for plans as above, and for
// steps over time that depend on all frames before. Any thread.
int odl_plan_reach (const OdlPlan *plan, OdlAxis axis);

// How many samples before and behind a step of the class TRANSFORM looks along its axis,
// those of the whole picture.
int odl_transform_step_reach (const OdlStep *step);

// The band whose result begins with row `first`: 0, then each one's `end`.
OdlBand odl_bands_cut (const OdlBands *bands, int first);
