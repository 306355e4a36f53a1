// SPDX-License-Identifier: MIT
// The engine gl-lookup: the transform as one shader that looks up in tables where its
// samples lie (table.h), in two passes per level between two textures. This was the first
// method for wavelets on graphics hardware; it is the baseline of measurements.
#include "engine/gl/lookup/lookup.h"

#include <glib/gi18n-lib.h>

#include "base/debug.h"
#include "base/error.h"
#include "engine/gl/draws.h"
#include "engine/gl/lookup/steps.h"
#include "engine/gl/measure.h"
#include "engine/gl/platform/state.h"
#include "engine/registry.h"
#include "plan/flow.h"

// The resources of a plan; all zero if there is none.
typedef struct {
  OdlPlan *plan;
  int n_stores;
  OdlGlTextureStore stores[ODL_GL_LOOKUP_STORES]; // one texture and framebuffer each
  OdlGlLookupTables *tables;
  OdlGlLookupPlace *places;
  OdlGlStepDraws *steps;
  OdlGlPast *past;
  OdlGlMeasures *measures; // NULL: no step measures
  GArray *draws; // OdlGlDraw
  OdlGlTimer *timer; // made when times are first wanted
} Structure;

typedef struct {
  OdlEngine base;
  OdlGlCaps caps;
  OdlGlPrograms *programs;
  OdlGlUpload *upload;
  OdlGlOperands *operands;
  GLuint vertex_array; // core profiles require one, even if it is empty
  Structure structure;
} LookupEngine;

static LookupEngine *
lookup_of (OdlEngine *engine)
{
  return engine != NULL && engine->klass == &odl_gl_lookup_engine
             ? (LookupEngine *) engine
             : NULL;
}

static OdlEngine *
lookup_open (GError **error)
{
  OdlGlCaps caps;

  if (!odl_gl_caps_init (&caps, error))
    return NULL;

  LookupEngine *self = g_new0 (LookupEngine, 1);
  self->caps = caps;
  self->programs = odl_gl_programs_new (&self->caps, &self->base.counters.programs);
  self->upload = odl_gl_upload_new (&self->caps, self->programs, &self->base.counters,
                                    &self->base.pool);
  self->operands
      = odl_gl_operands_new (&self->caps, self->programs, &self->base.counters);
  glGenVertexArrays (1, &self->vertex_array);
  return &self->base;
}

// Frees all but the first `kept` stores.
static void
structure_clear (Structure *structure, int kept)
{
  for (int i = kept; i < structure->n_stores; i++) {
    glDeleteFramebuffers (1, structure->stores[i].framebuffers);
    glDeleteTextures (1, structure->stores[i].textures);
  }
  odl_gl_timer_free (structure->timer);
  odl_gl_past_free (structure->past);
  odl_gl_measures_free (structure->measures);
  odl_gl_lookup_tables_free (structure->tables);
  g_free (structure->places);
  g_free (structure->steps);
  g_clear_pointer (&structure->draws, g_array_unref);
  g_clear_pointer (&structure->plan, odl_plan_unref);
  *structure = (Structure){ 0 };
}

static void
lookup_close (OdlEngine *engine)
{
  LookupEngine *self = (LookupEngine *) engine;

  structure_clear (&self->structure, 0);
  odl_gl_operands_free (self->operands);
  odl_gl_upload_free (self->upload);
  odl_gl_programs_free (self->programs);
  glDeleteVertexArrays (1, &self->vertex_array);
  g_free (self);
}

// Slots share stores: all stores have the highest precision that a slot states.
static int
store_precision (const OdlGlCaps *caps, const OdlPlan *plan)
{
  int precision = plan->precision;

  for (int i = 0; i < plan->n_slots; i++)
    precision = MAX (precision, odl_gl_slot_precision (caps, plan, i));
  return precision;
}

static bool
store_init (LookupEngine *self, OdlGlTextureStore *store, GError **error)
{
  store->textures[0]
      = odl_gl_texture_new (4, store->precision, store->width, store->height);
  if (store->textures[0] != 0) {
    self->base.counters.textures++;
    store->framebuffers[0] = odl_gl_framebuffer_new (store->textures, 1);
  }
  if (store->framebuffers[0] != 0)
    return true;
  odl_gl_set_memory_error (store, error);
  return false;
}

// Takes over matching stores of the current structure; their number in *borrowed.
static bool
prepare_stores (LookupEngine *self, Structure *structure, int *borrowed, GError **error)
{
  const Structure *old = &self->structure;
  const OdlPlan *plan = structure->plan;
  OdlGlTextureStore wanted = { .precision = store_precision (&self->caps, plan) };
  const int n = odl_gl_lookup_places (plan, structure->places);

  for (int i = 0; i < plan->n_slots; i++) {
    wanted.width = MAX (wanted.width, plan->slots[i].width);
    wanted.height = MAX (wanted.height, plan->slots[i].height);
  }
  if (!odl_gl_check_size (&self->caps, wanted.width, wanted.height, error))
    return false;
  if (old->n_stores > 0 && old->stores[0].precision == wanted.precision
      && old->stores[0].width == wanted.width && old->stores[0].height == wanted.height)
    *borrowed = MIN (n, old->n_stores);
  for (int i = 0; i < n; i++) {
    structure->stores[i] = i < *borrowed ? old->stores[i] : wanted;
    structure->n_stores = i + 1;
    if (i >= *borrowed && !store_init (self, &structure->stores[i], error))
      return false;
  }
  return true;
}

static bool
prepare_past (LookupEngine *self, Structure *structure, GError **error)
{
  const OdlPlan *plan = structure->plan;

  structure->past = odl_gl_past_new (plan, &self->base.counters.textures);
  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].frames > 0
        && !odl_gl_past_add (structure->past, i,
                             &structure->stores[structure->places[i].writes], error))
      return false;
  return true;
}

static bool
prepare_structure (LookupEngine *self,
                   Structure *structure,
                   int *borrowed,
                   GError **error)
{
  const OdlPlan *plan = structure->plan;

  if (!odl_gl_check_plan (&self->caps, plan, error)
      || !prepare_stores (self, structure, borrowed, error)
      || !prepare_past (self, structure, error))
    return false;

  bool has_memory = false;
  structure->measures = odl_gl_measures_new (plan, &has_memory, error);
  if (!has_memory)
    return false;

  const OdlGlLookupParams params = {
    .caps = &self->caps,
    .plan = plan,
    .programs = self->programs,
    .tables = structure->tables,
    .places = structure->places,
    .stores = structure->stores,
    .steps = structure->steps,
  };
  structure->draws = odl_gl_lookup_compile (&params, error);
  return structure->draws != NULL && odl_gl_check (_ ("preparing the filter"), error);
}

static bool
lookup_prepare (OdlEngine *engine, const OdlPlan *plan, GError **error)
{
  LookupEngine *self = (LookupEngine *) engine;
  OdlGlState state;
  int borrowed = 0;

  if (self->structure.plan != NULL
      && odl_plan_same_structure (self->structure.plan, plan))
    return true;

  Structure structure = {
    .plan = odl_plan_ref ((OdlPlan *) plan),
    .tables = odl_gl_lookup_tables_new (&self->base.counters.textures),
    .places = g_new0 (OdlGlLookupPlace, plan->n_steps),
    .steps = g_new0 (OdlGlStepDraws, plan->n_steps),
  };
  odl_gl_state_save (&state);
  odl_gl_forget_errors ();
  bool ok = prepare_structure (self, &structure, &borrowed, error);
  if (ok) {
    structure_clear (&self->structure, borrowed);
    self->structure = structure;
    odl_engine_set_steps (engine, plan->n_steps);
  } else {
    structure_clear (&structure, borrowed);
  }
  odl_gl_state_restore (&state);
  return ok;
}

// Repeats the frame up to a step, or to its end: approximations are overwritten by the
// bands of the next level, and pictures by later ones. The source is never overwritten.
static void
repeat_to (LookupEngine *self, int last)
{
  const Structure *structure = &self->structure;
  const OdlGlStepDraws *steps = structure->steps;

  glBindVertexArray (self->vertex_array);
  for (int i = steps[0].count; i < steps[last].first + steps[last].count; i++)
    odl_gl_draw (&g_array_index (structure->draws, OdlGlDraw, i));
}

static bool
is_overwritten (const Structure *structure, int s)
{
  for (int later = s + 1; later < structure->plan->n_steps; later++)
    if (structure->steps[later].count > 0
        && structure->places[later].writes == structure->places[s].writes)
      return true;
  return false;
}

// Copies texels to samples and adds the bias where it is missing: on approximations.
static void
unpack (const Structure *structure, int slot, const float *texels, float *out)
{
  const OdlPlan *plan = structure->plan;
  const OdlSlot *wanted = &plan->slots[slot];
  const bool is_layout = slot == plan->result && plan->details.levels > 0;
  const bool halved_x = wanted->kind != ODL_SLOT_PICTURE;
  const bool halved_y = wanted->kind == ODL_SLOT_BANDS;
  const int biased_x = is_layout         ? plan->details.width
                       : wanted->details ? 0
                       : halved_x        ? odl_low_count (wanted->width)
                                         : wanted->width;
  const int biased_y = is_layout  ? plan->details.height
                       : halved_y ? odl_low_count (wanted->height)
                                  : wanted->height;
  const float bias = odl_gl_bias (plan->precision);

  for (int y = 0; y < wanted->height; y++)
    for (int x = 0; x < wanted->width; x++, texels += 4)
      for (int c = 0; c < wanted->channels; c++)
        *out++ = x < biased_x && y < biased_y ? texels[c] + bias : texels[c];
}

// What step `writer` has drawn as `slot`, and nothing has overwritten.
static void
read_texels (const Structure *structure, int slot, int writer, float *texels)
{
  const OdlSlot *wanted = &structure->plan->slots[slot];

  glBindFramebuffer (GL_READ_FRAMEBUFFER,
                     structure->stores[structure->places[writer].writes].framebuffers[0]);
  odl_gl_read_texels (wanted->width, wanted->height, texels);
}

// For steps that measure, between the others of a frame.
static bool
read_for_measuring (OdlEngine *engine,
                    const OdlGlSlotWanted *wanted,
                    float *out,
                    GError **error)
{
  const Structure *structure = &((LookupEngine *) engine)->structure;
  const int writer = odl_plan_last_writer (structure->plan, wanted->slot, wanted->before);

  odl_gl_forget_errors ();
  read_texels (structure, wanted->slot, writer, wanted->texels);
  unpack (structure, wanted->slot, wanted->texels, out);
  return odl_gl_check (_ ("reading the picture back"), error);
}

static bool
lookup_run (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error)
{
  LookupEngine *self = (LookupEngine *) engine;
  Structure *structure = &self->structure;
  OdlGlState state;

  g_return_val_if_fail (
      structure->plan != NULL && odl_plan_same_structure (structure->plan, plan), false);

  const OdlGlDrawsParams params = {
    .engine = engine,
    .caps = &self->caps,
    .upload = self->upload,
    .operands = self->operands,
    .steps = structure->steps,
    .draws = structure->draws,
    .past = structure->past,
    .measures = structure->measures,
    .timer = &structure->timer,
  };
  odl_gl_state_save (&state);
  glBindVertexArray (self->vertex_array);
  if (structure->measures != NULL)
    odl_gl_measures_begin (structure->measures, engine, read_for_measuring, input);
  bool ok = odl_gl_draws_run (&params, plan, input, error);
  if (ok && odl_debug_wants (ODL_DEBUG_SHADERS))
    ok = odl_gl_check (_ ("filtering"), error);
  odl_gl_state_restore (&state);
  return ok;
}

static bool
read_slot (LookupEngine *self, int slot, float *out, GError **error)
{
  const Structure *structure = &self->structure;
  const OdlSlot *wanted = &structure->plan->slots[slot];
  const int writer
      = odl_plan_last_writer (structure->plan, slot, structure->plan->n_steps);
  const bool repeats = is_overwritten (structure, writer);
  g_autofree float *texels
      = g_try_new (float, (size_t) 4 * wanted->width * wanted->height);

  if (texels == NULL)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("there is not enough memory to read %d × %d pixels back"),
                          wanted->width, wanted->height);
  odl_gl_forget_errors ();
  if (repeats)
    repeat_to (self, writer);
  read_texels (structure, slot, writer, texels);
  if (repeats)
    repeat_to (self, structure->plan->n_steps - 1);
  unpack (structure, slot, texels, out);
  return odl_gl_check (_ ("reading the picture back"), error);
}

static bool
lookup_read_back (OdlEngine *engine,
                  const OdlPlan *plan,
                  int slot,
                  float *samples,
                  GError **error)
{
  LookupEngine *self = (LookupEngine *) engine;

  g_return_val_if_fail (self->structure.plan != NULL
                            && odl_plan_same_structure (self->structure.plan, plan),
                        false);

  OdlGlState state;

  if (odl_gl_measures_have (plan, slot)) {
    odl_gl_measures_read (self->structure.measures, slot, samples);
    return true;
  }
  odl_gl_state_save (&state);
  bool ok = read_slot (self, slot, samples, error);
  odl_gl_state_restore (&state);
  return ok;
}

OdlGlPrograms *
odl_gl_lookup_programs (OdlEngine *engine)
{
  LookupEngine *self = lookup_of (engine);

  return self != NULL ? self->programs : NULL;
}

OdlGlPicture
odl_gl_lookup_picture (OdlEngine *engine, int slot)
{
  LookupEngine *self = lookup_of (engine);

  if (self == NULL || self->structure.plan == NULL)
    return (OdlGlPicture){ 0 };

  const OdlPlan *plan = self->structure.plan;
  if (slot != plan->source && slot != plan->result)
    return (OdlGlPicture){ 0 };

  const int store
      = self->structure.places[odl_plan_last_writer (plan, slot, plan->n_steps)].writes;
  return (OdlGlPicture){
    .texture = self->structure.stores[store].textures[0],
    .alpha_texture
    = plan->geometry.channels == 4 ? self->structure.stores[0].textures[0] : 0,
    .width = plan->slots[slot].width,
    .height = plan->slots[slot].height,
    .channels = plan->slots[slot].channels,
    .bias = odl_gl_bias (plan->precision),
  };
}

void
odl_gl_lookup_set_max_side (OdlEngine *engine, int max_side)
{
  LookupEngine *self = lookup_of (engine);

  g_return_if_fail (self != NULL);
  self->caps.max_side = max_side;
}

static bool
lookup_has_step (const OdlStep *step)
{
  // Bands have no place of their own to be measured in.
  if (odl_step_class (step) == ODL_STEP_CLASS_MEASURE)
    return step->kind == ODL_STEP_PEAK;
  return step->kind != ODL_STEP_COMBINE && odl_gl_steps_have (step);
}

const OdlEngineClass odl_gl_lookup_engine = {
  .name = "gl-lookup",
  .description = N_ ("OpenGL, fragment shaders that look addresses up in tables, as in "
                     "2007; to compare with"),
  .needs_gl = true,
  .limits = { .borders = ODL_ENGINE_EVERY_BORDER, .shrinks_once = true },
  .has_step = lookup_has_step,
  .open = lookup_open,
  .close = lookup_close,
  .prepare = lookup_prepare,
  .run = lookup_run,
  .read_back = lookup_read_back,
};
