// SPDX-License-Identifier: MIT
// Blocks of other frames that look like one: predictive search along time. For this
// folder.
#pragma once

#include "image/bm3d/groups.h"

#define ODL_BM3D_MOST_WAY 8 // frames on either way from the centre

// The other frames in the order in which they are searched: each the next one to the one
// before it, the first one to the centre.
typedef struct {
  int n[2];
  int frames[2][ODL_BM3D_MOST_WAY];
} OdlBm3dWays;

typedef struct {
  const OdlBm3dPicture *picture; // of all frames
  const OdlBm3dWays *ways;
  int centre;
  int reach; // columns and rows from a block, at most
  int most; // blocks of each frame
  float farthest; // sum of squared differences of blocks that may belong together
} OdlBm3dFollow;

// What blocks of the centre, which odl_bm3d_find found, have become in other frames.
//
// The first of them is followed from frame to frame: where it goes on as it went before,
// the nearest block within ODL_BM3D_NEAR columns and rows is where it went, unless it is
// hardly nearer than the block at the place that was expected. Where nothing is near
// enough the way ends. The others move as it does; one that does not look like itself
// along the way is left out. Where that leaves fewer blocks in all than the centre has
// alone, these are the group.
void odl_bm3d_follow (const OdlBm3dFollow *follow,
                      const OdlBm3dMatches *matches,
                      OdlBm3dBlocks *blocks);
