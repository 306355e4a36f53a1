// SPDX-License-Identifier: MIT
// Steps along z: an invocation takes a quad, four columns, through 2 `rows` slices. Slices are
// those of a level, alternating low and high in synthesis: size.y of them, of size.x quads each.
// source_layout, target_layout: quads of a slice, and of a channel. z of the work group is the
// channel.
//
// With lifting steps (STEPS) the state of a column is kept in registers, as forward.comp does it
// along y; without, (a, b)[n] = sum of tap[k] u[2 n + first + k], k < count, as in bank.glsl.
layout (local_size_x = GROUP) in;

uniform ivec2 size;
uniform ivec2 source_layout;
uniform ivec2 target_layout;
uniform int rows;

int quad; // of a slice
int first, last; // pairs first .. last - 1

// False outside the slice.
bool place ()
{
  quad = int (gl_GlobalInvocationID.x);
  first = int (gl_WorkGroupID.y) * rows;
  last = min (first + rows, (size.y + 1) / 2);
  return quad < size.x;
}

#ifdef STEPS
#include "include/lifting.glsl"
#else
uniform ivec2 window; // first and count
uniform ivec2 lone; // y: last slice if it is copied instead of filtered; -1: none
uniform vec4 taps[TAPS_MAX / 2 + PAD]; // (a, b) of taps 2 k - PAD and 2 k + 1 - PAD

vec4 at (int u); // u within the slices

vec4 folded (int u)
{
  int length = border_length (BORDER, size.y);
  int z = u >= 0 && u < length ? u : FOLD (u, length);
  return INSIDE (z) ? at (max (z, 0)) : vec4 (0.0);
}

// a and b of pairs n .. n + 3: what one pair reads serves the next ones, too. Zeros about the taps
// stand for what a pair does not read.
void filter_pairs (int n, out vec4 a[4], out vec4 b[4])
{
  for (int p = 0; p < 4; p++)
    a[p] = b[p] = vec4 (0.0);
  for (int k = 0; k < window.y + 6; k += 2) {
    vec4 u = folded (2 * n + window.x + k), v = folded (2 * n + window.x + k + 1);
    for (int p = 0; p < 4; p++) {
      vec4 tap = taps[(PAD + k) / 2 - p];
      a[p] += tap.x * u + tap.z * v;
      b[p] += tap.y * u + tap.w * v;
    }
  }
  for (int p = 0; p < 4; p++)
    if (2 * (n + p) == lone.y) {
      a[p] = at (lone.y);
      b[p] = vec4 (0.0);
    }
}
#endif
