// SPDX-License-Identifier: MIT
// The engine gl-compute: lifting in compute shaders, one dispatch per level and
// direction.
#include "engine/gl/compute/compute.h"

#include <glib/gi18n-lib.h>

#include "base/debug.h"
#include "base/error.h"
#include "engine/gl/compute/bm3d_streams.h"
#include "engine/gl/compute/bm3d_time.h"
#include "engine/gl/compute/fusion/fusion_fill.h"
#include "engine/gl/compute/private.h"
#include "engine/gl/compute/read.h"
#include "engine/gl/platform/state.h"
#include "engine/prices.h"
#include "engine/registry.h"
#include "plan/flow.h"

static OdlGlComputeEngine *
compute_of (OdlEngine *engine)
{
  return engine != NULL && engine->klass == &odl_gl_compute_engine
             ? (OdlGlComputeEngine *) engine
             : NULL;
}

static OdlEngine *
compute_open (GError **error)
{
  OdlGlCaps caps;

  if (!odl_gl_caps_init (&caps, error))
    return NULL;
  if (!caps.compute)
    return odl_error_null (error, ODL_ERROR_GPU,
                           _ ("%s has no compute shaders: OpenGL 4.3 or OpenGL ES 3.1 is "
                              "needed; choose the engine “gl-fragment”"),
                           caps.renderer);

  OdlGlComputeEngine *self = g_new0 (OdlGlComputeEngine, 1);
  self->caps = caps;
  self->base.memory = caps.memory;
  self->base.block = caps.max_storage;
  self->base.device = odl_prices_device (caps.gpu);
  self->programs = odl_gl_programs_new (&self->caps, &self->base.counters.programs);
  self->tuner = odl_gl_tuner_new (&self->caps);
  self->source = odl_gl_source_new (&self->caps, self->programs, &self->base.counters,
                                    &self->base.pool, NULL);
  self->operand_upload = odl_gl_upload_new (&self->caps, self->programs,
                                            &self->base.counters, &self->no_pool);
  self->operands = g_ptr_array_new_with_free_func (odl_gl_operand_free);
  return &self->base;
}

static void
compute_close (OdlEngine *engine)
{
  OdlGlComputeEngine *self = (OdlGlComputeEngine *) engine;

  odl_gl_structure_clear (&self->structure);
  odl_gl_structure_clear (&self->coming);
  odl_gl_structure_clear (&self->stepwise);
  g_clear_pointer (&self->input, odl_image_unref);
  g_ptr_array_unref (self->operands);
  odl_gl_upload_free (self->operand_upload);
  odl_gl_source_free (self->source);
  odl_gl_tuner_free (self->tuner);
  odl_gl_programs_free (self->programs);
  g_free (self);
}

static bool
uses_pass (const OdlGlStructure *structure, OdlGlPassId pass)
{
  for (guint i = 0; i < structure->dispatches->len; i++) {
    const OdlGlProgram *program
        = g_array_index (structure->dispatches, OdlGlDispatch, i).program;
    if (program != NULL && program->pass == &odl_gl_passes[pass])
      return true;
  }
  return false;
}

static void
name_variant (OdlGlComputeEngine *self)
{
  const OdlGlStructure *structure = &self->structure;
  const OdlGlFusionRule rule = odl_gl_compute_rule (self);
  const bool banks = uses_pass (structure, ODL_GL_PASS_COMPUTE_BANK_FORWARD);
  const bool lifts = uses_pass (structure, ODL_GL_PASS_COMPUTE_FORWARD);
  const bool pairs = uses_pass (structure, ODL_GL_PASS_COMPUTE_FORWARD_TWO);
  const bool fourier = uses_pass (structure, ODL_GL_PASS_COMPUTE_FOURIER);
  const bool direct = uses_pass (structure, ODL_GL_PASS_COMPUTE_CONVOLVE_BLOCK)
                      || uses_pass (structure, ODL_GL_PASS_COMPUTE_CONVOLVE_STREAM)
                      || uses_pass (structure, ODL_GL_PASS_COMPUTE_CONVOLVE_BANK);
  const OdlGlConvolving convolving = odl_gl_compute_convolving (self);
  const char *chosen = rule == ODL_GL_FUSE_BY_SIZE ? "lifting" : self->chosen;
  const bool convolves = !lifts && !banks && structure->fusions->len == 0;
  const char *way
      = fourier && (convolves || convolving != ODL_GL_CONVOLVE_FASTEST)  ? "fft"
        : direct && (convolves || convolving != ODL_GL_CONVOLVE_FASTEST) ? "direct"
        : pairs && rule == ODL_GL_FUSE_PAIRS                             ? "pairs"
        : structure->fusions->len > 0                                    ? "fused"
        : banks && !lifts                                                ? "convolution"
        : lifts                                                          ? "lifting"
                                                                         : chosen;

  const char *tuned
      = odl_gl_tuner_is_tuned (self->tuner, structure->dispatches) ? ", tuned" : "";
  const bool as_chosen = rule == ODL_GL_FUSE_BY_SIZE || g_str_equal (way, chosen);

  g_snprintf (self->base.variant, sizeof self->base.variant, "%s%s%s%s", way,
              as_chosen ? "" : ", not ", as_chosen ? "" : chosen, tuned);
}

static void
tell_ways (const OdlGlStructure *structure, const OdlEngine *engine)
{
  for (int i = 0; i < structure->plan->n_steps; i++) {
    const OdlStep *step = &structure->plan->steps[i];
    if (step->kernel_width > 0)
      odl_debug (ODL_DEBUG_PLAN, "convolve %d×%d×%d by %s, prices %s", step->kernel_width,
                 step->kernel_height, step->kernel_depth,
                 odl_gl_fouriers_at (structure->fouriers, i) != NULL
                     ? "Fourier transforms"
                     : "products",
                 engine->prices.is_measured ? "measured here" : "as shipped");
  }
}

// Begins what `plan` needs, unless it is coming already.
static bool
begin_structure (OdlGlComputeEngine *self, const OdlPlan *plan, GError **error)
{
  OdlGlStructure *coming = &self->coming;

  if (coming->plan != NULL && odl_plan_same_structure (coming->plan, plan))
    return true;
  odl_gl_structure_clear (coming);
  coming->plan = odl_plan_ref ((OdlPlan *) plan);
  odl_prices_take (&self->base);
  odl_gl_programs_begin (self->programs);
  return odl_gl_structure_prepare (self, coming, error);
}

// Puts in place what was coming.
static void
take_structure (OdlGlComputeEngine *self, const OdlPlan *plan)
{
  odl_gl_tuner_run (self->tuner, self->coming.dispatches);
  odl_gl_unbind_buffers ();
  odl_gl_structure_clear (&self->structure);
  odl_gl_structure_clear (&self->stepwise);
  g_clear_pointer (&self->input, odl_image_unref);
  self->structure = self->coming;
  self->coming = (OdlGlStructure){ 0 };
  if ((int) self->operands->len > odl_gl_count_operands (plan))
    g_ptr_array_set_size (self->operands, odl_gl_count_operands (plan));
  self->is_stale = false;
  name_variant (self);
  tell_ways (&self->structure, &self->base);
  odl_engine_set_steps (&self->base, plan->n_steps);
}

static bool
compute_prepare (OdlEngine *engine, const OdlPlan *plan, GError **error)
{
  OdlGlComputeEngine *self = (OdlGlComputeEngine *) engine;
  g_autoptr (GError) failure = NULL;
  OdlGlState state;

  if (self->structure.plan != NULL && !self->is_stale
      && odl_plan_same_structure (self->structure.plan, plan)) {
    if (self->coming.plan != NULL)
      odl_gl_structure_clear (&self->coming);
    return true;
  }
  odl_gl_state_save (&state);
  odl_gl_forget_errors ();
  bool ok = begin_structure (self, plan, &failure);
  // Also after an error, since programs were begun.
  ok = odl_gl_programs_end (self->programs, !engine->patient, ok ? &failure : NULL) && ok;
  if (ok)
    take_structure (self, plan);
  else if (!g_error_matches (failure, ODL_ERROR, ODL_ERROR_PENDING))
    odl_gl_structure_clear (&self->coming);
  odl_gl_state_restore (&state);
  if (failure != NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  return ok;
}

static void
remember (OdlGlComputeEngine *self, OdlImage *input)
{
  OdlImage *before = self->input;

  odl_gl_structure_clear (&self->stepwise);
  self->input = input != NULL ? odl_image_ref (input) : NULL;
  g_clear_pointer (&before, odl_image_unref);
}

static void
send_observed (OdlGlComputeEngine *self)
{
  OdlGlStructure *structure = &self->structure;

  if (!self->base.observing || odl_plan_count_observed (structure->plan) == 0)
    return;
  if (structure->observer == NULL)
    structure->observer = odl_gl_observer_new (structure->plan);
  self->base.n_observing
      = odl_gl_observer_send (structure->observer, structure->plan, structure->stores);
}

static bool
compute_observe (OdlEngine *engine, const OdlPlan *plan, float *numbers)
{
  OdlGlComputeEngine *self = (OdlGlComputeEngine *) engine;

  return self->structure.observer != NULL
         && odl_plan_same_structure (self->structure.plan, plan)
         && odl_gl_observer_take (self->structure.observer, numbers,
                                  &engine->n_observing);
}

static bool
compute_run (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error)
{
  OdlGlComputeEngine *self = (OdlGlComputeEngine *) engine;
  OdlGlState state;

  g_return_val_if_fail (self->structure.plan != NULL
                            && odl_plan_same_structure (self->structure.plan, plan),
                        false);

  const bool again = input == self->input && engine->last.take == engine->moment.take
                     && engine->last.serial == engine->moment.serial
                     && (self->structure.is_binned || !engine->observing);
  const guint first
      = again ? odl_gl_resume_at (self->structure.dispatches, self->structure.plan, plan)
              : 0;
  // Parameters of this frame, for slots that are computed when they are read back.
  if (self->structure.plan != plan) {
    odl_plan_unref (self->structure.plan);
    self->structure.plan = odl_plan_ref ((OdlPlan *) plan);
  }
  self->frame++;
  odl_gl_state_save (&state);
  bool ok = odl_gl_structure_run (self, &self->structure, first, input, error);
  if (ok && odl_debug_wants (ODL_DEBUG_SHADERS))
    ok = odl_gl_check (_ ("filtering"), error);
  if (ok)
    send_observed (self);
  odl_gl_unbind_buffers ();
  odl_gl_state_restore (&state);
  remember (self, ok ? input : NULL);
  self->base.counters.resumed += first > 0;
  return ok;
}

// True if a fusion computes `slot`, or its LL, without storing it.
static bool
is_fused_away (const OdlGlStructure *structure, int slot)
{
  const OdlPlan *plan = structure->plan;
  int writer = odl_plan_last_writer (plan, slot, plan->n_steps);

  const OdlGlFourier *fourier = odl_gl_fouriers_at (structure->fouriers, writer);
  if (fourier != NULL && fourier->bank.terms > 1
      && writer <= fourier->bank.last - fourier->bank.count
      && odl_plan_loaded_at (plan, slot, plan->n_steps, NULL).image == NULL)
    return true;
  if (structure->accumulates && writer + 1 < plan->n_steps
      && odl_gl_accumulates (plan, writer + 1))
    return true;
  // Coefficients that are shrunk while they are read are stored unshrunk.
  if (odl_gl_fusion_at (structure->fusions, writer) == NULL
      && odl_plan_is_fused_threshold (plan, writer))
    writer = odl_plan_last_writer (plan, plan->steps[writer].reads[0], writer);
  const OdlGlFusion *fusion = odl_gl_fusion_at (structure->fusions, writer);
  return fusion != NULL && !odl_gl_fusion_stores (fusion, writer);
}

// The structure whose stores hold `slot`. If the current structure does not store it
// because of a fusion, the frame is computed again with a dispatch per level.
static OdlGlStructure *
structure_with (OdlGlComputeEngine *self, int slot, GError **error)
{
  OdlGlStructure *stepwise = &self->stepwise;
  const bool timing = self->base.timing;

  if (!is_fused_away (&self->structure, slot) || self->input == NULL)
    return &self->structure;
  if (stepwise->plan != NULL && self->stepwise_frame == self->frame)
    return stepwise;
  odl_gl_structure_clear (stepwise);
  stepwise->plan = odl_plan_ref (self->structure.plan);
  stepwise->past = g_array_ref (self->structure.past);
  stepwise->streams = odl_gl_bm3d_streams_ref (self->structure.streams);
  self->base.timing = false;
  bool ok = odl_gl_structure_compile (self, stepwise, ODL_GL_FUSE_NONE, error)
            && odl_gl_structure_run (self, stepwise, 0, self->input, error);
  self->base.timing = timing;
  self->stepwise_frame = self->frame;
  if (!ok)
    odl_gl_structure_clear (stepwise);
  return ok ? stepwise : NULL;
}

static bool
compute_read_back (OdlEngine *engine,
                   const OdlPlan *plan,
                   int slot,
                   float *samples,
                   GError **error)
{
  OdlGlComputeEngine *self = (OdlGlComputeEngine *) engine;

  g_return_val_if_fail (self->structure.plan != NULL
                            && odl_plan_same_structure (self->structure.plan, plan),
                        false);

  OdlGlState state;

  odl_gl_state_save (&state);
  OdlGlStructure *structure = structure_with (self, slot, error);
  bool ok = structure != NULL;
  if (ok) {
    const OdlGlDispatchParams params = odl_gl_structure_params (self, structure);
    if (slot == plan->source)
      odl_gl_structure_ensure_loaded (structure);
    else if (slot == plan->result)
      odl_gl_structure_ensure_stored (structure);
    ok = odl_gl_compute_read (&params, slot, samples, error);
  }
  odl_gl_unbind_buffers ();
  odl_gl_state_restore (&state);
  return ok;
}

static bool
compute_parts (OdlEngine *engine,
               const OdlPlan *plan,
               OdlPartForm form,
               const OdlPart *parts,
               int n_parts,
               void *out,
               GError **error)
{
  OdlGlComputeEngine *self = (OdlGlComputeEngine *) engine;
  OdlGlState state;

  odl_gl_state_save (&state);
  OdlGlStructure *structure = structure_with (self, plan->result, error);
  bool ok = structure != NULL;
  if (ok) {
    const OdlGlDispatchParams params = odl_gl_structure_params (self, structure);
    odl_gl_structure_ensure_stored (structure);
    ok = odl_gl_compute_read_parts (&params, form, parts, n_parts, out, error);
  }
  odl_gl_unbind_buffers ();
  odl_gl_state_restore (&state);
  return ok;
}

static bool
compute_choose (OdlEngine *engine, const char *name, GError **error)
{
  OdlGlComputeEngine *self = (OdlGlComputeEngine *) engine;

  (void) error; // every context can run every variant
  self->chosen = name;
  self->is_stale = true;
  odl_gl_structure_clear (&self->coming);
  return true;
}

static const OdlEngineVariant compute_variants[] = {
  { "fused", N_ ("lifting, some levels in one go, as their size suggests") },
  { "pairs", N_ ("lifting, two levels at a time") },
  { "lifting", N_ ("lifting steps where the wavelet has them") },
  { "convolution", N_ ("filter banks for every wavelet") },
  { "fft", N_ ("convolution by Fourier transforms") },
  { "direct", N_ ("convolution without Fourier transforms") },
  { NULL, NULL },
};

const OdlEngineClass odl_gl_compute_engine = {
  .name = "gl-compute",
  .description = N_ ("OpenGL, compute shaders; needs OpenGL 4.3 or OpenGL ES 3.1"),
  .needs_gl = true,
  .limits = { .borders = ODL_ENGINE_EVERY_BORDER, .reversible = true, .pads = true },
  .variants = compute_variants,
  .has_step = odl_gl_dispatches_have_step,
  .has_volume_step = odl_gl_dispatches_have_volume_step,
  .open = compute_open,
  .close = compute_close,
  .prepare = compute_prepare,
  .run = compute_run,
  .read_back = compute_read_back,
  .parts = compute_parts,
  .observe = compute_observe,
  .repeat = odl_gl_compute_repeat,
  .choose = compute_choose,
};

// ---- for tests and the canvas --------------------------------------------------------

OdlGlPrograms *
odl_gl_compute_programs (OdlEngine *engine)
{
  OdlGlComputeEngine *self = compute_of (engine);

  return self != NULL ? self->programs : NULL;
}

static void
show (OdlGlComputeEngine *self, OdlGlShown *shown)
{
  OdlGlState state;

  if (shown->frame == self->frame)
    return;
  odl_gl_state_save (&state);
  if (shown->slot == self->structure.plan->source)
    odl_gl_structure_ensure_loaded (&self->structure);
  else
    odl_gl_structure_ensure_stored (&self->structure);
  odl_gl_shown_copy (shown, self->frame);
  odl_gl_unbind_buffers ();
  odl_gl_state_restore (&state);
}

OdlGlPicture
odl_gl_compute_picture (OdlEngine *engine, int slot)
{
  OdlGlComputeEngine *self = compute_of (engine);

  if (self == NULL || self->structure.plan == NULL)
    return (OdlGlPicture){ 0 };

  const OdlPlan *plan = self->structure.plan;
  OdlGlShown *source = &self->structure.shown[0];
  OdlGlShown *shown = slot == plan->source ? source : &self->structure.shown[1];
  if (slot != shown->slot)
    return (OdlGlPicture){ 0 };
  show (self, shown);
  if (plan->geometry.channels == 4)
    show (self, source);
  return (OdlGlPicture){
    .texture = shown->texture,
    .alpha_texture = plan->geometry.channels == 4 ? source->texture : 0,
    .width = plan->slots[slot].width,
    .height = plan->slots[slot].height,
    .channels = plan->slots[slot].channels,
    .bias = odl_gl_bias (plan->precision),
  };
}

// What a moved threshold has run again.
static bool
is_of_slider (OdlStepKind kind)
{
  return kind == ODL_STEP_INVERSE
         || (odl_step_row (kind)->class == ODL_STEP_CLASS_DUAL_TREE
             && kind != ODL_STEP_DUAL_FORWARD);
}

void
odl_gl_compute_repeat (OdlEngine *engine, bool synthesis_only)
{
  OdlGlComputeEngine *self = compute_of (engine);

  g_return_if_fail (self != NULL && self->frame > 0);

  OdlGlStructure *structure = &self->structure;
  guint first = 0;
  odl_gl_structure_ensure_loaded (structure);
  for (guint k = 0; k < structure->dispatches->len; k++) {
    const OdlGlTurn turn = odl_gl_structure_turn (structure, k, false);
    const guint i = turn.index;
    OdlGlDispatch dispatch = g_array_index (structure->dispatches, OdlGlDispatch, i);
    dispatch.overlaps = turn.overlaps;
    const OdlStepKind kind = structure->plan->steps[dispatch.step].kind;
    // Contours stay those of the last frame, as spectra of kernels do. What sums in time
    // transform is loaded once more, since slots are shared.
    const bool loads = odl_gl_fouriers_have_sums (structure->fouriers) && i > 0;
    if (synthesis_only
            ? !is_of_slider (kind)
            : (kind == ODL_STEP_LOAD && !loads) || kind == ODL_STEP_SNAKES
                  || dispatch.once
                  || (dispatch.term > 0
                      && !odl_gl_fouriers_is_due (structure->fouriers, dispatch.step,
                                                  dispatch.term - 1)))
      continue;
    first = first == 0 ? i : first;
    if (kind == ODL_STEP_BM3D_TIME) {
      const OdlGlDispatchParams params = odl_gl_structure_params (self, structure);
      if (i + 1 == structure->dispatches->len
          || g_array_index (structure->dispatches, OdlGlDispatch, i + 1).step
                 != dispatch.step)
        odl_gl_bm3d_time_repeat (&params, dispatch.step);
      continue;
    }
    if (synthesis_only && i == first && dispatch.resumed != NULL)
      dispatch.program = dispatch.resumed;
    odl_gl_dispatch (&dispatch);
  }
  structure->is_stored = true;
  self->frame++;
}

void
odl_gl_compute_set_max_storage (OdlEngine *engine, int bytes)
{
  OdlGlComputeEngine *self = compute_of (engine);

  g_return_if_fail (self != NULL);
  self->caps.max_storage = bytes;
  self->base.block = bytes;
}
