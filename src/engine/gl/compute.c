// SPDX-License-Identifier: MIT
// The engine gl-compute: lifting in compute shaders, one dispatch per level and
// direction.
#include "engine/gl/compute.h"

#include "config.h"
#include <glib/gi18n-lib.h>

#include "base/debug.h"
#include "base/error.h"
#include "engine/gl/compute_private.h"
#include "engine/gl/compute_resume.h"
#include "engine/gl/state.h"
#include "engine/registry.h"

OdlGlComputeEngine *
odl_gl_compute_of (OdlEngine *engine)
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
  if (!caps.compute) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
                 _ ("%s has no compute shaders: OpenGL 4.3 or OpenGL ES 3.1 is needed; "
                    "choose the engine “gl-fragment”"),
                 caps.renderer);
    return NULL;
  }

  OdlGlComputeEngine *self = g_new0 (OdlGlComputeEngine, 1);
  self->caps = caps;
  self->programs = odl_gl_programs_new (&self->caps, &self->base.counters.programs);
  self->tuner = odl_gl_tuner_new (&self->caps);
  self->source = odl_gl_source_new (&self->caps, self->programs, &self->base.counters,
                                    &self->base.pool);
  return &self->base;
}

static void
compute_close (OdlEngine *engine)
{
  OdlGlComputeEngine *self = (OdlGlComputeEngine *) engine;

  odl_gl_structure_clear (&self->structure);
  odl_gl_structure_clear (&self->stepwise);
  g_clear_pointer (&self->input, odl_image_unref);
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
  const OdlGlPartsRule rule = odl_gl_compute_rule (self);
  const bool banks = uses_pass (structure, ODL_GL_PASS_COMPUTE_BANK_FORWARD);
  const bool lifts = uses_pass (structure, ODL_GL_PASS_COMPUTE_FORWARD);
  const bool pairs = uses_pass (structure, ODL_GL_PASS_COMPUTE_FORWARD_TWO);
  const char *chosen = rule == ODL_GL_PARTS_BY_SIZE ? "lifting" : self->chosen;
  const char *way = pairs && rule == ODL_GL_PARTS_PAIRS ? "pairs"
                    : structure->parts->len > 0         ? "fused"
                    : banks && !lifts                   ? "convolution"
                    : lifts                             ? "lifting"
                                                        : chosen;

  const char *tuned
      = odl_gl_tuner_is_tuned (self->tuner, structure->dispatches) ? ", tuned" : "";
  const bool as_chosen = rule == ODL_GL_PARTS_BY_SIZE || g_str_equal (way, chosen);

  g_snprintf (self->base.variant, sizeof self->base.variant, "%s%s%s%s", way,
              as_chosen ? "" : ", not ", as_chosen ? "" : chosen, tuned);
}

static bool
compute_prepare (OdlEngine *engine, const OdlPlan *plan, GError **error)
{
  OdlGlComputeEngine *self = (OdlGlComputeEngine *) engine;
  OdlGlState state;

  if (self->structure.plan != NULL && !self->is_stale
      && odl_plan_same_structure (self->structure.plan, plan))
    return true;

  OdlGlStructure structure = { .plan = odl_plan_ref ((OdlPlan *) plan) };
  odl_gl_state_save (&state);
  odl_gl_forget_errors ();
  bool ok = odl_gl_structure_prepare (self, &structure, error);
  if (ok) {
    odl_gl_tuner_run (self->tuner, structure.dispatches);
    odl_gl_unbind_buffers ();
    odl_gl_structure_clear (&self->structure);
    odl_gl_structure_clear (&self->stepwise);
    g_clear_pointer (&self->input, odl_image_unref);
    self->structure = structure;
    self->is_stale = false;
    name_variant (self);
    odl_engine_set_steps (engine, plan->n_steps);
  } else {
    odl_gl_structure_clear (&structure);
  }
  odl_gl_state_restore (&state);
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

static bool
compute_run (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error)
{
  OdlGlComputeEngine *self = (OdlGlComputeEngine *) engine;
  OdlGlState state;

  g_return_val_if_fail (self->structure.plan != NULL
                            && odl_plan_same_structure (self->structure.plan, plan),
                        false);

  const bool again = input == self->input && engine->last.take == engine->moment.take
                     && engine->last.serial == engine->moment.serial;
  const guint first
      = again ? odl_gl_resume_at (self->structure.dispatches, self->structure.plan, plan)
              : 0;
  // Parameters of this frame, for what is computed when it is read back.
  if (self->structure.plan != plan) {
    odl_plan_unref (self->structure.plan);
    self->structure.plan = odl_plan_ref ((OdlPlan *) plan);
  }
  self->frame++;
  odl_gl_state_save (&state);
  bool ok = odl_gl_structure_run (self, &self->structure, first, input, error);
  if (ok && odl_debug_wants (ODL_DEBUG_SHADERS))
    ok = odl_gl_check (_ ("filtering"), error);
  odl_gl_unbind_buffers ();
  odl_gl_state_restore (&state);
  remember (self, ok ? input : NULL);
  self->base.counters.resumed += first > 0;
  return ok;
}

static bool
compute_choose (OdlEngine *engine, const char *name, GError **error)
{
  OdlGlComputeEngine *self = (OdlGlComputeEngine *) engine;

  (void) error; // every context can run every variant
  self->chosen = name;
  self->is_stale = true;
  return true;
}

static const OdlEngineVariant compute_variants[] = {
  { "fused", N_ ("lifting, some levels in one go, as their size suggests") },
  { "pairs", N_ ("lifting, two levels at a time") },
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
  .read_back = odl_gl_compute_read_back,
  .repeat = odl_gl_compute_repeat,
  .choose = compute_choose,
};
