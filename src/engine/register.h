// SPDX-License-Identifier: MIT
// The step REGISTER, which reference and cpu have in common, as iterations amplify any
// difference between two implementations.
#pragma once

#include "base/progress.h"
#include "plan/step.h"

// Volumes of floats that registration in three dimensions takes at most, of the size of
// one channel.
#define ODL_REGISTER_VOLUMES 40

// Pictures without gaps between rows.
typedef struct {
  const OdlStep *step;
  int width, height;
  const float *moving, *reference; // the means of all channels of the two pictures
  const float *picture; // one channel of the moving one
  OdlProgress *progress; // stopped: `result` is of no use; NULL: nobody waits
  int pictures; // that are registered so in this step, as OdlMorphon has it
} OdlRegister;

// Fills `result` with what the step says of that channel. Runs on all cores. False:
// memory is short, and nothing is displaced.
bool odl_register_run (const OdlRegister *run, float *result);

// Volumes without gaps between rows and slices.
typedef struct {
  const OdlStep *step;
  int size[3]; // along x, y, z
  const float *moving, *reference; // as above
  uint8_t *surfaces; // those of the grid that a voxel lies on, bit 0, 1 and 2 across x, y
                     // and z, instead of drawing the edges where two of them meet; NULL:
                     // these are drawn
  OdlProgress *progress; // stopped: nothing is displaced; NULL: nobody waits
} OdlRegisterVolume;

// Likewise of `n` channels at once, each in the place of what it was; true when it was
// stopped, too.
bool
odl_register_run_volume (const OdlRegisterVolume *run, float *const *channels, int n);
