// SPDX-License-Identifier: MIT
#include "engine/volume.h"

#include "engine/takes.h"
#include "image/volume/volume.h"

OdlImage *
odl_engine_process_volume (OdlEngine *engine,
                           const OdlPlan *plan,
                           OdlImage *volume,
                           GError **error)
{
  const int depth = odl_image_info (volume)->extent.z;
  const OdlProgress all = odl_progress_whole (engine->progress);
  const bool looks_back = odl_plan_frames (plan) != 1;
  OdlTakes takes = { .last_take = engine->last.take };
  g_autoptr (OdlImage) whole = NULL;
  void *samples = NULL;

  if (plan->geometry.depth > 1)
    return odl_engine_process (engine, plan, volume, error);
  for (int z = 0; z < depth; z++) {
    odl_progress_part (engine->progress, &all, z, depth);
    g_autoptr (OdlImage) slice = odl_volume_slice (volume, z);
    engine->moment = odl_takes_next (&takes, slice, z > 0, looks_back);
    g_autoptr (OdlImage) result = odl_engine_process (engine, plan, slice, error);
    if (result == NULL)
      return NULL;
    if (whole == NULL)
      whole = odl_volume_alloc (result, depth, &samples, error);
    if (whole == NULL)
      return NULL;
    odl_volume_put (whole, samples, z, result);
  }
  odl_progress_part (engine->progress, &all, 0, 1);
  // The next frames have takes with another numbering.
  engine->last = (OdlMoment){ 0 };
  return g_steal_pointer (&whole);
}
