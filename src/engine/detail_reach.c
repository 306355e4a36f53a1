// SPDX-License-Identifier: MIT
#include "engine/detail_reach.h"

#include <math.h>
#include <string.h>

#include "engine/engine.h"
#include "filter/noise.h"
#include "wavelet/transform.h"

G_STATIC_ASSERT (ODL_DETAIL_LEVELS == ODL_MAX_LEVELS);

// With 0.99 the gains of CT and MR are half as great, and most details drown in grey.
#define SHARE 0.95
// Bins by the first bits of a float: its exponent and 7 bits of its mantissa.
#define SHIFT 16
#define N_BINS (1 << 15)

typedef struct {
  gsize counts[N_BINS];
  gsize n;
} Histogram;

static void
count (Histogram *histogram, float magnitude)
{
  uint32_t bits;

  if (!isfinite (magnitude) || (double) magnitude <= ODL_NO_NOISE)
    return;
  memcpy (&bits, &magnitude, sizeof bits);
  histogram->counts[bits >> SHIFT]++;
  histogram->n++;
}

// The upper end of the bin that it lies in.
static float
quantile (const Histogram *histogram)
{
  const double wanted = SHARE * (double) histogram->n;
  gsize below = 0;
  uint32_t bin = 0;
  float end;

  if (histogram->n == 0)
    return 0;
  while ((double) (below += histogram->counts[bin]) < wanted)
    bin++;
  const uint32_t bits = (bin + 1) << SHIFT;
  memcpy (&end, &bits, sizeof end);
  return end;
}

// Of a row: what lies right of `low` samples of a level, or all if it lies below them.
static void
count_row (Histogram *histogram,
           const float *row,
           const uint8_t *inside,
           int level,
           int low,
           int width,
           bool below)
{
  for (int x = below ? 0 : low; x < width; x++)
    if (inside[(gsize) (x < low ? x : x - low) << level])
      count (histogram, fabsf (row[x]));
}

OdlDetailReach
odl_detail_reach_of (const OdlImage *coefficients, int levels, const uint8_t *inside)
{
  const OdlImageInfo *info = odl_image_info (coefficients);
  const gsize stride = (gsize) info->extent.x;
  OdlDetailReach reach = { .levels = MIN (levels, ODL_DETAIL_LEVELS) };
  g_autofree Histogram *histogram = g_new (Histogram, 1);
  g_autofree float *row = g_new (float, stride);

  for (int c = 0; c < MIN (info->channels, 3); c++) {
    int width = info->extent.x, height = info->extent.y;
    for (int level = 1; level <= reach.levels; level++) {
      const int low = odl_low_count (width), upper = odl_low_count (height);
      *histogram = (Histogram){ 0 };
      for (int y = 0; y < height; y++) {
        const int place = y < upper ? y : y - upper;
        odl_image_scaled_row (coefficients, c, y, 0, 0, row);
        count_row (histogram, row, inside + ((gsize) place << level) * stride, level, low,
                   width, y >= upper);
      }
      reach.of[level - 1] = MAX (reach.of[level - 1], quantile (histogram));
      width = low;
      height = upper;
    }
  }
  return reach;
}

bool
odl_detail_reach_recipe (const OdlRecipe *recipe, OdlRecipe *measured)
{
  if (!odl_view_is_within (recipe->view)
      || !odl_recipe_has_view (recipe, ODL_VIEW_ANALYSIS))
    return false;
  *measured = *recipe;
  measured->view = ODL_VIEW_ANALYSIS;
  measured->precision = 32;
  measured->direction = 0;
  for (int i = 0; i < measured->n_items; i++) {
    OdlRecipeItem *item = &measured->items[i];
    if (item->filter->domain == ODL_DOMAIN_TEMPORAL)
      item->bypassed = true;
    if (odl_filter_parameter (item->filter, "dimensions") != NULL)
      odl_recipe_set (measured, i, "dimensions", 0, 0);
  }
  return true;
}

bool
odl_detail_reach_measure (const OdlRecipe *measured,
                          OdlImage *image,
                          OdlOperands *operands,
                          OdlDetailReach *reach,
                          GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);
  const int area[] = { 0, 0, info->extent.x, info->extent.y };
  OdlGeometry geometry = odl_geometry_of (image);

  geometry.operands = operands;
  g_autoptr (OdlPlan) plan = odl_plan_new (measured, &geometry, error);
  g_autoptr (OdlEngine) engine
      = plan != NULL ? odl_engine_open (odl_engine_find ("cpu"), error) : NULL;
  g_autoptr (OdlImage) coefficients
      = engine != NULL ? odl_engine_process (engine, plan, image, error) : NULL;
  if (coefficients == NULL)
    return false;
  g_autofree uint8_t *inside = g_new (uint8_t, (gsize) area[2] * (gsize) area[3]);
  odl_noise_plane (image, info->channels == 1 ? 0 : -1, area, NULL, inside);
  *reach = odl_detail_reach_of (coefficients, plan->details.levels, inside);
  return true;
}
