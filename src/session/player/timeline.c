// SPDX-License-Identifier: MIT
#include "session/player/timeline.h"

#include <math.h>

#define NS_PER_SECOND 1e9

// One turn of a repeated range: places 0 … count − 1, each with a frame, a start and a
// length. A sweep passes the frames between the ends twice.
typedef struct {
  int64_t first;
  int64_t last;
  int64_t count;
  bool sweep;
} Turn;

int64_t
odl_timeline_group (const OdlTimeline *timeline)
{
  return timeline->every > 1 && timeline->n_frames > 0 ? timeline->every : 1;
}

// The same in groups.
static OdlTimeline
groups_of (const OdlTimeline *timeline)
{
  OdlTimeline groups = *timeline;

  groups.n_frames /= timeline->every;
  groups.first /= timeline->every;
  groups.last /= timeline->every;
  groups.times_ns = NULL;
  groups.every = 1;
  return groups;
}

int64_t
odl_timeline_start_ns (const OdlTimeline *timeline, int64_t index)
{
  const int64_t group = odl_timeline_group (timeline);

  if (group > 1)
    return (int64_t) ((double) (index / group) * NS_PER_SECOND / timeline->frame_rate);
  if (timeline->times_ns && timeline->n_frames > 0)
    return timeline->times_ns[CLAMP (index, 0, timeline->n_frames)];
  return (int64_t) ((double) index * NS_PER_SECOND / timeline->frame_rate);
}

static Turn
turn_of (const OdlTimeline *timeline)
{
  Turn turn = { 0 };

  turn.first = CLAMP (timeline->first, 0, timeline->n_frames - 1);
  turn.last = CLAMP (timeline->last, turn.first, timeline->n_frames - 1);
  turn.count = turn.last - turn.first + 1;
  turn.sweep = timeline->repeat == ODL_REPEAT_SWEEP && turn.count > 2;
  if (turn.sweep)
    turn.count = 2 * turn.count - 2;
  return turn;
}

static int64_t
frame_at (const Turn *turn, int64_t place)
{
  int64_t index = turn->first + place;
  return index <= turn->last ? index : 2 * turn->last - index;
}

static int64_t
place_of (const Turn *turn, int64_t index, int direction)
{
  index = CLAMP (index, turn->first, turn->last);
  if (turn->sweep && direction < 0 && index > turn->first && index < turn->last)
    return 2 * turn->last - index - turn->first;
  return index - turn->first;
}

// Start of a place within the turn; place == count gives the length of the turn.
static double
place_start (const OdlTimeline *timeline, const Turn *turn, int64_t place)
{
  const int64_t forward = turn->last - turn->first + 1;
  const double origin = (double) odl_timeline_start_ns (timeline, turn->first);

  if (place <= forward)
    return (double) odl_timeline_start_ns (timeline, turn->first + place) - origin;
  // On the way back frame i begins when frame i + 1 has been shown.
  const int64_t after
      = place < turn->count ? frame_at (turn, place) + 1 : turn->first + 1;
  return (double) odl_timeline_start_ns (timeline, turn->last + 1) - origin
         + (double) odl_timeline_start_ns (timeline, turn->last)
         - (double) odl_timeline_start_ns (timeline, after);
}

// The last place that begins at or before `time`, which lies within the turn.
static int64_t
place_at (const OdlTimeline *timeline, const Turn *turn, double time)
{
  int64_t low = 0, high = turn->count - 1;

  while (low < high) {
    int64_t middle = low + (high - low + 1) / 2;
    if (place_start (timeline, turn, middle) <= time)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

// Rounded up plus one, so that rounding cannot end a wait before a frame is due.
static int64_t
due (double ns)
{
  return (int64_t) ceil (ns) + 1;
}

static OdlTimelinePoint
endless_at (const OdlTimeline *timeline, int64_t base, int64_t elapsed_ns)
{
  const double rate = timeline->frame_rate * timeline->speed / NS_PER_SECOND;
  OdlTimelinePoint point = { .direction = 1 };

  point.steps = (int64_t) ((double) elapsed_ns * rate);
  point.index = base + point.steps;
  point.start_ns = (int64_t) ((double) point.steps / rate);
  point.next_ns = due ((double) (point.steps + 1) / rate);
  return point;
}

OdlTimelinePoint
odl_timeline_at (const OdlTimeline *timeline,
                 int64_t base,
                 int direction,
                 int64_t elapsed_ns)
{
  if (timeline->n_frames <= 0)
    return endless_at (timeline, base, elapsed_ns);
  const int64_t group = odl_timeline_group (timeline);
  if (group > 1) {
    const OdlTimeline groups = groups_of (timeline);
    OdlTimelinePoint of_group
        = odl_timeline_at (&groups, base / group, direction, elapsed_ns);
    of_group.index = of_group.index * group + base % group;
    return of_group;
  }

  const Turn turn = turn_of (timeline);
  const int64_t from = place_of (&turn, base, direction);
  const double origin = place_start (timeline, &turn, from);
  const double length = place_start (timeline, &turn, turn.count);
  const double time = origin + (double) elapsed_ns * timeline->speed;
  double turns = floor (time / length);
  OdlTimelinePoint point;

  if (timeline->repeat == ODL_REPEAT_ONCE)
    turns = 0;
  const int64_t place = place_at (timeline, &turn, time - turns * length);
  const double start = turns * length + place_start (timeline, &turn, place) - origin;
  const double next = turns * length + place_start (timeline, &turn, place + 1) - origin;
  point.index = frame_at (&turn, place);
  point.direction = turn.first + place > turn.last ? -1 : 1;
  point.steps = (int64_t) turns * turn.count + place - from;
  point.start_ns = (int64_t) (start / timeline->speed);
  point.next_ns = due (next / timeline->speed);
  if (timeline->repeat == ODL_REPEAT_ONCE && place == turn.count - 1)
    point.next_ns = -1;
  return point;
}

int64_t
odl_timeline_next (const OdlTimeline *timeline, int64_t index, int *direction)
{
  if (timeline->n_frames <= 0)
    return index + 1;
  const int64_t group = odl_timeline_group (timeline);
  if (group > 1) {
    const OdlTimeline groups = groups_of (timeline);
    const int64_t following = odl_timeline_next (&groups, index / group, direction);
    return following < 0 ? following : following * group + index % group;
  }

  const Turn turn = turn_of (timeline);
  const int64_t place = place_of (&turn, index, *direction) + 1;
  if (place >= turn.count && timeline->repeat == ODL_REPEAT_ONCE)
    return -1;
  const int64_t next = place % turn.count;
  *direction = turn.first + next > turn.last ? -1 : 1;
  return frame_at (&turn, next);
}

int64_t
odl_timeline_steps_to (const OdlTimeline *timeline,
                       int64_t from,
                       int direction,
                       int64_t index)
{
  const int64_t never = G_MAXINT64 / 2 + ABS (index - from);

  if (timeline->n_frames <= 0)
    return index >= from ? index - from : never;
  const int64_t group = odl_timeline_group (timeline);
  if (group > 1) {
    const OdlTimeline groups = groups_of (timeline);
    const int64_t steps
        = odl_timeline_steps_to (&groups, from / group, direction, index / group);
    return index % group == from % group ? steps : never;
  }

  const Turn turn = turn_of (timeline);
  if (index < turn.first || index > turn.last)
    return never;
  const int64_t origin = place_of (&turn, from, direction);
  int64_t steps = place_of (&turn, index, 1) - origin;
  if (timeline->repeat == ODL_REPEAT_ONCE)
    return steps >= 0 ? steps : never;
  steps += steps < 0 ? turn.count : 0;
  if (!turn.sweep)
    return steps;
  int64_t back = place_of (&turn, index, -1) - origin;
  back += back < 0 ? turn.count : 0;
  return MIN (steps, back);
}
