// SPDX-License-Identifier: MIT
#include "session/band_meter.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "filter/noise.h"
#include "image/volume/volume.h"
#include "plan/numbers.h"
#include "session/aside.h"
#include "session/band_run.h"

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
  int width, height, depth;
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
         && odl_recipe_item_dimensions (of) <= 3;
}

static const OdlRecipe *
recipe_in (const OdlFrame *frame, bool other)
{
  return other ? &frame->other_recipe : &frame->recipe;
}

// ---- in the other thread -------------------------------------------------------------

// Of a picture, or of all slices of a volume.
static Mask
mask_of (OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlExtent extent = info->extent;
  const int area[] = { 0, 0, extent.x, extent.y };
  const size_t slice = (size_t) extent.x * (size_t) extent.y;
  const Mask mask
      = { g_new (uint8_t, slice * (size_t) extent.z), extent.x, extent.y, extent.z };
  for (int z = 0; z < extent.z; z++) {
    g_autoptr (OdlImage) at
        = extent.z > 1 ? odl_volume_slice (image, z) : odl_image_ref (image);
    odl_noise_plane (at, info->channels == 1 ? 0 : -1, area, NULL,
                     mask.inside + (size_t) z * slice);
  }
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

// That of column x, row y of a level, slice z of the picture.
static void
take (Magnitudes *to, const Mask *mask, int level, int x, int y, int z, float magnitude)
{
  const int column = MIN (x << level, mask->width - 1);
  const int row = MIN (y << level, mask->height - 1);
  to->all[to->n++] = magnitude;
  if (mask->inside[((size_t) z * (size_t) mask->height + (size_t) row)
                       * (size_t) mask->width
                   + (size_t) column])
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
        take (room, mask, at->level, x, y, 0, fabsf (row[at->x + x]));
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
        take (&rising, mask, level, x / 2, y / 2, 0,
              hypotf (a - d, b + c) * (float) M_SQRT1_2);
        take (&falling, mask, level, x / 2, y / 2, 0,
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
    metered->n_bands = ODL_METER_ORIENTATIONS;
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

// One octant of one level of a volume.
static void
meter_octant (const OdlBandRun *run,
              const OdlBandPlace *at,
              int level,
              const Mask *mask,
              OdlMeteredBand *band,
              Magnitudes *room)
{
  const OdlImageInfo *info = odl_image_info (run->coefficients);
  g_autofree float *row = g_new (float, info->extent.x);
  for (int z = at->from[2]; z < at->to[2]; z++) {
    const int slice = MIN ((z - at->from[2]) << level, mask->depth - 1);
    for (int c = 0; c < MIN (info->channels, 3); c++)
      for (int y = at->from[1]; y < at->to[1]; y++) {
        odl_image_scaled_row (run->coefficients, c, y, z, 0, row);
        for (int x = at->from[0]; x < at->to[0]; x++)
          take (room, mask, level, x - at->from[0], y - at->from[1], slice,
                fabsf (row[x]));
      }
  }
  meter_magnitudes (room, MEDIAN, band);
}

static void
meter_octants (const OdlBandRun *run, const Mask *mask, OdlMetered *metered)
{
  // In the order of OdlMetered; bits for x, y and z.
  static const int octants[ODL_METER_OCTANTS] = { 1, 2, 3, 5, 6, 7, 4 };
  const OdlImageInfo *info = odl_image_info (run->coefficients);
  const OdlExtent extent = info->extent;
  Magnitudes room = magnitudes_new (
      (size_t) odl_low_count (extent.x) * (size_t) odl_low_count (extent.y)
      * (size_t) odl_low_count (extent.z) * (size_t) MIN (info->channels, 3));
  metered->n_bands = ODL_METER_OCTANTS;
  for (int l = 0; l < metered->levels; l++)
    for (int b = 0; b < ODL_METER_OCTANTS; b++) {
      OdlBandPlace at;
      if (odl_plan_find_band (run->plan, l + 1, octants[b], &at))
        meter_octant (run, &at, l + 1, mask, &metered->bands[l][b], &room);
    }
  magnitudes_clear (&room);
}

static bool
meter (void *data)
{
  Job *job = data;
  OdlMetered *metered = &job->metered;
  g_auto (OdlBandRun) run = { 0 };
  if (!odl_band_run (&run, job->frame, job->other, job->item, false))
    return false;
  const Mask mask = mask_of (run.came);
  metered->levels = run.plan->details.levels;
  metered->first = run.first;
  metered->n_slices = run.n_slices;
  metered->n_all = run.n_all;
  bool done = true;
  if (odl_plan_has_octants (run.plan))
    meter_octants (&run, &mask, metered);
  else
    done = meter_dual_tree (run.engine, run.plan, &mask, metered);
  if (done && metered->n_bands == 0)
    meter_picture (run.coefficients, &mask, metered->levels, metered);
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

static bool
is_still (const void *data)
{
  return ((const Job *) data)->frame->volume != NULL;
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
  static const OdlAsideKind kind = { meter, metered_cb, job_free, is_still };
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
