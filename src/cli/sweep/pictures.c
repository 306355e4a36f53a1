// SPDX-License-Identifier: MIT
#include "cli/sweep/pictures.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/verb.h"
#include "image/volume/volume.h"
#include "plan/plan.h"
#include "source/operand.h"
#include "source/volume.h"

#define MOST_BYTES ((size_t) 1 << 30)

typedef struct {
  OdlTrialPictures *pictures;
  const OdlNoiseModel *noise;
  OdlSource *source;
  OdlSource *reference; // NULL: none is named
  gint64 first, last; // that are measured, from 0
} Reading;

// ---- which ones ----------------------------------------------------------------------

static bool
sees_slices (const OdlRecipe *recipe, const OdlSource *source)
{
  return source->info.n_slices > 0 && odl_recipe_is_volumetric (recipe);
}

static bool
check_kind (const OdlRecipe *recipe, const OdlSource *source, GError **error)
{
  const OdlSourceInfo *info = &source->info;
  const bool over_time = info->n_slices > 1 && info->n_frames > info->n_slices;
  int dimensions = 2;

  for (int i = 0; i < recipe->n_items; i++)
    if (odl_recipe_item_acts (&recipe->items[i]))
      dimensions = MAX (dimensions, odl_recipe_item_dimensions (&recipe->items[i]));
  if (dimensions <= 3 && !(over_time && odl_recipe_is_temporal (recipe)))
    return true;
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("Filters that look at later frames, or at volumes "
                           "over time, cannot be varied here."));
}

// `together`: "all" are those of one volume.
static bool
parse_range (Reading *reading, const char *text, bool together, GError **error)
{
  gint64 first = 0, last = 0;
  char after = '\0';
  const gint64 n = reading->source->info.n_frames;

  if (g_str_equal (text, "all")) {
    reading->first = 0;
    reading->last = together ? reading->source->info.n_slices - 1 : n - 1;
    return true;
  }
  if (sscanf (text, "%" SCNd64 "%c", &first, &after) == 1)
    last = first; // a frame alone
  else if (sscanf (text, "%" SCNd64 "-%" SCNd64 "%c", &first, &last, &after) != 2)
    first = 0;
  if (first < 1 || last < first)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--frames “%s” is no range. Write the first and the last "
                             "frame, such as 3-8, or all."),
                          text);
  reading->first = first - 1;
  reading->last = last - 1;
  return true;
}

static bool
check_range (const Reading *reading, bool together, GError **error)
{
  const OdlSourceInfo *info = &reading->source->info;
  const gint64 depth = MAX (info->n_slices, 1), volume = reading->first / depth;

  if (reading->first != reading->last && (info->capture || info->n_frames == 0))
    return odl_usage_error (
        error,
        _ ("--frames is for sources whose frames are counted. Record a video first."));
  if (together && reading->last / depth != volume && reading->last < info->n_frames)
    return odl_usage_error (
        error,
        _ ("Filters over slices see those of one volume, and frames %" PRId64
           " to %" PRId64 " are of several. Name those of one, such as --frames %" PRId64
           "-%" PRId64 "."),
        reading->first + 1, reading->last + 1, volume * depth + 1, (volume + 1) * depth);
  if (info->live || info->n_frames == 0 || reading->last < info->n_frames)
    return true;
  odl_source_set_no_frame (reading->source, reading->last, error);
  return false;
}

// The frame with which reading begins: filters over time see those before.
static bool
find_begin (const Reading *reading,
            const OdlRecipe *recipe,
            const OdlImage *like,
            gint64 *begin,
            GError **error)
{
  const OdlImageInfo *info = odl_image_info (like);
  const size_t bytes = (size_t) info->extent.x * (size_t) info->extent.y
                       * (size_t) info->channels * 2 * sizeof (float);
  const gint64 most = (gint64) (MOST_BYTES / bytes);

  if (reading->last - reading->first >= MAX (most, 1))
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("%" PRId64
                             " frames are too many to be kept: at most %" PRId64
                             " of this size are. Name fewer with --frames."),
                          reading->last - reading->first + 1, most);
  *begin = odl_recipe_is_temporal (recipe) && !reading->source->info.capture
               ? MAX (0, reading->last + 1 - MAX (most, 1))
               : reading->first;
  return true;
}

// ---- reading -------------------------------------------------------------------------

static OdlImage *
reference_of (const Reading *reading, OdlImage *clean, gint64 index, GError **error)
{
  if (reading->reference == NULL)
    return odl_image_ref (clean);
  return odl_operand_read_reference (reading->reference, index, NULL, error);
}

static bool
add (Reading *reading, OdlImage *image, gint64 index, GError **error)
{
  OdlTrialPictures *pictures = reading->pictures;
  OdlImage *noisy = odl_noise_model_apply (reading->noise, image, index, error);

  if (noisy == NULL)
    return false;
  g_ptr_array_add (pictures->images, noisy);
  if (pictures->references == NULL)
    return true;
  OdlImage *reference = reference_of (reading, image, index, error);
  if (reference == NULL)
    return false;
  g_ptr_array_add (pictures->references, reference);
  return true;
}

static bool
read_frames (Reading *reading, gint64 begin, GError **error)
{
  // A capture delivers whatever comes next.
  for (gint64 i = reading->source->info.capture ? 0 : begin; i <= reading->last; i++) {
    g_autoptr (OdlImage) image = odl_source_read_frame (reading->source, i, NULL, error);
    if (image == NULL) {
      if (error != NULL && *(*error)->message == '\0') { // the end of a stream
        g_clear_error (error);
        odl_source_set_no_frame (reading->source, i, error);
      }
      return false;
    }
    if (i >= begin && !add (reading, image, i, error))
      return false;
  }
  reading->pictures->first = (guint) (reading->first - begin);
  return true;
}

// All slices of the volume that the first frame is of.
static bool
read_slices (Reading *reading, GError **error)
{
  OdlTrialPictures *pictures = reading->pictures;
  const int depth = reading->source->info.n_slices;
  const int number = (int) (reading->first / depth);
  g_autoptr (OdlImage) whole = odl_source_read_volume (
      reading->source, number, ODL_VOLUME_FILTERED_WHOLE, NULL, error);
  void *samples;

  if (whole == NULL)
    return false;
  for (int z = 0; z < depth; z++) {
    g_autoptr (OdlImage) slice = odl_volume_slice (whole, z);
    if (!add (reading, slice, (gint64) number * depth + z, error))
      return false;
  }
  pictures->first = (guint) (reading->first % depth);
  if (reading->noise->kind == ODL_NOISE_NONE) {
    pictures->volume = g_steal_pointer (&whole);
    return true;
  }
  pictures->volume
      = odl_volume_alloc (pictures->images->pdata[0], depth, &samples, error);
  for (int z = 0; pictures->volume != NULL && z < depth; z++)
    odl_volume_put (pictures->volume, samples, z, pictures->images->pdata[z]);
  return pictures->volume != NULL;
}

static bool
open_reference (Reading *reading, const char *name, GError **error)
{
  reading->reference = odl_source_open (name, NULL, error);
  if (reading->reference == NULL)
    return false;
  const OdlSourceInfo *info = &reading->reference->info;
  if (info->n_frames == 1 || info->live || info->n_frames == 0
      || info->n_frames > reading->last)
    return true;
  return odl_usage_error (
      error, _ ("The reference has %d frames, too few for frame %" PRId64 "."),
      info->n_frames, reading->last + 1);
}

static bool
read_all (Reading *reading, const OdlRecipe *recipe, GError **error)
{
  gint64 begin = 0;
  g_autoptr (OdlImage) like = NULL;

  if (sees_slices (recipe, reading->source))
    return read_slices (reading, error);
  if (reading->source->info.capture) { // what is read first comes no more
    begin = reading->first;
    return read_frames (reading, begin, error);
  }
  like = odl_source_read_first (reading->source, NULL, error);
  return like != NULL && find_begin (reading, recipe, like, &begin, error)
         && read_frames (reading, begin, error);
}

bool
odl_trial_pictures_read (OdlTrialPictures *pictures,
                         const OdlProcessOptions *options,
                         const char *range,
                         const OdlRecipe *recipe,
                         const OdlNoiseModel *noise,
                         GError **error)
{
  const char *input = options->inputs[0];
  const gint64 frame = MAX (options->frame, 1) - 1;
  g_autoptr (OdlSource) source = odl_source_open (input, NULL, error);
  Reading reading = { pictures, noise, source, NULL, frame, frame };

  *pictures = (OdlTrialPictures){ 0 };
  if (source == NULL || !check_kind (recipe, source, error))
    return false;
  const bool together = sees_slices (recipe, source);
  if (range == NULL && options->frame == ODL_FRAME_UNSAID && together)
    range = "all";
  if ((range != NULL && !parse_range (&reading, range, together, error))
      || !check_range (&reading, together, error))
    return false;
  if (source->info.warning != NULL)
    odl_report_note (input, source->info.warning);
  pictures->images = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_image_unref);
  if (options->reference != NULL || noise->kind != ODL_NOISE_NONE)
    pictures->references
        = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_image_unref);
  pictures->range = reading.first == reading.last
                        ? g_strdup_printf ("%" PRId64, reading.first + 1)
                        : g_strdup_printf ("%" PRId64 "-%" PRId64, reading.first + 1,
                                           reading.last + 1);
  const bool done = (options->reference == NULL
                     || open_reference (&reading, options->reference, error))
                    && read_all (&reading, recipe, error);
  g_clear_pointer (&reading.reference, odl_source_unref);
  // Slices behind the last one are filtered with it, and not measured.
  pictures->last = pictures->first + (guint) (reading.last - reading.first);
  return done;
}

void
odl_trial_pictures_clear (OdlTrialPictures *pictures)
{
  g_clear_pointer (&pictures->images, g_ptr_array_unref);
  g_clear_pointer (&pictures->references, g_ptr_array_unref);
  g_clear_pointer (&pictures->volume, odl_image_unref);
  g_clear_pointer (&pictures->range, g_free);
}
