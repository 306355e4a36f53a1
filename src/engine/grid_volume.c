// SPDX-License-Identifier: MIT
#include "engine/grid_volume.h"

#include <math.h>

#include "base/parallel.h"
#include "engine/register.h"
#include "engine/volume.h"
#include "filter/strength.h"
#include "image/display/display.h"
#include "image/volume/oblique.h"
#include "image/volume/volume.h"

#define MOST_CHANNELS 3
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
                 && volume->channels <= MOST_CHANNELS
                 && plan->slots[plan->result].channels == volume->channels
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

// Channel `c` of a row of slices that lie one below the other. Any thread.
static void
take_row (const OdlImage *volume, int c, int r, float *row)
{
  const int height = odl_image_info (volume)->extent.y;

  odl_image_scaled_row (volume, c, r % height, r / height, 0, row);
}

// Of all voxels, without gaps, the mean of channels first … first + n − 1.
static void
gather (const OdlImage *volume, int first, int n, float *values)
{
  const OdlImageInfo *info = odl_image_info (volume);
  const int width = info->extent.x;

  ODL_PARALLEL_FOR
  for (int r = 0; r < info->extent.y * info->extent.z; r++) {
    g_autofree float *line = g_new (float, width);
    float *row = values + (size_t) r * (size_t) width;
    for (int c = 0; c < n; c++) {
      take_row (volume, first + c, r, line);
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

// As `like`, of `n` scaled values in each channel, one channel after the other. NULL: no
// memory.
static OdlImage *
wrap (const OdlImageInfo *like, const float *values, size_t n, GError **error)
{
  OdlImageInfo info = *like;
  const size_t channels = (size_t) info.channels;
  void *samples = NULL;

  info.type = ODL_SAMPLE_F32;
  OdlImage *image = odl_image_alloc_unset (&info, &samples, error);
  for (size_t i = 0; image != NULL && i < n * channels; i++)
    ((float *) samples)[i % n * channels + i / n]
        = (float) (info.stored_min
                   + (double) values[i] * (info.stored_max - info.stored_min));
  return image;
}

// What `plan` makes of `volume` if all it does last is to register that in three
// dimensions, with the grid. False: something else, or there is no memory or it was
// stopped; the engine then runs the plan as any other.
static bool
make (OdlEngine *engine,
      const OdlRecipe *recipe,
      const OdlPlan *plan,
      OdlImage *volume,
      OdlGridVolume *made)
{
  const OdlImageInfo *info = odl_image_info (volume);
  const size_t n = voxels_of (info);
  const int item = find_item (recipe, plan, info), channels = info->channels;
  OdlImage *reference = item >= 0 ? find_reference (plan) : NULL;
  const OdlSections whole = odl_sections_of (plan, engine->memory, engine->block,
                                             engine->klass->shares_memory);

  if (reference == NULL || voxels_of (odl_image_info (reference)) != n
      || !odl_sections_fit (&whole, engine->memory, NULL))
    return false;
  g_autoptr (OdlImage) moving = run_before (engine, recipe, item, plan, volume);
  g_autofree float *floats
      = moving != NULL ? g_try_new (float, (size_t) (2 + channels) * n) : NULL;
  made->surfaces = floats != NULL ? g_try_malloc0 (n) : NULL;
  if (made->surfaces == NULL)
    return false;
  float *values[MOST_CHANNELS];
  gather (moving, 0, channels, floats);
  gather (reference, 0, MIN (odl_image_info (reference)->channels, MOST_CHANNELS),
          floats + n);
  for (int c = 0; c < channels; c++) {
    values[c] = floats + (size_t) (2 + c) * n;
    gather (moving, c, 1, values[c]);
  }
  const OdlRegisterVolume run
      = { .step = &plan->steps[plan->n_steps - 1],
          .size = { info->extent.x, info->extent.y, info->extent.z },
          .moving = floats,
          .reference = floats + n,
          .surfaces = made->surfaces,
          .progress = engine->progress };
  if (odl_register_run_volume (&run, values, channels)
      && !odl_progress_stopped (engine->progress)) {
    find_ends (info, values[0], (size_t) channels * n, made);
    made->volume = wrap (odl_image_info (moving), values[0], n, NULL);
  }
  return made->volume != NULL;
}

bool
odl_grid_volume_process (OdlEngine *engine,
                         const OdlRecipe *recipe,
                         const OdlPlan *plan,
                         OdlImage *volume,
                         OdlProcessWhole whole,
                         OdlGridVolume *made,
                         char **cut,
                         GError **error)
{
  odl_grid_volume_clear (made);
  if (recipe != NULL && make (engine, recipe, plan, volume, made))
    return true;
  odl_grid_volume_clear (made);
  made->volume
      = odl_engine_process_fitting (engine, recipe, plan, volume, whole, cut, error);
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

// Dark lines on what is bright, and bright ones on what is dark. `values` are those of
// the channels, each `step` further on.
static void
draw_line (const OdlGridVolume *grid, float *values, int channels, size_t step)
{
  float sum = 0;

  for (int c = 0; c < channels; c++)
    sum += values[(size_t) c * step];
  const float middle = (grid->low + grid->high) / 2 * (float) channels;
  const float end = sum < middle ? grid->high : grid->low;
  for (int c = 0; c < channels; c++)
    values[(size_t) c * step] += LINE * (end - values[(size_t) c * step]);
}

// As odl_grid_volume_look, over that picture without lines.
static OdlImage *
draw (const OdlGridVolume *grid,
      const OdlImage *picture,
      const OdlPlanesLook *look,
      int z,
      GError **error)
{
  const OdlImageInfo *info = odl_image_info (picture);
  const int width = info->extent.x, height = info->extent.y, channels = info->channels;
  const OdlPlanes planes = odl_planes_of (odl_image_info (grid->volume));
  const size_t n = (size_t) width * (size_t) height;
  g_autofree float *values = g_new (float, n *(size_t) channels);

  ODL_PARALLEL_FOR
  for (int y = 0; y < height; y++) {
    float *row = values + (size_t) y * (size_t) width;
    for (int c = 0; c < channels; c++)
      take_row (picture, c, y, row + (size_t) c * n);
    for (int x = 0; x < width; x++) {
      OdlVoxel voxel = { { x, y, z } };
      int through = 2;
      if ((look == NULL || find_voxel (&planes, look, x, y, &voxel, &through))
          && is_on_line (grid, &voxel, through))
        draw_line (grid, row + x, channels, n);
    }
  }
  return wrap (info, values, n, error);
}

OdlImage *
odl_grid_volume_look (const OdlGridVolume *grid,
                      const OdlPlanesLook *look,
                      int z,
                      GError **error)
{
  g_autoptr (OdlImage) picture = look != NULL
                                     ? odl_planes_compose (grid->volume, look, error)
                                     : odl_volume_slice (grid->volume, z);

  return picture == NULL || grid->surfaces == NULL ? g_steal_pointer (&picture)
                                                   : draw (grid, picture, look, z, error);
}

OdlImage *
odl_grid_volume_on_plane (const OdlGridVolume *grid, const OdlOnPlane *on, GError **error)
{
  const OdlImageInfo *info = odl_image_info (grid->volume);
  const OdlPlanesLook look = odl_on_plane_look (on, info);
  g_autoptr (OdlImage) planes = odl_grid_volume_look (grid, &look, 0, error);

  return planes != NULL ? odl_on_plane_cut (planes, info, on->plane) : NULL;
}

OdlImage *
odl_grid_volume_whole (const OdlGridVolume *grid, GError **error)
{
  const OdlImageInfo *info = odl_image_info (grid->volume);
  const size_t n = voxels_of (info);
  g_autofree float *values = NULL;

  if (grid->surfaces == NULL)
    return odl_image_ref (grid->volume);
  values = g_new (float, n *(size_t) info->channels);
  for (int c = 0; c < info->channels; c++) {
    float *channel = values + (size_t) c * n;
    gather (grid->volume, c, 1, channel);
    for (size_t i = 0; i < n; i++) {
      const unsigned at = grid->surfaces[i];
      if ((at & (at - 1)) != 0)
        channel[i] = grid->high;
    }
  }
  return wrap (info, values, n, error);
}

bool
odl_grid_volume_settle (OdlGridVolume *grid, GError **error)
{
  OdlImage *whole = odl_grid_volume_whole (grid, error);

  odl_grid_volume_clear (grid);
  grid->volume = whole;
  return whole != NULL;
}

void
odl_grid_volume_clear (OdlGridVolume *grid)
{
  g_clear_pointer (&grid->volume, odl_image_unref);
  g_clear_pointer (&grid->surfaces, g_free);
}
