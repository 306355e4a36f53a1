// SPDX-License-Identifier: MIT
#include "engine/register.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "image/morphon/morphon.h"
#include "plan/kernel.h"

// Of the quadrature filters.
#define SIDE 9
#define FREQUENCY 1.0
#define BANDWIDTH 2.0
// Pixels of the moving picture from line to line of the grid.
#define MESH 16
#define DEGREES 45

static double
value_of (const OdlStep *step, const char *name)
{
  return odl_step_value (step, name);
}

static bool
find (const OdlRegister *run, float *dx, float *dy)
{
  OdlKernel even[ODL_MORPHON_FILTERS], odd[ODL_MORPHON_FILTERS];
  OdlMorphon morphon = {
    .width = run->width,
    .height = run->height,
    .moving = run->moving,
    .reference = run->reference,
    .scales = (int) value_of (run->step, "scales"),
    .iterations = (int) value_of (run->step, "iterations"),
    .smoothing = value_of (run->step, "smoothing"),
    .side = SIDE,
  };

  for (int k = 0; k < ODL_MORPHON_FILTERS; k++) {
    OdlQuadrature shape
        = { .frequency = FREQUENCY, .bandwidth = BANDWIDTH, .direction = k * DEGREES };
    even[k] = odl_kernel_quadrature (2, SIDE, 1, &shape);
    shape.imaginary = true;
    odd[k] = odl_kernel_quadrature (2, SIDE, 1, &shape);
    morphon.even[k] = even[k].value;
    morphon.odd[k] = odd[k].value;
    morphon.directions[k][0] = cos (k * DEGREES * G_PI / 180);
    morphon.directions[k][1] = sin (k * DEGREES * G_PI / 180);
  }
  const bool done = odl_morphon_find (&morphon, dx, dy);
  for (int k = 0; k < ODL_MORPHON_FILTERS; k++) {
    odl_kernel_clear (&even[k]);
    odl_kernel_clear (&odd[k]);
  }
  return done;
}

// Whether a line of the moving picture's grid lies between a sample and its neighbours,
// which are half a step away.
static bool
is_on_line (const float *d, int width, int height, int x, int y, bool across)
{
  const float *here = d + (size_t) y * width + x;
  const float place = (float) (across ? x : y) + here[0];
  const float right = x + 1 < width ? here[1] + (float) (across ? 1 : 0) : here[0];
  const float below = y + 1 < height ? here[width] + (float) (across ? 0 : 1) : here[0];
  const float origin = (float) (across ? x : y);
  const float line = floorf (place / MESH);

  return floorf ((origin + right) / MESH) != line
         || floorf ((origin + below) / MESH) != line;
}

// Lines that are black on white and white on black.
static void
draw_grid (const OdlRegister *run, const float *dx, const float *dy, int y, float *row)
{
  for (int x = 0; x < run->width; x++)
    if (is_on_line (dx, run->width, run->height, x, y, true)
        || is_on_line (dy, run->width, run->height, x, y, false))
      row[x] = row[x] < 0.5f ? 1 : 0;
}

void
odl_register_run (const OdlRegister *run, float *result)
{
  const size_t n = (size_t) run->width * (size_t) run->height;
  const int output = run->step->rule;
  g_autofree float *dx = g_try_new0 (float, n);
  g_autofree float *dy = g_try_new0 (float, n);

  if (dx == NULL || dy == NULL || !find (run, dx, dy))
    g_warning ("register: not enough memory; nothing is displaced");
  if (dx == NULL || dy == NULL) {
    memcpy (result, run->picture, n * sizeof *result);
    return;
  }
  if (output == ODL_REGISTER_ACROSS || output == ODL_REGISTER_DOWN) {
    const float *d = output == ODL_REGISTER_ACROSS ? dx : dy;
    for (size_t i = 0; i < n; i++)
      result[i] = 0.5f + d[i] / (2 * ODL_REGISTER_RANGE);
    return;
  }
  ODL_PARALLEL_FOR
  for (int y = 0; y < run->height; y++) {
    float *row = result + (size_t) y * run->width;
    odl_morphon_warp_row (run->picture, (size_t) run->width, run->width, run->height, dx,
                          dy, y, row);
    if (output == ODL_REGISTER_GRID)
      draw_grid (run, dx, dy, y, row);
  }
}
