// SPDX-License-Identifier: MIT
// A row of 32 lanes holds 128 samples of a line, four each, of which it makes 120: the lanes at
// its ends (RIM_LANES of them on each side, 1 without it) are there for their neighbours only.
// Lifting takes what lies beyond a lane's own samples from the lanes beside it, by shuffles where
// the hardware has them (SUBGROUPS), else through shared memory. GROUP is the number of invocations
// in a work group, of whose rows of lanes `across` lie side by side, the others below. With
// `upwards` work groups begin below.
layout (local_size_x = GROUP) in;
#ifndef RIM_LANES
#define RIM_LANES 1
#endif

uniform int across;
uniform int upwards;

int lane;
int x0; // the first sample of this lane; negative, or beyond the line, at the ends
int quad; // the quad to read, inside the line
bool writes;
int block; // of rows of lanes, counted downwards

void place_lane (int width)
{
  int warp = int (gl_LocalInvocationIndex) / 32;
  int strip = int (gl_WorkGroupID.x) * across + warp % across;
  int down = GROUP / 32 / across;
  int group = int (upwards != 0 ? gl_NumWorkGroups.y - 1u - gl_WorkGroupID.y : gl_WorkGroupID.y);
  block = group * down + warp / across;
  lane = int (gl_LocalInvocationIndex) % 32;
  x0 = (128 - 8 * RIM_LANES) * strip + 4 * (lane - RIM_LANES);
  quad = clamp (x0 >> 2, 0, (width - 1) >> 2);
  writes = lane >= RIM_LANES && lane < 32 - RIM_LANES && x0 < width;
}

// The pair after the last that rows of lanes march over, when they end at `last`: barriers want
// the same number of turns in all of them.
#ifdef SUBGROUPS
#define MARCH_END(first, last, rows) (last)
#else
#define MARCH_END(first, last, rows) ((first) + (rows))
#endif

// What only rows that are a row of lanes's own need. Barriers want it done for all of them.
#ifdef SUBGROUPS
#define FOR_OWN(is_own) if (is_own)
#else
#define FOR_OWN(is_own)
#endif

#include "include/neighbours.glsl"

// What lies beside a lane's own samples: the lane before has `value` there, the one after it
// likewise. With MIRROR_LANES (lines of whole quads, at least two, mirrored about their ends) a
// lane at an end of the line has `inner`, a sample of its own, in its place. Else what lies around
// the line was loaded; loads that differ from lane to lane take twice as long.
float before (float value, float inner)
{
  float outer = from_left (value);
#ifdef MIRROR_LANES
  outer = x0 == 0 ? inner : outer;
#endif
  return outer;
}

float after (float value, float inner, int width)
{
  float outer = from_right (value);
#ifdef MIRROR_LANES
  outer = x0 + 4 == width ? inner : outer;
#endif
  return outer;
}

bool is_inside (int width)
{
  return x0 >= 0 && x0 + 4 <= width;
}

// Nothing farther than three samples behind a line matters.
int column (int offset, int width)
{
  return FOLD (min (x0 + offset, width + 3), width);
}

int row (int y, int height)
{
  return FOLD (min (y, height + 3), height);
}
