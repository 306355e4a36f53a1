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

// The stationary transform (stationary.c).
void odl_reference_stationary_forward (const StepContext *context);
void odl_reference_stationary_inverse (const StepContext *context);
void odl_reference_shrink (const StepContext *context);
void odl_reference_place (const StepContext *context);

// Bands as pictures (bands.c).
void odl_reference_band (const StepContext *context);
void odl_reference_join (const StepContext *context);
void odl_reference_shift (const StepContext *context);

// The dual-tree transform (dual_tree.c).
void odl_reference_dual_forward (const StepContext *context);
void odl_reference_dual_shrink (const StepContext *context);
void odl_reference_dual_bivariate (const StepContext *context);
void odl_reference_dual_inverse (const StepContext *context);
void odl_reference_dual_place (const StepContext *context);

// A sample of the result of a spatial filter's step (spatial/NAME.c).
#define ODL_REFERENCE_SPATIAL(NAME, name) \
  odl_reference_##name (const StepContext *context, int x, int y)
double ODL_SPATIAL_STEPS (ODL_REFERENCE_SPATIAL);

// Thresholds at troughs (trough.c).
void odl_reference_trough (const StepContext *context);
void odl_reference_cut (const StepContext *context);

void odl_reference_bivariate (const StepContext *context); // bivariate.c

// Local equalisation (spatial/clahe.c).
void odl_reference_equalise (const StepContext *context);

// Active contours (contours.c).
void odl_reference_bm3d (const StepContext *context);
void odl_reference_register (const StepContext *context);
void odl_reference_snakes (const StepContext *context);
void odl_reference_outline (const StepContext *context);
void odl_reference_keep (const StepContext *context);

// Illumination and texture; bands of two pictures (decouple.c).
void odl_reference_inside (const StepContext *context);
void odl_reference_limit (const StepContext *context);
void odl_reference_divide (const StepContext *context);
void odl_reference_residual (const StepContext *context);
void odl_reference_raise (const StepContext *context);
void odl_reference_decouple (const StepContext *context);
void odl_reference_combine (const StepContext *context);

// Structure tensors (tensor.c).
void odl_reference_magnitude (const StepContext *context);
void odl_reference_tensor (const StepContext *context);
void odl_reference_steer (const StepContext *context);

// Steps over time (time.c).
void odl_reference_recursive (const StepContext *context);
void odl_reference_window (const StepContext *context);
