// SPDX-License-Identifier: MIT
// A threshold at a trough of the histogram (src/plan/trough.h), in two dispatches.
//   without FINISH  counts a part of each channel of a slice, z of the work group; GROUPS of them
//   FINISH          one work group finds the trough; clears `counts`
//   counts  MOST bins
#include "include/samples.glsl"
layout (local_size_x = 256) in;

#define LOW parameters[0]
#define RADIUS int (parameters[1])
#define SHARE parameters[2]
#define UNIT parameters[3]
#define GIVEN parameters[4] // edge; < 0: it is looked for
layout (std430, binding = 1) restrict buffer Counts { uint counts[]; };
uniform float parameters[9];
uniform ivec2 size; // samples of the picture
uniform ivec2 source_layout; // quads per row, quads per channel
uniform float bias;
shared uint bins[MOST];

int steps_of ()
{
  return int (1.0 / UNIT + 0.5);
}

int width_of () // units of a bin; 0: samples are not whole
{
  return UNIT > 0.0 ? (steps_of () + MOST) / MOST : 0;
}

#ifndef FINISH
layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };

int bin_of (float f)
{
  float value = clamp (f + bias, 0.0, 1.0);
  return UNIT > 0.0 ? int (value * float (steps_of ()) + 0.5) / width_of ()
                    : min (int (value * float (MOST)), MOST - 1);
}

void main ()
{
  int quads = (size.x + 3) / 4;
  for (int i = int (gl_LocalInvocationIndex); i < MOST; i += 256)
    bins[i] = 0u;
  barrier ();
  for (int q = int (gl_GlobalInvocationID.x); q < quads * size.y; q += GROUPS * 256) {
    int x = q % quads;
    vec4 f = from_quad (source[int (gl_WorkGroupID.z) * source_layout.y
                               + q / quads * source_layout.x + x]);
    for (int c = 0; c < min (4, size.x - 4 * x); c++)
      atomicAdd (bins[bin_of (f[c])], 1u);
  }
  barrier ();
  for (int i = int (gl_LocalInvocationIndex); i < MOST; i += 256)
    if (bins[i] > 0u)
      atomicAdd (counts[i], bins[i]);
}
#else
layout (std430, binding = 0) restrict writeonly buffer Target { float target[]; };
shared uint counted[MOST];
int n;

// From the side that is kept.
uint own (int i)
{
  return counted[LOW > 0.5 ? i : n - 1 - i];
}

// The next trough after bin `after`, as the bin that it lies before; n for none.
int next_trough (int after)
{
  int a = max (after, 1);
  while (a < n - 1) {
    int b = a;
    while (b + 1 < n && bins[b + 1] == bins[a])
      b++;
    if (bins[a - 1] > bins[a] && b + 1 < n && bins[b + 1] > bins[b] && (a + b + 1) / 2 > after)
      return (a + b + 1) / 2;
    a = b + 1;
  }
  return n;
}

// ODL_TROUGH_KEPT.
const float KEPT = 0.1;

// The first trough whose peak is large enough, in counts from the side that is kept, of which more than
// `least` of the total shall be; the first `gone` samples are not counted. 0: none.
int find_trough (uint total, uint gone, float least, out float peak, out int troughs)
{
  int bin = 0, before = 0;
  uint kept = 0u;
  peak = 0.0;
  troughs = 0;
  for (int at = next_trough (0), next = 0; at < n; at = next) {
    next = next_trough (at);
    troughs++;
    uint sum = 0u;
    for (; before < at && bin == 0; before++)
      kept += own (before);
    for (int i = at; i < next && bin == 0; i++)
      sum += own (i);
    if (float (sum) > SHARE * float (total) && float (kept - gone) > least * float (total)) {
      bin = at;
      peak = float (sum) / float (total);
    }
  }
  return bin;
}

void find ()
{
  uint total = 0u, end = own (0);
  int bin = 0, troughs = 0;
  float peak = 0.0;
  for (int i = 0; i < n; i++)
    total += own (i);
  bool outside = float (end) > SHARE * float (total);
  if (outside) {
    for (int i = 0; i <= min (RADIUS, n - 1); i++)
      bins[i] -= end;
    bin = find_trough (total - end, end, SHARE, peak, troughs);
    outside = bin > 0;
    for (int i = 0; i <= min (RADIUS, n - 1); i++)
      bins[i] += end;
  }
  if (bin == 0)
    bin = find_trough (total, 0u, KEPT * SHARE, peak, troughs);
  if (bin > 0 && LOW < 0.5)
    bin = n - bin;
  int last = LOW > 0.5 ? 1 : n - 1; // bin where what is outside ends, or begins
  bool found = GIVEN >= 0.0 || bin > 0;
  float edge = GIVEN >= 0.0 ? GIVEN : UNIT > 0.0 ? float (bin * width_of ()) : float (bin) / float (n);
  target[0] = found ? edge : LOW > 0.5 ? NO_EDGE : -NO_EDGE;
  target[1] = !found ? 0.0 : UNIT > 0.0 ? edge / float (steps_of ()) : edge;
  target[2] = peak;
  target[3] = found ? 1.0 : 0.0;
  target[4] = float (troughs);
  target[5] = float (n);
  target[6] = !outside ? (LOW > 0.5 ? -NO_EDGE : NO_EDGE)
              : UNIT > 0.0 ? float (last * width_of ()) : float (last) / float (n);
}

void main ()
{
  int first = int (gl_LocalInvocationIndex);
  n = UNIT > 0.0 ? steps_of () / width_of () + 1 : MOST;
  for (int i = first; i < MOST; i += 256) {
    counted[i] = counts[i];
    counts[i] = 0u;
  }
  barrier ();
  for (int i = first; i < n; i += 256) {
    uint sum = 0u;
    for (int k = max (i - RADIUS, 0); k <= min (i + RADIUS, n - 1); k++)
      sum += own (k);
    bins[i] = sum;
    target[HEAD + i] = float (counted[i]);
  }
  barrier ();
  if (first == 0)
    find ();
}
#endif
