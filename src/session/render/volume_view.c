// SPDX-License-Identifier: MIT
#include "session/render/volume_view.h"

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
  odl_grid_volume_clear (&view->grid);
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
run (OdlVolumeView *view, OdlEngine *engine, const OdlFrame *frame, GError **error)
{
  if (frame->plan->result == frame->plan->source)
    return odl_image_ref (frame->volume);
  if (odl_grid_volume_make (engine, &frame->recipe, frame->plan, frame->volume,
                            &view->grid))
    return odl_image_ref (view->grid.volume);
  return odl_engine_process_fitting (engine, &frame->recipe, frame->plan, frame->volume,
                                     odl_engine_process_volume, &view->sections, error);
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

// The filtered volume, with the lines of a grid.
static OdlImage *
look_at_result (const OdlVolumeView *view, const OdlFrame *frame, GError **error)
{
  const OdlPlanesLook look = { frame->voxel, frame->slab, frame->oblique, frame->box };
  OdlImage *picture = look_at (view->filtered, frame, error);

  if (!picture || !view->grid.volume)
    return picture;
  OdlImage *drawn = odl_grid_volume_draw (
      &view->grid, picture, frame->planes ? &look : NULL, frame->voxel.at[2], error);
  odl_image_unref (picture);
  return drawn;
}

static OdlBody *
body_of_result (const OdlVolumeView *view)
{
  if (!view->grid.volume)
    return odl_body_new (view->filtered, NULL);
  g_autoptr (OdlImage) edges = odl_grid_volume_edges (&view->grid, NULL);
  return edges ? odl_body_new (edges, NULL) : NULL;
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
  OdlImage *input = look_at (frame->volume, frame, error);
  if (!input)
    return false;
  odl_image_unref (frame->input);
  frame->input = input;
  frame->result = view->filtered == frame->volume ? odl_image_ref (input)
                                                  : look_at_result (view, frame, error);
  add_bodies (view, frame);
  frame->sections = g_strdup (view->sections);
  return frame->result != NULL;
}
