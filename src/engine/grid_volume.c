// SPDX-License-Identifier: MIT
#include "engine/grid_volume.h"

#include <math.h>

#include "base/parallel.h"
#include "engine/register.h"
#include "engine/sections.h"
#include "engine/volume.h"
#include "filter/strength.h"
#include "image/display/display.h"
#include "image/volume/oblique.h"

#define LINE 0.75f // how much of what is below them lines cover

static size_t
voxels_of (const OdlImageInfo *info)
{
  return (size_t) info->extent.x * (size_t) info->extent.y * (size_t) info->extent.z;
}

// The filter that a plan ends with, if it is such a registration; −1: it is not.
static int
find_item (const OdlRecipe *recipe, const OdlPlan *plan, const OdlImageInfo *volume)
{
  int item = recipe->n_items - 1;

  while (item >= 0 && !odl_recipe_item_acts (&recipe->items[item]))
    item--;
  if (item < 0 || plan->n_steps == 0 || plan->view != ODL_VIEW_SYNTHESIS)
    return -1;
  const OdlStep *step = &plan->steps[plan->n_steps - 1];
  return step->kind == ODL_STEP_REGISTER && step->rule == ODL_REGISTER_GRID
                 && step->writes == plan->result && plan->geometry.depth > 1
                 && volume->channels == 1
             ? item
             : -1;
}

// The other volume, which a step before has loaded; borrowed.
static OdlImage *
find_reference (const OdlPlan *plan)
{
  const int slot = plan->steps[plan->n_steps - 1].reads[1];

  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].kind == ODL_STEP_LOAD && plan->steps[i].writes == slot)
      return odl_step_image (&plan->steps[i], NULL);
  return NULL;
}

// The volume after the filters before the registration.
static OdlImage *
run_before (OdlEngine *engine,
            const OdlRecipe *recipe,
            int item,
            const OdlPlan *plan,
            OdlImage *volume)
{
  OdlRecipe before = odl_recipe_at_strength (recipe);
  g_autofree char *cut = NULL;

  before.n_items = item;
  if (odl_recipe_is_identity (&before))
    return odl_image_ref (volume);
  g_autoptr (OdlPlan) shorter = odl_plan_new (&before, &plan->geometry, NULL);
  return shorter != NULL ? odl_engine_process_fitting (
             engine, &before, shorter, volume, odl_engine_process_volume, &cut, NULL)
                         : NULL;
}

// The mean of its channels, without gaps.
static void
gather (const OdlImage *volume, float *values)
{
  const OdlImageInfo *info = odl_image_info (volume);
  const int width = info->extent.x, n = MIN (info->channels, 3);

  ODL_PARALLEL_FOR
  for (int r = 0; r < info->extent.y * info->extent.z; r++) {
    g_autofree float *line = g_new (float, width);
    float *row = values + (size_t) r * (size_t) width;
    for (int c = 0; c < n; c++) {
      odl_image_scaled_row (volume, c, r % info->extent.y, r / info->extent.y, 0, line);
      for (int x = 0; x < width; x++)
        row[x] = (c > 0 ? row[x] : 0) + line[x] / (float) n;
    }
  }
}

// Of the file's window as far as the volume has such values, of which few may be far
// brighter than the others.
static void
find_ends (const OdlImageInfo *info, const float *values, size_t n, OdlGridVolume *made)
{
  const OdlValueMap *map = &info->value_map;
  double centre, width, ends[2], low = INFINITY, high = -INFINITY;

  for (size_t i = 0; i < n; i++) {
    low = fmin (low, (double) values[i]);
    high = fmax (high, (double) values[i]);
  }
  odl_display_window (info, &(OdlWindow){ .mode = ODL_WINDOW_FILE }, &centre, &width);
  for (int i = 0; i < 2; i++)
    ends[i]
        = ((centre + (i - 0.5) * width - map->intercept) / map->slope - info->stored_min)
          / (info->stored_max - info->stored_min);
  made->low = (float) CLAMP (fmin (ends[0], ends[1]), low, high);
  made->high = (float) CLAMP (fmax (ends[0], ends[1]), low, high);
}

// As `like`, of `n` scaled values. NULL: no memory.
static OdlImage *
wrap (const OdlImageInfo *like, const float *values, size_t n, GError **error)
{
  OdlImageInfo info = *like;
  void *samples = NULL;

  info.type = ODL_SAMPLE_F32;
  OdlImage *image = odl_image_alloc_unset (&info, &samples, error);
  for (size_t i = 0; image != NULL && i < n; i++)
    ((float *) samples)[i]
        = (float) (info.stored_min
                   + (double) values[i] * (info.stored_max - info.stored_min));
  return image;
}

bool
odl_grid_volume_make (OdlEngine *engine,
                      const OdlRecipe *recipe,
                      const OdlPlan *plan,
                      OdlImage *volume,
                      OdlGridVolume *made)
{
  const OdlImageInfo *info = odl_image_info (volume);
  const size_t n = voxels_of (info);
  const int item = find_item (recipe, plan, info);
  OdlImage *reference = item >= 0 ? find_reference (plan) : NULL;
  const OdlSections whole = odl_sections_of (plan, engine->memory, engine->block);

  *made = (OdlGridVolume){ 0 };
  if (reference == NULL || voxels_of (odl_image_info (reference)) != n || whole.count != 1
      || !odl_sections_fit (&whole, plan, engine->memory, NULL))
    return false;
  g_autoptr (OdlImage) moving = run_before (engine, recipe, item, plan, volume);
  g_autofree float *floats = moving != NULL ? g_try_new (float, 3 * n) : NULL;
  made->surfaces = floats != NULL ? g_try_malloc0 (n) : NULL;
  if (made->surfaces == NULL)
    return false;
  float *const values = floats + 2 * n;
  gather (moving, floats);
  gather (reference, floats + n);
  memcpy (values, floats, n * sizeof *values);
  const OdlRegisterVolume run
      = { .step = &plan->steps[plan->n_steps - 1],
          .size = { info->extent.x, info->extent.y, info->extent.z },
          .moving = floats,
          .reference = floats + n,
          .surfaces = made->surfaces,
          .progress = engine->progress };
  if (odl_register_run_volume (&run, &values, 1)
      && !odl_progress_stopped (engine->progress)) {
    find_ends (info, values, n, made);
    made->volume = wrap (odl_image_info (moving), values, n, NULL);
  }
  if (made->volume == NULL)
    odl_grid_volume_clear (made);
  return made->volume != NULL;
}

// ---- What is seen of it ----

// The axis across which a plane lies, and the voxel at a pixel of it. False: none.
static bool
find_voxel (const OdlPlanes *planes,
            const OdlPlanesLook *look,
            int x,
            int y,
            OdlVoxel *voxel,
            int *through)
{
  *voxel = look->voxel;
  const OdlPlaneKind plane = odl_planes_find (planes, x + 0.5, y + 0.5, voxel);
  if (plane == ODL_N_PLANES)
    return false;
  const OdlPlanePlace *place = &planes->planes[plane];
  *through = place->through;
  if (!look->oblique.turned || plane != look->oblique.plane)
    return true;
  int sign;
  *through = odl_oblique_through (planes, &look->oblique, &sign);
  return odl_oblique_find (planes, look, x + 0.5 - place->x, y + 0.5 - place->y, voxel);
}

static bool
is_on_line (const OdlGridVolume *grid, const OdlVoxel *voxel, int through)
{
  const OdlExtent *extent = &odl_image_info (grid->volume)->extent;
  const size_t row = (size_t) voxel->at[2] * (size_t) extent->y + (size_t) voxel->at[1];

  return (grid->surfaces[row * (size_t) extent->x + (size_t) voxel->at[0]]
          & ~(1 << through))
         != 0;
}

// Dark lines on what is bright, and bright ones on what is dark.
static float
line_over (const OdlGridVolume *grid, float value)
{
  const float end = 2 * value < grid->low + grid->high ? grid->high : grid->low;

  return value + LINE * (end - value);
}

OdlImage *
odl_grid_volume_draw (const OdlGridVolume *grid,
                      OdlImage *picture,
                      const OdlPlanesLook *look,
                      int z,
                      GError **error)
{
  const OdlImageInfo *info = odl_image_info (picture);
  const int width = info->extent.x, height = info->extent.y;
  const OdlPlanes planes = odl_planes_of (odl_image_info (grid->volume));
  const size_t n = (size_t) width * (size_t) height;
  g_autofree float *values = g_new (float, n);

  ODL_PARALLEL_FOR
  for (int y = 0; y < height; y++) {
    float *row = values + (size_t) y * (size_t) width;
    odl_image_scaled_row (picture, 0, y, 0, 0, row);
    for (int x = 0; x < width; x++) {
      OdlVoxel voxel = { { x, y, z } };
      int through = 2;
      if ((look == NULL || find_voxel (&planes, look, x, y, &voxel, &through))
          && is_on_line (grid, &voxel, through))
        row[x] = line_over (grid, row[x]);
    }
  }
  return wrap (info, values, n, error);
}

OdlImage *
odl_grid_volume_edges (const OdlGridVolume *grid, GError **error)
{
  const OdlImageInfo *info = odl_image_info (grid->volume);
  const size_t n = voxels_of (info);
  g_autofree float *values = g_new (float, n);

  gather (grid->volume, values);
  for (size_t i = 0; i < n; i++) {
    const unsigned at = grid->surfaces[i];
    if ((at & (at - 1)) != 0)
      values[i] = grid->high;
  }
  return wrap (info, values, n, error);
}

void
odl_grid_volume_clear (OdlGridVolume *grid)
{
  g_clear_pointer (&grid->volume, odl_image_unref);
  g_clear_pointer (&grid->surfaces, g_free);
}
