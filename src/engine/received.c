// SPDX-License-Identifier: MIT
#include "engine/received.h"

#include "engine/engine.h"
#include "engine/volume.h"
#include "image/rows.h"
#include "image/volume/volume.h"

// At least so many rows, however long they are.
#define FEWEST_ROWS 64

typedef struct {
  const OdlMeasured *of;
  OdlReceived last; // what was made last: of a volume, all of it or a slice
  int end, slice; // by which filters, of which slice; −1: of the whole volume
  bool all; // the next filter is measured by all rows
} Work;

// The filters up to `end`, in the whole precision.
static OdlRecipe
before (const OdlRecipe *recipe, int end)
{
  OdlRecipe filters = *recipe;

  filters.n_items = end;
  filters.view = ODL_VIEW_SYNTHESIS;
  filters.precision = 32;
  return filters;
}

static OdlImage *
run (const OdlRecipe *filters, OdlImage *image, OdlOperands *operands)
{
  OdlGeometry geometry = odl_geometry_of (image);

  geometry.operands = operands;
  g_autoptr (OdlPlan) plan = odl_plan_new (filters, &geometry, NULL);
  g_autoptr (OdlEngine) engine
      = plan != NULL ? odl_engine_open (odl_engine_find ("cpu"), NULL) : NULL;
  return engine != NULL ? odl_engine_process_volume (engine, plan, image, NULL) : NULL;
}

// Whether a filter measures the picture, asks where in it a row lies, or puts rows
// elsewhere.
static bool
needs_all (const OdlRecipe *filters, OdlImage *image, OdlOperands *operands)
{
  OdlGeometry geometry = odl_geometry_of (image);
  bool needs = false;

  geometry.operands = operands;
  g_autoptr (OdlPlan) plan = odl_plan_new (filters, &geometry, NULL);
  needs = plan != NULL && plan->resized;
  for (int i = 0; plan != NULL && i < plan->n_steps; i++)
    needs |= odl_step_class (&plan->steps[i]) == ODL_STEP_CLASS_MEASURE
             || plan->steps[i].kind == ODL_STEP_TIME_GAIN;
  return needs;
}

// Of a large picture the rows in the middle, unless a part of it is meant, whose place is
// that in the whole picture.
static OdlImage *
some_rows (const Work *work,
           const OdlRecipe *filters,
           OdlImage *image,
           OdlOperands **operands)
{
  const OdlMeasured *of = work->of;
  const OdlExtent *extent = &odl_image_info (image)->extent;
  const int rows = MAX (ODL_RECEIVED_SAMPLES / extent->x, FEWEST_ROWS);
  const int from = (extent->y - rows) / 2;

  *operands = NULL;
  if (from <= 0 || work->all || of->part != NULL
      || needs_all (filters, image, of->operands)) {
    *operands = of->operands != NULL ? odl_operands_ref (of->operands) : NULL;
    return odl_image_ref (image);
  }
  return odl_operands_some_rows (of->operands, extent->y, from, from + rows, 0, operands,
                                 NULL)
             ? odl_image_some_rows (image, from, from + rows, 0, NULL)
             : NULL;
}

static void
forget (Work *work)
{
  g_clear_pointer (&work->last.image, odl_image_unref);
  g_clear_pointer (&work->last.came, odl_image_unref);
}

// Filters a picture, or where slices depend on each other the whole volume.
static void
make (Work *work, const OdlRecipe *filters, int slice, OdlImage *image)
{
  g_autoptr (OdlOperands) operands = NULL;

  if (work->last.image != NULL && work->end == filters->n_items && work->slice == slice)
    return;
  forget (work);
  work->end = filters->n_items;
  work->slice = slice;
  work->last.came
      = slice < 0 ? odl_image_ref (image) : some_rows (work, filters, image, &operands);
  if (work->last.came == NULL)
    return;
  work->last.image
      = run (filters, work->last.came, slice < 0 ? work->of->operands : operands);
}

// False: beams that were converted, whose surroundings are those of the new picture.
static bool
is_as_large (const OdlImage *image, const OdlImage *came)
{
  const OdlExtent a = odl_image_info (image)->extent, b = odl_image_info (came)->extent;

  return a.x == b.x && a.y == b.y;
}

static bool
receive (const OdlRecipe *recipe, int end, int slice, void *data, OdlReceived *received)
{
  Work *work = data;
  OdlImage *image = work->of->image;
  const int depth = odl_image_info (image)->extent.z;
  const int z = slice < 0 ? depth / 2 : slice;
  const OdlRecipe filters = before (recipe, end);
  g_autoptr (OdlImage) as_it_came
      = depth > 1 ? odl_volume_slice (image, z) : odl_image_ref (image);

  if (as_it_came == NULL)
    return false;
  work->all = end < recipe->n_items
              && recipe->items[end].filter->kind == ODL_FILTER_LOG_COMPRESS;
  if (!odl_recipe_is_identity (&filters)) {
    const bool whole = depth > 1 && odl_recipe_is_volumetric (&filters);
    make (work, &filters, whole ? -1 : z, whole ? image : as_it_came);
    if (work->last.image != NULL) {
      received->image = whole ? odl_volume_slice (work->last.image, z)
                              : odl_image_ref (work->last.image);
      received->came = odl_image_ref (whole ? as_it_came
                                      : is_as_large (work->last.image, work->last.came)
                                          ? work->last.came
                                          : work->last.image);
      return received->image != NULL;
    }
  }
  received->came = odl_image_ref (as_it_came);
  received->image = g_steal_pointer (&as_it_came);
  return true;
}

static bool
peak (const OdlRecipe *recipe, int end, void *data, double *found)
{
  const OdlCine *cine = ((const Work *) data)->of->cine;
  const OdlRecipe filters = before (recipe, end);

  return cine->peak (&filters, cine->data, found);
}

bool
odl_measure_recipe (OdlRecipe *recipe, const OdlMeasured *measured)
{
  g_return_val_if_fail (recipe != NULL && measured != NULL && measured->image != NULL,
                        false);

  Work work = { .of = measured };
  const int depth = odl_image_info (measured->image)->extent.z;
  const OdlMeasuring how = { .part = measured->part,
                             .n_slices = depth > 1 ? depth : 0,
                             .receive = receive,
                             .peak = measured->cine != NULL ? peak : NULL,
                             .cine_later = measured->cine_later,
                             .data = &work };
  const bool replaced = odl_recipe_measure (recipe, &how);

  forget (&work);
  return replaced;
}
