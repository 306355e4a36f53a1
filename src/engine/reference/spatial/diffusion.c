// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"

double
odl_reference_diffusion (const StepContext *c, int x, int y)
{
  static const int neighbours[][2] = { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };
  const double sharpness = odl_step_value (c->step, "sharpness");
  const bool rational = odl_step_value (c->step, "rational") != 0;
  const double f = at (c, x, y);
  double sum = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (neighbours); i++) {
    const int u = CLAMP (x + neighbours[i][0], 0, c->out->width - 1);
    const int v = CLAMP (y + neighbours[i][1], 0, c->out->height - 1);
    const double d = at (c, u, v) - f, square = d * d * sharpness;
    sum += d * (rational ? 1 / (1 + square) : exp (-square));
  }
  return f + odl_step_value (c->step, "rate") * sum;
}
