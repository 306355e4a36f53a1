// SPDX-License-Identifier: MIT
// (s * f)[x, y] = Σ s[x − i, y − j] f[i, j]: true convolution, as in A. Eklund, P.
// Dufort, "Non-separable 2D, 3D and 4D filtering with CUDA", GPU Pro 5 (2014),
// equation 1.5.
#include <math.h>

#include <glib/gi18n-lib.h>

#include "plan/kernel.h"
#include "plan/spatial.h"
#include "wavelet/border.h"

// Kernels of less coefficients are not taken apart: a second pass over the picture costs
// more than they do (2048² on two cores: two passes take 3.3 ms whatever the kernel, one
// takes 3.2 ms for 9 × 9, 4.5 for 11 × 11 and 7.3 for 17 × 17).
#define LEAST_SPLIT 121

// Of full scale: rounding of a kernel whose sum is 1.
#define LEAST_LEVEL 1e-7

// Of the coefficients' magnitudes: a smaller sum is 0.
#define LEAST_SUM 1e-4

enum { GAUSSIAN, SOBEL_X, SOBEL_Y, LAPLACE_3, LAPLACE_5, QUADRATURE };

static const char *const shape_names[] = { N_ ("gaussian"),
                                           N_ ("sobel-x"),
                                           N_ ("sobel-y"),
                                           N_ ("laplace-3"),
                                           N_ ("laplace-5"),
                                           N_ ("quadrature"),
                                           NULL };
static const char *const part_names[] = { N_ ("real"), N_ ("imaginary"), NULL };
static const char *const side_names[]
    = { "3", "5", "7", "9", "11", "13", "15", "17", NULL };
static const char *const dimension_names[] = { "2", "3", "4", NULL };
static const char *const border_names[]
    = { N_ ("zero"), N_ ("symmetric"), N_ ("periodic"), NULL };
static const OdlBorder borders[]
    = { ODL_BORDER_ZERO, ODL_BORDER_WHOLE_SAMPLE, ODL_BORDER_PERIODIC };

// Which shapes have a setting.
#define EVERY_SHAPE ~0U
#define OF_GAUSSIAN (1U << GAUSSIAN)
#define OF_QUADRATURE (1U << QUADRATURE)

static const OdlParameter parameters[] = {
  {
      .key = "kernel",
      .label = N_ ("Kernel"),
      .unit = "",
      .kind = ODL_PARAMETER_KERNEL,
  },
  { CHOICE ("shape", N_ ("Shape"), "", shape_names), .shapes = EVERY_SHAPE },
  { CHOICE ("size", N_ ("Size"), N_ ("pixels"), side_names), .default_value = 3,
    .tacit = true, .offset = 1, .shapes = OF_GAUSSIAN | OF_QUADRATURE },
  { NUMBER ("sigma", N_ ("Standard deviation"), N_ ("pixels"), 0.2, 10, 0.05),
    .default_value = 1.5, .tacit = true, .offset = 2, .shapes = OF_GAUSSIAN },
  { NUMBER ("frequency", N_ ("Centre frequency"), N_ ("rad/pixel"), 0.2, 3, 0.05),
    .default_value = 1.2, .tacit = true, .offset = 3, .shapes = OF_QUADRATURE },
  { NUMBER ("bandwidth", N_ ("Bandwidth"), N_ ("octaves"), 0.5, 4, 0.1),
    .default_value = 2, .tacit = true, .offset = 4, .shapes = OF_QUADRATURE },
  { NUMBER ("direction", N_ ("Direction"), N_ ("degrees"), 0, 360, 1), .tacit = true,
    .offset = 5, .shapes = OF_QUADRATURE },
  { CHOICE ("part", N_ ("Part"), "", part_names), .tacit = true, .offset = 6,
    .shapes = OF_QUADRATURE },
  { CHOICE ("border", N_ ("Border"), "", border_names), .tacit = true, .offset = 7 },
  { CHOICE ("dimensions", N_ ("Dimensions"), "", dimension_names), .tacit = true,
    .for_volumes = true, .offset = 8 },
  { NUMBER ("elevation", N_ ("Elevation"), N_ ("degrees"), -90, 90, 1), .tacit = true,
    .for_volumes = true, .offset = 9, .shapes = OF_QUADRATURE },
  { CHOICE ("duration", N_ ("Duration"), N_ ("time steps"), side_names), .tacit = true,
    .for_volumes = true, .offset = 10, .shapes = OF_GAUSSIAN | OF_QUADRATURE },
  { NUMBER ("time-sigma",
            N_ ("Standard deviation in time"),
            N_ ("time steps"),
            0.2,
            10,
            0.05),
    .default_value = 1, .tacit = true, .for_volumes = true, .offset = 11,
    .shapes = OF_GAUSSIAN },
  { NUMBER ("tempo", N_ ("Direction in time"), N_ ("degrees"), -90, 90, 1), .tacit = true,
    .for_volumes = true, .offset = 12, .shapes = OF_QUADRATURE },
};

const OdlFilter odl_filter_convolve = {
  SPATIAL_FILTER (CONVOLVE, "convolve"),
  .label = N_ ("Convolution"),
  .description = N_ ("Convolves with a kernel of a file, or one of several shapes."),
  PARAMETERS (parameters),
};

const OdlStepRow odl_step_convolve = {
  SPATIAL_STEP ("convolve"),
  .amplifies = true,
  .fields
  = { ODL_STEP_STRUCTURE (kernel_width, INT), ODL_STEP_STRUCTURE (kernel_height, INT),
      ODL_STEP_STRUCTURE (kernel_depth, INT), ODL_STEP_STRUCTURE (border, INT) },
};

static double
get (const OdlRecipe *recipe, int item, const char *key)
{
  return odl_recipe_get (recipe, item, key, 0);
}

static OdlKernel
sobel (int dimensions, bool along_y)
{
  static const double difference[] = { 1, 0, -1 }, mean[] = { 1, 2, 1 };

  return odl_kernel_of_factors ((const double *const[]){ along_y ? mean : difference,
                                                         along_y ? difference : mean,
                                                         mean, mean },
                                dimensions, 3, 3);
}

OdlQuadrature
odl_quadrature_of_item (const OdlRecipe *recipe, int item)
{
  return (OdlQuadrature){ get (recipe, item, "frequency"),
                          get (recipe, item, "bandwidth"),
                          get (recipe, item, "direction"),
                          get (recipe, item, "elevation"),
                          odl_recipe_item_dimensions (&recipe->items[item]) > 3
                              ? get (recipe, item, "tempo")
                              : 0,
                          get (recipe, item, "part") != 0 };
}

OdlKernel
odl_kernel_of_item (const OdlRecipe *recipe, int item, const OdlOperands *operands)
{
  const char *file = odl_recipe_operand (recipe, item);
  const int shape = (int) get (recipe, item, "shape");
  const int side = 3 + 2 * (int) get (recipe, item, "size");
  const int dimensions = odl_recipe_item_dimensions (&recipe->items[item]);
  const OdlKernelTime time = { 3 + 2 * (int) get (recipe, item, "duration"),
                               get (recipe, item, "time-sigma") };
  const OdlQuadrature quadrature = odl_quadrature_of_item (recipe, item);

  if (file != NULL) {
    const OdlImage *image = odl_operands_find (operands, file);
    return image != NULL ? odl_kernel_of_image (image) : (OdlKernel){ 0 };
  }
  switch (shape) {
  case GAUSSIAN:
    return odl_kernel_gaussian (dimensions, side, get (recipe, item, "sigma"), &time);
  case QUADRATURE:
    return odl_kernel_quadrature (dimensions, side, time.duration, &quadrature);
  case SOBEL_X:
  case SOBEL_Y:
    return sobel (dimensions, shape == SOBEL_Y);
  default:
    return odl_kernel_laplace (dimensions, shape == LAPLACE_3 ? 3 : 5);
  }
}

// Adds to the current picture.
static void
raise_by (OdlPlanner *b, int item, double level)
{
  if (fabs (level) > LEAST_LEVEL)
    odl_planner_add_picture_step (b, ODL_STEP_RAISE, item)->parameters.values[0] = level;
}

// So that samples count from the file's 0, which is what lies beyond a border of zeros.
static void
lower (OdlPlanner *b, int item, OdlBorder border)
{
  if (border == ODL_BORDER_ZERO)
    raise_by (b, item, -b->geometry.zero);
}

static size_t
count_of (const OdlKernel *kernel)
{
  return (size_t) kernel->width * (size_t) kernel->height * (size_t) kernel->depth
         * (size_t) MAX (kernel->duration, 1);
}

static double
sum_of (const OdlKernel *kernel)
{
  double sum = 0;

  for (size_t i = 0; i < count_of (kernel); i++)
    sum += (double) kernel->value[i];
  return sum;
}

// Of a file's kernel, whose rounded coefficients may not cancel exactly.
static double
swing_of_file (const OdlImage *image)
{
  g_auto (OdlKernel) kernel = odl_kernel_of_image (image);
  double magnitude = 0;

  for (size_t i = 0; i < count_of (&kernel); i++)
    magnitude += fabs ((double) kernel.value[i]);
  return fabs (sum_of (&kernel)) <= LEAST_SUM * magnitude ? magnitude / 2 : 0;
}

double
odl_kernel_swing (const OdlRecipe *recipe, int item, const OdlOperands *operands)
{
  const char *file = odl_recipe_operand (recipe, item);
  const int dimensions = odl_recipe_item_dimensions (&recipe->items[item]);

  if (file != NULL) {
    const OdlImage *image = odl_operands_find (operands, file);
    return image != NULL ? swing_of_file (image) : 0;
  }
  switch ((int) get (recipe, item, "shape")) {
  case GAUSSIAN:
    return 0;
  case QUADRATURE:
    return 0.5; // of a wave it passes one of two directions
  case LAPLACE_3:
    return 2 * dimensions;
  case LAPLACE_5:
    return pow (5, dimensions) - 1;
  default: // Sobel: sums of four along each other axis
    return pow (4, dimensions - 1);
  }
}

// Takes the values of the kernel.
static void
add_step (OdlPlanner *b, int item, OdlKernel *kernel, OdlBorder border)
{
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_CONVOLVE, item);

  step->kernel_width = kernel->width;
  step->kernel_height = kernel->height;
  step->kernel_depth = kernel->depth;
  step->side = MAX (MAX (kernel->width, kernel->height), kernel->depth);
  step->border = border;
  step->parameters.kernel = kernel->value;
  g_ptr_array_add (b->kernels, g_steal_pointer (&kernel->value));
}

// Pictures are volumes of one slice. Shapes go on along z as the picture would; kernels
// of files have there what the border says.
static void
flatten (OdlPlanner *b, int item, OdlKernel *kernel, OdlBorder border)
{
  const bool made = odl_recipe_operand (b->recipe, item) == NULL;
  OdlKernel flat = odl_kernel_flatten (kernel, made ? ODL_BORDER_WHOLE_SAMPLE : border);

  odl_kernel_clear (kernel);
  *kernel = flat;
  if (b->geometry.neighbours == NULL)
    odl_planner_note_flat (b);
  else if (!made && border == ODL_BORDER_ZERO)
    odl_planner_note (b, _ ("pictures have one slice: of the kernel’s slices the middle "
                            "one counts alone"));
}

// The kernel, or its factors; `is_zero`: the result is to be 0, by the same steps.
static void
plan_space (OdlPlanner *b, int item, OdlKernel *kernel, OdlBorder border, bool is_zero)
{
  OdlKernel factors[3];
  int n_factors = 0;

  const bool flat = MIN (kernel->width, kernel->height) == 1 && kernel->depth == 1;
  if (!flat && kernel->width * kernel->height * kernel->depth >= LEAST_SPLIT)
    n_factors = odl_kernel_split (kernel, factors);
  if (is_zero)
    odl_kernel_erase (n_factors > 0 ? &factors[0] : kernel);
  if (n_factors == 0)
    add_step (b, item, kernel, border);
  for (int i = 0; i < n_factors; i++)
    add_step (b, item, &factors[i], border);
}

// What one frame is convolved with, or weighted.
static OdlKernel
kernel_at (const OdlKernel *kernel, int t, const double *weights)
{
  if (weights == NULL)
    return odl_kernel_at (kernel, t);
  OdlKernel point = { 1, 1, 1, g_new (float, 1), 1 };
  *point.value = (float) weights[t];
  return point;
}

// Convolves with a kernel in four dimensions by accumulated passes in three, as section
// 1.7 of the source of `convolve` has it. What are multiples of one kernel at all times
// needs one such pass, over a weighted sum of the frames. The steps are of item `item`,
// whose picture is the current one.
static void
plan_in_time (OdlPlanner *b, int item, const OdlKernel *kernel, OdlBorder border)
{
  const int own = b->picture, half = kernel->duration / 2;
  double weights[ODL_PLAN_MAX_KERNEL];
  g_auto (OdlKernel) space = { 0 };
  const bool splits = odl_kernel_split_time (kernel, weights, &space);
  int sum = ODL_PLAN_NO_SLOT;

  for (int t = 0; t < kernel->duration; t++) {
    const OdlOtherPicture other
        = odl_planner_other_picture (b, item, own, border, half - t);
    g_auto (OdlKernel) step = kernel_at (kernel, t, splits ? weights : NULL);
    b->picture = other.slot;
    if (other.slot != own)
      lower (b, item, border);
    plan_space (b, item, &step, border, other.is_zero);
    odl_planner_add (b, item, sum, b->picture);
    sum = b->picture;
  }
  if (splits)
    plan_space (b, item, &space, border, false);
}

void
odl_plan_bank (OdlPlanner *b,
               int item,
               const OdlKernel *kernels,
               int n,
               OdlBorder border,
               int *slots)
{
  const int own = b->picture, duration = MAX (kernels[0].duration, 1);
  g_autofree int *parts = g_new (int, n);

  for (int t = 0; t < duration; t++) {
    const OdlOtherPicture other
        = duration > 1
              ? odl_planner_other_picture (b, item, own, border, duration / 2 - t)
              : (OdlOtherPicture){ own, false };
    for (int k = 0; k < n; k++) {
      g_auto (OdlKernel) kernel = odl_kernel_at (&kernels[k], t);
      b->picture = other.slot;
      if (other.is_zero)
        odl_kernel_erase (&kernel);
      add_step (b, item, &kernel, border);
      parts[k] = b->picture;
    }
    for (int k = 0; k < n; k++) {
      odl_planner_add (b, item, t > 0 ? slots[k] : ODL_PLAN_NO_SLOT, parts[k]);
      slots[k] = b->picture;
    }
  }
}

void
odl_plan_convolve (OdlPlanner *b, int item)
{
  const OdlBorder border = borders[(int) get (b->recipe, item, "border")];
  g_auto (OdlKernel) kernel = odl_kernel_of_item (b->recipe, item, b->geometry.operands);

  if (kernel.depth > 1 && b->geometry.depth == 1)
    flatten (b, item, &kernel, border);
  // Elsewhere the border is of samples, and the sum of the kernel counts from 0 alone.
  const double zero = b->geometry.zero;
  const double back = border == ODL_BORDER_ZERO ? zero : zero * (1 - sum_of (&kernel));
  if (kernel.duration > 1 && odl_planner_time_count (b) == 1)
    odl_planner_note (b, _ ("1 time step: 4 dimensions are for volumes and pictures that "
                            "follow each other"));
  lower (b, item, border);
  if (kernel.duration > 1)
    plan_in_time (b, item, &kernel, border);
  else
    plan_space (b, item, &kernel, border, false);
  raise_by (b, item, back);
}

int
odl_plan_convolve_duration (const OdlRecipe *recipe,
                            int item,
                            const OdlGeometry *geometry)
{
  const char *file = odl_recipe_operand (recipe, item);
  const int shape = (int) odl_recipe_get (recipe, item, "shape", 0);

  if (file != NULL) {
    const OdlImage *image = odl_operands_find (geometry->operands, file);
    return image != NULL ? odl_image_info (image)->extent.t : 1;
  }
  if (shape == GAUSSIAN || shape == QUADRATURE)
    return 3 + 2 * (int) odl_recipe_get (recipe, item, "duration", 0);
  return shape == LAPLACE_5 ? 5 : 3;
}

bool
odl_plan_convolve_wraps (const OdlRecipe *recipe, int item)
{
  return borders[(int) odl_recipe_get (recipe, item, "border", 0)] == ODL_BORDER_PERIODIC;
}
