// SPDX-License-Identifier: MIT
// What is measured over all frames of a source (ODL_VALUE_CINE), so that a cine is shown
// alike from its first frame to its last, in window and command line.
#pragma once

#include "engine/received.h"
#include "source/source.h"

typedef struct {
  // Opened anew, and read from its first frame to its last; of a live source a period.
  const char *location;
  // Looked at in the place of these: OdlImage, what came first from a camera, which has
  // no last one. NULL: the location's.
  const GPtrArray *frames;
  // Replaces a frame that was read by what is filtered; NULL: that is itself.
  void (*prepare) (OdlImage **image, int64_t index, void *data);
  void *data;
  GCancellable *cancellable; // NULL: nobody gives up
} OdlCineFrames;

// odl_measure_recipe, with what waits for all frames found in these. Filters over time,
// and such with three dimensions, see one frame. What cannot be read does not count.
// Where nothing waits for it no frame is read. False: it was given up, or the source
// cannot be opened; `recipe` is as it was. Blocks; any thread.
bool odl_cine_measure (OdlRecipe *recipe,
                       const OdlMeasured *measured,
                       const OdlCineFrames *frames,
                       GError **error);
