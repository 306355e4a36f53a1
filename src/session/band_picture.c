// SPDX-License-Identifier: MIT
#include "session/band_picture.h"

#include <string.h>

#include "engine/detail_reach.h"
#include "filter/noise.h"
#include "image/display/display.h"
#include "image/volume/volume.h"
#include "plan/numbers.h"
#include "session/aside.h"
#include "session/band_meter.h"
#include "session/band_run.h"

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

// The same of all octants but the low one.
static void
sum_octants (const OdlBandRun *run, int levels, double *sums)
{
  const OdlImageInfo *info = odl_image_info (run->coefficients);
  g_autofree float *row = g_new (float, info->extent.x);
  for (int i = 0; i < levels * ODL_OCTANTS; i++) {
    OdlBandPlace at;
    if (i % ODL_OCTANTS == 0
        || !odl_plan_find_band (run->plan, i / ODL_OCTANTS + 1, i % ODL_OCTANTS, &at))
      continue;
    for (int c = 0; c < MIN (info->channels, 3); c++)
      for (int z = at.from[2]; z < at.to[2]; z++)
        for (int y = at.from[1]; y < at.to[1]; y++) {
          odl_image_scaled_row (run->coefficients, c, y, z, 0, row);
          for (int x = at.from[0]; x < at.to[0]; x++)
            sums[i / ODL_OCTANTS] += (double) row[x] * (double) row[x];
        }
  }
}

// Gains as those of the view: of what the filter reads, without the picture's
// surroundings.
static OdlDetailReach
reach_of (OdlImage *came, const OdlImage *bands, int levels)
{
  const OdlImageInfo *info = odl_image_info (came);
  const int area[] = { 0, 0, info->extent.x, info->extent.y };
  g_autofree uint8_t *inside = g_new (uint8_t, (gsize) area[2] * (gsize) area[3]);
  odl_noise_plane (came, info->channels == 1 ? 0 : -1, area, NULL, inside);
  return odl_detail_reach_of (bands, levels, inside);
}

static bool
is_as_large (const OdlImage *a, const OdlImage *b)
{
  const OdlExtent of_a = odl_image_info (a)->extent, of_b = odl_image_info (b)->extent;
  return of_a.x == of_b.x && of_a.y == of_b.y;
}

// ---- octants -------------------------------------------------------------------------

// A picture as wide as slices of a volume of octants, to be filled in.
typedef struct {
  OdlImage *image;
  float *samples;
} Sheet;

static Sheet
sheet_new (const OdlBandRun *run, int width, int height)
{
  OdlImageInfo info = *odl_image_info (run->coefficients);
  Sheet sheet = { 0 };
  info.extent = (OdlExtent){ width, height, 1, 1 };
  sheet.image = odl_image_alloc (&info, (void **) &sheet.samples, NULL);
  if (sheet.image)
    memset (sheet.samples, 0,
            (gsize) width * (gsize) height * (gsize) info.channels * sizeof (float));
  return sheet;
}

// Slice z of an octant, at column x and row y; channels lie side by side.
static void
copy (const Sheet *sheet,
      const OdlBandRun *run,
      const OdlBandPlace *at,
      int z,
      int x,
      int y)
{
  const OdlImageInfo *info = odl_image_info (run->coefficients);
  const int width = odl_image_info (sheet->image)->extent.x;
  g_autofree float *row = g_new (float, info->extent.x);
  for (int c = 0; c < info->channels; c++)
    for (int i = 0; i < at->to[1] - at->from[1]; i++) {
      odl_image_scaled_row (run->coefficients, c, at->from[1] + i, z, 0, row);
      for (int k = 0; k < at->to[0] - at->from[0]; k++)
        sheet->samples[((gsize) (y + i) * (gsize) width + (gsize) (x + k))
                           * (gsize) info->channels
                       + (gsize) c]
            = row[at->from[0] + k];
    }
}

// The octants of a level that are low along z, or (4) high, of the slice that is seen, as
// the bands of a picture lie.
static void
copy_level (const Sheet *sheet, const OdlBandRun *run, int level, int high)
{
  for (int band = 0; band < ODL_BANDS; band++) {
    OdlBandPlace at;
    if (!odl_plan_find_band (run->plan, level, band + high, &at))
      continue;
    const int z = MIN (at.from[2] + (run->seen >> level), at.to[2] - 1);
    copy (sheet, run, &at, z, at.from[0], at.from[1]);
  }
}

static Sheet
low_sheet (const OdlBandRun *run, int levels)
{
  const OdlExtent extent = odl_image_info (run->coefficients)->extent;
  const Sheet sheet = sheet_new (run, extent.x, extent.y);
  for (int level = 1; sheet.image && level <= levels; level++)
    copy_level (&sheet, run, level, 0);
  return sheet;
}

// ---- drawing -------------------------------------------------------------------------

// A picture of bands at column x, row y of what is shown.
static void
draw_at (Job *job,
         const OdlImage *bands,
         const OdlDetailReach *reach,
         OdlDetails details,
         int x,
         int y)
{
  const OdlWindow window
      = { .mode = ODL_WINDOW_FILE, .hide_overlay = true, .reach = *reach };
  OdlBandPicture *picture = &job->picture;
  const OdlDisplay display
      = odl_display_make (odl_image_info (odl_frame_came (job->frame)), &window, details);
  const OdlImageInfo shown = odl_display_rendered (bands, &display, 8);
  const gsize row = (gsize) shown.extent.x * (gsize) shown.channels;
  g_autofree uint8_t *bytes = g_try_malloc (row * (gsize) shown.extent.y);
  if (!bytes)
    return;
  if (x == 0)
    memcpy (picture->told, display.told, sizeof picture->told);
  odl_display_render_rows (bands, &display, 8, 0, shown.extent.y, bytes);
  for (int i = 0; i < shown.extent.y && y + i < picture->height; i++)
    memcpy (picture->levels_shown
                + ((gsize) (y + i) * (gsize) picture->width + (gsize) x)
                      * (gsize) picture->channels,
            bytes + (gsize) i * row, row);
}

static bool
make_room (OdlBandPicture *picture, int width, int height, int channels)
{
  picture->width = width;
  picture->height = height;
  picture->channels = channels;
  picture->levels_shown
      = g_try_malloc0 ((gsize) width * (gsize) height * (gsize) channels);
  return picture->levels_shown != NULL;
}

static int
channels_of (const OdlImage *bands)
{
  const OdlImageInfo *info = odl_image_info (bands);
  const OdlDisplay plain
      = odl_display_make (info, &(OdlWindow){ .mode = ODL_WINDOW_FILE }, ODL_NO_DETAILS);
  return odl_display_rendered (bands, &plain, 8).channels;
}

static bool
draw (Job *job, const OdlImage *bands, const OdlDetailReach *reach)
{
  const OdlExtent extent = odl_image_info (bands)->extent;
  OdlBandPicture *picture = &job->picture;
  picture->left_width = extent.x;
  if (!make_room (picture, extent.x, extent.y, channels_of (bands)))
    return false;
  draw_at (job, bands, reach, picture->details, 0, 0);
  return true;
}

// The finest level as wide as the picture, the others below each other beside it.
static bool
draw_octants (Job *job,
              const OdlBandRun *run,
              const Sheet *low,
              const OdlDetailReach *reach)
{
  const OdlExtent extent = odl_image_info (low->image)->extent;
  OdlBandPicture *picture = &job->picture;
  const int levels = picture->details.levels, half = odl_low_count (extent.x);
  picture->left_width = extent.x;
  if (!make_room (picture, 2 * extent.x + (levels > 1 ? half : 0), extent.y,
                  channels_of (low->image)))
    return false;
  draw_at (job, low->image, reach, picture->details, 0, 0);
  for (int level = 1, y = 0; level <= levels; level++) {
    const int width = odl_level_size (extent.x, level - 1);
    const Sheet high = sheet_new (run, width, odl_level_size (extent.y, level - 1));
    OdlDetailReach own = *reach;
    if (!high.image)
      return false;
    // All of it are details of one level.
    own.levels = 1;
    own.of[0] = reach->of[level - 1];
    copy_level (&high, run, level, ODL_BANDS);
    draw_at (job, high.image, &own,
             (OdlDetails){ .levels = 1, .width = odl_low_count (width) },
             level == 1 ? extent.x : 2 * extent.x, y);
    y = level == 1 ? 0 : y + odl_level_size (extent.y, level - 1);
    odl_image_unref (high.image);
  }
  return true;
}

// ---- the work ------------------------------------------------------------------------

static bool
work_octants (Job *job, const OdlBandRun *before, const OdlBandRun *after)
{
  OdlBandPicture *picture = &job->picture;
  const int levels = MIN (before->plan->details.levels, after->plan->details.levels);
  Sheet read = low_sheet (before, levels), left = low_sheet (after, levels);
  g_autoptr (OdlImage) slice = odl_volume_slice (before->came, before->seen);
  sum_octants (before, levels, picture->before);
  sum_octants (after, levels, picture->after);
  picture->details.levels = levels;
  bool done = read.image && left.image && slice;
  if (done) {
    const OdlDetailReach reach = reach_of (slice, read.image, levels);
    picture->details = (OdlDetails){
      .levels = levels,
      .width = odl_level_size (odl_image_info (left.image)->extent.x, levels),
      .height = odl_level_size (odl_image_info (left.image)->extent.y, levels),
    };
    done = draw_octants (job, after, &left, &reach);
  }
  g_clear_pointer (&read.image, odl_image_unref);
  g_clear_pointer (&left.image, odl_image_unref);
  return done;
}

static bool
work (void *data)
{
  Job *job = data;
  OdlBandPicture *picture = &job->picture;
  g_auto (OdlBandRun) before = { 0 }, after = { 0 };
  if (!odl_band_run (&before, job->frame, job->other, job->item, false)
      || before.plan->details.width == 0
      || !odl_band_run (&after, job->frame, job->other, job->item, true)
      || !is_as_large (before.coefficients, before.came))
    return false;
  picture->details = after.plan->details;
  picture->first = after.first;
  picture->n_slices = after.n_slices;
  picture->n_all = after.n_all;
  picture->seen = after.first + after.seen;
  if (odl_plan_has_octants (after.plan))
    return work_octants (job, &before, &after);
  const int levels = MIN (before.plan->details.levels, picture->details.levels);
  const OdlDetailReach reach = reach_of (before.came, before.coefficients, levels);
  sum_squares (before.coefficients, levels, picture->before);
  sum_squares (after.coefficients, levels, picture->after);
  return draw (job, after.coefficients, &reach);
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

static bool
is_still (const void *data)
{
  return ((const Job *) data)->frame->volume != NULL;
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
  static const OdlAsideKind kind = { work, made_cb, job_free, is_still };
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
