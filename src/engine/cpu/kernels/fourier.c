// SPDX-License-Identifier: MIT
#include "engine/cpu/kernels/fourier.h"

#include <math.h>

// Fewer, larger radices first: each stage reads and writes all points.
static const int radices[] = { 5, 4, 3, 2 };

static int
next_radix (int points)
{
  for (size_t i = 0; i < G_N_ELEMENTS (radices); i++)
    if (points % radices[i] == 0)
      return radices[i];
  return 0;
}

static bool
is_smooth (int n)
{
  for (int radix; n > 1; n /= radix) {
    radix = next_radix (n);
    if (radix == 0)
      return false;
  }
  return true;
}

int
odl_cpu_fourier_points (int n)
{
  while (!is_smooth (n))
    n++;
  return n;
}

// Writes the turns of a stage; returns what follows them.
static float *
make_turns (const OdlCpuFourierStage *stage, float *to)
{
  for (int j = 0; j < stage->step; j++)
    for (int k = 1; k < stage->radix; k++) {
      const double angle = -2 * G_PI * j * k / ((double) stage->radix * stage->step);
      *to++ = (float) cos (angle);
      *to++ = (float) sin (angle);
    }
  return to;
}

void
odl_cpu_fourier_init (OdlCpuFourier *fourier, int points)
{
  int left = points;
  size_t count = 0;

  g_assert (points >= 1 && points <= ODL_CPU_FOURIER_MOST && is_smooth (points));
  *fourier = (OdlCpuFourier){ .points = points };
  while (left > 1) {
    OdlCpuFourierStage *stage = &fourier->stages[fourier->n_stages++];
    stage->radix = next_radix (left);
    stage->step = left / stage->radix;
    left = stage->step;
    count += 2 * (size_t) stage->step * (stage->radix - 1);
  }
  float *turns = fourier->turns = g_new (float, MAX (count, 1));
  for (int i = 0; i < fourier->n_stages; i++) {
    fourier->stages[i].turns = turns;
    turns = make_turns (&fourier->stages[i], turns);
  }
}

void
odl_cpu_fourier_clear (OdlCpuFourier *fourier)
{
  g_clear_pointer (&fourier->turns, g_free);
}
