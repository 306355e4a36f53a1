// SPDX-License-Identifier: MIT
#include "work/sweep/trial.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "engine/received.h"
#include "image/volume/volume.h"
#include "plan/plan.h"
#include "source/operand.h"
#include "source/source_file.h"
#include "source/source_files.h"
#include "source/volume.h"
#include "work/cine.h"
#include "work/operands.h"

#define MOST_BYTES ((size_t) 1 << 30)

typedef struct {
  OdlTrialPictures *pictures;
  const OdlNoiseModel *noise;
  OdlSource *source;
  OdlSource *reference; // NULL: none is named
  gint64 first, last; // that are measured, from 0
  GCancellable *cancellable; // NULL: nobody gives up
} Reading;

// ---- which ones ----------------------------------------------------------------------

static bool
sees_slices (const OdlAxes *axes, const OdlSource *source)
{
  return source->info.n_slices > 0 && odl_recipe_is_volumetric (&axes->recipes[0]);
}

// One of the recipes.
static bool
is_temporal (const OdlAxes *axes)
{
  for (guint i = 0; i < axes->n_recipes; i++)
    if (odl_recipe_is_temporal (&axes->recipes[i]))
      return true;
  return false;
}

static bool
check_kind (const OdlAxes *axes, const OdlSource *source, GError **error)
{
  const OdlSourceInfo *info = &source->info;
  const bool over_time = info->n_slices > 1 && info->n_frames > info->n_slices;
  int dimensions = 2;

  for (guint k = 0; k < axes->n_recipes; k++)
    for (int i = 0; i < axes->recipes[k].n_items; i++) {
      const OdlRecipeItem *item = &axes->recipes[k].items[i];
      if (odl_recipe_item_acts (item))
        dimensions = MAX (dimensions, odl_recipe_item_dimensions (item));
    }
  if (dimensions <= 3 && !(over_time && is_temporal (axes)))
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
            const OdlAxes *axes,
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
  *begin = is_temporal (axes) && !reading->source->info.capture
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
  return odl_operand_read_reference (reading->reference, index, reading->cancellable,
                                     error);
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
    g_autoptr (OdlImage) image
        = odl_source_read_frame (reading->source, i, reading->cancellable, error);
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
      reading->source, number, ODL_VOLUME_FILTERED_WHOLE, reading->cancellable, error);
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
  reading->reference = odl_source_open (name, reading->cancellable, error);
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
read_all (Reading *reading, const OdlAxes *axes, GError **error)
{
  gint64 begin = 0;
  g_autoptr (OdlImage) like = NULL;

  if (sees_slices (axes, reading->source))
    return read_slices (reading, error);
  if (reading->source->info.capture) { // what is read first comes no more
    begin = reading->first;
    return read_frames (reading, begin, error);
  }
  like = odl_source_read_first (reading->source, reading->cancellable, error);
  return like != NULL && find_begin (reading, axes, like, &begin, error)
         && read_frames (reading, begin, error);
}

static void
tell (const OdlTrialParams *params, const char *message)
{
  if (params->note != NULL)
    params->note (params->input, message, params->data);
}

static bool
pictures_read (OdlTrial *trial, GError **error)
{
  const OdlTrialParams *params = trial->params;
  OdlTrialPictures *pictures = &trial->pictures;
  const gint64 frame = MAX (params->frame, 1) - 1;
  g_autoptr (OdlSource) source
      = odl_source_open (params->input, params->cancellable, error);
  Reading reading
      = { pictures, &trial->noise, source, NULL, frame, frame, params->cancellable };

  if (source == NULL || !check_kind (trial->axes, source, error))
    return false;
  const bool together = sees_slices (trial->axes, source);
  const char *range = params->frames;
  if (range == NULL && params->frame == 0 && together)
    range = "all";
  if ((range != NULL && !parse_range (&reading, range, together, error))
      || !check_range (&reading, together, error))
    return false;
  if (source->info.warning != NULL)
    tell (params, source->info.warning);
  pictures->images = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_image_unref);
  if (trial->compares)
    pictures->references
        = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_image_unref);
  pictures->range = reading.first == reading.last
                        ? g_strdup_printf ("%" PRId64, reading.first + 1)
                        : g_strdup_printf ("%" PRId64 "-%" PRId64, reading.first + 1,
                                           reading.last + 1);
  const bool done
      = (params->reference == NULL || open_reference (&reading, params->reference, error))
        && read_all (&reading, trial->axes, error);
  g_clear_pointer (&reading.reference, odl_source_unref);
  // Slices behind the last one are filtered with it, and not measured.
  pictures->last = pictures->first + (guint) (reading.last - reading.first);
  return done;
}

static void
pictures_clear (OdlTrialPictures *pictures)
{
  g_clear_pointer (&pictures->images, g_ptr_array_unref);
  g_clear_pointer (&pictures->references, g_ptr_array_unref);
  g_clear_pointer (&pictures->volume, odl_image_unref);
  g_clear_pointer (&pictures->range, g_free);
}

// ---- what is asked -------------------------------------------------------------------

static bool
parse_metric (const char *text, OdlTrial *trial, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  trial->metric = trial->compares ? ODL_SCORE_PSNR : ODL_SCORE_CNR;
  if (text == NULL)
    return true;
  for (int i = 0; i < ODL_N_SCORES; i++) {
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", odl_scores[i].word);
    if (!g_str_equal (text, odl_scores[i].word))
      continue;
    trial->metric = i;
    if (i < ODL_SCORE_FIRST_REGIONAL ? trial->compares : trial->regions.used)
      return true;
    return odl_usage_error (
        error,
        i < ODL_SCORE_FIRST_REGIONAL
            ? _ ("--metric %s compares with a clean picture. Add --noise to a clean "
                 "input, or name one with --reference.")
            : _ ("--metric %s is of two regions. Name them with --region and "
                 "--background."),
        text);
  }
  return odl_error_set (error, ODL_ERROR_USAGE, _ ("“%s” is no metric. There are: %s."),
                        text, known->str);
}

static bool
check_recipe (const OdlRecipe *recipe, GError **error)
{
  if (recipe->view == ODL_VIEW_SYNTHESIS)
    return true;
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("Pictures are measured; coefficients are none."));
}

// Filters that see all slices are measured on all of them.
static bool
check_likes (const OdlAxes *axes, GError **error)
{
  for (guint i = 1; i < axes->n_recipes; i++)
    if (odl_recipe_is_volumetric (&axes->recipes[i])
        != odl_recipe_is_volumetric (&axes->recipes[0]))
      return odl_usage_error (
          error, _ ("Filters with dimensions=3 are compared with such alone, "
                    "since these are measured on other slices."));
  return true;
}

static bool
parse (OdlTrial *trial, GError **error)
{
  const OdlTrialParams *params = trial->params;

  if (!check_recipe (&params->recipe, error)
      || (params->noise != NULL
          && !odl_noise_model_parse (params->noise, &trial->noise, error)))
    return false;
  trial->compares = params->reference != NULL || trial->noise.kind != ODL_NOISE_NONE;
  if (!odl_score_regions_parse (params->region, params->background, &trial->regions,
                                error)
      || !parse_metric (params->metric, trial, error))
    return false;
  const OdlAxesParams axes
      = { params->vary, params->titles, &params->recipe, params->divisions };
  trial->axes = odl_axes_new (&axes, error);
  return trial->axes != NULL && check_likes (trial->axes, error);
}

// ---- pictures ------------------------------------------------------------------------

static bool
read_pictures (OdlTrial *trial, GError **error)
{
  const char *input = trial->params->input;
  const OdlTrialPictures *pictures = &trial->pictures;

  if (!pictures_read (trial, error)) {
    g_autofree char *name = g_filename_display_basename (input);
    g_autofree char *start = odl_source_file_error_start (input);
    if (error != NULL && !g_str_has_prefix ((*error)->message, name)
        && !g_str_has_prefix ((*error)->message, start)
        && !g_error_matches (*error, ODL_ERROR, ODL_ERROR_USAGE))
      g_prefix_error (error, "%s: ", name);
    return false;
  }
  trial->image = pictures->images->pdata[pictures->first];
  if (pictures->references != NULL)
    trial->reference = pictures->references->pdata[pictures->first];
  return odl_score_regions_check (&trial->regions, &odl_image_info (trial->image)->extent,
                                  error);
}

bool
odl_trial_plan (OdlTrial *trial, const OdlTrialParams *params, GError **error)
{
  *trial = (OdlTrial){ .params = params, .before = odl_scores_none () };
  return parse (trial, error);
}

GHashTable *
odl_trial_files (const OdlTrial *trial)
{
  const OdlTrialParams *params = trial->params;
  const OdlRecipe *recipe = &params->recipe;
  GHashTable *files = odl_source_files_new ();

  odl_source_files_add (files, params->input);
  if (params->reference != NULL)
    odl_source_files_add (files, params->reference);
  for (int i = 0; i < recipe->n_items; i++)
    if (recipe->items[i].file != NULL)
      odl_source_files_add (files, recipe->items[i].file);
  return files;
}

void
odl_trial_clear (OdlTrial *trial)
{
  g_clear_pointer (&trial->axes, odl_axes_free);
  pictures_clear (&trial->pictures);
}

// The recipe that the engine is chosen for: the first one with code, which few can run.
static const OdlRecipe *
choosing (const OdlAxes *axes)
{
  for (guint k = 0; k < axes->n_recipes; k++)
    for (int i = 0; i < axes->recipes[k].n_items; i++)
      if (axes->recipes[k].items[i].filter->kind == ODL_FILTER_GLSL)
        return &axes->recipes[k];
  return &axes->recipes[0];
}

OdlRunner *
odl_trial_runner (const OdlTrial *trial, GError **error)
{
  const OdlTrialParams *params = trial->params;
  g_autoptr (OdlRunner) runner
      = odl_runner_new_for (params->engine, choosing (trial->axes), error);

  if (runner == NULL
      || !odl_runner_read_operands (runner, &params->recipe, params->cancellable, error))
    return NULL;
  return g_steal_pointer (&runner);
}

OdlRecipe
odl_trial_recipe (const OdlTrial *trial, const guint *indices)
{
  return odl_axes_recipe (trial->axes, indices);
}

// Of several pictures: sums, which take_means divides.
static bool
add_scores (const OdlTrial *trial,
            guint i,
            const OdlImage *made,
            OdlScores *sums,
            GError **error)
{
  const OdlTrialPictures *pictures = &trial->pictures;
  OdlScores scores;

  if (!odl_scores_measure (&scores, pictures->images->pdata[i], made,
                           pictures->references != NULL ? pictures->references->pdata[i]
                                                        : NULL,
                           &trial->regions, error))
    return false;
  for (int k = 0; k < ODL_N_SCORES; k++)
    sums->values[k]
        = i == pictures->first ? scores.values[k] : sums->values[k] + scores.values[k];
  return true;
}

static void
take_means (OdlScores *sums, guint n)
{
  for (int k = 0; k < ODL_N_SCORES; k++)
    sums->values[k] /= n;
  if (n > 1)
    sums->values[ODL_SCORE_PSNR] = -10 * log10 (sums->values[ODL_SCORE_MSE]);
}

// The unfiltered pictures show whether everything can be measured.
static bool
measure_before (OdlTrial *trial, GError **error)
{
  const OdlTrialPictures *pictures = &trial->pictures;

  for (guint i = pictures->first; i <= pictures->last; i++)
    if (!add_scores (trial, i, pictures->images->pdata[i], &trial->before, error))
      return false;
  take_means (&trial->before, pictures->last - pictures->first + 1);
  return true;
}

bool
odl_trial_read (OdlTrial *trial, GError **error)
{
  pictures_clear (&trial->pictures);
  trial->pictures = (OdlTrialPictures){ 0 };
  return read_pictures (trial, error) && measure_before (trial, error);
}

bool
odl_trial_init (OdlTrial *trial, const OdlTrialParams *params, GError **error)
{
  return odl_trial_plan (trial, params, error) && odl_trial_read (trial, error);
}

void
odl_trial_drop_pictures (OdlTrial *trial)
{
  char *range = g_steal_pointer (&trial->pictures.range);

  pictures_clear (&trial->pictures);
  trial->pictures = (OdlTrialPictures){ .range = range };
  trial->image = trial->reference = NULL;
}

typedef struct {
  OdlRunner *runner;
  const OdlRecipe *recipe;
  char *note; // of the first one
} Run;

static OdlImage *
process (Run *run, OdlImage *image, GError **error)
{
  g_autoptr (OdlPlan) plan = NULL;
  g_autofree char *note = NULL;
  OdlImage *made
      = odl_runner_process (run->runner, run->recipe, image, &plan, &note, error);

  if (run->note == NULL)
    run->note = g_steal_pointer (&note);
  return made;
}

// The first picture that filters over time see for the first one that is measured.
static guint
begin_of (const OdlTrial *trial, const Run *run)
{
  const guint first = trial->pictures.first;
  const OdlGeometry geometry = odl_runner_geometry (run->runner, trial->image);

  if (!odl_recipe_is_temporal (run->recipe))
    return first;
  return (guint) MAX (odl_lead_in_begin (run->recipe, &geometry, first), 0);
}

static bool
run_all (const OdlTrial *trial,
         Run *run,
         OdlScores *scores,
         OdlImage **result,
         GError **error)
{
  const OdlTrialPictures *pictures = &trial->pictures;
  g_autoptr (OdlImage) whole = NULL;

  odl_runner_begin (run->runner);
  if (pictures->volume != NULL) {
    whole = process (run, pictures->volume, error);
    if (whole == NULL)
      return false;
  }
  for (guint i = whole != NULL ? pictures->first : begin_of (trial, run);
       i <= pictures->last; i++) {
    g_autoptr (OdlImage) made = whole != NULL
                                    ? odl_volume_slice (whole, (int) i)
                                    : process (run, pictures->images->pdata[i], error);
    if (made == NULL
        || (i >= pictures->first && !add_scores (trial, i, made, scores, error)))
      return false;
    if (i == pictures->first && result != NULL)
      *result = g_steal_pointer (&made);
  }
  take_means (scores, pictures->last - pictures->first + 1);
  return true;
}

bool
odl_trial_run (const OdlTrial *trial,
               OdlRunner *runner,
               const OdlRecipe *recipe,
               OdlScores *scores,
               OdlImage **result,
               GError **error)
{
  OdlRecipe measured = *recipe;
  Run run = { runner, &measured, NULL };

  const OdlMeasured how
      = { .image = trial->pictures.volume != NULL ? trial->pictures.volume : trial->image,
          .operands = odl_runner_operands (runner).operands };
  const OdlCineFrames frames
      = { .location = trial->params->input, .cancellable = trial->params->cancellable };
  if (!odl_recipe_waits_for_cine (&measured))
    odl_measure_recipe (&measured, &how);
  else if (!odl_cine_measure (&measured, &how, &frames, error))
    return false;
  *scores = odl_scores_none ();
  const bool done = run_all (trial, &run, scores, result, error);
  if (done && run.note != NULL)
    tell (trial->params, run.note);
  g_free (run.note);
  return done;
}

bool
odl_trial_has (const OdlTrial *trial, int score)
{
  return score < ODL_SCORE_FIRST_REGIONAL ? trial->compares : trial->regions.used;
}

bool
odl_trial_better (const OdlTrial *trial, double value, double other)
{
  if (isnan (value) || isnan (other))
    return !isnan (value);
  return odl_scores[trial->metric].smaller_is_better ? value < other : value > other;
}
