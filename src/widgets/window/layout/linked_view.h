// SPDX-License-Identifier: MIT
// The zoom and the place at which one pane shows its picture, for another picture. Main
// thread.
#pragma once

#include "session/slice_places.h"
#include "widgets/viewport/viewport.h"

// A view that fits makes the other one fit. Else where both pictures are in millimetres
// of what is seen, these are as long in both: about the same point of the patient, if
// `a` and `b` say where the pictures lie in one frame of reference and their planes and
// directions are the same, else about a point as far from the middle. Pictures without
// millimetres, and three planes, are as much larger than when they fit, about the same
// fraction of their sides. Turned and mirrored is each by itself.
void odl_linked_view_take (OdlViewport *from,
                           const OdlFrame *from_frame,
                           OdlViewport *to,
                           const OdlFrame *to_frame,
                           const OdlSlicePlaces *a,
                           const OdlSlicePlaces *b);
