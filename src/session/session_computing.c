// SPDX-License-Identifier: MIT
// The picture as it came, while its filters are at work.
#include "session/computing.h"

#include "session/session_private.h"

// Results that come sooner take the place of what is shown, without the picture as it
// came in between, which would flicker: of another source, and of the same picture.
#define OTHER_MS 150
#define SAME_MS 500

// What is shown is of the source in place. Of a source that plays the picture may be an
// earlier one, which has its own number.
static bool
shows_source (OdlSession *self)
{
  return self->frame && self->frame->source_serial == self->source_serial;
}

static bool
is_current (OdlSession *self)
{
  return shows_source (self) && odl_recipe_equal (&self->frame->recipe, &self->planned)
         && (self->playing || self->frame->arrival == self->arrival);
}

bool
odl_session_is_computing (OdlSession *self)
{
  OdlVolumeWork work;
  return self->image && self->plan && !is_current (self)
         && odl_renderer_work (self->renderer, &work);
}

bool
odl_session_shows_result (OdlSession *self)
{
  return shows_source (self)
         && (odl_recipe_equal (&self->frame->recipe, odl_session_recipe (self))
             || (!odl_session_is_computing (self) && !odl_session_is_reading (self)));
}

OdlFrame *
odl_session_new_frame (OdlSession *self,
                       OdlPlan *plan,
                       OdlEngineChoice choice,
                       const OdlRecipe *recipe)
{
  OdlFrame *frame = odl_frame_new (self->image, plan, choice);
  frame->source_serial = self->source_serial;
  frame->index = self->index;
  frame->arrival = self->arrival;
  frame->arrived_us = self->arrived_us;
  frame->due_us = self->due_us;
  frame->asked = self->asked;
  frame->recipe = *recipe;
  return frame;
}

// The plan of no filters, whose result is its input.
static OdlFrame *
make_original (OdlSession *self)
{
  const OdlGeometry geometry = odl_session_geometry (self, self->image);
  OdlRecipe none;
  odl_recipe_init (&none);
  g_autoptr (OdlPlan) plan = odl_plan_new (&none, &geometry, NULL);
  if (!plan)
    return NULL;
  const OdlEngineChoice cpu = { .klass = odl_engine_find ("cpu") };
  OdlFrame *frame = odl_session_new_frame (self, plan, cpu, &none);
  frame->result = odl_image_ref (self->image);
  if (self->want_original)
    frame->original = odl_image_ref (self->image);
  return frame;
}

static gboolean
late_cb (void *data)
{
  OdlSession *self = data;
  g_clear_pointer (&self->late_source, g_source_unref);
  // Planes are cut by who is busy now; they stay, under their own filters' names.
  if (!self->image || is_current (self)
      || (shows_source (self) && (self->playing || self->frame->planes)))
    return G_SOURCE_REMOVE;
  OdlFrame *original = make_original (self);
  if (original)
    odl_session_show (self, original);
  return G_SOURCE_REMOVE;
}

void
odl_session_await_result (OdlSession *self)
{
  if (self->late_source || is_current (self)
      || odl_recipe_is_identity (odl_session_recipe (self)))
    return;
  self->late_source = g_timeout_source_new (shows_source (self) ? SAME_MS : OTHER_MS);
  g_source_set_callback (self->late_source, late_cb, self, NULL);
  g_source_attach (self->late_source, g_main_context_get_thread_default ());
}

void
odl_session_stop_awaiting (OdlSession *self)
{
  if (self->late_source)
    g_source_destroy (self->late_source);
  g_clear_pointer (&self->late_source, g_source_unref);
}
