// SPDX-License-Identifier: MIT
// OdlTimeline: which frame is due at which time. Pure arithmetic on values; any thread.
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef enum {
  ODL_REPEAT_LOOP, // from the last frame to the first
  ODL_REPEAT_SWEEP, // forward and backward in turn
  ODL_REPEAT_ONCE, // stop at the last frame
  ODL_N_REPEATS,
} OdlRepeat;

#define ODL_SPEED_MIN 0.25
#define ODL_SPEED_MAX 4.0

// In the place of a speed: as fast as possible, see odl_player_set_speed.
#define ODL_SPEED_FAST 0.0

// For moving sources that state no rate; the usual one of ultrasound cines.
#define ODL_DEFAULT_FRAME_RATE 25.0

// Frames per second; rates of sources are clamped to these.
#define ODL_RATE_MIN 1e-5
#define ODL_RATE_MAX 1e7

// What can be played and how.
typedef struct {
  int64_t n_frames; // 0: no end known; then there is no range and nothing repeats
  const int64_t *times_ns; // n_frames + 1 times, ascending, borrowed; NULL: constant rate
  double frame_rate; // per second, > 0; used without times_ns
  int64_t first; // range of frames to play, both included
  int64_t last;
  double speed; // ODL_SPEED_MIN … ODL_SPEED_MAX
  OdlRepeat repeat;
  int64_t every; // more than 1: so many frames have the same time, such as the slices of
                 // a volume; of each group the one at the base's place is played. Needs
                 // an end; without times_ns, and frame_rate counts groups
} OdlTimeline;

typedef struct {
  int64_t index;
  int direction; // in which the frame is played: 1, or −1 in a sweep
  int64_t steps; // frames since the base; grows with time
  int64_t start_ns; // elapsed time at which it was due
  int64_t next_ns; // elapsed time at which the next frame is due; −1: the end is reached
} OdlTimelinePoint;

// Where playing is `elapsed_ns` of real time after frame `base` appeared, which was
// played in `direction`. A base outside the range counts as its nearer end.
OdlTimelinePoint odl_timeline_at (const OdlTimeline *timeline,
                                  int64_t base,
                                  int direction,
                                  int64_t elapsed_ns);

// The frame that follows `index`; *direction is updated. −1 where there is none.
int64_t odl_timeline_next (const OdlTimeline *timeline, int64_t index, int *direction);

// Groups of frames with the same time: frames per group, 1 without groups.
int64_t odl_timeline_group (const OdlTimeline *timeline);

// After how many frames from `from`, playing in `direction`, `index` is shown. Frames
// that are not shown again, such as those outside the range, have the largest numbers,
// increasing with their distance.
int64_t odl_timeline_steps_to (const OdlTimeline *timeline,
                               int64_t from,
                               int direction,
                               int64_t index);

// Time at which a frame appears at speed 1, counted from frame 0.
int64_t odl_timeline_start_ns (const OdlTimeline *timeline, int64_t index);
