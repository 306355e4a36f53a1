// SPDX-License-Identifier: MIT
// Parts of the phantom that its own files and its tests share. Nobody else includes this.
//
// The phantom is computed as a scanner does it: on a polar grid of beams and ranges,
// detected and log-compressed there, then scan-converted. Lengths are fractions of the
// fan's radius, angles are radians from the vertical.
//
// Determinism: libm is used only while the tables are made, in double precision, and
// its results are rounded to floats or integers; each frame uses additions,
// multiplications, integers and table look-ups alone, and no sum crosses threads.
#pragma once

#include "source/phantom/phantom.h"

// Decibels between black and white.
#define ODL_PHANTOM_DYNAMIC_RANGE_DB 60.0

// Echo level of the homogeneous tissue, relative to white.
#define ODL_PHANTOM_TISSUE_DB (-26.0)

// Beam j lies at angle −half_angle + j · angle_step, range i at first_range + i ·
// range_step.
typedef struct {
  int n_beams;
  int n_ranges;
  double radius_px; // of the whole fan
  double apex_x_px;
  double apex_y_px;
  double first_range; // of the transducer's face
  double range_step;
  double half_angle;
  double angle_step;
  double psf_range_steps; // σ of the point spread function, in grid steps
  double psf_angle_steps;
} OdlPhantomGrid;

OdlPhantomGrid odl_phantom_grid_make (int width, int height);

// Well-mixed 64 bits that depend on all arguments (the finaliser of SplitMix64; Steele,
// Lea, Flood, OOPSLA 2014).
uint64_t odl_phantom_hash (uint64_t seed, uint64_t stream, uint64_t index);

// Fills n complex numbers (real, imaginary, …) with white circular Gaussian noise of mean
// power 1.
void odl_phantom_white_noise (uint64_t seed, uint64_t stream, float *complex, size_t n);

// Fully developed speckle: a circular Gaussian field of mean power 1, one row of n_ranges
// complex numbers per beam, filtered with a Gaussian PSF whose width is constant in range
// and in angle, so that it widens with depth. NULL when memory is short. Free with
// odl_aligned_free.
float *odl_phantom_speckle_new (const OdlPhantomGrid *grid, uint64_t seed);

// What the tissue looks like before it moves: echo amplitude for every beam and range (1:
// white), and by how many range steps it is moved at the height of the beat.
void odl_phantom_scene_fill (const OdlPhantomGrid *grid,
                             uint64_t seed,
                             float *amplitude,
                             float *displacement);

// How far the wall is moved in frame `index`, 0 … 1.
float odl_phantom_beat (int64_t index);

const OdlPhantomGrid *odl_phantom_grid (const OdlPhantom *phantom);

// Detected power (the squared envelope) of one beam before log compression; `power` has
// n_ranges floats.
void odl_phantom_beam_power (const OdlPhantom *phantom,
                             int64_t index,
                             int beam,
                             bool clean,
                             float *power);
