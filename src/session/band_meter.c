// SPDX-License-Identifier: MIT
#include "session/band_meter.h"

#include <gio/gio.h>

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/order.h"
#include "engine/engine.h"
#include "filter/inside.h"
#include "filter/strength.h"

// Of the time that was worked; and so long at least.
#define REST 19
#define LEAST_REST_MS 100
#define NS_PER_MS 1000000
// The median of the magnitude of Gaussian noise with σ = 1.
#define MEDIAN 0.6745
// Likewise of a complex number whose parts are such noise: √(2 ln 2).
#define COMPLEX_MEDIAN 1.17741

typedef struct {
  OdlFrame *frame;
  int item;
  OdlMetered metered;
  int64_t worked_ns;
} Job;

typedef struct {
  int x, y, width, height;
} Rectangle;

struct _OdlBandMeter {
  OdlBandMeterCb cb; // NULL: freed
  void *data;
  OdlFrame *waiting; // NULL: none
  int waiting_item;
  bool working;
  guint rest_id;
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

// ---- in the other thread -------------------------------------------------------------

// The chain up to the filter, which is shown by its coefficients before it acts; inside a
// transform those that filters before it have left.
static OdlPlan *
plan_for (const Job *job, GError **error)
{
  OdlRecipe recipe = odl_recipe_at_strength (&job->frame->recipe);
  const bool inside = odl_recipe_transform_around (&recipe, job->item) >= 0;
  // What the view would show of the stationary transform is the decimated one, which
  // takes a small part of the time.
  if (!inside && odl_filter_parameter (recipe.items[job->item].filter, "transform")
      && odl_recipe_item_transform (&recipe.items[job->item]) == ODL_TRANSFORM_STATIONARY)
    odl_recipe_set (&recipe, job->item, "transform", 0, ODL_TRANSFORM_DECIMATED);
  recipe.n_items = job->item + !inside;
  recipe.view = inside ? ODL_VIEW_FILTERED_ANALYSIS : ODL_VIEW_ANALYSIS;
  OdlGeometry geometry = odl_geometry_of (job->frame->input);
  geometry.operands = job->frame->plan->geometry.operands;
  return odl_plan_new (&recipe, &geometry, error);
}

// n magnitudes, whose median noise has `median` times σ; sorts them.
static void
meter_magnitudes (float *magnitudes, size_t n, double median, OdlMeteredBand *band)
{
  for (size_t i = 0; i < n; i++) {
    const int bin = (int) odl_meter_place ((double) magnitudes[i]);
    band->bins[MIN (bin, ODL_METER_BINS - 1)]++;
    band->energy += (double) magnitudes[i] * (double) magnitudes[i];
  }
  band->n = (double) n;
  band->energy /= MAX (band->n, 1);
  qsort (magnitudes, n, sizeof *magnitudes, odl_order_floats);
  band->sigma = n > 0 ? (double) magnitudes[n / 2] / median : 0;
}

// Of a rectangle of the picture of coefficients; its magnitudes go to `room`.
static void
meter_band (OdlImage *picture, const Rectangle *at, OdlMeteredBand *band, float *room)
{
  const OdlImageInfo *info = odl_image_info (picture);
  g_autofree float *row = g_new (float, info->extent.x);
  size_t n = 0;
  for (int c = 0; c < MIN (info->channels, 3); c++)
    for (int y = at->y; y < at->y + at->height; y++) {
      odl_image_scaled_row (picture, c, y, 0, 0, row);
      for (int x = at->x; x < at->x + at->width; x++)
        room[n++] = fabsf (row[x]);
    }
  meter_magnitudes (room, n, MEDIAN, band);
}

// The two complex coefficients of each block of a band of the dual tree
// (wavelet/dual_tree.h).
static void
meter_pairs (OdlImage *picture, OdlMeteredBand *first, OdlMeteredBand *second)
{
  const OdlImageInfo *info = odl_image_info (picture);
  const int width = info->extent.x, height = info->extent.y;
  const size_t most = (size_t) (width / 2) * (size_t) (height / 2) * 3;
  g_autofree float *rows = g_new (float, 2 * (size_t) width);
  g_autofree float *rising = g_new (float, most), *falling = g_new (float, most);
  size_t n = 0;
  for (int channel = 0; channel < MIN (info->channels, 3); channel++)
    for (int y = 0; y + 1 < height; y += 2) {
      odl_image_scaled_row (picture, channel, y, 0, 0, rows);
      odl_image_scaled_row (picture, channel, y + 1, 0, 0, rows + width);
      for (int x = 0; x + 1 < width; x += 2, n++) {
        const float a = rows[x], b = rows[x + 1];
        const float c = rows[width + x], d = rows[width + x + 1];
        rising[n] = hypotf (a - d, b + c) * (float) M_SQRT1_2;
        falling[n] = hypotf (a + d, b - c) * (float) M_SQRT1_2;
      }
    }
  meter_magnitudes (rising, n, COMPLEX_MEDIAN, first);
  meter_magnitudes (falling, n, COMPLEX_MEDIAN, second);
}

// Bands of the dual tree, which the steps that show them read, last.
static bool
meter_dual_tree (OdlEngine *engine,
                 const OdlPlan *plan,
                 OdlMetered *metered,
                 GError **error)
{
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    if (step->kind != ODL_STEP_DUAL_PLACE || step->band == 0)
      continue;
    g_autoptr (OdlImage) band
        = odl_engine_read_back (engine, plan, step->reads[1], error);
    if (!band)
      return false;
    OdlMeteredBand *bands = metered->bands[step->level - 1];
    meter_pairs (band, &bands[step->band - 1], &bands[ODL_DETAIL_BANDS + step->band - 1]);
    metered->n_bands = ODL_METER_BANDS;
  }
  return true;
}

static void
meter_picture (OdlImage *picture, int levels, OdlMetered *metered)
{
  const OdlImageInfo *info = odl_image_info (picture);
  int width = info->extent.x, height = info->extent.y;
  g_autofree float *room = g_new (float, (size_t) width *height *MIN (info->channels, 3));
  metered->n_bands = ODL_DETAIL_BANDS;
  for (int l = 0; l < levels; l++) {
    const int w = odl_low_count (width), h = odl_low_count (height);
    const Rectangle bands[ODL_DETAIL_BANDS] = {
      [ODL_BAND_HL] = { w, 0, width - w, h },
      [ODL_BAND_LH] = { 0, h, w, height - h },
      [ODL_BAND_HH] = { w, h, width - w, height - h },
    };
    for (int b = 0; b < ODL_DETAIL_BANDS; b++)
      meter_band (picture, &bands[b], &metered->bands[l][b], room);
    width = w;
    height = h;
  }
}

static bool
meter (Job *job, GError **error)
{
  g_autoptr (OdlPlan) plan = plan_for (job, error);
  g_autoptr (OdlEngine) engine
      = plan ? odl_engine_open (odl_engine_find ("cpu"), error) : NULL;
  g_autoptr (OdlImage) picture
      = engine ? odl_engine_process (engine, plan, job->frame->input, error) : NULL;
  if (!picture || !meter_dual_tree (engine, plan, &job->metered, error))
    return false;
  job->metered.levels = plan->details.levels;
  if (job->metered.n_bands == 0)
    meter_picture (picture, plan->details.levels, &job->metered);
  return true;
}

static void
meter_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  const int64_t begin = odl_clock_now_ns ();
  if (!meter (job, &error)) {
    g_task_return_error (task, error);
    return;
  }
  job->worked_ns = odl_clock_now_ns () - begin;
  g_task_return_boolean (task, TRUE);
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
meter_clear (void *data)
{
  OdlBandMeter *self = data;
  g_clear_pointer (&self->waiting, odl_frame_unref);
}

static void begin (OdlBandMeter *self);

static gboolean
rested_cb (void *data)
{
  OdlBandMeter *self = data;
  self->rest_id = 0;
  begin (self);
  return G_SOURCE_REMOVE;
}

static void
metered_cb (GObject *object, GAsyncResult *result, void *data)
{
  OdlBandMeter *self = data;
  const Job *job = g_task_get_task_data (G_TASK (result));
  const bool done = g_task_propagate_boolean (G_TASK (result), NULL);
  self->working = false;
  if (self->cb && done)
    self->cb (&job->metered, self->data);
  if (self->cb)
    self->rest_id = g_timeout_add (
        (guint) MAX (REST * job->worked_ns / NS_PER_MS, LEAST_REST_MS), rested_cb, self);
  g_rc_box_release_full (self, meter_clear);
}

static void
begin (OdlBandMeter *self)
{
  if (self->working || self->rest_id || !self->waiting)
    return;
  Job *job = g_new0 (Job, 1);
  job->frame = g_steal_pointer (&self->waiting);
  job->item = self->waiting_item;
  self->working = true;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, metered_cb, g_rc_box_acquire (self));
  g_task_set_source_tag (task, begin);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, meter_thread);
}

void
odl_band_meter_show (OdlBandMeter *self, OdlFrame *frame, int item)
{
  if (item >= frame->recipe.n_items || !odl_band_meter_suits (&frame->recipe, item))
    return;
  g_clear_pointer (&self->waiting, odl_frame_unref);
  self->waiting = odl_frame_ref (frame);
  self->waiting_item = item;
  begin (self);
}

OdlBandMeter *
odl_band_meter_new (OdlBandMeterCb cb, void *data)
{
  OdlBandMeter *self = g_rc_box_new0 (OdlBandMeter);
  self->cb = cb;
  self->data = data;
  return self;
}

void
odl_band_meter_free (OdlBandMeter *self)
{
  self->cb = NULL;
  g_clear_handle_id (&self->rest_id, g_source_remove);
  g_clear_pointer (&self->waiting, odl_frame_unref);
  g_rc_box_release_full (self, meter_clear);
}
