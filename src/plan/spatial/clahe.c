// SPDX-License-Identifier: MIT
// Equalises the histograms of tiles, with a limit to how steep their curves may be, as
// plan/equalise.h says. Colours keep their differences to the luma.
#include "plan/equalise.h"
#include "plan/spatial.h"

static const char *const tile_names[] = { "1", "2", "4", "8", "16", NULL };
static const char *const bin_names[] = { "256", "1024", "4096", "65536", NULL };

static const OdlParameter parameters[] = {
  { NUMBER ("clip", N_ ("Contrast limit"), N_ ("of the mean"), 0, 40, 0.1),
    .default_value = 2 },
  { CHOICE ("tiles", N_ ("Tiles"), N_ ("along either side"), tile_names),
    .default_value = 3, .tacit = true, .offset = 1 },
  { CHOICE ("bins", N_ ("Bins"), "", bin_names), .tacit = true, .offset = 2 },
};

const OdlFilter odl_filter_clahe = {
  SPATIAL_FILTER (CLAHE, "clahe"),
  .label = N_ ("Local equalisation"),
  .description = N_ ("Spreads the grey levels of every tile, with limited contrast: "
                     "CLAHE. A limit of 0 is none."),
  PARAMETERS (parameters),
};

const OdlStepRow odl_step_clahe = {
  SPATIAL_STEP ("clahe"),
  .amplifies = true,
  .fields = { ODL_STEP_STRUCTURE (side, INT), ODL_STEP_STRUCTURE (bins, INT) },
};

// Of a picture of one channel, which is the current one.
static void
plan_grey (OdlPlanner *b, int item)
{
  const int tiles = 1 << (int) odl_recipe_get (b->recipe, item, "tiles", 0);
  const int choice = (int) odl_recipe_get (b->recipe, item, "bins", 0);
  const int bins = choice < 3 ? 256 << (2 * choice) : 65536;
  const OdlEqualiseTile tile
      = odl_equalise_tile (b->geometry.width, b->geometry.height, tiles);
  const int curves = odl_planner_add_numbers (b, tiles * tiles * bins, 1, false);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_EQUALISE, b->picture, curves, item);

  step->side = tiles;
  step->bins = bins;
  step->parameters.values[0] = odl_equalise_limit (
      odl_recipe_get (b->recipe, item, "clip", 0), tile.width * tile.height, bins);
  b->cuts = true;
  step = odl_planner_add_picture_step (b, ODL_STEP_CLAHE, item);
  step->reads[1] = curves;
  step->side = tiles;
  step->bins = bins;
}

void
odl_plan_clahe (OdlPlanner *b, int item)
{
  const int colours = b->picture;

  if (g_array_index (b->slots, OdlSlot, colours).channels == 1) {
    plan_grey (b, item);
    return;
  }
  const int luma = odl_planner_add_slot (b, ODL_SLOT_PICTURE, 0, b->geometry.width,
                                         b->geometry.height, 1);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_LUMA, colours, luma, item);
  odl_geometry_luma_weights (&b->geometry, step->parameters.weights);
  b->picture = luma;
  plan_grey (b, item);
  const int after = b->picture;
  b->picture = colours;
  step = odl_planner_add_picture_step (b, ODL_STEP_RECOMBINE, item);
  step->reads[1] = luma;
  step->reads[2] = after;
}
