// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"

static double
nearest (const StepContext *c, int x, int y)
{
  return at (c, CLAMP (x, 0, c->out->width - 1), CLAMP (y, 0, c->out->height - 1));
}

typedef struct {
  double scale, floor;
  bool compressed;
} Speckle;

// The share of the sample that flows.
static double
share (const StepContext *c, const Speckle *speckle, int x, int y)
{
  const double f = nearest (c, x, y);
  const double left = nearest (c, x - 1, y) - f, right = nearest (c, x + 1, y) - f;
  const double up = nearest (c, x, y - 1) - f, down = nearest (c, x, y + 1) - f;
  const double squares = left * left + right * right + up * up + down * down;
  const double laplacian = left + right + up + down;
  const double mean = speckle->compressed ? 1 : f + laplacian / 4;
  const double variance = squares / 2 - laplacian * laplacian / 16;
  const double divisor = speckle->floor * mean * mean + variance;

  return fmin (speckle->scale * mean * mean / fmax (divisor, ODL_LEAST_FLOW), 1);
}

double
odl_reference_srad (const StepContext *c, int x, int y)
{
  const Speckle speckle = {
    .scale = odl_step_value (c->step, "scale"),
    .floor = odl_step_value (c->step, "floor"),
    .compressed = odl_step_value (c->step, "compressed") != 0,
  };
  const double f = nearest (c, x, y), own = share (c, &speckle, x, y);
  const double right = share (c, &speckle, MIN (x + 1, c->out->width - 1), y);
  const double below = share (c, &speckle, x, MIN (y + 1, c->out->height - 1));
  const double sum
      = right * (nearest (c, x + 1, y) - f) + below * (nearest (c, x, y + 1) - f)
        + own * (nearest (c, x - 1, y) - f) + own * (nearest (c, x, y - 1) - f);

  return f + odl_step_value (c->step, "rate") * sum;
}
