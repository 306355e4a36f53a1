// SPDX-License-Identifier: MIT
// Noise that is added to a clean picture, so that what filters leave of it can be
// measured. Filters that find noise are in filter/noise.h.
#pragma once

#include "image/image.h"

typedef enum {
  ODL_NOISE_NONE,
  ODL_NOISE_GAUSSIAN, // v + σ n
  ODL_NOISE_SPECKLE, // v (1 + σ n)
  ODL_NOISE_POISSON, // events of mean v · PEAK, divided by PEAK; v < 0 counts as 0
  ODL_NOISE_SALT_PEPPER, // with probability p 0 or 1, each in half of the cases
  ODL_N_NOISES,
} OdlNoiseKind;

// v is a scaled sample, from 0 to 1; n is normal, of mean 0 and variance 1.
typedef struct {
  OdlNoiseKind kind;
  double amount; // σ as a share of full scale; PEAK, events at full scale; p
  uint64_t seed;
} OdlNoiseModel;

// "KIND:AMOUNT[,SEED]": gaussian, speckle, poisson or salt-pepper; the amount is a number
// or a quotient such as 25/255; the seed a whole number, by default 0. ODL_ERROR_USAGE.
bool odl_noise_model_parse (const char *text, OdlNoiseModel *model, GError **error);

// Text that parses to the same model; "none" without noise. Transfer full.
char *odl_noise_model_to_text (const OdlNoiseModel *model);

// A scaled F32 image of slice 0 and frame 0 with noise in every channel but alpha, not
// clipped. Number n of pixel p (row by row, from 0) in channel c of frame f is the normal
// of the first number of the block (p, c, 0, f) with the seed as key (base/random.h), so
// that a pixel gets the same noise on every machine, whatever the threads. ODL_NOISE_NONE
// gives a new reference to `image`. ODL_ERROR_TOO_LARGE. Any thread.
OdlImage *odl_noise_model_apply (const OdlNoiseModel *model,
                                 OdlImage *image,
                                 int64_t frame,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
