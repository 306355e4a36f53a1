// SPDX-License-Identifier: MIT
#include "session/band_picture.h"

#include <string.h>

#include "engine/detail_reach.h"
#include "engine/engine.h"
#include "filter/noise.h"
#include "image/display/display.h"
#include "session/aside.h"
#include "session/band_meter.h"

typedef struct {
  OdlFrame *frame;
  bool other;
  int item;
  OdlBandPicture picture;
} Job;

struct _OdlBandPictures {
  OdlBandPictureCb cb;
  void *data;
  OdlAside *aside;
};

// ---- in the other thread -------------------------------------------------------------

static OdlImage *
run (const Job *job, bool filtered, OdlDetails *details)
{
  g_autoptr (OdlPlan) plan = odl_band_plan (job->frame, job->other, job->item, filtered);
  g_autoptr (OdlEngine) engine
      = plan ? odl_engine_open (odl_engine_find ("cpu"), NULL) : NULL;
  if (!engine || plan->details.width == 0)
    return NULL;
  *details = plan->details;
  return odl_engine_process (engine, plan, odl_frame_came (job->frame), NULL);
}

// Of the details of each level.
static void
sum_squares (const OdlImage *bands, int levels, double *sums)
{
  const OdlImageInfo *info = odl_image_info (bands);
  g_autofree float *row = g_new (float, info->extent.x);
  for (int c = 0; c < MIN (info->channels, 3); c++)
    for (int y = 0; y < info->extent.y; y++) {
      int width = info->extent.x, height = info->extent.y;
      odl_image_scaled_row (bands, c, y, 0, 0, row);
      for (int l = 0; l < levels && y < height; l++) {
        const int low = odl_low_count (width), upper = odl_low_count (height);
        for (int x = y < upper ? low : 0; x < width; x++)
          sums[l] += (double) row[x] * (double) row[x];
        width = low;
        height = upper;
      }
    }
}

// Gains as those of the view: of what the filter reads, without the picture's
// surroundings.
static OdlDetailReach
reach_of (const Job *job, const OdlImage *bands, int levels)
{
  const OdlImage *image = odl_frame_came (job->frame);
  const OdlImageInfo *info = odl_image_info (image);
  const int area[] = { 0, 0, info->extent.x, info->extent.y };
  g_autofree uint8_t *inside = g_new (uint8_t, (gsize) area[2] * (gsize) area[3]);
  odl_noise_plane (image, info->channels == 1 ? 0 : -1, area, NULL, inside);
  return odl_detail_reach_of (bands, levels, inside);
}

static bool
is_as_large (const OdlImage *a, const OdlImage *b)
{
  const OdlExtent of_a = odl_image_info (a)->extent, of_b = odl_image_info (b)->extent;
  return of_a.x == of_b.x && of_a.y == of_b.y;
}

static bool
draw (Job *job, const OdlImage *bands, const OdlDetailReach *reach)
{
  const OdlWindow window
      = { .mode = ODL_WINDOW_FILE, .hide_overlay = true, .reach = *reach };
  OdlBandPicture *picture = &job->picture;
  const OdlDisplay display = odl_display_make (
      odl_image_info (odl_frame_came (job->frame)), &window, picture->details);
  const OdlImageInfo shown = odl_display_rendered (bands, &display, 8);
  picture->width = shown.extent.x;
  picture->height = shown.extent.y;
  picture->channels = shown.channels;
  picture->levels_shown = g_try_malloc ((gsize) shown.extent.x * (gsize) shown.extent.y
                                        * (gsize) shown.channels);
  memcpy (picture->told, display.told, sizeof picture->told);
  if (picture->levels_shown)
    odl_display_render_rows (bands, &display, 8, 0, shown.extent.y,
                             picture->levels_shown);
  return picture->levels_shown != NULL;
}

static bool
work (void *data)
{
  Job *job = data;
  OdlBandPicture *picture = &job->picture;
  OdlDetails read;
  g_autoptr (OdlImage) before = run (job, false, &read);
  g_autoptr (OdlImage) after = before ? run (job, true, &picture->details) : NULL;
  if (!after || !is_as_large (before, odl_frame_came (job->frame)))
    return false;
  const int levels = MIN (read.levels, picture->details.levels);
  const OdlDetailReach reach = reach_of (job, before, levels);
  sum_squares (before, levels, picture->before);
  sum_squares (after, levels, picture->after);
  return draw (job, after, &reach);
}

// ---- in the main thread --------------------------------------------------------------

static void
job_free (void *data)
{
  Job *job = data;
  odl_frame_unref (job->frame);
  g_free (job->picture.levels_shown);
  g_free (job);
}

static void
made_cb (void *data, void *pictures)
{
  const Job *job = data;
  const OdlBandPictures *self = pictures;
  self->cb (&job->picture, self->data);
}

void
odl_band_pictures_show (OdlBandPictures *self, OdlFrame *frame, bool other, int item)
{
  const OdlRecipe *recipe = other ? &frame->other_recipe : &frame->recipe;
  if ((other && !odl_frame_compares (frame)) || item >= recipe->n_items
      || !odl_band_meter_suits (recipe, item))
    return;
  Job *job = g_new0 (Job, 1);
  job->frame = odl_frame_ref (frame);
  job->other = other;
  job->item = item;
  odl_aside_want (self->aside, job);
}

OdlBandPictures *
odl_band_pictures_new (OdlBandPictureCb cb, void *data)
{
  static const OdlAsideKind kind = { work, made_cb, job_free };
  OdlBandPictures *self = g_new0 (OdlBandPictures, 1);
  self->cb = cb;
  self->data = data;
  self->aside = odl_aside_new (&kind, self);
  return self;
}

void
odl_band_pictures_free (OdlBandPictures *self)
{
  odl_aside_free (self->aside);
  g_free (self);
}
