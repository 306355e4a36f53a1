// SPDX-License-Identifier: MIT
#include "session/render/volume_view.h"

#include "base/error.h"
#include "engine/choice.h"
#include "engine/sections.h"
#include "engine/volume.h"
#include "image/volume/volume.h"

void
odl_volume_view_clear (OdlVolumeView *view)
{
  g_clear_pointer (&view->volume, odl_image_unref);
  g_clear_pointer (&view->plan, odl_plan_unref);
  g_clear_pointer (&view->filtered, odl_image_unref);
  g_clear_pointer (&view->sections, g_free);
  g_clear_pointer (&view->body, odl_body_unref);
  g_clear_pointer (&view->original_body, odl_body_unref);
}

static bool
is_current (const OdlVolumeView *view, const OdlFrame *frame)
{
  const OdlEngineChoice engine = { frame->engine, frame->variant };

  if (!view->filtered || view->volume != frame->volume
      || !odl_engine_choice_equal (view->engine, engine)
      || (view->take != frame->moment.take && odl_plan_frames (frame->plan) != 1))
    return false;
  return odl_plan_does_the_same (view->plan, frame->plan);
}

static OdlImage *
run_sections (OdlEngine *engine,
              const OdlFrame *frame,
              const OdlSections *sections,
              GError **error)
{
  if (sections->count == 1)
    return odl_engine_process_volume (engine, frame->plan, frame->volume, error);
  return odl_engine_process_sections (engine, &frame->recipe, &frame->plan->geometry,
                                      sections, frame->volume, error);
}

// Memory that was free when the engine was opened may be taken by the volume meanwhile,
// and a card says itself what it has no room for.
static OdlImage *
run (OdlVolumeView *view, OdlEngine *engine, const OdlFrame *frame, GError **error)
{
  const OdlPlan *plan = frame->plan;
  const OdlProgress all = odl_progress_whole (engine->progress);
  OdlSections sections = odl_sections_of (plan, engine->memory, engine->block);
  OdlImage *filtered = NULL;
  g_autoptr (GError) cause = NULL;

  if (plan->result == plan->source)
    return odl_image_ref (frame->volume);
  if (!engine->klass->needs_gl
      && !odl_sections_fit (&sections, plan, engine->memory, error))
    return NULL;
  do {
    g_clear_error (&cause);
    odl_progress_part (engine->progress, &all, 0, 1);
    filtered = run_sections (engine, frame, &sections, &cause);
  } while (!filtered && g_error_matches (cause, ODL_ERROR, ODL_ERROR_TOO_LARGE)
           && odl_sections_make_smaller (&sections, plan, engine->block));
  if (!filtered)
    g_propagate_error (error, g_steal_pointer (&cause));
  else if (sections.count > 1)
    view->sections = odl_sections_to_text (&sections, plan);
  return filtered;
}

static bool
filter (OdlVolumeView *view, OdlEngine *engine, const OdlFrame *frame, GError **error)
{
  if (is_current (view, frame))
    return true;
  // The volume as it came is the same with another filter.
  const bool same = view->volume == frame->volume;
  g_autoptr (OdlBody) kept = same ? g_steal_pointer (&view->original_body) : NULL;
  odl_volume_view_clear (view);
  view->original_body = g_steal_pointer (&kept);
  view->filtered = run (view, engine, frame, error);
  if (!view->filtered)
    return false;
  view->volume = odl_image_ref (frame->volume);
  view->plan = odl_plan_ref (frame->plan);
  view->engine = (OdlEngineChoice){ frame->engine, frame->variant };
  view->take = frame->moment.take;
  return true;
}

static OdlImage *
look_at (OdlImage *volume, const OdlFrame *frame, GError **error)
{
  const OdlPlanesLook look = { frame->voxel, frame->slab, frame->oblique, frame->box };

  return frame->planes ? odl_planes_compose (volume, &look, error)
                       : odl_volume_slice (volume, frame->voxel.at[2]);
}

// Without memory for them there are none, which the canvas says.
static void
add_bodies (OdlVolumeView *view, OdlFrame *frame)
{
  const bool filtered = view->filtered != view->volume;

  if (!frame->renders || !frame->planes)
    return;
  if (!view->original_body)
    view->original_body = odl_body_new (view->volume, NULL);
  if (view->original_body && !view->body)
    view->body = filtered ? odl_body_new (view->filtered, NULL)
                          : odl_body_ref (view->original_body);
  if (!view->body)
    return;
  frame->body = odl_body_ref (view->body);
  frame->original_body = filtered ? odl_body_ref (view->original_body) : NULL;
}

bool
odl_volume_view_show (OdlVolumeView *view,
                      OdlEngine *engine,
                      OdlFrame *frame,
                      GError **error)
{
  if (!filter (view, engine, frame, error))
    return false;
  OdlImage *input = look_at (frame->volume, frame, error);
  if (!input)
    return false;
  odl_image_unref (frame->input);
  frame->input = input;
  frame->result = view->filtered == frame->volume
                      ? odl_image_ref (input)
                      : look_at (view->filtered, frame, error);
  add_bodies (view, frame);
  frame->sections = g_strdup (view->sections);
  return frame->result != NULL;
}
