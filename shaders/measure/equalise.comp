// SPDX-License-Identifier: MIT
// The curves of TILES * TILES tiles of a picture of one channel, BINS numbers each
// (src/plan/equalise.h). One work group for each tile, x of the work group; what it counts stands
// where its curve will.
#include "include/border.glsl"
#include "include/samples.glsl"
#define THREADS 256
#define OWN (BINS / THREADS) // bins of a thread
layout (local_size_x = THREADS) in;

#define LIMIT uint (parameters[0]) // of a bin; 0: none
layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict coherent buffer Target { uint target[]; };
uniform float parameters[9];
uniform ivec2 size; // samples of the picture
uniform ivec2 source_layout; // quads per row, quads per channel
uniform float bias;
shared uint sums[THREADS];

// Of `value` in all threads; `before` what those before this one have of it.
uint total_of (uint value, out uint before)
{
  int own = int (gl_LocalInvocationIndex);
  barrier ();
  sums[own] = value;
  barrier ();
  for (int step = 1; step < THREADS; step *= 2) {
    uint other = own >= step ? sums[own - step] : 0u;
    barrier ();
    sums[own] += other;
    barrier ();
  }
  before = sums[own] - value;
  return sums[THREADS - 1];
}

void count (int first, ivec2 corner, ivec2 tile)
{
  for (int i = int (gl_LocalInvocationIndex); i < tile.x * tile.y; i += THREADS) {
    int x = border_fold (corner.x + i % tile.x, size.x);
    int y = border_fold (corner.y + i / tile.x, size.y);
    float sample_at = from_quad (source[y * source_layout.x + (x >> 2)])[x & 3] + bias;
    int bin = int (clamp (sample_at, 0.0, 1.0) * float (BINS - 1) + 0.5);
    atomicAdd (target[first + bin], 1u);
  }
}

void main ()
{
  int own = int (gl_LocalInvocationIndex), number = int (gl_WorkGroupID.x);
  int first = number * BINS, mine = first + own * OWN;
  ivec2 tile = size / TILES + int (any (notEqual (size % TILES, ivec2 (0))));
  for (int i = mine; i < mine + OWN; i++)
    target[i] = 0u;
  memoryBarrierBuffer ();
  barrier ();
  count (first, ivec2 (number % TILES, number / TILES) * tile, tile);
  memoryBarrierBuffer ();
  uint taken = 0u, sum = 0u, before;
  uint limit = LIMIT > 0u ? LIMIT : 0xffffffffu;
  barrier ();
  for (int i = mine; i < mine + OWN; i++)
    taken += target[i] - min (target[i], limit);
  uint all = total_of (taken, before);
  uint each = all / uint (BINS), rest = all % uint (BINS);
  uint apart = rest > 0u ? uint (BINS) / rest : 1u;
  for (int i = mine; i < mine + OWN; i++) {
    uint bin = uint (i - first);
    bool more = bin % apart == 0u && bin / apart < rest;
    target[i] = min (target[i], limit) + each + (more ? 1u : 0u);
    sum += target[i];
  }
  all = total_of (sum, before);
  for (int i = mine; i < mine + OWN; i++) {
    before += target[i];
    target[i] = floatBitsToUint (float (before) / float (tile.x * tile.y));
  }
}
