// SPDX-License-Identifier: MIT
// What others see of the frame that gl-compute has made: slots that are read back, the
// textures that the canvas draws, and repeats for measurements.
#include "engine/gl/compute_private.h"

#include "engine/gl/compute_part_fill.h"
#include "engine/gl/compute_read.h"
#include "engine/gl/state.h"
#include "engine/gl/steps.h"

// True when `slot` is made on the way through several levels and not stored, or its LL is
// not.
static bool
is_fused_away (const OdlGlStructure *structure, int slot)
{
  const OdlPlan *plan = structure->plan;
  int writer = odl_gl_last_writer (plan, slot, plan->n_steps);

  // What shrinks as it is read is stored as it was before.
  if (odl_gl_part_at (structure->parts, writer) == NULL
      && odl_gl_is_fused_threshold (plan, writer))
    writer = odl_gl_last_writer (plan, plan->steps[writer].reads[0], writer);
  const OdlGlPart *part = odl_gl_part_at (structure->parts, writer);
  return part != NULL && !odl_gl_part_stores (part, writer);
}

// The structure whose stores hold `slot`: when the one in place has it fused away, the
// frame is computed again with a dispatch per level.
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
  self->base.timing = false;
  bool ok = odl_gl_structure_compile (self, stepwise, ODL_GL_PARTS_NONE, error)
            && odl_gl_structure_run (self, stepwise, 0, self->input, error);
  self->base.timing = timing;
  self->stepwise_frame = self->frame;
  if (!ok)
    odl_gl_structure_clear (stepwise);
  return ok ? stepwise : NULL;
}

OdlImage *
odl_gl_compute_read_back (OdlEngine *engine,
                          const OdlPlan *plan,
                          int slot,
                          GError **error)
{
  OdlGlComputeEngine *self = (OdlGlComputeEngine *) engine;

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
  return ok ? g_steal_pointer (&image) : NULL;
}

OdlGlPrograms *
odl_gl_compute_programs (OdlEngine *engine)
{
  OdlGlComputeEngine *self = odl_gl_compute_of (engine);

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
  OdlGlComputeEngine *self = odl_gl_compute_of (engine);

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
  OdlGlComputeEngine *self = odl_gl_compute_of (engine);

  g_return_if_fail (self != NULL && self->frame > 0);

  OdlGlStructure *structure = &self->structure;
  guint first = 0;
  odl_gl_structure_ensure_loaded (structure);
  for (guint i = 0; i < structure->dispatches->len; i++) {
    OdlGlDispatch dispatch = g_array_index (structure->dispatches, OdlGlDispatch, i);
    const OdlStepKind kind = structure->plan->steps[dispatch.step].kind;
    if (synthesis_only ? kind != ODL_STEP_INVERSE : kind == ODL_STEP_LOAD)
      continue;
    first = first == 0 ? i : first;
    if (synthesis_only && i == first && dispatch.resumed != NULL)
      dispatch.program = dispatch.resumed;
    odl_gl_dispatch (&dispatch);
  }
  structure->is_stored = true;
  self->frame++;
}

// Of what parts of the plan keep: buffers, or with `bytes` their bytes.
static size_t
count_kept (const OdlGlStructure *structure, bool bytes)
{
  size_t n = 0;

  for (guint i = 0; i < structure->parts->len; i++) {
    const OdlGlPart *part = &g_array_index (structure->parts, OdlGlPart, i);
    if (part->kept != 0)
      n += bytes ? odl_gl_part_kept_bytes (part, structure->plan, structure->stores) : 1;
  }
  return n;
}

size_t
odl_gl_compute_buffer_count (OdlEngine *engine)
{
  OdlGlComputeEngine *self = odl_gl_compute_of (engine);

  return self != NULL && self->structure.stores != NULL
             ? odl_gl_stores_count (self->structure.stores)
                   + count_kept (&self->structure, false)
             : 0;
}

size_t
odl_gl_compute_buffer_bytes (OdlEngine *engine)
{
  OdlGlComputeEngine *self = odl_gl_compute_of (engine);

  return self != NULL && self->structure.stores != NULL
             ? odl_gl_stores_bytes (self->structure.stores)
                   + count_kept (&self->structure, true)
                   + odl_gl_past_buffers_bytes (self->structure.plan,
                                                self->structure.stores)
             : 0;
}

void
odl_gl_compute_set_max_storage (OdlEngine *engine, int bytes)
{
  OdlGlComputeEngine *self = odl_gl_compute_of (engine);

  g_return_if_fail (self != NULL);
  self->caps.max_storage = bytes;
}
