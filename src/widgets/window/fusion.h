// SPDX-License-Identifier: MIT
// Another volume in colours over the picture of the active pane, by their places (PET on
// CT); in segments.c, which draws all that others have said of a picture. Main thread.
#pragma once

#include "session/browse/fusion.h"
#include "widgets/window/parts.h"

void odl_window_add_fusion (const OdlWindowParts *parts);

// Reads that volume and lays it over; NULL: none is any longer. What does not fit is
// said.
void odl_window_set_fusion (const OdlWindowParts *parts, const char *location);
// NULL: there is none. Borrowed.
const OdlFusion *odl_window_fusion (const OdlWindowParts *parts);
// The one that is there, or is being read; NULL: none. Borrowed.
const char *odl_window_fusion_location (const OdlWindowParts *parts);

// How much of it is seen, 0 … 1, and its colours.
typedef struct {
  double share;
  const OdlColourMap *map;
} OdlFusionLook;

OdlFusionLook odl_window_fusion_look (const OdlWindowParts *parts);
void odl_window_set_fusion_look (const OdlWindowParts *parts, OdlFusionLook look);

// Another source is shown: what does not fit it is dropped, and why is said.
void odl_window_check_fusion (const OdlWindowParts *parts);

// Adds it to what is drawn over a plane; `shift` as in odl_fusion_draw.
void odl_window_fuse (const OdlWindowParts *parts,
                      const OdlSegmentsPlane *plane,
                      OdlPoint shift,
                      OdlOutlines *outlines);
