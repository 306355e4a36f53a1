// SPDX-License-Identifier: MIT
#include "source/phantom/internal.h"

#include <math.h>

#include "base/memory.h"
#include "base/parallel.h"

#define MAX_RADIUS 16

// Gaussian taps normalised to preserve the power of white noise: Σ tap² = 1.
typedef struct {
  int radius;
  float tap[MAX_RADIUS + 1];
} Kernel;

static Kernel
kernel_make (double sigma)
{
  Kernel kernel = { .radius = CLAMP ((int) ceil (3.0 * sigma), 1, MAX_RADIUS) };
  double value[MAX_RADIUS + 1];
  double energy = 0.0;

  for (int k = 0; k <= kernel.radius; k++) {
    value[k] = exp (-0.5 * k * k / (sigma * sigma));
    energy += (k == 0 ? 1.0 : 2.0) * value[k] * value[k];
  }
  for (int k = 0; k <= kernel.radius; k++)
    kernel.tap[k] = (float) (value[k] / sqrt (energy));
  return kernel;
}

uint64_t
odl_phantom_hash (uint64_t seed, uint64_t stream, uint64_t index)
{
  const uint64_t words[] = { seed, stream, index };
  uint64_t z = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (words); i++) {
    z += words[i] + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
  }
  return z;
}

void
odl_phantom_white_noise (uint64_t seed, uint64_t stream, float *complex, size_t n)
{
  ODL_PARALLEL_FOR
  for (size_t i = 0; i < n; i++) {
    uint64_t bits = odl_phantom_hash (seed, stream, i);
    // Box–Muller: an exponential power and a uniform phase.
    double u = ((double) (bits >> 32) + 0.5) * 0x1p-32;
    double phase = 2.0 * G_PI * ((double) (bits & 0xffffffffu) * 0x1p-32);
    double magnitude = sqrt (-log (u));

    complex[2 * i] = (float) (magnitude * cos (phase));
    complex[2 * i + 1] = (float) (magnitude * sin (phase));
  }
}

// out[i] = Σ tap[|k|] · in[i + k · step], in floats; `in` has `radius` steps of margin
// on both sides.
static void
filter_row (const Kernel *kernel, const float *in, ptrdiff_t step, float *out, size_t n)
{
  for (size_t i = 0; i < n; i++)
    out[i] = kernel->tap[0] * in[i];
  for (int k = 1; k <= kernel->radius; k++)
    for (size_t i = 0; i < n; i++)
      out[i] += kernel->tap[k] * (in[(ptrdiff_t) i - k * step] + in[i + k * step]);
}

float *
odl_phantom_speckle_new (const OdlPhantomGrid *grid, uint64_t seed)
{
  Kernel range = kernel_make (grid->psf_range_steps);
  Kernel angle = kernel_make (grid->psf_angle_steps);
  size_t row = 2 * (size_t) grid->n_ranges;
  size_t white_row = row + 4 * (size_t) range.radius;
  size_t white_rows = (size_t) grid->n_beams + 2 * (size_t) angle.radius;

  float *white = odl_aligned_alloc (white_rows * white_row * sizeof (float));
  float *narrow = odl_aligned_alloc (white_rows * row * sizeof (float));
  float *field = odl_aligned_alloc ((size_t) grid->n_beams * row * sizeof (float));

  if (white != NULL && narrow != NULL && field != NULL) {
    odl_phantom_white_noise (seed, 1, white, white_rows * white_row / 2);
    ODL_PARALLEL_FOR
    for (size_t b = 0; b < white_rows; b++)
      filter_row (&range, white + b * white_row + 2 * range.radius, 2, narrow + b * row,
                  row);
    ODL_PARALLEL_FOR
    for (int b = 0; b < grid->n_beams; b++)
      filter_row (&angle, narrow + (size_t) (b + angle.radius) * row, (ptrdiff_t) row,
                  field + (size_t) b * row, row);
  } else {
    odl_aligned_free (field);
    field = NULL;
  }
  odl_aligned_free (white);
  odl_aligned_free (narrow);
  return field;
}
