// SPDX-License-Identifier: MIT
// (s * f)[x, y] = Σ s[x − i, y − j] f[i, j]: true convolution, as in A. Eklund, P.
// Dufort, "Non-separable 2D, 3D and 4D filtering with CUDA", GPU Pro 5 (2014),
// equation 1.5.
#include <string.h>

#include "plan/kernel.h"
#include "plan/spatial.h"

// Kernels of less coefficients are not taken apart: a second pass over the picture costs
// more than they do (2048² on two cores: two passes take 3.3 ms whatever the kernel, one
// takes 3.2 ms for 9 × 9, 4.5 for 11 × 11 and 7.3 for 17 × 17).
#define LEAST_SPLIT 121

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
  .fields = { ODL_STEP_STRUCTURE (kernel_width, INT),
              ODL_STEP_STRUCTURE (kernel_height, INT), ODL_STEP_STRUCTURE (border, INT) },
};

static double
get (const OdlPlanner *b, int item, const char *key)
{
  return odl_recipe_get (b->recipe, item, key, 0);
}

static void
make_kernel (const OdlPlanner *b, int item, OdlKernel *kernel)
{
  static const OdlKernel fixed[] = {
    [SOBEL_X] = { 3, 3, { 1, 0, -1, 2, 0, -2, 1, 0, -1 } },
    [SOBEL_Y] = { 3, 3, { 1, 2, 1, 0, 0, 0, -1, -2, -1 } },
    [LAPLACE_3] = { 3, 3, { 0, 1, 0, 1, -4, 1, 0, 1, 0 } },
    [LAPLACE_5] = { 5, 5, { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -24,
                            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 } },
  };
  const char *file = odl_recipe_operand (b->recipe, item);
  const int shape = (int) get (b, item, "shape");
  const int side = 3 + 2 * (int) get (b, item, "size");
  const OdlQuadrature quadrature
      = { get (b, item, "frequency"), get (b, item, "bandwidth"),
          get (b, item, "direction"), get (b, item, "part") != 0 };

  if (file != NULL)
    odl_kernel_init_image (kernel, odl_operands_find (b->geometry.operands, file));
  else if (shape == GAUSSIAN)
    odl_kernel_init_gaussian (kernel, side, get (b, item, "sigma"));
  else if (shape == QUADRATURE)
    odl_kernel_init_quadrature (kernel, side, &quadrature);
  else
    *kernel = fixed[shape];
}

static void
add_step (OdlPlanner *b, int item, const OdlKernel *kernel)
{
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_CONVOLVE, item);

  G_STATIC_ASSERT (sizeof kernel->value == sizeof step->parameters.kernel);
  step->kernel_width = kernel->width;
  step->kernel_height = kernel->height;
  step->side = MAX (kernel->width, kernel->height);
  step->border = borders[(int) get (b, item, "border")];
  memcpy (step->parameters.kernel, kernel->value, sizeof kernel->value);
}

void
odl_plan_convolve (OdlPlanner *b, int item)
{
  OdlKernel kernel, row, column;

  make_kernel (b, item, &kernel);
  const bool flat = MIN (kernel.width, kernel.height) == 1;
  if (flat || kernel.width * kernel.height < LEAST_SPLIT
      || !odl_kernel_split (&kernel, &row, &column)) {
    add_step (b, item, &kernel);
    return;
  }
  add_step (b, item, &row);
  add_step (b, item, &column);
}
