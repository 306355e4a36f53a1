// SPDX-License-Identifier: MIT
#include "session/render/offscreen.h"

#include "engine/gl/platform/headless.h"
#include "engine/volume.h"
#include "plan/result_window.h"

struct _OdlOffscreen {
  OdlGlHeadless *headless; // NULL: the engine needs no GL
  OdlEngine *engine;
};

OdlOffscreen *
odl_offscreen_open (OdlEngineChoice engine, GError **error)
{
  const OdlEngineChoice cpu = { odl_engine_find ("cpu"), NULL };
  g_autoptr (OdlOffscreen) self = g_new0 (OdlOffscreen, 1);
  if (engine.klass->needs_gl)
    self->headless = odl_gl_headless_new (NULL);
  if (!engine.klass->needs_gl || self->headless)
    self->engine = odl_engine_open_choice (engine, NULL);
  if (!self->engine)
    self->engine = odl_engine_open_choice (cpu, error);
  return self->engine ? g_steal_pointer (&self) : NULL;
}

const char *
odl_offscreen_engine (const OdlOffscreen *self)
{
  return self->engine->klass->name;
}

void
odl_offscreen_close (OdlOffscreen *self)
{
  if (!self)
    return;
  odl_engine_close (self->engine);
  g_clear_pointer (&self->headless, odl_gl_headless_free);
  g_free (self);
}

OdlImage *
odl_offscreen_process (OdlOffscreen *self,
                       const OdlPlan *plan,
                       OdlImage *input,
                       OdlMoment moment,
                       OdlProgress *progress,
                       GError **error)
{
  self->engine->moment = moment;
  self->engine->progress = progress;
  OdlImage *result = odl_engine_process (self->engine, plan, input, error);
  self->engine->progress = NULL;
  return result;
}

bool
odl_offscreen_process_volume (OdlOffscreen *self,
                              const OdlRecipe *recipe,
                              const OdlPlan *plan,
                              OdlImage *volume,
                              OdlMoment moment,
                              OdlProgress *progress,
                              OdlGridVolume *made,
                              GError **error)
{
  g_autofree char *sections = NULL;
  self->engine->moment = moment;
  self->engine->progress = progress;
  const bool done
      = odl_grid_volume_process (self->engine, recipe, plan, volume,
                                 odl_engine_process_volume, made, &sections, error);
  self->engine->progress = NULL;
  return done;
}

OdlDisplay
odl_offscreen_display (const OdlImage *input,
                       const OdlPlan *plan,
                       const OdlRecipe *recipe,
                       const OdlWindow *window)
{
  const OdlImageInfo *info = odl_image_info (input);
  const OdlWindow own = odl_result_window (recipe, plan->geometry.operands, info, window);
  return odl_display_make (info, &own, plan->details);
}

OdlImage *
odl_offscreen_render (const OdlImage *result,
                      const OdlImage *input,
                      const OdlPlan *plan,
                      const OdlRecipe *recipe,
                      const OdlWindow *window,
                      int bits,
                      GError **error)
{
  const OdlDisplay display = odl_offscreen_display (input, plan, recipe, window);
  return odl_display_render (result, &display, bits, error);
}

char *
odl_offscreen_describe (const OdlRecipe *recipe, const char *engine)
{
  g_autofree char *text = odl_recipe_to_text (recipe, " ");
  return g_strdup_printf (
      "recipe %s; engine %s%s", text, engine,
      odl_recipe_is_identity (recipe) ? "" : "; processed, not for diagnostic use");
}
