// SPDX-License-Identifier: MIT
#include "engine/gl/compute/fusion/fusion.h"

#include <math.h>

#include "engine/gl/compute/lanes.h"
#include "plan/flow.h"

// Reach of the result beyond a tile: four samples per direction and level, in samples of
// that level.
#define REACH_PER_LEVEL 8

// Least sides of the coarsest level. Tiles would mirror shorter lines more than once;
// lines of one sample are not transformed, which programs for pairs of levels cannot do.
#define LEAST_TILE_SIDE 9
#define LEAST_PAIR_SIDE 2

// Bytes of a picture, measured on an H200: pictures that fit in its second cache gain
// nothing from analysing two levels at once, since rows of lanes start farther above
// their own rows; small pictures gain nothing from synthesising two levels.
#define LEAST_PAIR_BYTES (64.0 * 1024 * 1024)
#define LEAST_SYNTHESIS_BYTES (8.0 * 1024 * 1024)

// Of half floats, measured on an H200: synthesis without a branch takes 5 % less of a
// frame of 4096² and 8192², and 3 % more of one of 2048²; of single floats 1 to 5 % more
// of all.
#define LEAST_ALL_ROWS_BYTES (16.0 * 1024 * 1024)

// Measured on an H200; the last entry for two levels fits in the 32 KiB that GL
// guarantees.
const OdlGlTile odl_gl_tiles[] = {
  { 2, 80, { 5, 2 }, 256 * 256 },
  { 2, 96, { 6, 2 }, 512 * 512 },
  { 2, 88, { 6, 2 }, 512 * 512 },
  { 1, 48, { 3 }, 1024 * 1024 },
  { 0 },
};

#define MEASURED_BUFFERS 6 // of synthesis by measured thresholds

// A filter whose levels may be fused.
typedef struct {
  const OdlPlan *plan;
  OdlGroup group; // plain, or measured
} Filter;

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
work_group_of (const OdlGlTile *tile)
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
odl_gl_fusion_last (const OdlGlFusion *fusion)
{
  return fusion->kind == ODL_GL_FUSION_ANALYSIS
             ? fusion->level[fusion->levels - 1].forward_y
             : fusion->level[0].inverse_x;
}

bool
odl_gl_fusion_stores (const OdlGlFusion *fusion, int step)
{
  return step == odl_gl_fusion_last (fusion);
}

bool
odl_gl_fusion_stores_detail (const OdlGlFusion *fusion, int step)
{
  for (int l = 0; l < fusion->levels; l++)
    if (fusion->kind == ODL_GL_FUSION_ANALYSIS && step == fusion->level[l].forward_y)
      return true;
  return false;
}

static bool
contains (const OdlGlFusion *fusion, int step)
{
  const bool analyses = fusion->kind != ODL_GL_FUSION_SYNTHESIS;
  const bool synthesises = fusion->kind != ODL_GL_FUSION_ANALYSIS;

  for (int l = 0; l < fusion->levels; l++) {
    const OdlGroupLevel *level = &fusion->level[l];
    if ((analyses && (step == level->forward_x || step == level->forward_y))
        || (synthesises && (step == level->inverse_y || step == level->inverse_x))
        || (analyses && synthesises && step == level->threshold))
      return true;
  }
  return false;
}

// Fuses levels `finest` … `finest` + `levels` − 1, where synthesis can shrink what it
// reads and a dispatch does not write what it reads.
static bool
describe (const Filter *filter,
          OdlGlFusionKind kind,
          int finest,
          int levels,
          OdlGlFusion *fusion)
{
  const OdlStep *steps = filter->plan->steps;

  *fusion = (OdlGlFusion){ .kind = kind, .levels = levels };
  for (int l = 0; l < levels; l++) {
    fusion->level[l] = filter->group.level[finest + l];
    if (!odl_plan_is_fused_threshold (filter->plan, fusion->level[l].threshold))
      return false;
  }
  return steps[fusion->level[0].forward_x].reads[0]
         != steps[fusion->level[0].inverse_x].writes;
}

static const OdlSlot *
finest_half (const OdlPlan *plan, const OdlGlFusion *fusion)
{
  return &plan->slots[plan->steps[fusion->level[0].forward_x].writes];
}

static int
least_side (const OdlPlan *plan, const OdlGlFusion *fusion)
{
  const OdlSlot *coarsest
      = &plan->slots[plan->steps[fusion->level[fusion->levels - 1].forward_x].writes];

  return MIN (coarsest->width, coarsest->height);
}

static bool
fits (const Filter *filter,
      const OdlGlCaps *caps,
      const OdlGlTile *tile,
      OdlGlFusion *fusion)
{
  const OdlPlan *plan = filter->plan;
  const int bytes = tile->side * (tile->side + 1) * (int) sizeof (float);

  if (!describe (filter, ODL_GL_FUSION_COARSE, filter->group.levels - tile->levels,
                 tile->levels, fusion))
    return false;
  fusion->tile = tile;
  const OdlSlot *finest = finest_half (plan, fusion);
  return (double) finest->width * finest->height <= tile->samples
         && least_side (plan, fusion) >= LEAST_TILE_SIDE && bytes <= caps->max_shared
         && work_group_of (tile) <= caps->max_group;
}

// The coarsest levels, of `finest` and beyond, in tiles where these are small.
static void
add_coarse (const Filter *filter, int finest, const OdlGlCaps *caps, GArray *fusions)
{
  for (const OdlGlTile *tile = odl_gl_tiles; tile->levels > 0; tile++) {
    OdlGlFusion fusion;
    if (filter->group.levels - tile->levels >= finest
        && fits (filter, caps, tile, &fusion)) {
      g_array_append_val (fusions, fusion);
      return;
    }
  }
}

// Whether two levels of a picture of `bytes` are fused, per direction.
static bool
add_pair (const Filter *filter, int finest, double bytes, GArray *fusions)
{
  OdlGlFusion fusion;

  if (!describe (filter, ODL_GL_FUSION_ANALYSIS, finest, 2, &fusion)
      || least_side (filter->plan, &fusion) < LEAST_PAIR_SIDE)
    return false;
  if (bytes >= LEAST_PAIR_BYTES)
    g_array_append_val (fusions, fusion);
  fusion.kind = ODL_GL_FUSION_SYNTHESIS;
  fusion.all_rows = finest_half (filter->plan, &fusion)->precision == 16
                    && bytes >= LEAST_ALL_ROWS_BYTES;
  g_array_append_val (fusions, fusion);
  return true;
}

static double
bytes_of (const OdlSlot *slot)
{
  return (double) slot->width * slot->height * slot->channels * slot->precision / 8;
}

// Two levels at a time from the finest on, then what fits into tiles.
static void
share_out (const Filter *filter,
           OdlGlFusionRule rule,
           const OdlGlCaps *caps,
           GArray *fusions)
{
  const OdlPlan *plan = filter->plan;
  int finest = 0;

  for (; filter->group.levels - finest >= 2; finest += 2) {
    const OdlStep *along_x = &plan->steps[filter->group.level[finest].forward_x];
    const double bytes
        = rule == ODL_GL_FUSE_PAIRS ? INFINITY : bytes_of (&plan->slots[along_x->writes]);
    if (bytes < LEAST_SYNTHESIS_BYTES || !add_pair (filter, finest, bytes, fusions))
      break;
  }
  // Measuring stands between analysis and synthesis.
  if (odl_group_is_plain (&filter->group))
    add_coarse (filter, finest, caps, fusions);
}

GArray *
odl_gl_fusions_find (const OdlPlan *plan, OdlGlFusionRule rule, const OdlGlCaps *caps)
{
  GArray *fusions = g_array_new (FALSE, FALSE, sizeof (OdlGlFusion));

  for (int i = 0; i < plan->n_groups && rule != ODL_GL_FUSE_NONE; i++) {
    const Filter filter = { plan, odl_plan_group (plan, i) };
    const bool fits = odl_group_is_plain (&filter.group)
                      || (odl_group_is_measured (plan, &filter.group)
                          && caps->max_buffers >= MEASURED_BUFFERS);
    if (!fits || plan->geometry.depth > 1)
      continue;
    const OdlStep *first = &plan->steps[filter.group.first];
    if (first->wavelet->lifting.count > 0 && !first->wavelet->reversible
        && first->border == ODL_BORDER_WHOLE_SAMPLE)
      share_out (&filter, rule, caps, fusions);
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

// Large pictures get programs of their own, with their size as a constant.
static void
append_pair_defines (GString *text, const OdlGlFusion *fusion, const OdlPlan *plan)
{
  const OdlSlot *picture = &plan->slots[plan->steps[fusion->level[0].inverse_x].writes];

  g_string_append_printf (text, "#define GROUP %d\n", ODL_GL_SHAPE_LANES);
  if (fusion->all_rows)
    g_string_append (text, "#define ALL_ROWS\n");
  if (bytes_of (picture) >= LEAST_PAIR_BYTES)
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
                          reach_of (tile), work_group_of (tile), tile->pairs[0],
                          tile->pairs[1]);
}

int
odl_gl_fusion_numbers (const OdlGlFusion *fusion, const OdlPlan *plan, int level)
{
  return odl_step_numbers (&plan->steps[fusion->level[level].threshold]);
}

char *
odl_gl_fusion_defines (const OdlGlFusion *fusion, const OdlPlan *plan)
{
  const OdlGlTile *tile = fusion->tile;
  GString *text = odl_gl_lifting_defines (&plan->steps[fusion->level[0].forward_x]);

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
  const OdlLifting *lifting = &plan->steps[fusion->level[0].forward_x].wavelet->lifting;
  double low = 1; // gain of LL

  for (int level = 0; level < fusion->levels; level++) {
    const OdlStepParameters *own
        = &plan->steps[fusion->level[level].threshold].parameters;
    for (int band = 0; band < ODL_DETAIL_BANDS; band++) {
      const double other = band == ODL_BAND_HH ? lifting->high_gain : lifting->low_gain;
      uniforms->limits[level][band]
          = (float) ((odl_gl_fusion_numbers (fusion, plan, level) == ODL_PLAN_NO_SLOT
                          ? own->thresholds[band]
                          : 1)
                     / (low * lifting->high_gain * other));
    }
    uniforms->limits[level][ODL_DETAIL_BANDS] = own->hard ? 1 : 0;
    low *= lifting->low_gain * lifting->low_gain;
  }
}
