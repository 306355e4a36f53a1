// SPDX-License-Identifier: MIT
#include "engine/gl/compute_coarse.h"

#include "engine/gl/compute_lanes.h"

// How far the result depends on what lies around a tile: four samples per direction and
// level, in samples of that level.
#define REACH_PER_LEVEL 8

// Shorter lines would be mirrored more than once.
#define LEAST_SIDE 8

// Measured on an H200; the last of two levels fits the 32 KiB that GL guarantees.
const OdlGlTile odl_gl_tiles[] = {
  { 2, 80, { 5, 2 }, 256 * 256 },
  { 2, 96, { 6, 2 }, 512 * 512 },
  { 2, 88, { 6, 2 }, 512 * 512 },
  { 1, 64, { 4 }, 1024 * 1024 },
  { 0 },
};

// The forward and inverse steps of one wavelet filter, which follow each other in pairs.
typedef struct {
  int forward; // of the finest level, x
  int levels;
  int inverse; // of the coarsest level, y
} Chain;

static int
reach_of (const OdlGlTile *tile)
{
  return REACH_PER_LEVEL * ((1 << tile->levels) - 1);
}

int
odl_gl_tile_core (const OdlGlTile *tile)
{
  return tile->side - 2 * reach_of (tile);
}

static int
group_of (const OdlGlTile *tile)
{
  int most = 0;

  for (int level = 0; level < tile->levels; level++) {
    const int lines = tile->side >> level;
    const int pairs = 2 * tile->pairs[level];
    most = MAX (most, lines * ((lines + pairs - 1) / pairs));
  }
  return most;
}

static bool
is_step (const OdlPlan *plan, int step, OdlStepKind kind, OdlAxis axis, int reads)
{
  return step < plan->n_steps && plan->steps[step].kind == kind
         && plan->steps[step].axis == axis && plan->steps[step].reads[0] == reads;
}

static Chain
chain_at (const OdlPlan *plan, int forward)
{
  Chain chain = { .forward = forward, .inverse = -1 };
  int step = forward, bands;

  do {
    bands = plan->steps[step + 1].writes;
    step += 2;
    chain.levels++;
  } while (is_step (plan, step, ODL_STEP_FORWARD, ODL_AXIS_X, bands));
  for (int i = step; i < plan->n_steps && chain.inverse < 0; i++)
    if (is_step (plan, i, ODL_STEP_INVERSE, ODL_AXIS_Y, bands))
      chain.inverse = i;
  return chain;
}

// The step that shrinks what `inverse` (INVERSE y) reads of `bands`; −1: none; −2: what
// it reads was made in another way.
static int
threshold_of (const OdlPlan *plan, int inverse, int bands)
{
  const int details = plan->steps[inverse].reads[1];
  const int writer = odl_gl_last_writer (plan, details, inverse);

  if (details == bands)
    return -1;
  if (odl_gl_is_fused_threshold (plan, writer) && plan->steps[writer].reads[0] == bands)
    return writer;
  return -2;
}

static bool
contains (const OdlGlCoarse *part, int step)
{
  if (step >= part->coarsest)
    return step <= part->inverse;
  for (int level = 0; level < part->tile->levels; level++)
    if (step == part->thresholds[level])
      return true;
  return step >= part->forward && step < part->forward + 2 * part->tile->levels;
}

// What is never stored must not be read by others.
static bool
is_read_elsewhere (const OdlPlan *plan, const OdlGlCoarse *part)
{
  const int shown = odl_gl_last_writer (plan, plan->result, plan->n_steps);

  if (contains (part, shown) && shown != part->inverse)
    return true;
  for (int i = part->forward; i < plan->n_steps; i++)
    for (int r = 0; r < 3 && !contains (part, i); r++) {
      const int slot = plan->steps[i].reads[r];
      const int writer
          = slot != ODL_PLAN_NO_SLOT ? odl_gl_last_writer (plan, slot, i) : -1;
      if (writer >= 0 && contains (part, writer) && writer != part->inverse)
        return true;
    }
  return false;
}

static bool
follow (const OdlPlan *plan, const Chain *chain, OdlGlCoarse *part)
{
  for (int level = part->tile->levels - 1; level >= 0; level--) {
    const int inverse = chain->inverse + 2 * (part->tile->levels - 1 - level);
    const int bands = plan->steps[part->forward + 2 * level + 1].writes;
    if (inverse > chain->inverse
        && !is_step (plan, inverse, ODL_STEP_INVERSE, ODL_AXIS_Y,
                     plan->steps[inverse - 1].writes))
      return false;
    part->thresholds[level] = threshold_of (plan, inverse, bands);
    if (part->thresholds[level] < -1)
      return false;
  }
  return !is_read_elsewhere (plan, part);
}

static bool
fits (const OdlPlan *plan,
      const OdlGlCaps *caps,
      const Chain *chain,
      const OdlGlTile *tile,
      OdlGlCoarse *part)
{
  if (chain->levels < tile->levels || chain->inverse < 0)
    return false;

  *part = (OdlGlCoarse){
    .tile = tile,
    .forward = chain->forward + 2 * (chain->levels - tile->levels),
    .coarsest = chain->inverse,
    .inverse = chain->inverse + 2 * tile->levels - 1,
  };
  const OdlSlot *finest = &plan->slots[plan->steps[part->forward].writes];
  const OdlSlot *coarsest
      = &plan->slots[plan->steps[part->forward + 2 * tile->levels - 2].writes];
  const int bytes = tile->side * (tile->side + 1) * (int) sizeof (float);
  return (double) finest->width * finest->height <= tile->samples
         && MIN (coarsest->width, coarsest->height) >= LEAST_SIDE
         && bytes <= caps->max_shared
         && group_of (tile) <= caps->max_group
         // Tiles that are written must not be read by others.
         && plan->steps[part->forward].reads[0] != plan->steps[part->inverse].writes
         && follow (plan, chain, part);
}

GArray *
odl_gl_coarse_find (const OdlPlan *plan, const OdlGlCaps *caps)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (OdlGlCoarse));

  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    if (step->kind != ODL_STEP_FORWARD || step->axis != ODL_AXIS_X)
      continue;
    const Chain chain = chain_at (plan, i);
    OdlGlCoarse part;
    const OdlGlTile *tile = odl_gl_tiles;
    if (step->wavelet->lifting.count == 0 || step->wavelet->reversible
        || step->border != ODL_BORDER_WHOLE_SAMPLE)
      continue;
    while (tile->levels > 0 && !fits (plan, caps, &chain, tile, &part))
      tile++;
    if (tile->levels > 0)
      g_array_append_val (parts, part);
    i += 2 * chain.levels - 1;
  }
  return parts;
}

const OdlGlCoarse *
odl_gl_coarse_at (const GArray *coarse, int step)
{
  for (guint i = 0; i < coarse->len; i++) {
    const OdlGlCoarse *part = &g_array_index (coarse, OdlGlCoarse, i);
    if (contains (part, step))
      return part;
  }
  return NULL;
}

char *
odl_gl_coarse_defines (const OdlGlCoarse *part, const OdlPlan *plan)
{
  const OdlGlTile *tile = part->tile;
  GString *text = odl_gl_lifting_defines (&plan->steps[part->forward]);

  g_string_append_printf (text,
                          "#define LEVELS %d\n#define SIDE %d\n#define CORE %d\n"
                          "#define REACH %d\n#define GROUP %d\n#define PAIRS_0 %d\n"
                          "#define PAIRS_1 %d\n",
                          tile->levels, tile->side, odl_gl_tile_core (tile),
                          reach_of (tile), group_of (tile), tile->pairs[0],
                          tile->pairs[1]);
  return g_string_free (text, FALSE);
}

// Without gains, low samples are too large by 1 / low_gain and high ones by 1 / high_gain
// for each step along an axis.
void
odl_gl_coarse_parameters (const OdlGlCoarse *part,
                          const OdlPlan *plan,
                          OdlGlUniforms *uniforms)
{
  const OdlLifting *lifting = &plan->steps[part->forward].wavelet->lifting;
  double low = 1; // gain of LL

  for (int level = 0; level < part->tile->levels; level++) {
    const OdlStep *step = &plan->steps[MAX (part->thresholds[level], 0)];
    const double threshold = part->thresholds[level] >= 0 ? step->threshold : 0;
    const double mixed = low * lifting->low_gain * lifting->high_gain;
    const double diagonal = low * lifting->high_gain * lifting->high_gain;
    uniforms->limits[level][0] = (float) (threshold / mixed);
    uniforms->limits[level][1] = (float) (threshold / diagonal);
    uniforms->limits[level][2] = step->hard ? 1 : 0;
    low *= lifting->low_gain * lifting->low_gain;
  }
}
