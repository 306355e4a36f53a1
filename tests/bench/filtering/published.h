// SPDX-License-Identifier: MIT
// The published ways of A. Eklund, P. Dufort, "Non-separable 2D, 3D and 4D filtering with
// CUDA", GPU Pro 5 (2014), as compute shaders, to be measured beside the engine's.
#pragma once

#include <epoxy/gl.h>
#include <stdbool.h>

typedef enum {
  PUBLISHED_TEXTURE, // section 1.4: a fetch for each coefficient
  PUBLISHED_TEXTURE_UNROLLED,
  PUBLISHED_SHARED, // section 1.5: 96 × 64 samples in shared memory, slices added up
  PUBLISHED_SHARED_UNROLLED,
  PUBLISHED_TILE_24, // section 1.6, not implemented there: 24 × 16 × 16 samples
  PUBLISHED_TILE_32, // 32 × 16 × 12
  PUBLISHED_FOURIER, // sections 1.3 and 1.9: published_fourier.h
  PUBLISHED_N_WAYS,
} PublishedWay;

// What a way is called and which kernels it has.
typedef struct {
  const char *name, *text;
  int least_dimensions, most_dimensions, most_side;
  bool lacks_border; // what lies off the border is not 0 everywhere
  bool all_times; // a run makes all volumes
} PublishedRow;

extern const PublishedRow published_ways[PUBLISHED_N_WAYS];

// A volume of width × height × depth floats (depth 1: a picture), several of them one
// after the other, and a kernel of side^dimensions.
typedef struct {
  int width, height, depth, times;
  int side, dimensions; // 3 … 17, odd; 2 … 4
  const float *kernel; // x fastest, then y, z, t
  GLuint samples, result; // buffers: all volumes; one volume
} PublishedJob;

typedef struct _Published Published;

// A compute program; 0, and the compiler's words on standard error.
GLuint published_compile (const char *text);

// NULL where the way does not have such kernels (its row, or what the driver's blocks
// hold), or the driver does not compile it.
Published *published_new (PublishedWay way, const PublishedJob *job);

// Makes volume `time` of the result.
void published_run (const Published *published, const PublishedJob *job, int time);
void published_free (Published *published);
