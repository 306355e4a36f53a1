// SPDX-License-Identifier: MIT
// One step of BM3D with the blocks of one frame as references: what both forms of the
// filter share. For this folder.
#pragma once

#include "base/progress.h"
#include "image/bm3d/follow.h"
#include "image/bm3d/noise.h"

// Pictures and sums have `n_frames` frames of MAX (width, side) times MAX (height, side)
// samples without gaps between rows, picture.frame samples from one to the next.
typedef struct {
  OdlBm3dPicture picture;
  OdlBm3dPicture guide; // in step one the picture
  OdlBm3dPicture
      searched; // what is compared, in the place of these; no samples: they are
  bool second; // step two
  int n_frames;
  int centre; // the frame of the references
  bool together; // frames are channels of one picture: what is found in the first one
                 // counts for all
  OdlBm3dWays ways; // to the others that groups may have blocks of
  double sigma; // more than 0
  const float *correlations; // of noise, as in noise.h, in one frame; NULL: white
  OdlBm3dEffort effort;
  const OdlBm3dKernels *kernels; // NULL: odl_bm3d_plain
  OdlProgress *progress; // NULL: nobody waits
  int passes; // that the progress counts
  float *phases; // odl_bm3d_phases_size samples that are 0 or were used for a picture of
                 // this size and effort before
  float *sums; // weight · window · sample, to which is added
  float *weights; // likewise, of the groups whose blocks have their corner there
} OdlBm3dPass;

// Of a picture of at least a side.
size_t odl_bm3d_phases_size (int width, int height, OdlBm3dEffort effort);

// A copy of `height` rows of `width` samples in `copy`, of at least SIDE columns and
// rows: there the last ones stand again, mirrored.
void
odl_bm3d_pad (const float *samples, size_t pitch, int width, int height, float *copy);

// False: memory is short. Runs on all cores.
bool odl_bm3d_pass (const OdlBm3dPass *pass);

// Fills `height` rows of `width` samples of `result` with sums over weights of one frame
// of `picture`.
void odl_bm3d_divide (const OdlBm3dPicture *picture,
                      const float *sums,
                      const float *weights,
                      int width,
                      int height,
                      float *result,
                      size_t pitch);
