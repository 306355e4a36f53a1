// SPDX-License-Identifier: MIT
// Another volume in colours over the picture of a pane, by their places (PET on CT); in
// segments.c, which draws all that others have said of a picture. Main thread.
#pragma once

#include "session/browse/fusion.h"
#include "widgets/window/parts.h"

// Reads that volume and lays it over; NULL: none is any longer. What does not fit is
// said. Its levels are those of its file.
void odl_pane_set_fusion (OdlPane *pane, const char *location);
// NULL: there is none. Borrowed.
const OdlFusion *odl_pane_fusion (const OdlPane *pane);
// The one that is there, or is being read; NULL: none. Borrowed.
const char *odl_pane_fusion_location (const OdlPane *pane);

OdlFusionLook odl_pane_fusion_look (const OdlPane *pane);
void odl_pane_set_fusion_look (OdlPane *pane, OdlFusionLook look);
