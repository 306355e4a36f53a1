// SPDX-License-Identifier: MIT
// Adjusts the phase of the playing clock to that of the screen. At equal rates every
// frame waits equally long for the next refresh, up to two refreshes. Setting the clock
// back by this wait, once, reduces the latency of all later frames. Values; not locked.
#pragma once

#include <glib.h>
#include <stdint.h>

// A wait common to all frames of a period that is not corrected.
#define ODL_PACE_TOLERATED_US 6000
// What remains of a longer one, so that a frame that is a little late is still in time.
#define ODL_PACE_MARGIN_US 3000
#define ODL_PACE_PERIOD_US 500000
#define ODL_PACE_PERIOD_FRAMES 20

// All zero: nothing is known yet.
typedef struct {
  int64_t since_us; // when the period began; 0: it has not
  int64_t least_us; // wait of the period
  int n_frames;
} OdlPace;

// A frame could have been painted at `ready_us` and was at `painted_us` (monotonic).
// Returns by how much the clock is to be set back: 0 but at the end of a period all of
// whose frames waited too long.
int64_t odl_pace_painted (OdlPace *pace, int64_t ready_us, int64_t painted_us);
