// SPDX-License-Identifier: MIT
// What of an input is filtered at once.
#include "cli/process/volume.h"

bool
odl_process_is_over_time (const OdlSourceInfo *info)
{
  return info->n_slices > 1 && info->n_frames > info->n_slices;
}

bool
odl_process_sees_volumes (const OdlProcess *task, const OdlSourceInfo *info)
{
  const OdlRecipe *recipe = &task->asked;
  bool ahead = false;

  for (int i = 0; i < recipe->n_items; i++)
    ahead |= odl_recipe_item_acts (&recipe->items[i])
             && odl_recipe_item_dimensions (&recipe->items[i]) > 3;
  return (info->n_slices > 0 && odl_recipe_is_volumetric (recipe))
         || (odl_process_is_over_time (info) && odl_recipe_is_temporal (recipe))
         || (ahead && (info->n_frames != 1 || info->live));
}

int
odl_process_unit (const OdlProcess *task, const OdlSourceInfo *info)
{
  return odl_process_sees_volumes (task, info) ? MAX (info->n_slices, 1) : 1;
}
