// SPDX-License-Identifier: MIT
// The values along a line: a cross-section of the picture. Any thread.
#pragma once

#include "image/annotation/annotation.h"

// Samples lie equally far apart from one end to the other, both included: ⌈length⌉ + 1 of
// them, so that they are at most a pixel apart, as scikit-image's profile_line has them.
// Values between pixels are bilinear (odl_values_at).
typedef struct {
  int n; // samples; 0: there is no picture
  OdlPoint *positions;
  double *at; // from the first end, in `at_unit`
  double *before; // in `unit`
  double *after; // likewise; NULL: there are no filters, or no result is at hand
  const char *at_unit; // "mm" or "px"
  char *unit; // the file's; "": none
} OdlProfile;

// Of a profile; at most ODL_PROFILE_MOST samples, for which longer lines have wider
// steps.
#define ODL_PROFILE_MOST 100000
OdlProfile odl_profile_read (const OdlAnnotation *line, const OdlSubject *subject);
void odl_profile_clear (OdlProfile *profile);

// Its position in the picture at a distance from the first end, in at_unit, between its
// ends; and the distance of the place on the line that is nearest to a position.
OdlPoint odl_profile_position (const OdlProfile *profile, double at);
double odl_profile_nearest (const OdlProfile *profile,
                            const OdlScale *metric,
                            OdlPoint position);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlProfile, odl_profile_clear)
