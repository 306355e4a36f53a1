// SPDX-License-Identifier: MIT
// The reference engine: scalar, double precision, one function per step, nothing clever.
// Each slot is kept as the picture that engine.h describes, channel after channel.
#include <math.h>

#include <glib/gi18n-lib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "engine/reference/context.h"
#include "engine/reference/measure.h"
#include "engine/registry.h"
#include "plan/flow.h"
#include "plan/numbers.h"
#include "plan/opponent.h"

static void
step_load (const StepContext *c)
{
  const OdlSlot *out = c->out;
  const OdlImage *image = odl_step_image (c->step, c->input);
  // A second picture is the same for all slices.
  const int z = MIN (c->z, odl_image_info (image)->extent.z - 1);
  g_autofree float *row = g_new (float, out->width);

  for (int channel = 0; channel < out->channels; channel++) {
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < out->height; y++) {
      odl_image_scaled_row (image, channel, y, z, 0, row);
      for (int x = 0; x < out->width; x++)
        *to++ = row[x];
    }
  }
}

static void
step_luma (const StepContext *c)
{
  const double *r = slot_channel (c, c->step->reads[0], 0);
  const double *g = slot_channel (c, c->step->reads[0], 1);
  const double *b = slot_channel (c, c->step->reads[0], 2);
  double *y = slot_channel (c, c->step->writes, 0);
  const double *weights = c->step->parameters.weights;

  for (size_t i = 0; i < (size_t) c->out->width * c->out->height; i++)
    y[i] = weights[0] * r[i] + weights[1] * g[i] + weights[2] * b[i];
}

static void
step_recombine (const StepContext *c)
{
  const double *before = slot_channel (c, c->step->reads[1], 0);
  const double *after = slot_channel (c, c->step->reads[2], 0);

  for (int channel = 0; channel < 3; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (size_t i = 0; i < (size_t) c->out->width * c->out->height; i++)
      to[i] = from[i] + (after[i] - before[i]);
  }
}

static void
step_opponent (const StepContext *c)
{
  for (int channel = 0; channel < 3; channel++) {
    double *to = slot_channel (c, c->step->writes, channel);
    for (size_t i = 0; i < (size_t) c->out->width * c->out->height; i++) {
      to[i] = 0;
      for (int from = 0; from < 3; from++)
        to[i] += odl_opponent (c->step->band == 1, channel, from)
                 * slot_channel (c, c->step->reads[0], from)[i];
    }
  }
}

static void
step_convolve (const StepContext *c)
{
  const OdlStep *step = c->step;
  const int dx = step->axis == ODL_AXIS_X;
  const int dy = step->axis == ODL_AXIS_Y;

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, step->reads[0], channel);
    double *to = slot_channel (c, step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++) {
        double sum = 0;
        for (int k = -step->parameters.radius; k <= step->parameters.radius; k++)
          sum += step->parameters.taps[ABS (k)]
                 * fetch (from, c->out, x + k * dx, y + k * dy);
        *to++ = sum;
      }
  }
}

typedef double (*SampleFunction) (const StepContext *context, int x, int y);

#define SAMPLE(NAME, name) [ODL_STEP_##NAME] = odl_reference_##name
static const SampleFunction sample_functions[ODL_N_STEP_KINDS]
    = { ODL_SPATIAL_STEPS (SAMPLE) };

static void
step_spatial (const StepContext *context)
{
  const SampleFunction sample = sample_functions[context->step->kind];
  const int second = context->step->reads[1];
  StepContext c = *context;

  for (int channel = 0; channel < c.out->channels; channel++) {
    double *to = slot_channel (&c, c.step->writes, channel);
    c.first = slot_channel (&c, c.step->reads[0], channel);
    if (second != ODL_PLAN_NO_SLOT)
      c.second
          = slot_channel (&c, second, MIN (channel, c.plan->slots[second].channels - 1));
    for (int y = 0; y < c.out->height; y++)
      for (int x = 0; x < c.out->width; x++)
        *to++ = sample (&c, x, y);
  }
}

// One line of a forward or inverse step: gathers from two places, scatters to one.
static void
transform_line (const StepContext *c,
                const double *first,
                const double *second,
                size_t from_stride,
                double *to,
                size_t to_stride,
                int n)
{
  const int n_low = odl_low_count (n);
  const OdlTransform transform = { c->step->wavelet, c->step->border, c->step->quantum };
  double *line = c->engine->line;

  if (c->step->kind == ODL_STEP_FORWARD) {
    for (int i = 0; i < n; i++)
      line[i] = first[i * from_stride];
    odl_transform_forward_1d (&transform, line, 1, n, to, to + n_low * to_stride,
                              to_stride);
    return;
  }
  for (int i = 0; i < n_low; i++)
    line[i] = first[i * from_stride];
  for (int i = n_low; i < n; i++)
    line[i] = second[i * from_stride];
  odl_transform_inverse_1d (&transform, line, line + n_low, 1, n, to, to_stride);
}

// Floats from a slice to the next.
static size_t
slice_stride (const OdlSlot *slot)
{
  return (size_t) slot->channels * slot->width * slot->height;
}

static void
forward_z (const StepContext *c)
{
  const OdlSlot *in = &c->plan->slots[c->step->reads[0]];
  const size_t lines = slice_stride (c->out); // of both, which have the same shape

  for (size_t i = 0; i < lines; i++)
    transform_line (c, slot_channel (c, c->step->reads[0], 0) + i, NULL,
                    slice_stride (in), slot_channel (c, c->step->writes, 0) + i, lines,
                    c->out->depth);
}

// LLL fills the part without details: LL of the low slices.
static void
inverse_z (const StepContext *c)
{
  const OdlSlot *out = c->out, *low = &c->plan->slots[c->step->reads[0]];
  const int n_low = odl_low_count (out->depth);
  g_autofree double *column = g_new (double, out->depth);

  for (int channel = 0; channel < out->channels; channel++)
    for (int y = 0; y < out->height; y++)
      for (int x = 0; x < out->width; x++) {
        const bool straight
            = x < odl_low_count (out->width) && y < odl_low_count (out->height);
        const size_t at = (size_t) y * out->width + x;
        const double *approx
            = slot_channel (c, c->step->reads[0], channel) + (size_t) y * low->width + x;
        const double *details = slot_channel (c, c->step->reads[1], channel) + at;
        for (int z = 0; z < out->depth; z++)
          column[z] = straight && z < n_low ? approx[z * slice_stride (low)]
                                            : details[z * slice_stride (out)];
        transform_line (c, column, column, 1,
                        slot_channel (c, c->step->writes, channel) + at,
                        slice_stride (out), out->depth);
      }
}

static void
step_forward (const StepContext *c)
{
  if (c->step->axis == ODL_AXIS_Z) {
    forward_z (c);
    return;
  }
  const OdlSlot *in = &c->plan->slots[c->step->reads[0]];
  const int width = c->out->width;
  const int height = c->out->height;

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    if (c->step->axis == ODL_AXIS_X)
      for (int y = 0; y < height; y++)
        transform_line (c, from + (size_t) y * in->width, NULL, 1,
                        to + (size_t) y * width, 1, width);
    else
      for (int x = 0; x < width; x++)
        transform_line (c, from + x, NULL, in->width, to + x, width, height);
  }
}

// Along y: the approximation fills the top left part, which has no details.
static void
inverse_y (const StepContext *c, int channel)
{
  const OdlSlot *approx_slot = &c->plan->slots[c->step->reads[0]];
  const double *approx = slot_channel (c, c->step->reads[0], channel);
  const double *details = slot_channel (c, c->step->reads[1], channel);
  double *to = slot_channel (c, c->step->writes, channel);
  const int width = c->out->width;
  const int n_low = odl_low_count (width);
  const int rows_low = odl_low_count (c->out->height);
  g_autofree double *column = g_new (double, c->out->height);

  for (int x = 0; x < width; x++) {
    for (int y = 0; y < c->out->height; y++)
      column[y] = x < n_low && y < rows_low ? approx[(size_t) y * approx_slot->width + x]
                                            : details[(size_t) y * width + x];
    transform_line (c, column, column, 1, to + x, width, c->out->height);
  }
}

static void
step_inverse (const StepContext *c)
{
  if (c->step->axis == ODL_AXIS_Z) {
    inverse_z (c);
    return;
  }
  const int width = c->out->width;

  for (int channel = 0; channel < c->out->channels; channel++) {
    if (c->step->axis == ODL_AXIS_Y) {
      inverse_y (c, channel);
      continue;
    }
    const double *from = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      transform_line (c, from + (size_t) y * width, from + (size_t) y * width, 1,
                      to + (size_t) y * width, 1, width);
  }
}

static double
threshold_at (const StepContext *c, int x, int y)
{
  const int numbers = odl_step_numbers (c->step);
  const int octant = odl_octant_at (c->out, x, y, c->z);

  return numbers != ODL_PLAN_NO_SLOT
             ? c->engine
                   ->slots[numbers][(octant - 1) * ODL_BAND_NUMBERS + ODL_BAND_THRESHOLD]
             : c->step->parameters.thresholds[octant - 1];
}

static void
limits_of (int n, int at, int *first, int *size)
{
  const int low = odl_low_count (n);

  *first = at < low ? 0 : low;
  *size = at < low ? low : n - low;
}

// What is left of a coefficient of an octant beside its neighbours.
static double
share_beside_neighbours (const StepContext *c, int channel, int x, int y)
{
  const int sides[3] = { c->out->width, c->out->height, c->out->depth };
  const int place[3] = { x, y, c->z }, radius = c->step->side / 2;
  const double threshold = threshold_at (c, x, y);
  int first[3], size[3];
  double squares = 0;

  for (int axis = 0; axis < 3; axis++)
    limits_of (sides[axis], place[axis], &first[axis], &size[axis]);
  for (int dz = -radius; dz <= radius; dz++)
    for (int dy = -radius; dy <= radius; dy++)
      for (int dx = -radius; dx <= radius; dx++) {
        const int by[3] = { dx, dy, dz };
        size_t at[3];
        for (int axis = 0; axis < 3; axis++)
          at[axis] = (size_t) (first[axis]
                               + odl_border_fold (place[axis] - first[axis] + by[axis],
                                                  size[axis]));
        const double one
            = c->engine->slots[c->step->reads[0]]
                              [((at[2] * c->out->channels + channel) * sides[1] + at[1])
                                   * sides[0]
                               + at[0]];
        squares += one * one;
      }
  const double limit = threshold * threshold * c->step->side;
  return squares > limit ? 1 - limit / squares : 0;
}

static void
step_threshold (const StepContext *c)
{
  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++, from++, to++)
        *to = odl_octant_at (c->out, x, y, c->z) == 0
                  ? NAN // undefined by contract: whoever reads it shall be found out
              : c->step->side > 0 ? *from * share_beside_neighbours (c, channel, x, y)
                                  : odl_shrink (*from, threshold_at (c, x, y),
                                                odl_step_shrinking (c->step));
  }
}

static void
step_measure (const StepContext *c)
{
  odl_reference_measure (c->plan, c->step, c->engine->slots, c->z);
}

static void
step_layout (const StepContext *c)
{
  const OdlSlot *bands = &c->plan->slots[c->step->reads[1]];
  const int approx_slot = c->step->reads[0];

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *details = slot_channel (c, c->step->reads[1], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < bands->height; y++)
      for (int x = 0; x < bands->width; x++) {
        const size_t i = (size_t) y * bands->width + x;
        if (odl_octant_at (bands, x, y, c->z) != 0)
          to[(size_t) y * c->out->width + x] = details[i];
        else if (approx_slot != ODL_PLAN_NO_SLOT)
          to[(size_t) y * c->out->width + x] = slot_channel (c, approx_slot, channel)[i];
      }
  }
}

static StepFunction *const step_functions[ODL_N_STEP_KINDS] = {
  [ODL_STEP_LOAD] = step_load,
  [ODL_STEP_LUMA] = step_luma,
  [ODL_STEP_CONVOLVE_LINE] = step_convolve,
  [ODL_STEP_CUT] = odl_reference_cut,
  [ODL_STEP_TROUGH] = odl_reference_trough,
  [ODL_STEP_OUTLINE] = odl_reference_outline,
  [ODL_STEP_KEEP] = odl_reference_keep,
  [ODL_STEP_SNAKES] = odl_reference_snakes,
  [ODL_STEP_FORWARD] = step_forward,
  [ODL_STEP_THRESHOLD] = step_threshold,
  [ODL_STEP_INVERSE] = step_inverse,
  [ODL_STEP_LAYOUT] = step_layout,
  [ODL_STEP_BAND] = odl_reference_band,
  [ODL_STEP_JOIN] = odl_reference_join,
  [ODL_STEP_SHIFT] = odl_reference_shift,
  [ODL_STEP_RECOMBINE] = step_recombine,
  [ODL_STEP_OPPONENT] = step_opponent,
  [ODL_STEP_SCAN_CONVERT] = odl_reference_scan_convert,
  [ODL_STEP_STATIONARY_FORWARD] = odl_reference_stationary_forward,
  [ODL_STEP_STATIONARY_INVERSE] = odl_reference_stationary_inverse,
  [ODL_STEP_SHRINK] = odl_reference_shrink,
  [ODL_STEP_PLACE] = odl_reference_place,
  [ODL_STEP_DUAL_FORWARD] = odl_reference_dual_forward,
  [ODL_STEP_DUAL_SHRINK] = odl_reference_dual_shrink,
  [ODL_STEP_DUAL_BIVARIATE] = odl_reference_dual_bivariate,
  [ODL_STEP_DUAL_INVERSE] = odl_reference_dual_inverse,
  [ODL_STEP_DUAL_PLACE] = odl_reference_dual_place,
  [ODL_STEP_BIVARIATE] = odl_reference_bivariate,
  [ODL_STEP_BM3D] = odl_reference_bm3d,
  [ODL_STEP_BM3D_TIME] = odl_reference_bm3d_time,
  [ODL_STEP_PYTHON] = odl_reference_python,
  [ODL_STEP_REGISTER] = odl_reference_register,
  [ODL_STEP_INSIDE] = odl_reference_inside,
  [ODL_STEP_DIVIDE] = odl_reference_divide,
  [ODL_STEP_RESIDUAL] = odl_reference_residual,
  [ODL_STEP_ADD] = odl_reference_residual,
  [ODL_STEP_RAISE] = odl_reference_raise,
  [ODL_STEP_LIMIT] = odl_reference_limit,
  [ODL_STEP_DECOUPLE] = odl_reference_decouple,
  [ODL_STEP_COMBINE] = odl_reference_combine,
  [ODL_STEP_RECURSIVE] = odl_reference_recursive,
  [ODL_STEP_PERSISTENCE] = odl_reference_recursive,
  [ODL_STEP_MEAN] = odl_reference_window,
  [ODL_STEP_TEMPORAL_MEDIAN] = odl_reference_window,
  [ODL_STEP_MAGNITUDE] = odl_reference_magnitude,
  [ODL_STEP_TENSOR] = odl_reference_tensor,
  [ODL_STEP_STEER] = odl_reference_steer,
  [ODL_STEP_SIDES] = step_measure,
  [ODL_STEP_MASK] = step_measure,
  [ODL_STEP_NOISE] = step_measure,
  [ODL_STEP_BAYES] = step_measure,
  [ODL_STEP_EQUALISE] = odl_reference_equalise,
  [ODL_STEP_PEAK] = odl_reference_peak,
#define SPATIAL(NAME, name) [ODL_STEP_##NAME] = step_spatial
  ODL_SPATIAL_STEPS (SPATIAL),
};

static bool
reference_has_step (const OdlStep *step)
{
  return step_functions[step->kind] != NULL;
}

static void
drop_slots (ReferenceEngine *self)
{
  if (self->plan != NULL)
    for (int i = 0; i < self->plan->n_slots; i++)
      odl_aligned_free (self->slots[i]);
  if (self->rings != NULL)
    for (int i = 0; i < self->plan->n_steps; i++)
      odl_aligned_free (self->rings[i]);
  g_clear_pointer (&self->slots, g_free);
  g_clear_pointer (&self->rings, g_free);
  g_clear_pointer (&self->line, g_free);
  g_clear_pointer (&self->plan, odl_plan_unref);
}

static OdlEngine *
reference_open (GError **error)
{
  ReferenceEngine *self = g_new0 (ReferenceEngine, 1);

  return &self->base;
}

static void
reference_close (OdlEngine *engine)
{
  ReferenceEngine *self = (ReferenceEngine *) engine;

  drop_slots (self);
  g_free (self);
}

// Room for `count` pictures like `slot`; NULL when there is not enough memory.
static double *
alloc_pictures (ReferenceEngine *self, const OdlSlot *slot, int count)
{
  const size_t factors[] = { slot->width, slot->height, slot->channels,
                             slot->depth, count,        sizeof (double) };
  size_t size;

  self->base.counters.allocations++;
  return odl_size_product (factors, G_N_ELEMENTS (factors), &size)
             ? odl_aligned_alloc (size)
             : NULL;
}

static bool
alloc_all (ReferenceEngine *self, const OdlPlan *plan)
{
  self->slots = g_new0 (double *, plan->n_slots);
  self->rings = g_new0 (double *, plan->n_steps);
  for (int i = 0; i < plan->n_slots; i++) {
    self->slots[i] = alloc_pictures (self, &plan->slots[i], 1);
    if (self->slots[i] == NULL)
      return false;
  }
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    if (step->frames == 0)
      continue;
    self->rings[i] = alloc_pictures (self, &plan->slots[step->writes], step->frames);
    if (self->rings[i] == NULL)
      return false;
  }
  return true;
}

static bool
reference_prepare (OdlEngine *engine, const OdlPlan *plan, GError **error)
{
  ReferenceEngine *self = (ReferenceEngine *) engine;

  if (self->plan != NULL && odl_plan_same_structure (self->plan, plan))
    return true;

  drop_slots (self);
  self->plan = odl_plan_ref ((OdlPlan *) plan);
  if (!alloc_all (self, plan)) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                 _ ("there is not enough memory to filter %d × %d pixels in double "
                    "precision; use the engine “cpu”"),
                 plan->geometry.width, plan->geometry.height);
    drop_slots (self);
    return false;
  }
  int longest = plan->geometry.depth;
  for (int i = 0; i < plan->n_slots; i++)
    longest = MAX (longest, MAX (plan->slots[i].width, plan->slots[i].height));
  self->line = g_new (double, longest);
  odl_engine_set_steps (engine, plan->n_steps);
  return true;
}

// Number of runs of a step: one per slice that it writes, or one.
static int
slices_of (const StepContext *c)
{
  if (c->step->axis == ODL_AXIS_Z)
    return 1;
  return c->step->kind == ODL_STEP_LAYOUT ? c->plan->slots[c->step->reads[1]].depth
                                          : c->out->depth;
}

static bool
reference_run (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error)
{
  ReferenceEngine *self = (ReferenceEngine *) engine;
  StepContext context = { .engine = self, .plan = plan, .input = input };

  g_return_val_if_fail (self->plan != NULL && odl_plan_same_structure (self->plan, plan),
                        false);
  engine->frame_ns = 0;
  for (int i = 0; i < plan->n_steps; i++) {
    const int64_t start_ns = odl_clock_now_ns ();
    context.step = &plan->steps[i];
    context.out = &plan->slots[context.step->writes];
    for (context.z = 0; context.z < slices_of (&context); context.z++)
      step_functions[context.step->kind](&context);
    engine->step_ns[i] = odl_clock_now_ns () - start_ns;
    engine->frame_ns += engine->step_ns[i];
  }
  return true;
}

static bool
reference_read_back (OdlEngine *engine,
                     const OdlPlan *plan,
                     int slot,
                     float *samples,
                     GError **error)
{
  ReferenceEngine *self = (ReferenceEngine *) engine;
  const OdlSlot *s = &plan->slots[slot];
  const size_t pixels = (size_t) s->width * s->height;

  (void) error;
  for (int z = 0; z < s->depth; z++)
    for (int channel = 0; channel < s->channels; channel++)
      for (size_t i = 0; i < pixels; i++)
        samples[(z * pixels + i) * s->channels + channel]
            = (float)
                  self->slots[slot][((size_t) z * s->channels + channel) * pixels + i];
  return true;
}

const OdlEngineClass odl_reference_engine = {
  .name = "reference",
  .limits = { .borders = ODL_ENGINE_EVERY_BORDER, .reversible = true },
  .description = N_ ("scalar, double precision; slow, the measure for the others"),
  .has_step = reference_has_step,
  .has_volume_step = reference_has_step,
  .open = reference_open,
  .close = reference_close,
  .prepare = reference_prepare,
  .run = reference_run,
  .read_back = reference_read_back,
};
