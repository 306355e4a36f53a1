// SPDX-License-Identifier: MIT
// Which engine computes the frame, from which plan, and what happens when it fails.
#include <glib/gi18n-lib.h>

#include "config.h"
#include "session/session_private.h"

// Engines that `auto` tries, in this order; those that need GL only on a real GPU.
static const char *const auto_engines[] = { "gl-fragment", "cpu", "reference" };

static bool
usable (OdlSession *self, const OdlEngineClass *klass, bool asked)
{
  if (!klass)
    return false;
  for (size_t i = 0; i < odl_engine_count (); i++)
    if (odl_engine_at (i) == klass && self->failed_engines & (1u << i))
      return false;
  if (self->plan && !odl_engine_can_run (klass, self->plan, NULL))
    return false;
  if (!klass->needs_gl)
    return true;
  OdlGeometry geometry = odl_geometry_of (self->image);
  if (MAX (geometry.width, geometry.height) > self->gl_max_side)
    return false;
  return self->gl_level >= (asked ? ODL_GL_SOFTWARE : ODL_GL_HARDWARE);
}

static const OdlEngineClass *
choose_engine (OdlSession *self)
{
  const OdlEngineClass *asked = odl_engine_find (self->engine_name);
  if (usable (self, asked, true))
    return asked;
  for (size_t i = 0; i < G_N_ELEMENTS (auto_engines); i++) {
    const OdlEngineClass *klass = odl_engine_find (auto_engines[i]);
    if (usable (self, klass, false))
      return klass;
  }
  return NULL;
}

static void
tell_too_large (OdlSession *self)
{
  OdlGeometry geometry = odl_geometry_of (self->image);
  if (self->gl_level < ODL_GL_SOFTWARE || self->told_too_large
      || MAX (geometry.width, geometry.height) <= self->gl_max_side)
    return;
  self->told_too_large = true;
  g_autofree char *text = g_strdup_printf (
      _ ("The image of %d × %d pixels is larger than the %d pixels that "
         "OpenGL can hold here; the CPU computes and draws it."),
      geometry.width, geometry.height, self->gl_max_side);
  odl_session_say (self, text);
}

static bool
same_geometry (const OdlGeometry *a, const OdlGeometry *b)
{
  return a->width == b->width && a->height == b->height && a->channels == b->channels
         && a->bits == b->bits;
}

// The plan is a pure function of both, so it is made again only when one has changed.
static bool
ensure_plan (OdlSession *self, GError **error)
{
  OdlGeometry geometry = odl_geometry_of (self->image);
  const OdlRecipe *recipe = odl_history_current (&self->history);
  if (self->plan && odl_recipe_equal (recipe, &self->planned)
      && same_geometry (&geometry, &self->plan->geometry))
    return true;
  OdlPlan *plan = odl_plan_new (recipe, &geometry, error);
  if (!plan)
    return false;
  g_clear_pointer (&self->plan, odl_plan_unref);
  self->plan = plan;
  self->planned = *recipe;
  return true;
}

// Computes what is to be seen, here or in the canvas.
void
odl_session_render (OdlSession *self)
{
  if (!self->image || self->gl_level == ODL_GL_UNKNOWN)
    return;
  g_autoptr (GError) error = NULL;
  if (!ensure_plan (self, &error)) {
    odl_session_say (self, error->message);
    return;
  }
  tell_too_large (self);
  const OdlEngineClass *engine = choose_engine (self);
  if (!engine) {
    odl_session_say (
        self, _ ("No engine works on this computer; the picture cannot be computed."));
    return;
  }
  OdlFrame *frame = odl_frame_new (self->image, self->plan, engine);
  frame->source_serial = self->source_serial;
  frame->index = self->index;
  frame->recipe = self->planned;
  if (engine->needs_gl)
    odl_session_publish (self, frame);
  else
    odl_renderer_request (self->renderer, frame, self->want_original);
}

void
odl_session_engine_failed (OdlSession *self,
                           const OdlEngineClass *failed,
                           const GError *error)
{
  unsigned before = self->failed_engines;
  for (size_t i = 0; i < odl_engine_count (); i++)
    if (odl_engine_at (i) == failed)
      self->failed_engines |= 1u << i;
  // A frame may be painted, and fail, again before the next engine's is there.
  if (!self->frame || self->failed_engines == before)
    return;
  const OdlEngineClass *next = choose_engine (self);
  g_autofree char *text
      = next ? g_strdup_printf (_ ("The engine %s failed, %s takes over: %s"),
                                failed->name, next->name, error->message)
             : g_strdup_printf (_ ("The engine %s failed: %s"), failed->name,
                                error->message);
  odl_session_say (self, text);
  if (next)
    odl_session_render (self);
}

void
odl_session_rendered (OdlFrame *frame, const GError *error, void *data)
{
  OdlSession *self = data;
  if (frame->source_serial != self->source_serial)
    return;
  // The user has moved on to an engine in the canvas; its frames are newer.
  const OdlEngineClass *engine = choose_engine (self);
  if (engine && engine->needs_gl)
    return;
  if (!error) {
    odl_session_publish (self, odl_frame_ref (frame));
    return;
  }
  g_autofree char *text = g_strdup_printf (_ ("The engine %s failed: %s"),
                                           frame->engine->name, error->message);
  odl_session_say (self, text);
}
