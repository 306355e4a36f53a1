// SPDX-License-Identifier: MIT
#include "session/render/volume_view.h"

#include "engine/choice.h"
#include "engine/volume.h"

void
odl_volume_view_clear (OdlVolumeView *view)
{
  g_clear_pointer (&view->volume, odl_image_unref);
  g_clear_pointer (&view->plan, odl_plan_unref);
  odl_grid_volume_clear (&view->filtered);
  g_clear_pointer (&view->sections, g_free);
  g_clear_pointer (&view->body, odl_body_unref);
  g_clear_pointer (&view->original_body, odl_body_unref);
}

static bool
is_current (const OdlVolumeView *view, const OdlFrame *frame)
{
  const OdlEngineChoice engine = { frame->engine, frame->variant };

  if (!view->filtered.volume || view->volume != frame->volume
      || !odl_engine_choice_equal (view->engine, engine)
      || (view->take != frame->moment.take && odl_plan_frames (frame->plan) != 1))
    return false;
  return odl_plan_does_the_same (view->plan, frame->plan);
}

static bool
run (OdlVolumeView *view, OdlEngine *engine, const OdlFrame *frame, GError **error)
{
  if (frame->plan->result != frame->plan->source)
    return odl_grid_volume_process (engine, &frame->recipe, frame->plan, frame->volume,
                                    odl_engine_process_volume, &view->filtered,
                                    &view->sections, error);
  view->filtered.volume = odl_image_ref (frame->volume);
  return true;
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
  if (!run (view, engine, frame, error))
    return false;
  view->volume = odl_image_ref (frame->volume);
  view->plan = odl_plan_ref (frame->plan);
  view->engine = (OdlEngineChoice){ frame->engine, frame->variant };
  view->take = frame->moment.take;
  return true;
}

// The filtered volume, or another one.
static OdlImage *
look_at (const OdlGridVolume *volume, const OdlFrame *frame, GError **error)
{
  const OdlPlanesLook look = { frame->voxel, frame->slab, frame->oblique, frame->box };

  return odl_grid_volume_look (volume, frame->planes ? &look : NULL, frame->voxel.at[2],
                               error);
}

static OdlBody *
body_of_result (const OdlVolumeView *view)
{
  g_autoptr (OdlImage) whole = odl_grid_volume_whole (&view->filtered, NULL);

  return whole ? odl_body_new (whole, NULL) : NULL;
}

// Without memory for them there are none, which the canvas says.
static void
add_bodies (OdlVolumeView *view, OdlFrame *frame)
{
  const bool filtered = view->filtered.volume != view->volume;

  if (!frame->renders || !frame->planes)
    return;
  if (!view->original_body)
    view->original_body = odl_body_new (view->volume, NULL);
  if (view->original_body && !view->body)
    view->body = filtered ? body_of_result (view) : odl_body_ref (view->original_body);
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
  const OdlGridVolume original = { .volume = frame->volume };
  OdlImage *input = look_at (&original, frame, error);
  if (!input)
    return false;
  odl_image_unref (frame->input);
  frame->input = input;
  frame->result = view->filtered.volume == frame->volume
                      ? odl_image_ref (input)
                      : look_at (&view->filtered, frame, error);
  add_bodies (view, frame);
  frame->sections = g_strdup (view->sections);
  return frame->result != NULL;
}
