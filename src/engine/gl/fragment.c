// SPDX-License-Identifier: MIT
// The engine gl-fragment: every step is one or a few draw calls into float textures.
#include "engine/gl/fragment.h"

#include <string.h>

#include "config.h"
#include <glib/gi18n-lib.h>

#include "base/debug.h"
#include "base/error.h"
#include "base/text.h"
#include "engine/gl/draws.h"
#include "engine/gl/state.h"
#include "engine/registry.h"

typedef struct {
  OdlEngine base;
  OdlGlCaps caps;
  OdlGlPrograms *programs;
  OdlGlUpload *upload;
  GLuint vertex_array; // core profiles draw with one, even if it is empty
  GLuint read_framebuffer;
  const char *chosen; // variant; NULL: what is fastest here
  bool is_stale; // the structure in place was made for another variant
  // The structure in place; all NULL when there is none.
  OdlPlan *plan;
  OdlGlTargets *targets;
  OdlGlStepDraws *steps;
  GArray *draws; // OdlGlDraw
  OdlGlTimer *timer; // made when somebody wants times
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
  self->programs = odl_gl_programs_new (&self->caps, &self->base.counters.programs);
  self->upload = odl_gl_upload_new (&self->caps, self->programs, &self->base.counters);
  glGenVertexArrays (1, &self->vertex_array);
  glGenFramebuffers (1, &self->read_framebuffer);
  return &self->base;
}

static void
fragment_close (OdlEngine *engine)
{
  FragmentEngine *self = (FragmentEngine *) engine;

  odl_gl_timer_free (self->timer);
  odl_gl_targets_free (self->targets);
  odl_gl_upload_free (self->upload);
  odl_gl_programs_free (self->programs);
  glDeleteFramebuffers (1, &self->read_framebuffer);
  glDeleteVertexArrays (1, &self->vertex_array);
  if (self->draws != NULL)
    g_array_unref (self->draws);
  g_free (self->steps);
  g_clear_pointer (&self->plan, odl_plan_unref);
  g_free (self);
}

static const OdlEngineVariant fragment_variants[] = {
  { "quads", N_ ("synthesis draws even and odd lines with a program each") },
  { "parity", N_ ("synthesis is one program that looks whether its line is even") },
  { NULL, NULL },
};

// The variant of the next structure: software rasterisers shade blocks of 4 × 4 pixels,
// of which a line one pixel wide uses a quarter.
static const char *
variant_for (const FragmentEngine *self)
{
  if (self->chosen != NULL)
    return self->chosen;
  return self->caps.is_software ? "parity" : "quads";
}

// Puts the new structure in the place of the old one, whose textures may live on in it.
static void
commit (FragmentEngine *self,
        const OdlPlan *plan,
        OdlGlTargets *targets,
        OdlGlStepDraws *steps,
        GArray *draws)
{
  odl_gl_targets_commit (targets, self->targets);
  self->targets = targets;
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

static bool
prepare_structure (FragmentEngine *self, const OdlPlan *plan, GError **error)
{
  OdlGlTargets *targets = odl_gl_targets_new (&self->caps, plan, self->targets,
                                              &self->base.counters.textures, error);
  if (targets == NULL)
    return false;

  g_autofree OdlGlStepDraws *steps = g_new0 (OdlGlStepDraws, plan->n_steps);
  const OdlGlStepsParams params = {
    .plan = plan,
    .targets = targets,
    .programs = self->programs,
    .whole_lines = !g_str_equal (variant_for (self), "quads"),
    .steps = steps,
  };
  g_autoptr (GArray) draws = odl_gl_steps_compile (&params, error);
  if (draws == NULL || !odl_gl_check (_ ("preparing the filter"), error)) {
    odl_gl_targets_rollback (targets, self->targets);
    return false;
  }
  commit (self, plan, targets, g_steal_pointer (&steps), g_steal_pointer (&draws));
  self->is_stale = false;
  g_strlcpy (self->base.variant, variant_for (self), sizeof self->base.variant);
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
  bool ok = prepare_structure (self, plan, error);
  odl_gl_state_restore (&state);
  return ok;
}

static bool
fragment_run (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error)
{
  FragmentEngine *self = (FragmentEngine *) engine;
  OdlGlState state;

  g_return_val_if_fail (self->plan != NULL && odl_plan_same_structure (self->plan, plan),
                        false);

  const OdlGlDrawsParams params = {
    .engine = engine,
    .caps = &self->caps,
    .upload = self->upload,
    .source_precision = odl_gl_targets_slot (self->targets, plan->source)->precision,
    .steps = self->steps,
    .draws = self->draws,
    .timer = &self->timer,
  };
  odl_gl_state_save (&state);
  glBindVertexArray (self->vertex_array);
  bool ok = odl_gl_draws_run (&params, plan, input, error);
  if (ok && odl_debug_wants (ODL_DEBUG_SHADERS))
    ok = odl_gl_check (_ ("filtering"), error);
  odl_gl_state_restore (&state);
  return ok;
}

// Where a component of a texture lies in the Mallat picture of its slot.
typedef struct {
  bool right, below;
} BandPlace;

static const BandPlace band_places[]
    = { { false, false }, { false, true }, { true, false }, { true, true } };
static const BandPlace half_places[] = { { false, false }, { true, false } };

typedef struct {
  const OdlSlot *slot;
  const float *texels; // RGBA
  int texture_width;
  float bias; // to add where it is missing
  int biased_width, biased_height; // of the part at the top left that lacks it
  float *out; // slot->width × slot->height × channels
} Scatter;

// Copies `channels` components from `component` on to the band at `place`.
static void
scatter_band (const Scatter *s, int component, BandPlace place)
{
  const OdlSlot *slot = s->slot;
  const bool halved_x = slot->kind != ODL_SLOT_PICTURE;
  const bool halved_y = slot->kind == ODL_SLOT_BANDS;
  const int low_x = halved_x ? odl_low_count (slot->width) : slot->width;
  const int low_y = halved_y ? odl_low_count (slot->height) : slot->height;
  const int x0 = place.right ? low_x : 0;
  const int y0 = place.below ? low_y : 0;
  const int width = place.right ? slot->width - low_x : low_x;
  const int height = place.below ? slot->height - low_y : low_y;

  for (int y = 0; y < height; y++) {
    const float *from = s->texels + (size_t) 4 * y * s->texture_width + component;
    float *to = s->out + ((size_t) (y + y0) * slot->width + x0) * slot->channels;
    const int biased = y + y0 < s->biased_height ? s->biased_width - x0 : 0;
    for (int x = 0; x < width; x++, from += 4, to += slot->channels)
      for (int c = 0; c < slot->channels; c++)
        to[c] = x < biased ? from[c] + s->bias : from[c];
  }
}

static void
scatter (const Scatter *s, int texture)
{
  const OdlSlot *slot = s->slot;
  const BandPlace *places = slot->kind == ODL_SLOT_BANDS ? band_places : half_places;
  const int n_bands = slot->kind == ODL_SLOT_BANDS  ? 4
                      : slot->kind == ODL_SLOT_HALF ? 2
                                                    : 1;

  if (slot->channels == 3)
    scatter_band (s, 0, places[texture]);
  else
    for (int band = 0; band < n_bands; band++)
      scatter_band (s, band, places[band]);
}

static bool
read_textures (FragmentEngine *self,
               const OdlGlSlot *source,
               const OdlSlot *slot,
               float *out,
               GError **error)
{
  const size_t size = (size_t) 4 * source->width * source->height;
  g_autofree float *texels = g_try_new (float, size);
  const bool is_layout
      = slot == &self->plan->slots[self->plan->result] && self->plan->approx_width > 0;
  const Scatter s = {
    .slot = slot,
    .texels = texels,
    .texture_width = source->width,
    .bias = odl_gl_bias (self->plan->precision),
    .biased_width = is_layout                        ? self->plan->approx_width
                    : slot->kind == ODL_SLOT_PICTURE ? slot->width
                                                     : odl_low_count (slot->width),
    .biased_height = is_layout                      ? self->plan->approx_height
                     : slot->kind == ODL_SLOT_BANDS ? odl_low_count (slot->height)
                                                    : slot->height,
    .out = out,
  };

  if (texels == NULL) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                 _ ("there is not enough memory to read %d × %d pixels back"),
                 slot->width, slot->height);
    return false;
  }
  odl_gl_forget_errors ();
  glBindFramebuffer (GL_READ_FRAMEBUFFER, self->read_framebuffer);
  for (int i = 0; i < source->storage->n_textures; i++) {
    glFramebufferTexture2D (GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                            source->textures[i], 0);
    // RGBA floats are what GLES too can read from any float target.
    glReadPixels (0, 0, source->width, source->height, GL_RGBA, GL_FLOAT, texels);
    scatter (&s, i);
  }
  glFramebufferTexture2D (GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
  return odl_gl_check (_ ("reading the picture back"), error);
}

static OdlImage *
fragment_read_back (OdlEngine *engine, const OdlPlan *plan, int slot, GError **error)
{
  FragmentEngine *self = (FragmentEngine *) engine;
  g_return_val_if_fail (self->plan != NULL && odl_plan_same_structure (self->plan, plan),
                        NULL);

  const OdlSlot *wanted = &self->plan->slots[slot];
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
  bool ok = read_textures (self, odl_gl_targets_slot (self->targets, slot), wanted,
                           samples, error);
  odl_gl_state_restore (&state);
  return ok ? g_steal_pointer (&image) : NULL;
}

OdlGlPrograms *
odl_gl_fragment_programs (OdlEngine *engine)
{
  FragmentEngine *self = fragment_of (engine);

  return self != NULL ? self->programs : NULL;
}

const OdlGlSlot *
odl_gl_fragment_slot (OdlEngine *engine, int slot)
{
  FragmentEngine *self = fragment_of (engine);

  return self != NULL && self->targets != NULL ? odl_gl_targets_slot (self->targets, slot)
                                               : NULL;
}

size_t
odl_gl_fragment_texture_count (OdlEngine *engine)
{
  FragmentEngine *self = fragment_of (engine);

  return self != NULL && self->targets != NULL ? odl_gl_targets_count (self->targets) : 0;
}

void
odl_gl_fragment_set_max_side (OdlEngine *engine, int max_side)
{
  FragmentEngine *self = fragment_of (engine);

  g_return_if_fail (self != NULL);
  self->caps.max_side = max_side;
}

static bool
fragment_choose (OdlEngine *engine, const char *name, GError **error)
{
  FragmentEngine *self = (FragmentEngine *) engine;

  (void) error; // every context can run every variant
  self->chosen = name;
  self->is_stale = true;
  return true;
}

const OdlEngineClass odl_gl_fragment_engine = {
  .name = "gl-fragment",
  .description = N_ ("OpenGL, fragment shaders; runs on any graphics card"),
  .needs_gl = true,
  .variants = fragment_variants,
  .limits = { .borders = 1u << ODL_BORDER_WHOLE_SAMPLE },
  .open = fragment_open,
  .close = fragment_close,
  .prepare = fragment_prepare,
  .run = fragment_run,
  .read_back = fragment_read_back,
  .choose = fragment_choose,
};
