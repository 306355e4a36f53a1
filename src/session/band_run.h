// SPDX-License-Identifier: MIT
// The coefficients that a filter of wavelet coefficients reads in a frame, or leaves
// there, computed beside what is shown. Any thread, the same for one run.
#pragma once

#include "engine/engine.h"
#include "engine/gl/platform/headless.h"
#include "session/player/frame.h"

// Of volumes that are larger than that, so many slices about the one that is seen.
#define ODL_BAND_RUN_VOXELS (16 << 20)
#define ODL_BAND_RUN_SLICES 64

typedef struct {
  OdlImage *came; // that they are of: a picture, or slices of a volume
  OdlImage *coefficients; // a picture; where all slices are filtered together, a volume
                          // of octants (odl_plan_has_octants)
  OdlPlan *plan; // that made them
  OdlEngine *engine; // likewise, whose slots can be read back
  OdlGlHeadless *headless; // its context, where code of the user's own needs one
  // Of a volume: the slices of `came`, counted from 0, and how many all are; else 0.
  int first, n_slices, n_all;
  int seen; // in `came`: the slice that is shown
} OdlBandRun;

// What filter `item` reads of the frame's recipe, or with `other` of the one that it is
// compared with; with `filtered` what it leaves. The engine is “cpu”, or where GLSL comes
// before it one that runs it. False: there is nothing, such as while a volume is awaited.
bool odl_band_run (OdlBandRun *run,
                   const OdlFrame *frame,
                   bool other,
                   int item,
                   bool filtered);
void odl_band_run_clear (OdlBandRun *run);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlBandRun, odl_band_run_clear)
