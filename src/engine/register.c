// SPDX-License-Identifier: MIT
#include "engine/register.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "image/morphon/morphon.h"
#include "image/morphon/morphon3.h"
#include "plan/kernel.h"
#include "plan/tensor/tensor.h"
#include "plan/tensor/tensor_kernels.h"

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
    .progress = run->progress,
    .pictures = run->pictures,
  };

  if (morphon.iterations == 0)
    return true;
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

// Lines that are black on white and white on black, in all channels alike.
static void
draw_grid (const OdlRegister *run, const float *dx, const float *dy, int y, float *row)
{
  g_autofree float *mean = g_new (float, run->width);

  odl_morphon_warp_row (run->moving, (size_t) run->width, run->width, run->height, dx, dy,
                        y, mean);
  for (int x = 0; x < run->width; x++)
    if (is_on_line (dx, run->width, run->height, x, y, true)
        || is_on_line (dy, run->width, run->height, x, y, false))
      row[x] = mean[x] < 0.5f ? 1 : 0;
}

// NULL: nothing moves along that axis.
static void
show_displacements (const float *d, size_t n, float *result)
{
  for (size_t i = 0; i < n; i++)
    result[i] = 0.5f + (d != NULL ? d[i] / (2 * ODL_REGISTER_RANGE) : 0);
}

bool
odl_register_run (const OdlRegister *run, float *result)
{
  const size_t n = (size_t) run->width * (size_t) run->height;
  const OdlRegisterOutput output = (OdlRegisterOutput) run->step->rule;
  g_autofree float *dx = g_try_new0 (float, n);
  g_autofree float *dy = g_try_new0 (float, n);

  if (dx == NULL || dy == NULL || !find (run, dx, dy)) {
    memcpy (result, run->picture, n * sizeof *result);
    return false;
  }
  if (output >= ODL_REGISTER_ACROSS) {
    const float *const d[3] = { dx, dy, NULL };
    show_displacements (d[output - ODL_REGISTER_ACROSS], n, result);
    return true;
  }
  ODL_PARALLEL_FOR
  for (int y = 0; y < run->height; y++) {
    float *row = result + (size_t) y * run->width;
    odl_morphon_warp_row (run->picture, (size_t) run->width, run->width, run->height, dx,
                          dy, y, row);
    if (output == ODL_REGISTER_GRID)
      draw_grid (run, dx, dy, y, row);
  }
  return true;
}

// ---- Volumes ----

static bool
find_in_volume (const OdlRegisterVolume *run, float *const d[3])
{
  OdlKernel kernels[2 * ODL_MORPHON3_FILTERS];
  OdlMorphon3 morphon = {
    .size = { run->size[0], run->size[1], run->size[2] },
    .moving = run->moving,
    .reference = run->reference,
    .scales = (int) value_of (run->step, "scales"),
    .iterations = (int) value_of (run->step, "iterations"),
    .smoothing = value_of (run->step, "smoothing"),
    .side = SIDE,
    .progress = run->progress,
  };

  if (morphon.iterations == 0)
    return true;
  odl_tensor_quadratures (3, SIDE, FREQUENCY, BANDWIDTH, kernels);
  for (int k = 0; k < ODL_MORPHON3_FILTERS; k++) {
    double n[4];
    odl_tensor_direction (3, k, n);
    memcpy (morphon.directions[k], n, sizeof morphon.directions[k]);
    morphon.even[k] = kernels[2 * k].value;
    morphon.odd[k] = kernels[2 * k + 1].value;
  }
  const bool done = odl_morphon3_find (&morphon, d);
  for (int k = 0; k < 2 * ODL_MORPHON3_FILTERS; k++)
    odl_kernel_clear (&kernels[k]);
  return done;
}

static float
line_of (float place)
{
  return floorf (place / MESH);
}

// Bits of the axes along which a surface of the moving volume's grid lies between a voxel
// and the next ones.
static unsigned
find_surfaces (const OdlRegisterVolume *run, const float *const d[3], const int at[3])
{
  const size_t steps[3]
      = { 1, (size_t) run->size[0], (size_t) run->size[0] * (size_t) run->size[1] };
  const size_t here
      = (size_t) at[0] + (size_t) at[1] * steps[1] + (size_t) at[2] * steps[2];
  unsigned found = 0;

  for (int of = 0; of < 3; of++) {
    const float line = line_of ((float) at[of] + d[of][here]);
    bool between = false;
    for (int to = 0; to < 3; to++)
      between
          |= at[to] + 1 < run->size[to]
             && line_of ((float) (at[of] + (of == to)) + d[of][here + steps[to]]) != line;
    found |= (unsigned) between << of;
  }
  return found;
}

// As white as anything of the volume, which may use little of its range, where two
// surfaces meet: walls would hide the slices that lie in them, and the volume from rays.
static void
draw_edges (const OdlRegisterVolume *run,
            const float *const d[3],
            float white,
            int y,
            int z,
            float *row)
{
  const size_t begin
      = ((size_t) z * (size_t) run->size[1] + (size_t) y) * (size_t) run->size[0];

  for (int x = 0; x < run->size[0]; x++) {
    const unsigned at = find_surfaces (run, d, (const int[3]){ x, y, z });
    if (run->surfaces != NULL)
      run->surfaces[begin + (size_t) x] = (uint8_t) at;
    else if ((at & (at - 1)) != 0)
      row[x] = white;
  }
}

static void
deform_volume (const OdlRegisterVolume *run,
               const float *const d[3],
               const float *volume,
               float *result)
{
  const size_t n = (size_t) run->size[0] * (size_t) run->size[1] * (size_t) run->size[2];
  float white = volume[0];

  for (size_t i = 1; i < n; i++)
    white = fmaxf (white, volume[i]);
  ODL_PARALLEL_FOR
  for (int r = 0; r < run->size[1] * run->size[2]; r++) {
    const int y = r % run->size[1], z = r / run->size[1];
    float *row = result + (size_t) r * (size_t) run->size[0];
    odl_morphon3_warp_row (volume, run->size, d, y, z, row);
    if (run->step->rule == ODL_REGISTER_GRID)
      draw_edges (run, d, white, y, z, row);
  }
}

bool
odl_register_run_volume (const OdlRegisterVolume *run, float *const *channels, int n)
{
  const size_t count
      = (size_t) run->size[0] * (size_t) run->size[1] * (size_t) run->size[2];
  g_autofree float *found = g_try_malloc0_n (3, count * sizeof *found);
  g_autofree float *before = g_try_malloc0_n (1, count * sizeof *before);

  if (found == NULL || before == NULL)
    return false;
  float *const d[3] = { found, found + count, found + 2 * count };
  const float *const seen[3] = { d[0], d[1], d[2] };
  if (!find_in_volume (run, d))
    return odl_progress_stopped (run->progress);
  for (int c = 0; c < n; c++) {
    if (run->step->rule >= ODL_REGISTER_ACROSS) {
      show_displacements (d[run->step->rule - ODL_REGISTER_ACROSS], count, channels[c]);
      continue;
    }
    memcpy (before, channels[c], count * sizeof *before);
    deform_volume (run, seen, before, channels[c]);
  }
  return true;
}
