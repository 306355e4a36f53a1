// SPDX-License-Identifier: MIT
// A warp of 32 lanes holds 128 samples of a line, four per lane, and produces 120: the lanes at its
// ends (RIM_LANES per side, default 1) only serve their neighbours. Lifting reads neighbouring lanes
// by subgroup shuffles (SUBGROUPS) or through shared memory. A work group has GROUP invocations;
// `across` of its warps are side by side, the others below. With `upwards` work groups start at the
// bottom.
layout (local_size_x = GROUP) in;
#ifndef RIM_LANES
#define RIM_LANES 1
#endif

uniform int across;
uniform int upwards;

int lane;
int x0; // first sample of this lane; negative or beyond the line at the ends
int quad; // quad to read, clamped to the line
bool writes;
int block; // of warps, counted downwards

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

// End of the row pairs to iterate over for a warp that ends at `last`: barriers require the same
// number of iterations in all warps of a work group.
#ifdef SUBGROUPS
#define MARCH_END(first, last, rows) (last)
#else
#define MARCH_END(first, last, rows) ((first) + (rows))
#endif

// Work needed only for a warp's own rows. With barriers it is done for all.
#ifdef SUBGROUPS
#define FOR_OWN(is_own) if (is_own)
#else
#define FOR_OWN(is_own)
#endif

#include "include/neighbours.glsl"

// Neighbouring samples: `value` of the previous lane, and of the next. With MIRROR_LANES (lines of
// at least two whole quads, mirrored) lanes at an end of the line use `inner`, a sample of their
// own. Otherwise samples beyond the line were loaded; divergent loads take twice as long.
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

// Only up to three samples beyond the line matter.
int column (int offset, int width)
{
  return FOLD (min (x0 + offset, width + 3), width);
}

int row (int y, int height)
{
  return FOLD (min (y, height + 3), height);
}
