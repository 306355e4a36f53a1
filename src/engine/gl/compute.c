// SPDX-License-Identifier: MIT
// The engine gl-compute: lifting in compute shaders, one dispatch per level and
// direction.
#include "engine/gl/compute.h"

#include "config.h"
#include <glib/gi18n-lib.h>

#include "base/debug.h"
#include "base/error.h"
#include "engine/gl/compute_read.h"
#include "engine/gl/compute_resume.h"
#include "engine/gl/compute_show.h"
#include "engine/gl/compute_source.h"
#include "engine/gl/compute_steps.h"
#include "engine/gl/compute_tune.h"
#include "engine/gl/state.h"
#include "engine/gl/steps.h"
#include "engine/gl/targets.h"
#include "engine/gl/timer.h"
#include "engine/registry.h"

#define SHOWN 2 // the source and the result

// What depends on the structure of the plan.
typedef struct {
  OdlPlan *plan;
  GArray *coarse; // OdlGlCoarse
  OdlGlStores *stores;
  GArray *dispatches; // OdlGlDispatch; LOAD is the first
  int first_level; // the dispatch that reads stored samples itself; −1: none
  bool is_loaded; // the source slot holds the picture of the last frame
  int last_level; // the dispatch that can write the shown result itself; −1: none
  bool is_stored; // the result's slot holds the picture of the last frame
  OdlGlShown shown[SHOWN];
  OdlGlTimer *timer; // made when somebody wants times
} Structure;

typedef struct {
  OdlEngine base;
  OdlGlCaps caps;
  OdlGlPrograms *programs;
  OdlGlSource *source;
  OdlGlTuner *tuner;
  Structure structure; // plan NULL: none in place
  // The same plan with a dispatch per level, and the frame that it holds: for slots that
  // otherwise exist in shared memory only.
  Structure stepwise;
  size_t stepwise_frame;
  OdlImage *input; // of the last frame, until the next; NULL when that one failed
  size_t frame; // number of the last one, from 1
  const char *chosen; // variant; NULL: what is fastest
  bool is_stale; // the structure in place was made for another variant
} ComputeEngine;

static ComputeEngine *
compute_of (OdlEngine *engine)
{
  return engine != NULL && engine->klass == &odl_gl_compute_engine
             ? (ComputeEngine *) engine
             : NULL;
}

static OdlEngine *
compute_open (GError **error)
{
  OdlGlCaps caps;

  if (!odl_gl_caps_init (&caps, error))
    return NULL;
  if (!caps.compute) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
                 _ ("%s has no compute shaders: OpenGL 4.3 or OpenGL ES 3.1 is needed; "
                    "choose the engine “gl-fragment”"),
                 caps.renderer);
    return NULL;
  }

  ComputeEngine *self = g_new0 (ComputeEngine, 1);
  self->caps = caps;
  self->programs = odl_gl_programs_new (&self->caps, &self->base.counters.programs);
  self->tuner = odl_gl_tuner_new (&self->caps);
  self->source = odl_gl_source_new (&self->caps, self->programs, &self->base.counters,
                                    &self->base.pool);
  return &self->base;
}

static void
structure_clear (Structure *structure)
{
  g_clear_pointer (&structure->timer, odl_gl_timer_free);
  g_clear_pointer (&structure->stores, odl_gl_stores_free);
  g_clear_pointer (&structure->dispatches, g_array_unref);
  g_clear_pointer (&structure->coarse, g_array_unref);
  g_clear_pointer (&structure->plan, odl_plan_unref);
  for (int i = 0; i < SHOWN; i++)
    odl_gl_shown_clear (&structure->shown[i]);
  *structure = (Structure){ 0 };
}

static void
compute_close (OdlEngine *engine)
{
  ComputeEngine *self = (ComputeEngine *) engine;

  structure_clear (&self->structure);
  structure_clear (&self->stepwise);
  g_clear_pointer (&self->input, odl_image_unref);
  odl_gl_source_free (self->source);
  odl_gl_tuner_free (self->tuner);
  odl_gl_programs_free (self->programs);
  g_free (self);
}

static bool
fuses_levels (const ComputeEngine *self)
{
  return self->chosen == NULL || g_str_equal (self->chosen, "fused");
}

static OdlGlDispatchParams
dispatch_params (ComputeEngine *self, const Structure *structure)
{
  return (OdlGlDispatchParams){
    .caps = &self->caps,
    .plan = structure->plan,
    .stores = structure->stores,
    .programs = self->programs,
    .coarse = structure->coarse,
    .tuning = odl_gl_tuner_tuning (self->tuner),
    .convolution = g_strcmp0 (self->chosen, "convolution") == 0,
  };
}

static bool
prepare_dispatches (ComputeEngine *self, Structure *structure, bool fuses, GError **error)
{
  const OdlPlan *plan = structure->plan;

  structure->coarse = fuses ? odl_gl_coarse_find (plan, &self->caps)
                            : g_array_new (FALSE, FALSE, sizeof (OdlGlCoarse));
  g_autofree bool *stored = odl_gl_stored_slots (plan, structure->coarse);
  structure->stores = odl_gl_stores_new (&self->caps, plan, stored,
                                         &self->base.counters.allocations, error);
  if (structure->stores == NULL)
    return false;

  const OdlGlDispatchParams params = dispatch_params (self, structure);
  structure->dispatches = odl_gl_dispatches_compile (&params, error);
  if (structure->dispatches == NULL)
    return false;
  structure->first_level = odl_gl_source_reader (plan, structure->dispatches);
  structure->last_level = odl_gl_shown_writer (plan, structure->dispatches);
  return true;
}

static bool
prepare_structure (ComputeEngine *self, Structure *structure, GError **error)
{
  const OdlPlan *plan = structure->plan;

  if (!odl_gl_check_size (&self->caps, plan->geometry.width, plan->geometry.height, error)
      || !prepare_dispatches (self, structure, fuses_levels (self), error))
    return false;
  const OdlGlDispatchParams params = dispatch_params (self, structure);
  const int slots[SHOWN] = { plan->source, plan->result };
  for (int i = 0; i < (plan->result == plan->source ? 1 : SHOWN); i++)
    if (!odl_gl_shown_init (&structure->shown[i], &params, slots[i],
                            &self->base.counters.textures, error))
      return false;
  return odl_gl_check (_ ("preparing the filter"), error);
}

static bool
uses_pass (const Structure *structure, OdlGlPassId pass)
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
unbind_buffers (void)
{
  for (GLuint i = 0; i < ODL_GL_DISPATCH_BUFFERS; i++)
    glBindBufferBase (GL_SHADER_STORAGE_BUFFER, i, 0);
}

static void
name_variant (ComputeEngine *self)
{
  const Structure *structure = &self->structure;
  const bool banks = uses_pass (structure, ODL_GL_PASS_COMPUTE_BANK_FORWARD);
  const bool lifts = uses_pass (structure, ODL_GL_PASS_COMPUTE_FORWARD);
  const char *chosen = fuses_levels (self) ? "lifting" : self->chosen;
  const char *way = structure->coarse->len > 0 ? "fused"
                    : banks && !lifts          ? "convolution"
                    : lifts                    ? "lifting"
                                               : chosen;

  const char *tuned
      = odl_gl_tuner_is_tuned (self->tuner, structure->dispatches) ? ", tuned" : "";
  const bool as_chosen = fuses_levels (self) || g_str_equal (way, chosen);

  g_snprintf (self->base.variant, sizeof self->base.variant, "%s%s%s%s", way,
              as_chosen ? "" : ", not ", as_chosen ? "" : chosen, tuned);
}

static bool
compute_prepare (OdlEngine *engine, const OdlPlan *plan, GError **error)
{
  ComputeEngine *self = (ComputeEngine *) engine;
  OdlGlState state;

  if (self->structure.plan != NULL && !self->is_stale
      && odl_plan_same_structure (self->structure.plan, plan))
    return true;

  Structure structure = { .plan = odl_plan_ref ((OdlPlan *) plan) };
  odl_gl_state_save (&state);
  odl_gl_forget_errors ();
  bool ok = prepare_structure (self, &structure, error);
  if (ok) {
    odl_gl_tuner_run (self->tuner, structure.dispatches);
    unbind_buffers ();
    structure_clear (&self->structure);
    structure_clear (&self->stepwise);
    g_clear_pointer (&self->input, odl_image_unref);
    self->structure = structure;
    self->is_stale = false;
    name_variant (self);
    odl_engine_set_steps (engine, plan->n_steps);
  } else {
    structure_clear (&structure);
  }
  odl_gl_state_restore (&state);
  return ok;
}

// Puts the samples of `input` on the GPU, before the LOAD pass.
static bool
load (ComputeEngine *self,
      Structure *structure,
      const OdlImage *input,
      OdlGlDispatch *dispatch,
      GError **error)
{
  const OdlGlDispatchParams params = dispatch_params (self, structure);

  structure->is_loaded = false;
  return odl_gl_source_take (self->source, input, error)
         && odl_gl_source_complete_load (self->source, &params, dispatch, error);
}

static OdlGlDispatch *
dispatch_at (const Structure *structure, guint index)
{
  return &g_array_index (structure->dispatches, OdlGlDispatch, index);
}

// Runs the LOAD pass that was left out, for whoever wants the source itself.
static void
ensure_loaded (Structure *structure)
{
  if (!structure->is_loaded)
    odl_gl_dispatch (dispatch_at (structure, 0));
  structure->is_loaded = true;
}

// Runs the last level once more where it wrote the shown texture only.
static void
ensure_stored (Structure *structure)
{
  if (!structure->is_stored && structure->last_level >= 0)
    odl_gl_dispatch (dispatch_at (structure, (guint) structure->last_level));
  structure->is_stored = true;
}

// Who looked at the frame before will look at this one, too.
static bool
is_watched (const ComputeEngine *self, const Structure *structure)
{
  const OdlGlShown *result = &structure->shown[1];

  return result->texture != 0 && result->frame != 0 && result->frame == self->frame - 1;
}

// LOAD is left out when the first level reads stored samples itself.
static bool
run_dispatch (ComputeEngine *self, Structure *structure, guint index, GError **error)
{
  if (index == 0) {
    if (structure->first_level < 0)
      ensure_loaded (structure);
    return true;
  }
  OdlGlDispatch dispatch = *dispatch_at (structure, index);
  structure->is_stored = true;
  if ((int) index == structure->last_level && is_watched (self, structure)) {
    structure->is_stored = false;
    return odl_gl_shown_write (&structure->shown[1], self->programs, &dispatch,
                               self->frame, error);
  }
  if ((int) index == structure->first_level
      && !odl_gl_source_replace (self->source, structure->plan, &dispatch, error))
    return false;
  odl_gl_dispatch (&dispatch);
  return true;
}

// Runs the dispatches from `first` on with the parameters of the structure's plan.
static bool
run_dispatches (ComputeEngine *self,
                Structure *structure,
                guint first,
                const OdlImage *input,
                GError **error)
{
  const OdlPlan *plan = structure->plan;
  bool ok = true;

  if (self->base.timing && structure->timer == NULL)
    structure->timer = odl_gl_timer_new (&self->caps, plan->n_steps);

  const bool measured = self->base.timing && structure->timer != NULL
                        && odl_gl_timer_frame_begin (structure->timer, &self->base);
  for (guint i = first; i < structure->dispatches->len && ok; i++) {
    OdlGlDispatch *dispatch = &g_array_index (structure->dispatches, OdlGlDispatch, i);
    if (measured)
      odl_gl_timer_step_begin (structure->timer, dispatch->step);
    if (plan->steps[dispatch->step].kind == ODL_STEP_LOAD)
      ok = load (self, structure, input, dispatch, error);
    if (ok) {
      odl_gl_dispatch_parameters (dispatch, plan);
      ok = run_dispatch (self, structure, i, error);
    }
    if (measured)
      odl_gl_timer_step_end (structure->timer);
  }
  if (measured && ok)
    odl_gl_timer_frame_end (structure->timer);
  return ok;
}

static void
remember (ComputeEngine *self, OdlImage *input)
{
  OdlImage *before = self->input;

  structure_clear (&self->stepwise);
  self->input = input != NULL ? odl_image_ref (input) : NULL;
  g_clear_pointer (&before, odl_image_unref);
}

static bool
compute_run (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error)
{
  ComputeEngine *self = (ComputeEngine *) engine;
  OdlGlState state;

  g_return_val_if_fail (self->structure.plan != NULL
                            && odl_plan_same_structure (self->structure.plan, plan),
                        false);

  const guint first = input == self->input ? odl_gl_resume_at (self->structure.dispatches,
                                                               self->structure.plan, plan)
                                           : 0;
  // Parameters of this frame, for what is computed when it is read back.
  if (self->structure.plan != plan) {
    odl_plan_unref (self->structure.plan);
    self->structure.plan = odl_plan_ref ((OdlPlan *) plan);
  }
  self->frame++;
  odl_gl_state_save (&state);
  bool ok = run_dispatches (self, &self->structure, first, input, error);
  if (ok && odl_debug_wants (ODL_DEBUG_SHADERS))
    ok = odl_gl_check (_ ("filtering"), error);
  unbind_buffers ();
  odl_gl_state_restore (&state);
  remember (self, ok ? input : NULL);
  self->base.counters.resumed += first > 0;
  return ok;
}

// True when `slot` is made in shared memory and not stored.
static bool
is_fused_away (const Structure *structure, int slot)
{
  const int writer = odl_gl_last_writer (structure->plan, slot, structure->plan->n_steps);
  const OdlGlCoarse *part = odl_gl_coarse_at (structure->coarse, writer);

  return part != NULL && part->inverse != writer;
}

// The structure whose stores hold `slot`: when the one in place has it fused away, the
// frame is computed again with a dispatch per level.
static Structure *
structure_with (ComputeEngine *self, int slot, GError **error)
{
  Structure *stepwise = &self->stepwise;
  const bool timing = self->base.timing;

  if (!is_fused_away (&self->structure, slot) || self->input == NULL)
    return &self->structure;
  if (stepwise->plan != NULL && self->stepwise_frame == self->frame)
    return stepwise;
  structure_clear (stepwise);
  stepwise->plan = odl_plan_ref (self->structure.plan);
  self->base.timing = false;
  bool ok = prepare_dispatches (self, stepwise, false, error)
            && run_dispatches (self, stepwise, 0, self->input, error);
  self->base.timing = timing;
  self->stepwise_frame = self->frame;
  if (!ok)
    structure_clear (stepwise);
  return ok ? stepwise : NULL;
}

static OdlImage *
compute_read_back (OdlEngine *engine, const OdlPlan *plan, int slot, GError **error)
{
  ComputeEngine *self = (ComputeEngine *) engine;

  g_return_val_if_fail (self->structure.plan != NULL
                            && odl_plan_same_structure (self->structure.plan, plan),
                        NULL);

  const OdlSlot *wanted = &plan->slots[slot];
  const OdlImageInfo info = {
    .extent = { wanted->width, wanted->height, 1, 1 },
    .channels = wanted->channels,
    .type = ODL_SAMPLE_F32,
  };
  OdlGlState state;
  float *samples;

  g_autoptr (OdlImage) image = odl_image_alloc (&info, (void **) &samples, error);
  if (image == NULL)
    return NULL;
  odl_gl_state_save (&state);
  Structure *structure = structure_with (self, slot, error);
  bool ok = structure != NULL;
  if (ok) {
    const OdlGlDispatchParams params = dispatch_params (self, structure);
    if (slot == plan->source)
      ensure_loaded (structure);
    else if (slot == plan->result)
      ensure_stored (structure);
    ok = odl_gl_compute_read (&params, slot, samples, error);
  }
  unbind_buffers ();
  odl_gl_state_restore (&state);
  return ok ? g_steal_pointer (&image) : NULL;
}

OdlGlPrograms *
odl_gl_compute_programs (OdlEngine *engine)
{
  ComputeEngine *self = compute_of (engine);

  return self != NULL ? self->programs : NULL;
}

static void
show (ComputeEngine *self, OdlGlShown *shown)
{
  OdlGlState state;

  if (shown->frame == self->frame)
    return;
  odl_gl_state_save (&state);
  if (shown->slot == self->structure.plan->source)
    ensure_loaded (&self->structure);
  else
    ensure_stored (&self->structure);
  odl_gl_shown_copy (shown, self->frame);
  unbind_buffers ();
  odl_gl_state_restore (&state);
}

OdlGlPicture
odl_gl_compute_picture (OdlEngine *engine, int slot)
{
  ComputeEngine *self = compute_of (engine);

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

void
odl_gl_compute_repeat (OdlEngine *engine, bool synthesis_only)
{
  ComputeEngine *self = compute_of (engine);

  g_return_if_fail (self != NULL && self->frame > 0);

  Structure *structure = &self->structure;
  ensure_loaded (structure);
  for (guint i = 0; i < structure->dispatches->len; i++) {
    const OdlGlDispatch *dispatch
        = &g_array_index (structure->dispatches, OdlGlDispatch, i);
    const OdlStepKind kind = structure->plan->steps[dispatch->step].kind;
    if (synthesis_only ? kind == ODL_STEP_INVERSE : kind != ODL_STEP_LOAD)
      odl_gl_dispatch (dispatch);
  }
  structure->is_stored = true;
  self->frame++;
}

size_t
odl_gl_compute_buffer_count (OdlEngine *engine)
{
  ComputeEngine *self = compute_of (engine);

  return self != NULL && self->structure.stores != NULL
             ? odl_gl_stores_count (self->structure.stores)
             : 0;
}

size_t
odl_gl_compute_buffer_bytes (OdlEngine *engine)
{
  ComputeEngine *self = compute_of (engine);

  return self != NULL && self->structure.stores != NULL
             ? odl_gl_stores_bytes (self->structure.stores)
             : 0;
}

void
odl_gl_compute_set_max_storage (OdlEngine *engine, int bytes)
{
  ComputeEngine *self = compute_of (engine);

  g_return_if_fail (self != NULL);
  self->caps.max_storage = bytes;
}

static bool
compute_choose (OdlEngine *engine, const char *name, GError **error)
{
  ComputeEngine *self = (ComputeEngine *) engine;

  (void) error; // every context can run every variant
  self->chosen = name;
  self->is_stale = true;
  return true;
}

static const OdlEngineVariant compute_variants[] = {
  { "fused", N_ ("lifting, the coarse levels of small pictures in one go") },
  { "lifting", N_ ("lifting steps where the wavelet has them") },
  { "convolution", N_ ("filter banks for every wavelet") },
  { NULL, NULL },
};

const OdlEngineClass odl_gl_compute_engine = {
  .name = "gl-compute",
  .description = N_ ("OpenGL, compute shaders; needs OpenGL 4.3 or OpenGL ES 3.1"),
  .needs_gl = true,
  .limits = { .borders = ODL_ENGINE_EVERY_BORDER, .reversible = true },
  .variants = compute_variants,
  .open = compute_open,
  .close = compute_close,
  .prepare = compute_prepare,
  .run = compute_run,
  .read_back = compute_read_back,
  .repeat = odl_gl_compute_repeat,
  .choose = compute_choose,
};
