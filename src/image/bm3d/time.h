// SPDX-License-Identifier: MIT
// BM3D with blocks of several frames in a group: K. Dabov, A. Foi, K. Egiazarian, "Video
// denoising by sparse 3D transform-domain collaborative filtering", Proc. 15th European
// Signal Processing Conference (EUSIPCO 2007), as a stream.
//
// `frames` is 2 h + 1. Every frame is a centre in both steps: its blocks, at the places
// that the form of one frame has, are references of groups, found in it as there. The
// reference is followed along time, and the group with it (follow.h), which so has as
// many blocks of each frame. A cosine transform from time to time is one more beside
// those of the form of one frame. What is left of a block is added, with the group's
// weight and the window, to the sums of the frame that it came from.
//
//   Step one has the centre c look at frames c − 2 h … c. Its sums of frame m, over
//   centres m … t, are the guide of m at time t.
//   Step two has the centre d look at frames d − h … d + h, with their guides at time
//   d + h; behind the end of the sequence at as many before the last one. Result n is the
//   sums of frame n over centres n − h … n, at time n + h.
//   At times h … 2 h of a sequence that begins with frame 0 (of nine frames: … 2 h − 1)
//   both steps are done anew: all frames are centres, and look at all.
//
// Noise that is not white (noise.h) is taken for alike in all frames, and for new in
// each: after the transform from time to time coefficients have the variances that they
// have in a frame. Blocks are compared, and followed, in what the whitening kernel makes
// of frames.
//
// So result n depends on frames n − 4 h … n + h alone, and on where the sequence begins
// if that is not before n − 4 h (ODL_BM3D_PAST, ODL_BM3D_AHEAD), and within a sequence
// each frame takes one pass of either step. Frames of them that do not belong to the
// sequence, before its beginning or behind its end, are left out where they are named
// above.
#pragma once

#include "image/bm3d/bm3d.h"

#define ODL_BM3D_MOST_FRAMES ODL_BM3D_MOST_TIMES
#define ODL_BM3D_AHEAD(frames) ((frames) / 2)
#define ODL_BM3D_PAST(frames) MIN (4 * ((frames) / 2) + 1, 16)
#define ODL_BM3D_MOST_SEEN (16 + 1 + ODL_BM3D_AHEAD (ODL_BM3D_MOST_FRAMES))

// What is kept between results that follow each other: so many floats for each sample of
// `frames` frames.
#define ODL_BM3D_STREAM_FLOATS 6
#define ODL_BM3D_STREAM_FLOATS_WHITENED 7 // where noise is not white
typedef struct _OdlBm3dStream OdlBm3dStream;

void odl_bm3d_stream_free (OdlBm3dStream *stream); // accepts NULL

typedef struct {
  int frames; // 3 … ODL_BM3D_MOST_FRAMES, odd
  int width;
  int height;
  const float *samples[ODL_BM3D_MOST_SEEN]; // `past` frames, the one that is wanted, and
                                            // `ahead` frames
  size_t pitch;
  int past; // at most ODL_BM3D_PAST (frames)
  int ahead; // at most ODL_BM3D_AHEAD (frames)
  double sigma; // as in OdlBm3d, like all that follows
  const float *correlations; // of noise that has nothing to do with that of other frames
  OdlProgress *progress;
  int pictures;
  OdlBm3dEffort effort;
  const OdlBm3dKernels *kernels;
} OdlBm3dTime;

// Fills `result`, which overlaps no frame. Where *stream has what the frames before left,
// one pass of either step does, else 3 h + 1 of step one (more about the beginning) and
// h + 1 of step two: the result is the same, bit by bit. *stream is made, kept or
// replaced; `stream` NULL: nothing is kept. False: memory is short, and `result` is a
// copy. Threads as for odl_bm3d_run.
bool odl_bm3d_time_run (const OdlBm3dTime *time,
                        OdlBm3dStream **stream,
                        float *result,
                        size_t pitch);
