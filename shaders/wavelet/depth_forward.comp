// SPDX-License-Identifier: MIT
// Analysis of one level along z; see include/depth.glsl.
//   source  bands of each slice
//   target  likewise, of the low slices and then of the high ones
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/depth.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };

int source_at, target_at; // of the channel

vec4 at (int z)
{
  return from_quad (source[source_at + z * source_layout.x]);
}

void put (int pair, vec4 low, vec4 high)
{
  target[target_at + pair * target_layout.x] = to_quad (low);
  if (2 * pair + 1 < size.y)
    target[target_at + ((size.y + 1) / 2 + pair) * target_layout.x] = to_quad (high);
}

#ifdef STEPS
vec4 load (int u)
{
  int z = u >= 0 && u < size.y ? u : FOLD (min (u, size.y + 3), size.y);
  return INSIDE (z) ? whole (at (max (z, 0))) : vec4 (0.0);
}

void march ()
{
  vec4 even = load (2 * first - 4), high_1 = vec4 (0.0), low_1 = vec4 (0.0),
       high_2 = vec4 (0.0);
  // Takes slices 2 k + 1 and 2 k + 2; makes pair k - 1.
  for (int k = first - 2; k <= last; k++) {
    vec4 odd = load (2 * k + 1), next = load (2 * k + 2);
    vec4 d = odd + LIFT_0 (even + next);
    vec4 s = even + LIFT_1 (high_1 + d);
#if STEPS == 4
    vec4 high = high_1 + STEP_2 * (low_1 + s);
    vec4 low = low_1 + STEP_3 * (high_2 + high);
#else
    vec4 high = high_1;
    vec4 low = low_1;
#endif
    if (k > first)
      put (k - 1, SCALED (low) * LOW_GAIN, SCALED (high) * HIGH_GAIN);
    even = next;
    high_1 = d;
    low_1 = s;
    high_2 = high;
  }
}
#else
void march ()
{
  for (int n = first; n < last; n += 4) {
    vec4 low[4], high[4];
    filter_pairs (n, low, high);
    for (int p = 0; p < min (4, last - n); p++)
      put (n + p, low[p], high[p]);
  }
}
#endif

void main ()
{
  if (!place ())
    return;
  source_at = int (gl_WorkGroupID.z) * source_layout.y + quad;
  target_at = int (gl_WorkGroupID.z) * target_layout.y + quad;
  march ();
}
