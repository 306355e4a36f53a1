// SPDX-License-Identifier: MIT
// BM3D on gl-compute (image/bm3d/bm3d.h says what it is): the passes of
// shaders/include/bm3d.glsl, one after the other for each band of rows and each channel,
// and what lies between them.
#pragma once

#include "engine/gl/platform/caps.h"
#include "image/bm3d/groups.h"
#include "plan/plan.h"

// Bytes of what lies between the passes of step `index`, for all steps of BM3D on
// pictures of one size that follow each other with the first of them; 0: none.
size_t odl_gl_bm3d_bytes (const OdlGlCaps *caps, const OdlPlan *plan, int index);

// ---- for the form of several frames, too (bm3d_time.h) --------------------------------

// How a picture is divided.
typedef struct {
  int width, height; // of the picture, at least a side
  bool second; // step two
  bool coloured; // noise is not white
  int columns, rows; // of reference blocks
  int step, reach; // from block to block, half the search window
  int most; // blocks of a group, of one frame
  int few; // likewise, where it has blocks of several; 0: it has not
  int lines; // of coefficients that an invocation transforms, at most
  int beside; // reference blocks of a work group that finds matches
  int tile; // reference blocks along either side of a tile; 0: work groups share too
            // little memory
  int edge, pitch; // of what a tile writes
  int tiles_x, tiles_y;
  int band; // rows of tiles at a time
  int ring; // rows of tiles whose sums are kept
} OdlGlBm3dWork;

// All of it but `few`; in one band.
OdlGlBm3dWork odl_gl_bm3d_work (const OdlGlCaps *caps,
                                int width,
                                int height,
                                OdlBm3dEffort effort,
                                bool second,
                                bool coloured);

// Bytes that work groups share at least.
int odl_gl_bm3d_shared (const OdlGlBm3dWork *work);

// What may lie between the passes.
size_t odl_gl_bm3d_most_bytes (const OdlGlCaps *caps);

// Words of the covariances of noise that is not white; 0: it is.
size_t odl_gl_bm3d_noise_words (const OdlGlBm3dWork *work);

// The lines of #define that all passes have in common. `loops`: of lists, for software
// rasterisers.
void odl_gl_bm3d_append_defines (GString *text, const OdlGlBm3dWork *work, bool loops);

void odl_gl_bm3d_append_number (GString *text, double value);
