// SPDX-License-Identifier: MIT
// Which samples of a picture are details: numbers about 0, of the bands of a wavelet's
// coefficients, of what one level of them makes, or of all that filters took away.
#pragma once

#include <glib.h>
#include <stdbool.h>

#define ODL_DETAIL_LEVELS 16 // as many as transforms have at most

typedef struct {
  int levels; // of the Mallat layout; 1 for a residual; 0: there are no details
  int width; // samples at or beyond width × height are details; 0 × 0: all of them
  int height;
  int alone; // where all are details: the level that makes them, or that one direction is
             // of; 0: a residual
  int directions; // 1: magnitudes of those of the dual tree that rise to the right, −1:
                  // that fall; 0: details are no magnitudes
} OdlDetails;

#define ODL_NO_DETAILS ((OdlDetails){ 0 })

// How far the details of each level reach: the magnitude, as a fraction of full scale,
// that 95 % of them stay below (engine/detail_reach.h). 0: they are none but 0.
typedef struct {
  int levels; // that were measured
  float of[ODL_DETAIL_LEVELS]; // from the finest one on
} OdlDetailReach;

#define ODL_RESIDUAL_GAIN 4
#define ODL_MOST_DETAIL_GAIN 1024

// Of levels that were not measured. Details of pictures grow with their level while noise
// is strongest in the finest one: of photographs, CT and MR, 95 % of the details of
// levels 1, 2 and 3 are below 1/12 … 1/50, 1/6 … 1/25 and 1/5 … 1/15 of the window.
static inline int
odl_usual_detail_gain (int level)
{
  return level == 1 ? 16 : level == 2 ? 8 : 4;
}

// How much stronger than samples details of `level` are shown: the greatest power of two,
// 1 … 1024, with which those that `reach` says stay within black and white, where samples
// are shown `steepness` times as strong as full scale. 1 where all are 0.
static inline int
odl_detail_gain (const OdlDetailReach *reach, int level, double steepness)
{
  if (level > reach->levels)
    return odl_usual_detail_gain (level);
  const double shown = (double) reach->of[level - 1] * steepness;
  int gain = 1;
  while (shown > 0 && gain < ODL_MOST_DETAIL_GAIN && 2 * gain * shown <= 0.5)
    gain *= 2;
  return gain;
}

static inline bool
odl_details_are_residual (const OdlDetails *details)
{
  return details->levels > 0 && details->width == 0;
}

// The direction of detail band 1 HL, 2 LH or 3 HH in degrees, as wavelet/dual_tree.h has
// it; 0: it has none.
static inline int
odl_details_angle (const OdlDetails *details, int band)
{
  static const int angles[] = { 0, 75, 15, 45 };
  return details->directions * angles[band];
}

// What 0 is shown as: mid-grey, or black where there is nothing below it.
static inline float
odl_details_zero (const OdlDetails *details)
{
  return details->directions != 0 ? 0 : 0.5f;
}

// "HL", "+75°"; `band`: 0 LL … 3 HH.
static inline const char *
odl_details_band_name (const OdlDetails *details, int band)
{
  static const char *const names[][4] = {
    { "LL", "−75°", "−15°", "−45°" },
    { "LL", "HL", "LH", "HH" },
    { "LL", "+75°", "+15°", "+45°" },
  };
  return names[1 + details->directions][band];
}
