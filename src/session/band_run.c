// SPDX-License-Identifier: MIT
#include "session/band_run.h"

#include "engine/volume.h"
#include "filter/inside.h"
#include "filter/strength.h"
#include "image/volume/volume.h"
#include "plan/numbers.h"
#include "work/rehearsal.h"

#define FEWEST_SLICES 8

// The chain up to the filter, which is shown by its coefficients before it acts; inside a
// transform those that filters before it have left.
static OdlRecipe
recipe_of (const OdlFrame *frame, bool other, int item, bool filtered)
{
  OdlRecipe recipe
      = odl_recipe_at_strength (other ? &frame->other_recipe : &frame->recipe);
  const bool inside = odl_recipe_transform_around (&recipe, item) >= 0;
  // What the view would show of the stationary transform is the decimated one, which
  // takes a small part of the time.
  if (!inside && !filtered
      && odl_filter_parameter (recipe.items[item].filter, "transform")
      && odl_recipe_item_transform (&recipe.items[item]) == ODL_TRANSFORM_STATIONARY)
    odl_recipe_set (&recipe, item, "transform", 0, ODL_TRANSFORM_DECIMATED);
  recipe.n_items = item + (filtered || !inside);
  recipe.view = filtered || inside ? ODL_VIEW_FILTERED_ANALYSIS : ODL_VIEW_ANALYSIS;
  return recipe;
}

// ---- which slices --------------------------------------------------------------------

// Some of the slices, as a volume of their own.
static OdlImage *
cut (OdlImage *volume, int first, int n)
{
  OdlImage *part = NULL;
  void *samples = NULL;
  for (int z = 0; z < n; z++) {
    g_autoptr (OdlImage) slice = odl_volume_slice (volume, first + z);
    if (!slice || !odl_volume_add (&part, &samples, n, z, slice, NULL)) {
      g_clear_pointer (&part, odl_image_unref);
      return NULL;
    }
  }
  return part;
}

// All that fit, or so many about the one that is seen; second volumes would have to be
// cut alike.
static void
choose_slices (OdlBandRun *run, const OdlFrame *frame, bool has_operands)
{
  const OdlExtent extent = odl_image_info (frame->volume)->extent;
  const int64_t area = (int64_t) extent.x * extent.y;
  const int most
      = (int) CLAMP (ODL_BAND_RUN_VOXELS / area, FEWEST_SLICES, ODL_BAND_RUN_SLICES);
  const int z = CLAMP (frame->voxel.at[2], 0, extent.z - 1);
  run->n_all = run->n_slices = extent.z;
  if (area * extent.z > ODL_BAND_RUN_VOXELS && !has_operands) {
    run->n_slices = MIN (most, extent.z);
    run->first = CLAMP (z - run->n_slices / 2, 0, extent.z - run->n_slices);
  }
  run->seen = z - run->first;
  run->came = run->n_slices == extent.z ? odl_image_ref (frame->volume)
                                        : cut (frame->volume, run->first, run->n_slices);
}

// Filters of slices look at the one that is seen, whatever the frame shows of the volume.
static void
choose_picture (OdlBandRun *run, const OdlFrame *frame, const OdlRecipe *recipe)
{
  const OdlPlan *made = frame->plan;
  if (!frame->volume)
    run->came = odl_image_ref (odl_frame_came (frame));
  else if (odl_recipe_is_volumetric (recipe))
    choose_slices (run, frame, made->geometry.operands != NULL);
  else
    run->came = odl_volume_slice (frame->volume, frame->voxel.at[2]);
}

// ---- the run -------------------------------------------------------------------------

static bool
has_glsl (const OdlPlan *plan)
{
  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].kind == ODL_STEP_OWN)
      return true;
  return false;
}

static bool
open_engine (OdlBandRun *run)
{
  const char *name = has_glsl (run->plan) ? "gl-compute" : "cpu";
  if (has_glsl (run->plan)) {
    if (!odl_rehearse (run->plan, name, NULL))
      return false;
    run->headless = odl_gl_headless_new (NULL);
    if (!run->headless)
      return false;
  }
  run->engine = odl_engine_open (odl_engine_find (name), NULL);
  return run->engine != NULL;
}

// Of a 2D transform behind a filter of the whole volume the slice that is seen.
static bool
take_slice (OdlBandRun *run)
{
  if (odl_image_info (run->coefficients)->extent.z == 1
      || odl_plan_has_octants (run->plan))
    return true;
  g_autoptr (OdlImage) all = g_steal_pointer (&run->coefficients);
  g_autoptr (OdlImage) volume = g_steal_pointer (&run->came);
  run->coefficients = odl_volume_slice (all, run->seen);
  run->came = odl_volume_slice (volume, run->seen);
  run->n_slices = run->n_all = run->first = run->seen = 0;
  return run->coefficients && run->came;
}

bool
odl_band_run (OdlBandRun *run, const OdlFrame *frame, bool other, int item, bool filtered)
{
  const OdlRecipe recipe = recipe_of (frame, other, item, filtered);
  *run = (OdlBandRun){ 0 };
  if (frame->awaits_volume)
    return false;
  choose_picture (run, frame, &recipe);
  if (!run->came)
    return false;
  OdlGeometry geometry = odl_geometry_of (run->came);
  geometry.operands = (other ? frame->other : frame->plan)->geometry.operands;
  run->plan = odl_plan_new (&recipe, &geometry, NULL);
  if (run->plan && open_engine (run))
    run->coefficients
        = odl_engine_process_volume (run->engine, run->plan, run->came, NULL);
  return run->coefficients && take_slice (run);
}

void
odl_band_run_clear (OdlBandRun *run)
{
  g_clear_pointer (&run->coefficients, odl_image_unref);
  g_clear_pointer (&run->came, odl_image_unref);
  g_clear_pointer (&run->engine, odl_engine_close);
  g_clear_pointer (&run->headless, odl_gl_headless_free);
  g_clear_pointer (&run->plan, odl_plan_unref);
}
