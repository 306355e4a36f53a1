// SPDX-License-Identifier: MIT
#include "engine/gl/compute/fusion.h"

#include <math.h>

#include "engine/gl/compute/lanes.h"
#include "plan/flow.h"

// How far the result depends on what lies around a tile: four samples per direction and
// level, in samples of that level.
#define REACH_PER_LEVEL 8

// Of the finest and the coarsest of the levels. Tiles mirror shorter lines more than
// once; lines of one sample are not transformed, which pairs of levels do not know.
#define LEAST_TILE_SIDE 9
#define LEAST_PAIR_SIDE 2

// Bytes of a picture, measured on an H200: what fits its second cache gains nothing from
// two levels of analysis at once, since rows of lanes start farther above their own; and
// small pictures nothing from two levels of synthesis.
#define LEAST_PAIR_BYTES (64.0 * 1024 * 1024)
#define LEAST_SYNTHESIS_BYTES (8.0 * 1024 * 1024)

// Of half floats, measured on an H200: synthesis without a branch takes 5 % less of a
// frame of 4096² and 8192², and 3 % more of one of 2048²; of single floats 1 to 5 % more
// of all.
#define LEAST_ALL_ROWS_BYTES (16.0 * 1024 * 1024)

// Measured on an H200; the last of two levels fits the 32 KiB that GL guarantees.
const OdlGlTile odl_gl_tiles[] = {
  { 2, 80, { 5, 2 }, 256 * 256 },
  { 2, 96, { 6, 2 }, 512 * 512 },
  { 2, 88, { 6, 2 }, 512 * 512 },
  { 1, 48, { 3 }, 1024 * 1024 },
  { 0 },
};

// The forward and inverse steps of one wavelet filter, which follow each other in pairs.
typedef struct {
  const OdlPlan *plan;
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

int
odl_gl_fusion_bands_step (const OdlGlFusion *fusion, int level)
{
  return fusion->forward + 2 * level + 1;
}

int
odl_gl_fusion_last (const OdlGlFusion *fusion)
{
  return fusion->kind == ODL_GL_FUSION_ANALYSIS
             ? odl_gl_fusion_bands_step (fusion, fusion->levels - 1)
             : fusion->inverse;
}

bool
odl_gl_fusion_stores (const OdlGlFusion *fusion, int step)
{
  return step == odl_gl_fusion_last (fusion);
}

bool
odl_gl_fusion_stores_detail (const OdlGlFusion *fusion, int step)
{
  return fusion->kind == ODL_GL_FUSION_ANALYSIS && (step - fusion->forward) % 2 == 1;
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
  Chain chain = { .plan = plan, .forward = forward, .inverse = -1 };
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
  const int writer = odl_plan_last_writer (plan, details, inverse);

  if (details == bands)
    return -1;
  if (odl_plan_is_fused_threshold (plan, writer) && plan->steps[writer].reads[0] == bands)
    return writer;
  return -2;
}

static bool
is_threshold (const OdlGlFusion *fusion, int step)
{
  for (int level = 0; level < fusion->levels; level++)
    if (step == fusion->thresholds[level])
      return true;
  return false;
}

static bool
analyses (const OdlGlFusion *fusion, int step)
{
  return step >= fusion->forward && step < fusion->forward + 2 * fusion->levels;
}

static bool
synthesises (const OdlGlFusion *fusion, int step)
{
  return step >= fusion->coarsest && step <= fusion->inverse;
}

static bool
contains (const OdlGlFusion *fusion, int step)
{
  return fusion->kind == ODL_GL_FUSION_ANALYSIS ? analyses (fusion, step)
         : fusion->kind == ODL_GL_FUSION_SYNTHESIS
             ? synthesises (fusion, step)
             : analyses (fusion, step) || synthesises (fusion, step)
                   || is_threshold (fusion, step);
}

// True for what analysis and synthesis of the fusion's levels do, in one dispatch or two.
static bool
concerns (const OdlGlFusion *fusion, int step)
{
  return analyses (fusion, step) || synthesises (fusion, step)
         || is_threshold (fusion, step);
}

// What is not stored whole must not be read by others.
static bool
is_read_elsewhere (const OdlPlan *plan, const OdlGlFusion *fusion)
{
  const int shown = odl_plan_last_writer (plan, plan->result, plan->n_steps);
  const int stored
      = fusion->kind == ODL_GL_FUSION_COARSE ? -1 : odl_gl_fusion_last (fusion);

  if (concerns (fusion, shown) && shown != fusion->inverse)
    return true;
  for (int i = fusion->forward; i < plan->n_steps; i++)
    for (int r = 0; r < 3 && !concerns (fusion, i); r++) {
      const int slot = plan->steps[i].reads[r];
      const int writer
          = slot != ODL_PLAN_NO_SLOT ? odl_plan_last_writer (plan, slot, i) : -1;
      if (writer >= 0 && concerns (fusion, writer) && writer != fusion->inverse
          && writer != stored)
        return true;
    }
  return false;
}

// INVERSE y of a level, 0 for the finest, when the synthesis goes without a break.
static int
inverse_of (const Chain *chain, int level)
{
  return chain->inverse + 2 * (chain->levels - 1 - level);
}

// Takes levels `finest` … `finest` + `levels` − 1 together, if their steps follow each
// other.
static bool
describe (const Chain *chain,
          OdlGlFusionKind kind,
          int finest,
          int levels,
          OdlGlFusion *fusion)
{
  const OdlPlan *plan = chain->plan;

  *fusion = (OdlGlFusion){
    .kind = kind,
    .levels = levels,
    .forward = chain->forward + 2 * finest,
    .inverse = inverse_of (chain, finest) + 1,
    .coarsest = inverse_of (chain, finest + levels - 1),
  };
  for (int level = 0; level < levels; level++) {
    const int inverse = inverse_of (chain, finest + level);
    const int bands = plan->steps[odl_gl_fusion_bands_step (fusion, level)].writes;
    if (inverse > chain->inverse
        && !is_step (plan, inverse, ODL_STEP_INVERSE, ODL_AXIS_Y,
                     plan->steps[inverse - 1].writes))
      return false;
    fusion->thresholds[level] = threshold_of (plan, inverse, bands);
    if (fusion->thresholds[level] < -1)
      return false;
  }
  return plan->steps[fusion->forward].reads[0] != plan->steps[fusion->inverse].writes
         && !is_read_elsewhere (plan, fusion);
}

static int
least_side (const OdlPlan *plan, const OdlGlFusion *fusion)
{
  const OdlSlot *coarsest
      = &plan->slots[plan->steps[fusion->forward + 2 * fusion->levels - 2].writes];

  return MIN (coarsest->width, coarsest->height);
}

static bool
fits (const Chain *chain,
      const OdlGlCaps *caps,
      const OdlGlTile *tile,
      OdlGlFusion *fusion)
{
  const OdlPlan *plan = chain->plan;
  const int bytes = tile->side * (tile->side + 1) * (int) sizeof (float);

  if (!describe (chain, ODL_GL_FUSION_COARSE, chain->levels - tile->levels, tile->levels,
                 fusion))
    return false;
  fusion->tile = tile;
  const OdlSlot *finest = &plan->slots[plan->steps[fusion->forward].writes];
  return (double) finest->width * finest->height <= tile->samples
         && least_side (plan, fusion) >= LEAST_TILE_SIDE && bytes <= caps->max_shared
         && group_of (tile) <= caps->max_group;
}

// The coarsest levels, of `finest` and beyond, in tiles where these are small.
static void
add_coarse (const Chain *chain, int finest, const OdlGlCaps *caps, GArray *fusions)
{
  for (const OdlGlTile *tile = odl_gl_tiles; tile->levels > 0; tile++) {
    OdlGlFusion fusion;
    if (chain->levels - tile->levels >= finest && fits (chain, caps, tile, &fusion)) {
      g_array_append_val (fusions, fusion);
      return;
    }
  }
}

// Two levels of a picture of `bytes`, in both directions or in one.
static bool
add_pair (const Chain *chain, int finest, double bytes, GArray *fusions)
{
  OdlGlFusion fusion;

  if (!describe (chain, ODL_GL_FUSION_ANALYSIS, finest, 2, &fusion)
      || least_side (chain->plan, &fusion) < LEAST_PAIR_SIDE)
    return false;
  if (bytes >= LEAST_PAIR_BYTES)
    g_array_append_val (fusions, fusion);
  fusion.kind = ODL_GL_FUSION_SYNTHESIS;
  fusion.all_rows = chain->plan->precision == 16 && bytes >= LEAST_ALL_ROWS_BYTES;
  g_array_append_val (fusions, fusion);
  return true;
}

static double
bytes_of (const OdlPlan *plan, const OdlSlot *slot)
{
  return (double) slot->width * slot->height * slot->channels * plan->precision / 8;
}

// Two levels at a time from the finest on, then what fits into tiles.
static void
share_out (const Chain *chain,
           OdlGlFusionRule rule,
           const OdlGlCaps *caps,
           GArray *fusions)
{
  const OdlPlan *plan = chain->plan;
  int finest = 0;

  for (; chain->levels - finest >= 2; finest += 2) {
    const OdlStep *along_x = &plan->steps[chain->forward + 2 * finest];
    const double bytes = rule == ODL_GL_FUSE_PAIRS
                             ? INFINITY
                             : bytes_of (plan, &plan->slots[along_x->writes]);
    if (bytes < LEAST_SYNTHESIS_BYTES || !add_pair (chain, finest, bytes, fusions))
      break;
  }
  add_coarse (chain, finest, caps, fusions);
}

GArray *
odl_gl_fusions_find (const OdlPlan *plan, OdlGlFusionRule rule, const OdlGlCaps *caps)
{
  GArray *fusions = g_array_new (FALSE, FALSE, sizeof (OdlGlFusion));

  for (int i = 0; i < plan->n_steps && rule != ODL_GL_FUSE_NONE; i++) {
    const OdlStep *step = &plan->steps[i];
    if (step->kind != ODL_STEP_FORWARD || step->axis != ODL_AXIS_X)
      continue;
    const Chain chain = chain_at (plan, i);
    i += 2 * chain.levels - 1;
    if (step->wavelet->lifting.count == 0 || step->wavelet->reversible
        || step->border != ODL_BORDER_WHOLE_SAMPLE || chain.inverse < 0)
      continue;
    share_out (&chain, rule, caps, fusions);
  }
  return fusions;
}

const OdlGlFusion *
odl_gl_fusion_at (const GArray *fusions, int step)
{
  for (guint i = 0; i < fusions->len; i++) {
    const OdlGlFusion *fusion = &g_array_index (fusions, OdlGlFusion, i);
    if (contains (fusion, step))
      return fusion;
  }
  return NULL;
}

// Large pictures are worth programs of their own, which need not compute with their size.
static void
append_pair_defines (GString *text, const OdlGlFusion *fusion, const OdlPlan *plan)
{
  const OdlSlot *picture = &plan->slots[plan->steps[fusion->inverse].writes];

  g_string_append_printf (text, "#define GROUP %d\n", ODL_GL_SHAPE_LANES);
  if (fusion->all_rows)
    g_string_append (text, "#define ALL_ROWS\n");
  if (bytes_of (plan, picture) >= LEAST_PAIR_BYTES)
    g_string_append_printf (text, "#define SIZE ivec2 (%d, %d)\n", picture->width,
                            picture->height);
}

static void
append_tile_defines (GString *text, const OdlGlTile *tile)
{
  g_string_append_printf (text,
                          "#define LEVELS %d\n#define SIDE %d\n#define CORE %d\n"
                          "#define REACH %d\n#define GROUP %d\n#define PAIRS_0 %d\n"
                          "#define PAIRS_1 %d\n",
                          tile->levels, tile->side, odl_gl_tile_core (tile),
                          reach_of (tile), group_of (tile), tile->pairs[0],
                          tile->pairs[1]);
}

char *
odl_gl_fusion_defines (const OdlGlFusion *fusion, const OdlPlan *plan)
{
  const OdlGlTile *tile = fusion->tile;
  GString *text = odl_gl_lifting_defines (&plan->steps[fusion->forward]);

  if (tile == NULL)
    append_pair_defines (text, fusion, plan);
  else
    append_tile_defines (text, tile);
  return g_string_free (text, FALSE);
}

// Without gains, low samples are too large by 1 / low_gain and high ones by 1 / high_gain
// for each step along an axis.
void
odl_gl_fusion_parameters (const OdlGlFusion *fusion,
                          const OdlPlan *plan,
                          OdlGlUniforms *uniforms)
{
  const OdlLifting *lifting = &plan->steps[fusion->forward].wavelet->lifting;
  double low = 1; // gain of LL

  for (int level = 0; level < fusion->levels; level++) {
    const OdlStep *step = &plan->steps[MAX (fusion->thresholds[level], 0)];
    for (int band = 0; band < ODL_DETAIL_BANDS; band++) {
      const double threshold
          = fusion->thresholds[level] >= 0 ? step->parameters.thresholds[band] : 0;
      const double other = band == ODL_BAND_HH ? lifting->high_gain : lifting->low_gain;
      uniforms->limits[level][band]
          = (float) (threshold / (low * lifting->high_gain * other));
    }
    uniforms->limits[level][ODL_DETAIL_BANDS] = step->parameters.hard ? 1 : 0;
    low *= lifting->low_gain * lifting->low_gain;
  }
}
