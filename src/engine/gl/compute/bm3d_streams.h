// SPDX-License-Identifier: MIT
// What BM3D of several frames keeps on the card from one result to the next
// (shaders/include/bm3d_time.glsl), and its programs. Who runs them: bm3d_time.h.
#pragma once

#include "engine/gl/compute/bm3d.h"
#include "engine/gl/compute/steps.h"
#include "image/bm3d/noise.h"
#include "image/bm3d/schedule.h"

// Of one of the two steps.
typedef struct {
  OdlGlBm3dWork work;
  int all; // blocks of a group, of all frames
  int chunk;
  int room; // blocks that lie in memory for each group
  const OdlGlProgram *noise; // NULL: it is white
  const OdlGlProgram *match, *follow, *filter, *add, *sum;
} OdlGlBm3dStep;

typedef struct {
  GLuint pictures;
  GLuint sums[2]; // of each step
} OdlGlBm3dChannel;

// What a step of the plan keeps.
typedef struct {
  int index; // of it
  int frames;
  OdlGlBm3dStep steps[2];
  int pitch; // quads of a row of a plane
  const OdlGlProgram *enter, *clear, *guides, *result;
  const OdlGlProgram *whiten; // NULL: noise is white
  int n_channels;
  OdlGlBm3dChannel *channels;
  GLuint between;
  OdlBm3dSchedule schedule;
  double sigma; // of the last result
  float correlations[ODL_BM3D_COEFFICIENTS]; // likewise, of noise that is not white
  float whitening[ODL_BM3D_WHITENING * ODL_BM3D_WHITENING]; // of these
  OdlPlan *plan; // of it, whose pictures `schedule` knows again; NULL: none
  OdlImage *input; // likewise
  GArray *acts; // what was run for it; NULL: nothing
} OdlGlBm3dStream;

// Those of a plan's steps; empty at first. They may outlive it, for another structure of
// the same plan. GL current, as for all of these.
OdlGlBm3dStreams *odl_gl_bm3d_streams_new (void);
OdlGlBm3dStreams *odl_gl_bm3d_streams_ref (OdlGlBm3dStreams *streams);
void odl_gl_bm3d_streams_unref (OdlGlBm3dStreams *streams); // accepts NULL

// That of step `index` of the plan; NULL: it was not compiled yet.
OdlGlBm3dStream *odl_gl_bm3d_stream_at (const OdlGlBm3dStreams *streams, int index);

// Groups of a band.
static inline size_t
odl_gl_bm3d_groups (const OdlGlBm3dWork *work)
{
  return (size_t) work->band * work->tile * work->columns;
}
