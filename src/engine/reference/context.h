// SPDX-License-Identifier: MIT
// What the step functions of the reference engine share.
#pragma once

#include <math.h>

#include "base/order.h"
#include "engine/engine.h"
#include "filter/shrinking.h"
#include "wavelet/border.h"

typedef struct {
  OdlEngine base;
  OdlPlan *plan; // the structure in place
  double **slots;
  double **rings; // of each step: what it keeps of step->frames frames; NULL for most
  double *line; // one row or column, twice
} ReferenceEngine;

// What one step works on.
typedef struct {
  ReferenceEngine *engine;
  const OdlPlan *plan;
  const OdlStep *step;
  const OdlSlot *out;
  OdlImage *input;
  int z; // slice; 0 for steps along z, which see all
  // Steps of spatial filters: one channel of what they read.
  const double *first;
  const double *second; // a second picture of one channel stands for all; NULL: none
} StepContext;

static inline double *
slot_channel (const StepContext *c, int slot, int channel)
{
  const OdlSlot *s = &c->plan->slots[slot];

  return c->engine->slots[slot]
         + ((size_t) c->z * s->channels + channel) * s->width * s->height;
}

static inline double
fetch (const double *picture, const OdlSlot *slot, int x, int y)
{
  return picture[(size_t) odl_border_fold (y, slot->height) * slot->width
                 + odl_border_fold (x, slot->width)];
}

// Samples of one channel, mirrored at the borders.
static inline double
at (const StepContext *c, int x, int y)
{
  return fetch (c->first, c->out, x, y);
}

static inline double
second_at (const StepContext *c, int x, int y)
{
  return fetch (c->second, c->out, x, y);
}

// How a kind of step is executed, in a file of its own or with its likes.
typedef void StepFunction (const StepContext *context);

StepFunction odl_reference_band, odl_reference_join, odl_reference_shift; // bands.c
StepFunction odl_reference_bivariate; // bivariate.c
StepFunction odl_reference_bm3d, odl_reference_bm3d_time; // bm3d.c
StepFunction odl_reference_equalise; // spatial/clahe.c
StepFunction odl_reference_peak; // spatial/log_compress.c
StepFunction odl_reference_python; // own.c
StepFunction odl_reference_register; // register.c
StepFunction odl_reference_scan_convert; // scan_convert.c
StepFunction odl_reference_trough, odl_reference_cut; // trough.c
StepFunction odl_reference_recursive, odl_reference_window; // time.c

// contours.c
StepFunction odl_reference_snakes, odl_reference_outline, odl_reference_keep;

// tensor.c
StepFunction odl_reference_magnitude, odl_reference_tensor, odl_reference_steer;

// The stationary transform (stationary.c).
StepFunction odl_reference_stationary_forward, odl_reference_stationary_inverse;
StepFunction odl_reference_shrink, odl_reference_place;

// The dual-tree transform (dual_tree.c).
StepFunction odl_reference_dual_forward, odl_reference_dual_inverse;
StepFunction odl_reference_dual_shrink, odl_reference_dual_bivariate;
StepFunction odl_reference_dual_place;

// Illumination and texture; bands of two pictures (decouple.c).
StepFunction odl_reference_inside, odl_reference_limit, odl_reference_divide;
StepFunction odl_reference_residual, odl_reference_raise, odl_reference_decouple;
StepFunction odl_reference_combine;

// A sample of the result of a spatial filter's step (spatial/NAME.c).
#define ODL_REFERENCE_SPATIAL(NAME, name) \
  odl_reference_##name (const StepContext *context, int x, int y)
double ODL_SPATIAL_STEPS (ODL_REFERENCE_SPATIAL);
