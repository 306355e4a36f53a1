// SPDX-License-Identifier: MIT
// The wavelet transform of a picture by an engine, tile by tile: an engine's pictures
// between the steps take several times the memory of what it transforms.
#pragma once

#include "engine/engine.h"
#include "jpeg2000/jpeg2000.h"
#include "jpeg2000/layout.h"

// Bands of all components, transposed: coefficient (x, y) of the picture of all bands is
// planes[x · pitch + y].
typedef struct {
  float *planes[ODL_IMAGE_MAX_CHANNELS]; // words of the same size if quantised
  bool quantised; // as OdlJ2kBlockInput has it
  gsize pitch;
} OdlJ2kCoefficients;

static inline const void *
odl_j2k_coefficient (const OdlJ2kCoefficients *coefficients, gsize plane, int x, int y)
{
  return coefficients->planes[plane] + (gsize) x * coefficients->pitch + y;
}

typedef struct {
  const OdlImage *picture;
  const OdlJpeg2000Samples *samples;
  const OdlJ2kLayout *layout; // of the whole picture
  bool reversible; // the integer 5/3; else CDF 9/7
} OdlJ2kAnalysis;

// Fills `coefficients`, which is to be cleared in any case. Tiles overlap by so much that
// each coefficient is that of the whole picture. Engines that can quantise do so.
// ODL_ERROR_TOO_LARGE; errors of the engine.
bool odl_j2k_analyse (OdlEngine *engine,
                      const OdlJ2kAnalysis *analysis,
                      OdlJ2kCoefficients *coefficients,
                      GError **error);
void odl_j2k_coefficients_clear (OdlJ2kCoefficients *coefficients);

// The wavelet's name in the table.
const char *odl_j2k_wavelet (bool reversible);
