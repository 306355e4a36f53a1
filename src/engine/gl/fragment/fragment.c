// SPDX-License-Identifier: MIT
// The engine gl-fragment: every step is one or a few draw calls into float textures.
#include "engine/gl/fragment/fragment.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/debug.h"
#include "base/text.h"
#include "engine/gl/draws.h"
#include "engine/gl/fragment/read.h"
#include "engine/gl/measure.h"
#include "engine/gl/platform/state.h"
#include "engine/registry.h"
#include "plan/flow.h"
#include "plan/group.h"

// Strips need six to eight more draw calls of some microseconds each; for pictures below
// 512², whose halves take no more than 1 MB, this costs more than the memory is worth.
#define STRIPS_FROM (1 << 18)

typedef struct {
  OdlEngine base;
  OdlGlCaps caps;
  OdlGlPrograms *programs;
  OdlGlUpload *upload;
  OdlGlOperands *operands;
  GLuint vertex_array; // core profiles require one, even if it is empty
  GLuint read_framebuffer;
  OdlGlVariant wanted;
  OdlGlVariant variant; // of the current structure
  bool is_stale; // the structure was made when another variant was wanted
  GLuint mirror; // sampler
  int strips_from; // see texture_stores.h
  // The current structure; all NULL if there is none.
  OdlPlan *plan;
  OdlGlTextureStores *stores;
  OdlGlPast *past;
  OdlGlMeasures *measures; // NULL: no step measures
  bool has_measured; // numbers that nobody has observed yet
  OdlGlStepDraws *steps;
  GArray *draws; // OdlGlDraw
  OdlGlTimer *timer; // made when times are first wanted
} FragmentEngine;

static FragmentEngine *
fragment_of (OdlEngine *engine)
{
  return engine != NULL && engine->klass == &odl_gl_fragment_engine
             ? (FragmentEngine *) engine
             : NULL;
}

static OdlEngine *
fragment_open (GError **error)
{
  OdlGlCaps caps;

  if (!odl_gl_caps_init (&caps, error))
    return NULL;

  FragmentEngine *self = g_new0 (FragmentEngine, 1);
  self->caps = caps;
  self->strips_from = STRIPS_FROM;
  self->programs = odl_gl_programs_new (&self->caps, &self->base.counters.programs);
  self->upload = odl_gl_upload_new (&self->caps, self->programs, &self->base.counters,
                                    &self->base.pool);
  self->operands
      = odl_gl_operands_new (&self->caps, self->programs, &self->base.counters);
  glGenVertexArrays (1, &self->vertex_array);
  glGenFramebuffers (1, &self->read_framebuffer);
  glGenSamplers (1, &self->mirror);
  glSamplerParameteri (self->mirror, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glSamplerParameteri (self->mirror, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glSamplerParameteri (self->mirror, GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
  glSamplerParameteri (self->mirror, GL_TEXTURE_WRAP_T, GL_MIRRORED_REPEAT);
  self->wanted = ODL_GL_PACKED;
  return &self->base;
}

static void
fragment_close (OdlEngine *engine)
{
  FragmentEngine *self = (FragmentEngine *) engine;

  odl_gl_timer_free (self->timer);
  odl_gl_past_free (self->past);
  odl_gl_measures_free (self->measures);
  odl_gl_texture_stores_free (self->stores);
  odl_gl_operands_free (self->operands);
  odl_gl_upload_free (self->upload);
  odl_gl_programs_free (self->programs);
  glDeleteSamplers (1, &self->mirror);
  glDeleteFramebuffers (1, &self->read_framebuffer);
  glDeleteVertexArrays (1, &self->vertex_array);
  if (self->draws != NULL)
    g_array_unref (self->draws);
  g_free (self->steps);
  g_clear_pointer (&self->plan, odl_plan_unref);
  g_free (self);
}

// Replaces the current structure; the new one may have taken over its textures.
static void
commit (FragmentEngine *self,
        const OdlPlan *plan,
        OdlGlTextureStores *stores,
        OdlGlPast *past,
        OdlGlMeasures *measures,
        OdlGlStepDraws *steps,
        GArray *draws)
{
  odl_gl_texture_stores_commit (stores, self->stores);
  self->stores = stores;
  odl_gl_past_free (self->past);
  self->past = past;
  odl_gl_measures_free (self->measures);
  self->measures = measures;
  self->has_measured = false;
  if (self->draws != NULL)
    g_array_unref (self->draws);
  self->draws = draws;
  g_free (self->steps);
  self->steps = steps;
  g_clear_pointer (&self->plan, odl_plan_unref);
  self->plan = odl_plan_ref ((OdlPlan *) plan);
  g_clear_pointer (&self->timer, odl_gl_timer_free);
  odl_engine_set_steps (&self->base, plan->n_steps);
}

// The variant that runs, and the wanted one if it is another.
static void
name_variant (FragmentEngine *self)
{
  const char *name = odl_gl_variants[self->variant].name;
  const char *wanted = odl_gl_variants[self->wanted].name;

  if (self->variant == self->wanted)
    g_strlcpy (self->base.variant, name, sizeof self->base.variant);
  else
    g_snprintf (self->base.variant, sizeof self->base.variant, "%s, not %s", name,
                wanted);
}

// NULL if memory for the history of temporal steps is short.
static OdlGlPast *
make_past (FragmentEngine *self,
           const OdlPlan *plan,
           const OdlGlTextureStores *stores,
           GError **error)
{
  OdlGlPast *past = odl_gl_past_new (plan, &self->base.counters.textures);

  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].frames > 0
        && !odl_gl_past_add (
            past, i, odl_gl_texture_stores_at (stores, plan->steps[i].writes), error)) {
      odl_gl_past_free (past);
      return NULL;
    }
  return past;
}

static bool
prepare_structure (FragmentEngine *self, const OdlPlan *plan, GError **error)
{
  const OdlGlVariant variant = odl_gl_variant_for (self->wanted, plan);
  const OdlGlTextureStoresParams wanted = {
    .caps = &self->caps,
    .plan = plan,
    .variant = variant,
    .strips_from = self->strips_from,
  };
  OdlGlTextureStores *stores = odl_gl_texture_stores_new (
      &wanted, self->stores, &self->base.counters.textures, error);
  if (stores == NULL)
    return false;

  g_autofree OdlGlStepDraws *steps = g_new0 (OdlGlStepDraws, plan->n_steps);
  const OdlGlStepsParams params = {
    .plan = plan,
    .stores = stores,
    .programs = self->programs,
    .variant = variant,
    .interiors = self->caps.is_software,
    .gather = self->caps.gather,
    .steps = steps,
  };
  g_autoptr (GArray) draws = odl_gl_steps_compile (&params, error);
  OdlGlPast *past = draws != NULL ? make_past (self, plan, stores, error) : NULL;
  bool ok = past != NULL;
  OdlGlMeasures *measures = ok ? odl_gl_measures_new (plan, &ok, error) : NULL;
  if (!ok || !odl_gl_check (_ ("preparing the filter"), error)) {
    odl_gl_measures_free (measures);
    odl_gl_past_free (past);
    odl_gl_texture_stores_rollback (stores, self->stores);
    return false;
  }
  commit (self, plan, stores, past, measures, g_steal_pointer (&steps),
          g_steal_pointer (&draws));
  self->variant = variant;
  self->is_stale = false;
  name_variant (self);
  return true;
}

static bool
fragment_prepare (OdlEngine *engine, const OdlPlan *plan, GError **error)
{
  FragmentEngine *self = (FragmentEngine *) engine;
  OdlGlState state;

  if (self->plan != NULL && !self->is_stale && odl_plan_same_structure (self->plan, plan))
    return true;

  odl_gl_state_save (&state);
  odl_gl_forget_errors ();
  glBindVertexArray (self->vertex_array);
  bool ok = prepare_structure (self, plan, error);
  odl_gl_state_restore (&state);
  return ok;
}

static void
bind_mirror (FragmentEngine *self)
{
  for (GLuint unit = 0; self->variant == ODL_GL_MIRROR && unit < ODL_GL_STATE_UNITS;
       unit++)
    glBindSampler (unit, self->mirror);
}

static OdlGlDrawsParams
draws_params (FragmentEngine *self)
{
  return (OdlGlDrawsParams){
    .engine = &self->base,
    .caps = &self->caps,
    .upload = self->upload,
    .operands = self->operands,
    .steps = self->steps,
    .draws = self->draws,
    .past = self->past,
    .measures = self->measures,
    .timer = &self->timer,
  };
}

static OdlGlReadParams
read_params (FragmentEngine *self)
{
  return (OdlGlReadParams){
    .plan = self->plan,
    .variant = self->variant,
    .before = self->plan->n_steps,
    .stores = self->stores,
    .programs = self->programs,
    .steps = self->steps,
    .draws = self->draws,
    .framebuffer = self->read_framebuffer,
  };
}

// For steps that measure, between the others of a frame.
static bool
read_for_measuring (OdlEngine *engine,
                    const OdlGlSlotWanted *wanted,
                    float *out,
                    GError **error)
{
  OdlGlReadParams params = read_params ((FragmentEngine *) engine);

  params.slot = wanted->slot;
  params.before = wanted->before;
  params.texels = wanted->texels;
  return odl_gl_read_slot (&params, out, error);
}

static bool
fragment_run (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error)
{
  FragmentEngine *self = (FragmentEngine *) engine;
  OdlGlState state;

  g_return_val_if_fail (self->plan != NULL && odl_plan_same_structure (self->plan, plan),
                        false);

  const OdlGlDrawsParams params = draws_params (self);
  odl_gl_state_save (&state);
  glBindVertexArray (self->vertex_array);
  bind_mirror (self);
  if (self->measures != NULL)
    odl_gl_measures_begin (self->measures, engine, read_for_measuring, input);
  bool ok = odl_gl_draws_run (&params, plan, input, error);
  self->has_measured = ok && self->measures != NULL;
  if (ok && odl_debug_wants (ODL_DEBUG_SHADERS))
    ok = odl_gl_check (_ ("filtering"), error);
  odl_gl_state_restore (&state);
  return ok;
}

static void
fragment_repeat (OdlEngine *engine, bool synthesis_only)
{
  FragmentEngine *self = (FragmentEngine *) engine;
  OdlGlState state;

  g_return_if_fail (self->plan != NULL);

  const OdlGlDrawsParams params = draws_params (self);
  odl_gl_state_save (&state);
  glBindVertexArray (self->vertex_array);
  bind_mirror (self);
  odl_gl_draws_repeat (&params, self->plan, synthesis_only);
  odl_gl_state_restore (&state);
}

static bool
fragment_read_back (OdlEngine *engine,
                    const OdlPlan *plan,
                    int slot,
                    float *samples,
                    GError **error)
{
  FragmentEngine *self = (FragmentEngine *) engine;
  g_return_val_if_fail (self->plan != NULL && odl_plan_same_structure (self->plan, plan),
                        false);

  OdlGlReadParams params = read_params (self);
  OdlGlState state;

  if (odl_gl_measures_have (plan, slot)) {
    odl_gl_measures_read (self->measures, slot, samples);
    return true;
  }
  params.slot = slot;
  odl_gl_state_save (&state);
  glBindVertexArray (self->vertex_array);
  bool ok = odl_gl_read_slot (&params, samples, error);
  odl_gl_state_restore (&state);
  return ok;
}

// Measurements are complete when the frame has been run.
static bool
fragment_observe (OdlEngine *engine, const OdlPlan *plan, float *numbers)
{
  FragmentEngine *self = (FragmentEngine *) engine;

  if (!self->has_measured || !odl_plan_same_structure (self->plan, plan))
    return false;
  for (int i = 0; i < plan->n_slots; i++)
    if (plan->slots[i].observed)
      odl_gl_measures_read (self->measures, i, numbers + odl_plan_observed_at (plan, i));
  self->has_measured = false;
  return true;
}

static bool
fragment_has_step (const OdlStep *step)
{
  // Thresholds are uniforms; CUT would read the numbers of TROUGH from a texture, OUTLINE
  // those of SNAKES, SHRINK those of a band that is a picture.
  if (odl_step_class (step) == ODL_STEP_CLASS_MEASURE)
    return step->kind != ODL_STEP_TROUGH && step->kind != ODL_STEP_SNAKES
           && step->kind != ODL_STEP_EQUALISE && step->band == 0;
  return odl_gl_steps_have (step);
}

OdlGlPrograms *
odl_gl_fragment_programs (OdlEngine *engine)
{
  FragmentEngine *self = fragment_of (engine);

  return self != NULL ? self->programs : NULL;
}

const OdlGlTextureStore *
odl_gl_fragment_store (OdlEngine *engine, int slot)
{
  FragmentEngine *self = fragment_of (engine);

  return self != NULL && self->stores != NULL
             ? odl_gl_texture_stores_at (self->stores, slot)
             : NULL;
}

bool
odl_gl_fragment_is_packed (OdlEngine *engine, int slot)
{
  FragmentEngine *self = fragment_of (engine);

  return self != NULL && self->plan != NULL
         && odl_gl_is_packed (self->plan, self->variant, slot, self->plan->n_steps);
}

OdlGlTexels
odl_gl_fragment_texels (OdlEngine *engine)
{
  FragmentEngine *self = fragment_of (engine);
  OdlGlTexels sum = { 0, 0 };

  for (int i = 0; self != NULL && self->plan != NULL && i < self->plan->n_steps; i++) {
    const OdlStep *step = &self->plan->steps[i];
    const OdlGlTextureStore *target
        = odl_gl_texture_stores_written (self->stores, self->plan, i);
    for (int d = self->steps[i].first;
         step->kind != ODL_STEP_LOAD && d < self->steps[i].first + self->steps[i].count;
         d++) {
      const OdlGlDraw *draw = &g_array_index (self->draws, OdlGlDraw, d);
      const double lines = draw->program->lines ? 0.5 : 1;
      const double area = lines * draw->viewport[2] * draw->viewport[3];
      odl_gl_store_add_texels (target, draw->framebuffer, area, &sum);
      if (step->kind != ODL_STEP_INVERSE || step->axis != ODL_AXIS_X)
        continue;
      // It may share its draw calls with the step along y.
      const int along_y = odl_plan_group_level (self->plan, i).inverse_y;
      odl_gl_store_add_texels (
          odl_gl_texture_stores_written (self->stores, self->plan, along_y),
          draw->framebuffer, area, &sum);
    }
  }
  return sum;
}

size_t
odl_gl_fragment_texture_bytes (OdlEngine *engine)
{
  FragmentEngine *self = fragment_of (engine);

  if (self == NULL || self->stores == NULL)
    return 0;
  size_t bytes = odl_gl_texture_stores_bytes (self->stores);
  for (int i = 0; i < self->plan->n_steps; i++) {
    const OdlStep *step = &self->plan->steps[i];
    const OdlGlTextureStore *target
        = odl_gl_texture_stores_at (self->stores, step->writes);
    if (step->frames > 0)
      bytes += (size_t) step->frames * odl_gl_store_texture_bytes (target, 0);
  }
  return bytes;
}

void
odl_gl_fragment_forgo_gather (OdlEngine *engine)
{
  FragmentEngine *self = fragment_of (engine);

  g_return_if_fail (self != NULL);
  self->caps.gather = false;
}

void
odl_gl_fragment_set_max_side (OdlEngine *engine, int max_side)
{
  FragmentEngine *self = fragment_of (engine);

  g_return_if_fail (self != NULL);
  self->caps.max_side = max_side;
}

void
odl_gl_fragment_set_strips_from (OdlEngine *engine, int samples)
{
  FragmentEngine *self = fragment_of (engine);

  g_return_if_fail (self != NULL);
  self->strips_from = samples;
}

static bool
fragment_choose (OdlEngine *engine, const char *name, GError **error)
{
  FragmentEngine *self = (FragmentEngine *) engine;

  (void) error; // every context can run every variant
  self->wanted = ODL_GL_PACKED;
  for (OdlGlVariant v = 0; name != NULL && v < ODL_GL_N_VARIANTS; v++)
    if (g_str_equal (odl_gl_variants[v].name, name))
      self->wanted = v;
  self->is_stale = true;
  return true;
}

const OdlEngineClass odl_gl_fragment_engine = {
  .name = "gl-fragment",
  .description = N_ ("OpenGL, fragment shaders; runs on any graphics card"),
  .needs_gl = true,
  .variants = odl_gl_variants,
  .limits = { .borders = ODL_ENGINE_EVERY_BORDER, .reversible = true },
  .has_step = fragment_has_step,
  .open = fragment_open,
  .close = fragment_close,
  .prepare = fragment_prepare,
  .run = fragment_run,
  .read_back = fragment_read_back,
  .observe = fragment_observe,
  .choose = fragment_choose,
  .repeat = fragment_repeat,
};
