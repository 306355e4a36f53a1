// SPDX-License-Identifier: MIT
// What the passes of BM3D (src/image/bm3d/bm3d.h) share: where blocks stand, samples, and a buffer
// between the passes, which holds for the rows of a band
//   groups: of each reference block MOST words, (y << 6 | x) of the places of its group, counted from
//           the upper left place of its search window; the first one has the number of places << 12
//   sums:   from `sums_at` on, of each tile of TILE * TILE reference blocks EDGE rows of PITCH sums of
//           weighted samples, then as many weights. Rows of tiles are used in turn, `ring` of them
//   blocks: behind them, of each group of the band MOST blocks of filtered samples, not all in use
//   weights: behind them, of the groups
//   noise:  with COLOURED, behind them, covariances of noise in the coefficients of blocks, of the step's
//           transform (src/image/bm3d/noise.h): SIDE * SIDE of blocks dx columns and dy rows apart
// STEP_OF_BLOCKS stand from one to the next, REACH is half the search window.
#define SIDE 8 // of a block
#define ACROSS (2 * REACH + 1)
#define EDGE (STEP_OF_BLOCKS * (TILE - 1) + SIDE + 2 * REACH) // what the groups of a tile may write
#define PITCH ((EDGE + 3) / 4 * 4)
#define AREA (EDGE * PITCH)
#define APART (2 * SIDE - 1) // columns and rows that noise that is not white reaches over
#define CORNERS (EDGE - SIDE + 1) // of blocks of a tile, along either side

uniform ivec2 size; // of the picture
uniform ivec2 target_layout; // quads per row, quads per channel; of what is read, too
uniform int channel;
uniform int first; // row of tiles of the band
uniform int ring;
uniform int sums_at;
uniform float bias;
uniform float parameters[9];

#ifdef MEASURED
// Noise that was measured in this frame, at the binding MEASURED.
layout (std430, binding = MEASURED) restrict readonly buffer Numbers { float numbers[]; };
#undef SIGMA
#define SIGMA (numbers[0] < NO_NOISE_SIGMA ? 0.0 : numbers[0])
#endif

// Pictures have at least SIDE columns and rows: there the last ones stand again, mirrored.
ivec2 padded_size ()
{
  return max (size, ivec2 (SIDE));
}

ivec2 count_of_blocks ()
{
  return (padded_size () - SIDE + STEP_OF_BLOCKS - 1) / STEP_OF_BLOCKS + 1;
}

ivec2 count_of_tiles ()
{
  return (count_of_blocks () + TILE - 1) / TILE;
}

// Every third place, and the last one.
ivec2 place_of (ivec2 block)
{
  return min (block * STEP_OF_BLOCKS, padded_size () - SIDE);
}

// The upper left sample of what a tile writes; may lie outside the picture.
ivec2 origin_of (ivec2 tile)
{
  return place_of (tile * TILE) - REACH;
}

int group_at (ivec2 block)
{
  return ((block.y - first * TILE) * count_of_blocks ().x + block.x) * MOST;
}

#ifdef FRAMES
#include "include/bm3d_time.glsl"
#else
int tile_at (ivec2 tile)
{
  return sums_at + (tile.y % ring * count_of_tiles ().x + tile.x) * 2 * AREA;
}

int blocks_at ()
{
  return sums_at + ring * count_of_tiles ().x * 2 * AREA;
}

int weights_at ()
{
  return blocks_at () + sums_at * SIDE * SIDE;
}

#ifdef COLOURED
int noise_at (ivec2 apart)
{
  return weights_at () + sums_at / MOST + (apart.y * APART + apart.x) * SIDE * SIDE;
}
#endif

// The first of a group's blocks.
int blocks_of (ivec2 block)
{
  return blocks_at () + group_at (block) * SIDE * SIDE;
}
#endif

int sample_index (ivec2 p)
{
#ifdef SMALL
  p %= 2 * size;
  p = min (p, 2 * size - 1 - p);
#endif
  return 4 * (channel * target_layout.y + p.y * target_layout.x) + p.x;
}

#ifdef SOURCE_HALF
#define STORED_SAMPLE uint
#define SAMPLE_AT(buffer, i) (unpackHalf2x16 (buffer[(i) >> 1])[(i) & 1] + bias)
#else
#define STORED_SAMPLE float
#define SAMPLE_AT(buffer, i) (buffer[i] + bias)
#endif
