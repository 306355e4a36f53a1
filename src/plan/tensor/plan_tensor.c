// SPDX-License-Identifier: MIT
// Structure tensors, and denoising along what they show: the result is
//   s_lp + Σ ⟨C, M_k⟩ s_k
// with the picture's low band s_lp, its high bands s_k of transfer H (ρ) (n_k · u / ρ)²
// and the control tensor C (tensor.h): since Σ ⟨C, M_k⟩ (n_k · u)² = uᵀ C u, details pass
// as far as C says for their direction, and C = I gives the picture back.
// G. Granlund, H. Knutsson, "Signal processing for computer vision" (1995), chapter 10;
// in four dimensions A. Eklund, M. Andersson, H. Knutsson, "True 4D image denoising on
// the GPU", International Journal of Biomedical Imaging (2011), with quadrature filters
// in the place of monomial ones.
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "plan/spatial.h"
#include "plan/tensor/tensor.h"
#include "plan/tensor/tensor_kernels.h"

static double
get (const OdlPlanner *b, int item, const char *key)
{
  return odl_recipe_get (b->recipe, item, key, 0);
}

// Pictures are planes.
static int
find_dimensions (OdlPlanner *b, int item)
{
  const int wanted = odl_recipe_item_dimensions (&b->recipe->items[item]);

  if (wanted == 2)
    return 2;
  if (b->geometry.depth > 1 && wanted == 4 && odl_planner_time_count (b) == 1)
    odl_planner_note (b, _ ("3 dimensions: 4 are for volumes that follow each other"));
  if (b->geometry.depth > 1)
    return wanted == 4 && odl_planner_time_count (b) > 1 ? 4 : 3;
  odl_planner_note_flat (b);
  return 2;
}

static int
side_of (const OdlPlanner *b, int item, const char *key)
{
  return 3 + 2 * (int) get (b, item, key);
}

// A bank of kernels of one size, all over slot `picture`, whose values it takes. `slots`
// are the results.
static void
add_bank (OdlPlanner *b,
          int item,
          int picture,
          OdlKernel *kernels,
          int n_kernels,
          int *slots)
{
  b->picture = picture;
  odl_plan_bank (b, item, kernels, n_kernels, ODL_BORDER_WHOLE_SAMPLE, slots);
  for (int k = 0; k < n_kernels; k++)
    odl_kernel_clear (&kernels[k]);
}

// The same for one kernel. Returns the slot of the result, the current picture.
static int
add_convolution (OdlPlanner *b, int item, int picture, OdlKernel *kernel)
{
  add_bank (b, item, picture, kernel, 1, &b->picture);
  return b->picture;
}

// A Gaussian over the current picture, along every axis of space: along time the filters
// themselves are long enough, and each step would want its magnitudes anew.
static void
smooth (OdlPlanner *b, int item, int dimensions, double sigma)
{
  const int radius = CLAMP ((int) ceil (3 * sigma), 0, ODL_PLAN_MAX_KERNEL / 2);

  for (int axis = 0; axis < MIN (dimensions, 3) && radius > 0; axis++) {
    const int side = 2 * radius + 1;
    OdlKernel kernel = { axis == 0 ? side : 1, axis == 1 ? side : 1, axis == 2 ? side : 1,
                         g_new (float, side), 1 };
    double sum = 0;
    for (int k = -radius; k <= radius; k++)
      sum += exp (-k * k / (2 * sigma * sigma));
    for (int k = -radius; k <= radius; k++)
      kernel.value[k + radius] = (float) (exp (-k * k / (2 * sigma * sigma)) / sum);
    add_convolution (b, item, b->picture, &kernel);
  }
}

// How much white noise a kernel leaves, of a σ of 1.
static double
gain_of (const OdlKernel *kernel)
{
  const int n
      = kernel->width * kernel->height * kernel->depth * MAX (kernel->duration, 1);
  double sum = 0;

  for (int i = 0; i < n; i++)
    sum += (double) kernel->value[i] * kernel->value[i];
  return sqrt (sum);
}

// The smoothed magnitudes of all quadrature filters of the picture, as slots. Returns the
// mean magnitude that white noise of a σ of 1 has.
static double
add_magnitudes (OdlPlanner *b,
                int item,
                int dimensions,
                int picture,
                int slots[ODL_TENSOR_MOST])
{
  const int side = side_of (b, item, "size"), count = odl_tensor_count (dimensions);
  OdlKernel kernels[2 * ODL_TENSOR_MOST];
  int parts[2 * ODL_TENSOR_MOST];

  odl_tensor_quadratures (dimensions, side, get (b, item, "frequency"),
                          get (b, item, "bandwidth"), kernels);
  const double gain = hypot (gain_of (&kernels[0]), gain_of (&kernels[1])) / G_SQRT2;
  add_bank (b, item, picture, kernels, 2 * count, parts);
  for (int k = 0; k < count; k++) {
    b->picture = parts[2 * k + 1];
    odl_planner_add_picture_step (b, ODL_STEP_MAGNITUDE, item)->reads[1] = parts[2 * k];
    smooth (b, item, dimensions, get (b, item, "smoothing"));
    slots[k] = b->picture;
  }
  return gain * sqrt (G_PI / 2);
}

void
odl_plan_structure_tensor (OdlPlanner *b, int item)
{
  const int dimensions = find_dimensions (b, item);
  int slots[ODL_TENSOR_MOST];

  add_magnitudes (b, item, dimensions, b->picture, slots);
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_TENSOR, item);
  for (int k = 0; k < odl_tensor_count (dimensions); k++)
    step->reads[k] = slots[k];
  step->parameters.threshold = get (b, item, "noise");
  step->rule = (int) get (b, item, "output");
}

// The sum of the diagonal of M.
static double
trace_of (int dimensions, int k)
{
  double dual[ODL_TENSOR_ENTRIES];

  odl_tensor_dual (dimensions, k, dual);
  return dual[ODL_TENSOR_XX] + dual[ODL_TENSOR_YY] + dual[ODL_TENSOR_ZZ]
         + dual[ODL_TENSOR_TT];
}

// picture − Σ tr M_k band_k, sample by sample.
static int
add_rest (OdlPlanner *b, int item, int dimensions, int picture, const int *bands)
{
  int rest = picture;

  for (int k = 0; k < odl_tensor_count (dimensions); k++) {
    OdlKernel point = { 1, 1, 1, g_new (float, 1), 1 };
    *point.value = (float) -trace_of (dimensions, k);
    odl_planner_add (b, item, rest, add_convolution (b, item, bands[k], &point));
    rest = b->picture;
  }
  return rest;
}

// What one sample is without `high`, by as much as the trace says.
static void
take_from_low (OdlKernel *low, const OdlKernel *high, double trace)
{
  const int n = high->width * high->height * high->depth;

  if (low->value == NULL) {
    *low = (OdlKernel){ high->width, high->height, high->depth, g_new0 (float, n), 1 };
    low->value[n / 2] = 1;
  }
  for (int i = 0; i < n; i++)
    low->value[i] -= (float) trace * high->value[i];
}

// The high bands, as slots; the low band is what they leave of the picture. Returns its
// slot. One more convolution finds it, in four dimensions, where that takes long, a sum.
static int
add_bands (OdlPlanner *b,
           int item,
           int dimensions,
           int picture,
           int slots[ODL_TENSOR_MOST])
{
  const int side = side_of (b, item, "filter-size"), n = odl_tensor_count (dimensions);
  OdlKernel kernels[ODL_TENSOR_MOST + 1];
  int results[ODL_TENSOR_MOST + 1];

  odl_tensor_high_bands (dimensions, side, get (b, item, "cutoff"), kernels);
  kernels[n] = (OdlKernel){ 0 };
  for (int k = 0; k < n && dimensions < 4; k++)
    take_from_low (&kernels[n], &kernels[k], trace_of (dimensions, k));
  add_bank (b, item, picture, kernels, n + (dimensions < 4), results);
  memcpy (slots, results, (size_t) n * sizeof *slots);
  return dimensions < 4 ? results[n] : add_rest (b, item, dimensions, picture, slots);
}

int
odl_plan_tensor_duration (const OdlRecipe *recipe, int item)
{
  const bool steers = recipe->items[item].filter->kind == ODL_FILTER_ADAPTIVE;
  const int size = 3 + 2 * (int) odl_recipe_get (recipe, item, "size", 0);

  return steers
             ? MAX (size, 3 + 2 * (int) odl_recipe_get (recipe, item, "filter-size", 0))
             : size;
}

void
odl_plan_adaptive (OdlPlanner *b, int item)
{
  const int dimensions = find_dimensions (b, item), picture = b->picture;
  const int count = odl_tensor_count (dimensions);
  int magnitudes[ODL_TENSOR_MOST], bands[ODL_TENSOR_MOST];

  const double level = add_magnitudes (b, item, dimensions, picture, magnitudes);
  const int low = add_bands (b, item, dimensions, picture, bands);
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_STEER, item);
  step->reads[0] = low;
  for (int k = 0; k < count; k++) {
    step->reads[1 + k] = bands[k];
    step->reads[1 + count + k] = magnitudes[k];
  }
  // The tensor of noise is I times the mean magnitude.
  step->parameters.threshold
      = get (b, item, "strength") * get (b, item, "noise") * level * sqrt (dimensions);
  step->parameters.tolerance = get (b, item, "isotropy");
}
