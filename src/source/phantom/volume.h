// SPDX-License-Identifier: MIT
// A phantom in four dimensions: a body with a beating ellipsoid, cysts and a bright
// sphere, slice by slice, with speckle or Gaussian noise.
#pragma once

#include "image/image.h"

typedef enum {
  ODL_VOLUME_PHANTOM_SPECKLE, // fully developed: a Rayleigh amplitude times the tissue's
  ODL_VOLUME_PHANTOM_GAUSSIAN,
  ODL_VOLUME_PHANTOM_N_NOISES,
} OdlVolumePhantomNoise;

typedef struct {
  int size[3]; // voxels along x, y, z: 8 … 2048
  int times; // 1 … 4096 volumes, of which each beat has all
  unsigned seed;
  OdlVolumePhantomNoise noise;
  double sigma; // of Gaussian noise, as a share of full scale: 0 … 1
  double spacing_mm[2]; // in a slice, from slice to slice
  double rate; // volumes per second
  bool clean; // without noise
} OdlVolumePhantom;

#define ODL_VOLUME_PHANTOM_WHITE 4095

// Whether `text` is “phantom:” and at least three numbers with an x between them.
bool odl_volume_phantom_is (const char *text);

// Parses “phantom:WIDTHxHEIGHTxSLICES[xTIMES][,seed=N][,noise=speckle|gaussian]
// [,sigma=SHARE][,spacing=MM][,slice=MM][,rate=VOLUMES][,clean]”. ODL_ERROR_USAGE.
bool
odl_volume_phantom_parse (const char *text, OdlVolumePhantom *phantom, GError **error);

// Slice z of volume `time`: U16, 0 … ODL_VOLUME_PHANTOM_WHITE. The same on all machines
// and for any number of threads: libm makes tables only. Any thread.
OdlImage *odl_volume_phantom_slice (const OdlVolumePhantom *phantom,
                                    int time,
                                    int z,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
