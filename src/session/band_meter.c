// SPDX-License-Identifier: MIT
#include "session/band_meter.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "engine/engine.h"
#include "filter/inside.h"
#include "filter/noise.h"
#include "filter/strength.h"
#include "session/aside.h"

// The median of the magnitude of Gaussian noise with σ = 1.
#define MEDIAN 0.6745
// Likewise of a complex number whose parts are such noise: √(2 ln 2).
#define COMPLEX_MEDIAN 1.17741

typedef struct {
  OdlFrame *frame;
  bool other; // the recipe that the frame's is compared with
  int item;
  OdlMetered metered;
} Job;

// Of a band; its samples stand for 2^level × 2^level ones of the picture.
typedef struct {
  int x, y, width, height;
  int level;
} Rectangle;

// Where the picture is none of its surroundings, whose coefficients have no noise.
typedef struct {
  uint8_t *inside;
  int width, height;
} Mask;

// Magnitudes, and those of them that are inside.
typedef struct {
  float *all, *inside;
  size_t n, n_inside;
} Magnitudes;

struct _OdlBandMeter {
  OdlBandMeterCb cb;
  void *data;
  OdlAside *aside;
};

double
odl_meter_place (double magnitude)
{
  const double octaves = log2 (MAX (magnitude, 1e-12));
  return CLAMP (ODL_METER_BINS + ODL_METER_PER_OCTAVE * octaves, 0, ODL_METER_BINS);
}

double
odl_meter_magnitude (double place)
{
  return exp2 ((place - ODL_METER_BINS) / ODL_METER_PER_OCTAVE);
}

double
odl_meter_share (const OdlMeteredBand *band, double threshold)
{
  const double place = odl_meter_place (threshold);
  double below = 0;
  for (int i = 0; i < ODL_METER_BINS && i < place; i++)
    below += band->bins[i] * MIN (place - i, 1);
  return band->n > 0 ? below / band->n : 0;
}

bool
odl_band_meter_suits (const OdlRecipe *recipe, int item)
{
  const OdlRecipeItem *of = &recipe->items[item];
  for (int i = 0; i < item; i++)
    if (odl_recipe_item_acts (&recipe->items[i])
        && recipe->items[i].filter->domain == ODL_DOMAIN_TEMPORAL)
      return false;
  return odl_recipe_item_acts (of) && of->filter->domain == ODL_DOMAIN_COEFFICIENT
         && odl_recipe_item_dimensions (of) == 2;
}

static const OdlRecipe *
recipe_in (const OdlFrame *frame, bool other)
{
  return other ? &frame->other_recipe : &frame->recipe;
}

// ---- in the other thread -------------------------------------------------------------

// The chain up to the filter, which is shown by its coefficients before it acts; inside a
// transform those that filters before it have left.
OdlPlan *
odl_band_plan (const OdlFrame *frame, bool other, int item, bool filtered)
{
  OdlRecipe recipe = odl_recipe_at_strength (recipe_in (frame, other));
  const OdlPlan *run = other ? frame->other : frame->plan;
  const bool inside = odl_recipe_transform_around (&recipe, item) >= 0;
  // What the view would show of the stationary transform is the decimated one, which
  // takes a small part of the time.
  if (!inside && !filtered
      && odl_filter_parameter (recipe.items[item].filter, "transform")
      && odl_recipe_item_transform (&recipe.items[item]) == ODL_TRANSFORM_STATIONARY)
    odl_recipe_set (&recipe, item, "transform", 0, ODL_TRANSFORM_DECIMATED);
  recipe.n_items = item + (filtered || !inside);
  recipe.view = filtered || inside ? ODL_VIEW_FILTERED_ANALYSIS : ODL_VIEW_ANALYSIS;
  OdlGeometry geometry = odl_geometry_of (odl_frame_came (frame));
  geometry.operands = run->geometry.operands;
  return odl_plan_new (&recipe, &geometry, NULL);
}

static Mask
mask_of (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  const int area[] = { 0, 0, info->extent.x, info->extent.y };
  const Mask mask
      = { g_new (uint8_t, (size_t) area[2] * (size_t) area[3]), area[2], area[3] };
  odl_noise_plane (image, info->channels == 1 ? 0 : -1, area, NULL, mask.inside);
  return mask;
}

static Magnitudes
magnitudes_new (size_t most)
{
  return (Magnitudes){ g_new (float, most), g_new (float, most), 0, 0 };
}

static void
magnitudes_clear (Magnitudes *self)
{
  g_free (self->all);
  g_free (self->inside);
}

// That of column x, row y of a level.
static void
take (Magnitudes *to, const Mask *mask, int level, int x, int y, float magnitude)
{
  const int column = MIN (x << level, mask->width - 1);
  const int row = MIN (y << level, mask->height - 1);
  to->all[to->n++] = magnitude;
  if (mask->inside[(size_t) row * (size_t) mask->width + (size_t) column])
    to->inside[to->n_inside++] = magnitude;
}

// The median noise of the magnitudes has `median` times σ; sorts them, and empties them.
static void
meter_magnitudes (Magnitudes *of, double median, OdlMeteredBand *band)
{
  for (size_t i = 0; i < of->n; i++) {
    const int bin = (int) odl_meter_place ((double) of->all[i]);
    band->bins[MIN (bin, ODL_METER_BINS - 1)]++;
    band->energy += (double) of->all[i] * (double) of->all[i];
  }
  band->n = (double) of->n;
  band->energy /= MAX (band->n, 1);
  qsort (of->inside, of->n_inside, sizeof *of->inside, odl_order_floats);
  band->sigma = of->n_inside > 0 ? (double) of->inside[of->n_inside / 2] / median : 0;
  of->n = of->n_inside = 0;
}

// Of a rectangle of the picture of coefficients.
static void
meter_band (OdlImage *picture,
            const Rectangle *at,
            const Mask *mask,
            OdlMeteredBand *band,
            Magnitudes *room)
{
  const OdlImageInfo *info = odl_image_info (picture);
  g_autofree float *row = g_new (float, info->extent.x);
  for (int c = 0; c < MIN (info->channels, 3); c++)
    for (int y = 0; y < at->height; y++) {
      odl_image_scaled_row (picture, c, at->y + y, 0, 0, row);
      for (int x = 0; x < at->width; x++)
        take (room, mask, at->level, x, y, fabsf (row[at->x + x]));
    }
  meter_magnitudes (room, MEDIAN, band);
}

// The two complex coefficients of each block of a band of the dual tree
// (wavelet/dual_tree.h).
static void
meter_pairs (OdlImage *picture,
             const Mask *mask,
             int level,
             OdlMeteredBand *first,
             OdlMeteredBand *second)
{
  const OdlImageInfo *info = odl_image_info (picture);
  const int width = info->extent.x, height = info->extent.y;
  const size_t most = (size_t) (width / 2) * (size_t) (height / 2) * 3;
  g_autofree float *rows = g_new (float, 2 * (size_t) width);
  Magnitudes rising = magnitudes_new (most), falling = magnitudes_new (most);
  for (int channel = 0; channel < MIN (info->channels, 3); channel++)
    for (int y = 0; y + 1 < height; y += 2) {
      odl_image_scaled_row (picture, channel, y, 0, 0, rows);
      odl_image_scaled_row (picture, channel, y + 1, 0, 0, rows + width);
      for (int x = 0; x + 1 < width; x += 2) {
        const float a = rows[x], b = rows[x + 1];
        const float c = rows[width + x], d = rows[width + x + 1];
        take (&rising, mask, level, x / 2, y / 2,
              hypotf (a - d, b + c) * (float) M_SQRT1_2);
        take (&falling, mask, level, x / 2, y / 2,
              hypotf (a + d, b - c) * (float) M_SQRT1_2);
      }
    }
  meter_magnitudes (&rising, COMPLEX_MEDIAN, first);
  meter_magnitudes (&falling, COMPLEX_MEDIAN, second);
  magnitudes_clear (&rising);
  magnitudes_clear (&falling);
}

// Bands of the dual tree, which the steps that show them read, last.
static bool
meter_dual_tree (OdlEngine *engine,
                 const OdlPlan *plan,
                 const Mask *mask,
                 OdlMetered *metered)
{
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    if (step->kind != ODL_STEP_DUAL_PLACE || step->band == 0)
      continue;
    g_autoptr (OdlImage) band = odl_engine_read_back (engine, plan, step->reads[1], NULL);
    if (!band)
      return false;
    OdlMeteredBand *bands = metered->bands[step->level - 1];
    meter_pairs (band, mask, step->level, &bands[step->band - 1],
                 &bands[ODL_DETAIL_BANDS + step->band - 1]);
    metered->n_bands = ODL_METER_BANDS;
  }
  return true;
}

static void
meter_picture (OdlImage *picture, const Mask *mask, int levels, OdlMetered *metered)
{
  const OdlImageInfo *info = odl_image_info (picture);
  int width = info->extent.x, height = info->extent.y;
  Magnitudes room = magnitudes_new ((size_t) width * (size_t) height * 3);
  metered->n_bands = ODL_DETAIL_BANDS;
  for (int l = 0; l < levels; l++) {
    const int w = odl_low_count (width), h = odl_low_count (height);
    const Rectangle bands[ODL_DETAIL_BANDS] = {
      [ODL_BAND_HL] = { w, 0, width - w, h, l + 1 },
      [ODL_BAND_LH] = { 0, h, w, height - h, l + 1 },
      [ODL_BAND_HH] = { w, h, width - w, height - h, l + 1 },
    };
    for (int b = 0; b < ODL_DETAIL_BANDS; b++)
      meter_band (picture, &bands[b], mask, &metered->bands[l][b], &room);
    width = w;
    height = h;
  }
  magnitudes_clear (&room);
}

static bool
meter (void *data)
{
  Job *job = data;
  g_autoptr (OdlPlan) plan = odl_band_plan (job->frame, job->other, job->item, false);
  g_autoptr (OdlEngine) engine
      = plan ? odl_engine_open (odl_engine_find ("cpu"), NULL) : NULL;
  g_autoptr (OdlImage) picture
      = engine ? odl_engine_process (engine, plan, odl_frame_came (job->frame), NULL)
               : NULL;
  if (!picture)
    return false;
  const Mask mask = mask_of (odl_frame_came (job->frame));
  const bool done = meter_dual_tree (engine, plan, &mask, &job->metered);
  job->metered.levels = plan->details.levels;
  if (done && job->metered.n_bands == 0)
    meter_picture (picture, &mask, plan->details.levels, &job->metered);
  g_free (mask.inside);
  return done;
}

// ---- in the main thread --------------------------------------------------------------

static void
job_free (void *data)
{
  Job *job = data;
  odl_frame_unref (job->frame);
  g_free (job);
}

static void
metered_cb (void *data, void *meter_data)
{
  const Job *job = data;
  const OdlBandMeter *self = meter_data;
  self->cb (&job->metered, self->data);
}

void
odl_band_meter_show (OdlBandMeter *self, OdlFrame *frame, bool other, int item)
{
  const OdlRecipe *recipe = recipe_in (frame, other);
  if ((other && !odl_frame_compares (frame)) || item >= recipe->n_items
      || !odl_band_meter_suits (recipe, item))
    return;
  Job *job = g_new0 (Job, 1);
  job->frame = odl_frame_ref (frame);
  job->other = other;
  job->item = item;
  odl_aside_want (self->aside, job);
}

OdlBandMeter *
odl_band_meter_new (OdlBandMeterCb cb, void *data)
{
  static const OdlAsideKind kind = { meter, metered_cb, job_free };
  OdlBandMeter *self = g_new0 (OdlBandMeter, 1);
  self->cb = cb;
  self->data = data;
  self->aside = odl_aside_new (&kind, self);
  return self;
}

void
odl_band_meter_free (OdlBandMeter *self)
{
  odl_aside_free (self->aside);
  g_free (self);
}
