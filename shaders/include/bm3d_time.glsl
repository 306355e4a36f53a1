// SPDX-License-Identifier: MIT
// What lies between the passes of BM3D of several frames (src/image/bm3d/time.h), in the place of what
// bm3d.glsl says, for a band and one centre:
//   groups:  as there, of the centre; after bm3d_time_follow.comp those that the group has of each frame
//   tracks:  from `sums_at` on, of each group TRACK words: of how many frames it has blocks, then for each
//            of these, in the order of time, place << 16 | (y + REACH) << 8 | (x + REACH), which is how far
//            its blocks lie from those of the centre
//   weights: behind them, of the groups
//   blocks:  behind them, GROUP_ROOM of each group, those of a frame together
//   sums:    behind them, of each tile of the band, of one frame
//   noise:   with COLOURED, behind what all rows of tiles of a band, `ring` of them, take, as there
// Frames have places 0 to FRAMES - 1 in buffers of planes: pictures as they came, FRAMES planes behind them
// guides, and with COLOURED as many behind these in which blocks are compared; sums of weighted samples, and
// FRAMES planes behind them weights.
#define TRACK (FRAMES + 1)

int count_of_groups ()
{
  return sums_at / MOST;
}

int track_at (ivec2 block)
{
  return sums_at + group_at (block) / MOST * TRACK;
}

int weights_at ()
{
  return sums_at + count_of_groups () * TRACK;
}

int blocks_at ()
{
  return weights_at () + count_of_groups ();
}

int blocks_of (ivec2 block)
{
  return blocks_at () + group_at (block) / MOST * GROUP_ROOM * SIDE * SIDE;
}

int tiles_at ()
{
  return blocks_at () + count_of_groups () * GROUP_ROOM * SIDE * SIDE;
}

int tile_at (ivec2 tile)
{
  return tiles_at () + ((tile.y - first) * count_of_tiles ().x + tile.x) * 2 * AREA;
}

#ifdef COLOURED
int noise_at (ivec2 apart)
{
  return tiles_at () + ring * count_of_tiles ().x * 2 * AREA + (apart.y * APART + apart.x) * SIDE * SIDE;
}
#endif

ivec2 move_of (uint word)
{
  return ivec2 (word & 255u, word >> 8 & 255u) - REACH;
}
