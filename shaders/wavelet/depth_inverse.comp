// SPDX-License-Identifier: MIT
// Synthesis of one level along z: depth_forward.comp in reverse; details are shrunk as they are
// read. See include/depth.glsl, and include/octants.glsl for the thresholds.
//   approx   LL of the low slices: slices of `approx_plane` quads; second_layout.y per channel
//   details  octants
//   target   bands of each slice
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/depth.glsl"
#include "include/octants.glsl"

layout (std430, binding = 0) restrict readonly buffer Approx { SOURCE_QUAD approx[]; };
layout (std430, binding = 1) restrict readonly buffer Details { SOURCE_QUAD details[]; };
layout (std430, binding = 2) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform ivec2 second_layout;
uniform int approx_plane;

int approx_at, source_at, target_at; // of the channel
int band;

vec4 low_at (int n)
{
  if (band == 0)
    return from_quad (approx[approx_at + n * approx_plane]);
  return shrink_octant (from_quad (details[source_at + n * source_layout.x]), band, false);
}

vec4 high_at (int n)
{
  int z = (size.y + 1) / 2 + n;
  return shrink_octant (from_quad (details[source_at + z * source_layout.x]), band, true);
}

void put (int pair, vec4 even, vec4 odd)
{
  int i = target_at + 2 * pair * target_layout.x;
  target[i] = to_quad (even);
  if (2 * pair + 1 < size.y)
    target[i + target_layout.x] = to_quad (odd);
}

#ifdef STEPS
// Coefficient u of the line that alternates low and high.
int place_of (int u)
{
  return u >= 0 && u < size.y ? u : FOLD (min (u, size.y + 3), size.y);
}

vec4 low_coefficient (int pair)
{
  int u = place_of (2 * pair);
  return INSIDE (u) ? whole (low_at (max (u, 0) >> 1) / LOW_GAIN) : vec4 (0.0);
}

vec4 high_coefficient (int pair)
{
  int u = place_of (2 * pair + 1);
  return INSIDE (u) ? whole (high_at (max (u, 0) >> 1) / HIGH_GAIN) : vec4 (0.0);
}

void march ()
{
  vec4 high_2 = high_coefficient (first - 2), low_1 = vec4 (0.0), high_1 = vec4 (0.0),
       even = vec4 (0.0);
  // Takes pair k; makes slices 2 (k - 2) and 2 (k - 2) + 1.
  for (int k = first - 1; k <= last + 1; k++) {
    vec4 low = low_coefficient (k), high = high_coefficient (k);
#if STEPS == 4
    vec4 s = low - STEP_3 * (high_2 + high);
    vec4 d = high_2 - STEP_2 * (low_1 + s);
#else
    vec4 s = low;
    vec4 d = high_2;
#endif
    vec4 next = low_1 - LIFT_1 (high_1 + d);
    vec4 odd = high_1 - LIFT_0 (even + next);
    if (k >= first + 2)
      put (k - 2, SCALED (even), SCALED (odd));
    high_2 = high;
    low_1 = s;
    high_1 = d;
    even = next;
  }
}
#else
vec4 at (int u)
{
  return (u & 1) == 0 ? low_at (u >> 1) : high_at (u >> 1);
}

void march ()
{
  for (int n = first; n < last; n += 4) {
    vec4 even[4], odd[4];
    filter_pairs (n, even, odd);
    for (int p = 0; p < min (4, last - n); p++)
      put (n + p, even[p], odd[p]);
  }
}
#endif

void main ()
{
  if (!place ())
    return;
  band = quad / second_layout.x;
  approx_at = int (gl_WorkGroupID.z) * second_layout.y + quad;
  source_at = int (gl_WorkGroupID.z) * source_layout.y + quad;
  target_at = int (gl_WorkGroupID.z) * target_layout.y + quad;
  march ();
}
