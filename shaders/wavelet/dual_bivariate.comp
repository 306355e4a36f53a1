// SPDX-License-Identifier: MIT
// Bivariate shrinkage (src/plan/step.h) of a band of the dual tree. A work group takes TILE_X x
// TILE_Y blocks; means of powers are summed along x, then along y.
//   source   the band: pairs
//   parents  the same band of the next level
layout (local_size_x = GROUP) in;

#define TILE_X 32
#define TILE_Y 16
#define RADIUS (SIDE / 2)
#define ACROSS (TILE_X + 2 * RADIUS)
#define DOWN (TILE_Y + 2 * RADIUS)

uniform ivec2 size; // of the band
uniform ivec2 target_layout, second_layout; // quads per row, per channel; of the parents
uniform float parameters[2];

#include "include/border.glsl"
#include "include/dual.glsl"
#include "include/dual_blocks.glsl"

layout (std430, binding = 0) readonly buffer Source { vec2 source[]; };
layout (std430, binding = 1) readonly buffer Parents { vec2 parents[]; };
layout (std430, binding = 2) writeonly buffer Target { vec2 target[]; };

shared vec2 powers[ACROSS * DOWN]; // of both orientations
shared vec2 sums[TILE_X * DOWN];

int place_of (ivec2 block)
{
  return int (gl_WorkGroupID.z) * 2 * target_layout.y + 4 * block.y * target_layout.x
         + block.x;
}

vec2 powers_of (ivec2 block)
{
  int at = place_of (block);
  return block_powers (source[at], source[at + 2 * target_layout.x]);
}

vec2 parent_powers (ivec2 block)
{
  ivec2 before = ivec2 (dual_before (size.x), dual_before (size.y));
  ivec2 parent = (2 * block + before + 1) / 4;
  int at = int (gl_WorkGroupID.z) * 2 * second_layout.y + 4 * parent.y * second_layout.x
           + parent.x;
  return block_powers (parents[at], parents[at + 2 * second_layout.x]);
}

void shrink (ivec2 block, int column, int row)
{
  int at = place_of (block);
  vec2 sum = vec2 (0.0);
  for (int k = 0; k < SIDE; k++)
    sum += sums[(row + k) * TILE_X + column];
  float noise = SIGMA * SIGMA;
  vec2 signal = sum / float (2 * SIDE * SIDE) - noise;
  vec2 lengths = sqrt (powers[(row + RADIUS) * ACROSS + column + RADIUS]
                       + WEIGHT * WEIGHT * parent_powers (block));
  vec2 rest = lengths - sqrt (3.0) * noise * inversesqrt (max (signal, vec2 (1e-30)));
  bvec2 left = greaterThan (min (signal, rest), vec2 (0.0));
  vec2 shares = mix (vec2 (0.0), rest / max (lengths, vec2 (1e-30)), left);
  vec4 result = scaled_block (source[at], source[at + 2 * target_layout.x], shares);
  target[at] = result.xy;
  target[at + 2 * target_layout.x] = result.zw;
}

void main ()
{
  int own = int (gl_LocalInvocationIndex);
  ivec2 corner = ivec2 (TILE_X, TILE_Y) * ivec2 (gl_WorkGroupID.xy);
  ivec2 blocks = size / 2;

  for (int i = own; i < ACROSS * DOWN; i += GROUP) {
    ivec2 block = corner + ivec2 (i % ACROSS, i / ACROSS) - RADIUS;
    powers[i] = powers_of (ivec2 (border_fold (block.x, blocks.x),
                                  border_fold (block.y, blocks.y)));
  }
  barrier ();
  for (int i = own; i < TILE_X * DOWN; i += GROUP) {
    int at = i / TILE_X * ACROSS + i % TILE_X;
    vec2 sum = vec2 (0.0);
    for (int k = 0; k < SIDE; k++)
      sum += powers[at + k];
    sums[i] = sum;
  }
  barrier ();
  for (int i = own; i < TILE_X * TILE_Y; i += GROUP) {
    ivec2 block = corner + ivec2 (i % TILE_X, i / TILE_X);
    if (all (lessThan (block, blocks)))
      shrink (block, i % TILE_X, i / TILE_X);
  }
}
