// SPDX-License-Identifier: MIT
// Measures recipes in pictures and volumes: runs the filters that stand before those that
// need a number.
#pragma once

#include "filter/measure.h"
#include "image/operands.h"

// All frames of a source, for what is measured over these (work/cine.h).
typedef struct {
  // The largest sample that `filters` make of any of them; false as in OdlMeasuring.
  bool (*peak) (const OdlRecipe *filters, void *data, double *peak);
  void *data;
} OdlCine;

typedef struct {
  OdlImage *image; // a picture, or all slices of a volume
  OdlOperands *operands; // of the recipe; NULL: none
  const OdlNoisePart *part; // as in OdlMeasuring
  const OdlCine *cine; // NULL: the picture is all there is
  bool cine_later; // as in OdlMeasuring
} OdlMeasured;

// odl_recipe_measure in what the engine cpu makes of slices of the volume, whichever
// engine filters afterwards, so that all of them have the same numbers. Filters over time
// see one frame. Of pictures with more than ODL_RECEIVED_SAMPLES samples the rows in the
// middle are filtered, so many that these are as many, unless a filter needs all of them,
// or the largest sample is measured.
// Where filters cannot run, which their plan tells when it is made, the picture is
// measured as it came. Takes as long as the filters before the last one that is measured
// take. Any thread.
#define ODL_RECEIVED_SAMPLES (512 * 512)
bool odl_measure_recipe (OdlRecipe *recipe, const OdlMeasured *measured);
