// SPDX-License-Identifier: MIT
// The gain of a row, for the engines that run time-gain on the processor.
#pragma once

#include <glib.h>
#include <math.h>

// Up to this sample gains grow from nothing, of full scale.
#define ODL_DEPTH_FOOT (1.0 / 32)
#define ODL_DEPTH_GAINS 5

// dB in row y of so many, in whose middle it is.
static inline double
odl_depth_gain (const double gains[ODL_DEPTH_GAINS], int y, int height)
{
  const double place = (y + 0.5) / height * (ODL_DEPTH_GAINS - 1);
  const int i = MIN ((int) place, ODL_DEPTH_GAINS - 2);

  return gains[i] + (place - i) * (gains[i + 1] - gains[i]);
}
