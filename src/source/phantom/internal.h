// SPDX-License-Identifier: MIT
// Internals of the phantom, shared by its files and tests only.
//
// The phantom simulates a scanner: speckle is generated on a polar grid of beams and
// ranges, detected and log-compressed there, then scan-converted. Lengths are
// fractions of the fan's radius, angles radians from the vertical.
//
// Determinism: libm is used only to make tables, in double precision with results
// rounded to floats or integers; frames use only additions, multiplications, integers
// and look-ups, and no sum spans threads.
#pragma once

#include "source/phantom/phantom.h"

// Decibels between black and white.
#define ODL_PHANTOM_DYNAMIC_RANGE_DB 60.0

// Echo level of the homogeneous tissue, relative to white.
#define ODL_PHANTOM_TISSUE_DB (-26.0)

// Beam j has the angle −half_angle + j · angle_step, range i is first_range + i ·
// range_step.
typedef struct {
  int n_beams;
  int n_ranges;
  double radius_px; // of the whole fan
  double apex_x_px;
  double apex_y_px;
  double first_range; // at the transducer's face
  double range_step;
  double half_angle;
  double angle_step;
  double psf_range_steps; // σ of the point spread function, in grid steps
  double psf_angle_steps;
} OdlPhantomGrid;

// A 64-bit hash of all arguments (SplitMix64's finaliser; Steele, Lea, Flood, OOPSLA
// 2014).
uint64_t odl_phantom_hash (uint64_t seed, uint64_t stream, uint64_t index);

// Fills n complex numbers (real, imaginary, …) with circular white Gaussian noise of
// mean power 1.
void odl_phantom_white_noise (uint64_t seed, uint64_t stream, float *complex, size_t n);

// Fully developed speckle: a circular Gaussian field of mean power 1, one row of
// n_ranges complex numbers per beam, filtered with a Gaussian PSF of constant width in
// range and angle, hence wider with depth. NULL when memory is short. Free with
// odl_aligned_free.
float *odl_phantom_speckle_new (const OdlPhantomGrid *grid, uint64_t seed);

const OdlPhantomGrid *odl_phantom_grid (const OdlPhantom *phantom);

// Detected power (squared envelope) of one beam before log compression; `power` has
// n_ranges floats.
void odl_phantom_beam_power (const OdlPhantom *phantom,
                             int64_t index,
                             int beam,
                             bool clean,
                             float *power);
