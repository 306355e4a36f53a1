// SPDX-License-Identifier: MIT
// Keeps the clock of playing in step with the screen. Where frames come as often as the
// screen is drawn, each waits as long as the one before for the next drawing: up to two
// drawings, for nothing. Who plays by a clock can begin that much later, once, and then
// shows each frame sooner after it was due. Values; not locked.
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

// A wait that all frames of a period share, and that is left as it is.
#define ODL_PACE_TOLERATED_US 6000
// What is left of a longer one, so that a frame that is a little late misses nothing.
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

G_END_DECLS
