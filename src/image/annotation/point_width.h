// SPDX-License-Identifier: MIT
// How wide a point is seen, such as a wire or a bead: what the resolution of a picture is
// told by. Any thread.
#pragma once

#include "image/annotation/annotation.h"

// From half the amplitude of the peak to half of it on the other side, −6 dB: along the
// beam and across it, where they are known, else along y and x. NaN: there it does not
// fall so far within reach. Millimetres, or heights of a pixel.
typedef struct {
  double lateral, axial;
} OdlPointWidth;

// Of the largest value in the ellipse between its points 0 and 1. What is in decibels
// over a known range is taken so, all else as amplitudes from the file's 0 on. Parabolas
// through three samples tell where the peak is, how high, and where half of it lies:
// decibels of a Gaussian are one. So lines that lead between samples read decibels by the
// cubic of four samples each way, which such a point goes through, steered beams and all.
// What falls so far only beyond the region has no width.
// `scaled` as in odl_statistics_of; `scale` is that of its place.
OdlPointWidth odl_point_width_of (const OdlAnnotation *annotation,
                                  const OdlImage *image,
                                  const OdlImage *scaled,
                                  const OdlScale *scale);

// Whether they are in millimetres whatever the scale: beams say where samples lie.
bool odl_point_width_in_mm (const OdlImage *image);
