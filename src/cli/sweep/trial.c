// SPDX-License-Identifier: MIT
#include "cli/sweep/trial.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "cli/verb.h"
#include "engine/received.h"
#include "image/volume/volume.h"
#include "source/source_file.h"

void
odl_trial_options_fill (OdlTrialOptions *options, GOptionEntry *entries)
{
  static const char *const of_process[]
      = { "filter", "recipe", "preset",           "noise", "engine", "colour",
          "border", "frame",  G_OPTION_REMAINING, NULL };
  const GOptionEntry ours[] = {
    { "vary", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->vary,
      N_ ("A parameter and its values: FROM:TO:STEP, or several separated by commas; "
          "FILTER:2 is the second filter of that name; strength is that of the recipe"),
      "FILTER.PARAMETER=VALUES" },
    { "reference", 0, 0, G_OPTION_ARG_FILENAME, &options->process.reference,
      N_ ("A clean picture of the same size; default: with --noise the picture without "
          "it"),
      N_ ("FILE") },
    { "region", 0, 0, G_OPTION_ARG_STRING, &options->region,
      N_ ("An ellipse, by the rectangle around it: its contrast to the background"),
      "X,Y,WIDTH,HEIGHT" },
    { "background", 0, 0, G_OPTION_ARG_STRING, &options->background,
      N_ ("An ellipse of what the region stands out from, with speckle or noise alone"),
      "X,Y,WIDTH,HEIGHT" },
    { "metric", 0, 0, G_OPTION_ARG_STRING, &options->metric,
      N_ ("What decides: psnr (default), ssim, mse or edges; of two regions snr, cnr, "
          "gcnr, enl or speckle-index"),
      "METRIC" },
    { "frames", 0, 0, G_OPTION_ARG_STRING, &options->frames,
      N_ ("Frames or slices that are measured together, counted from 1, or all; default: "
          "the first, or with filters over slices all"),
      N_ ("FIRST-LAST") },
  };

  options->process.frame = ODL_FRAME_UNSAID;
  G_STATIC_ASSERT (G_N_ELEMENTS (ours) + G_N_ELEMENTS (of_process)
                   == ODL_TRIAL_N_OPTIONS + 1);
  for (gsize i = 0; i < G_N_ELEMENTS (ours); i++)
    *entries++ = ours[i];
  odl_process_options_take (&options->process, of_process, entries);
}

void
odl_trial_options_clear (OdlTrialOptions *options)
{
  odl_process_options_clear (&options->process);
  g_strfreev (options->vary);
  g_free (options->region);
  g_free (options->background);
  g_free (options->metric);
  g_free (options->frames);
}

// ---- what is asked -------------------------------------------------------------------

static bool
parse_metric (const char *text, OdlTrial *trial, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  const bool compares
      = trial->options->process.reference != NULL || trial->noise.kind != ODL_NOISE_NONE;

  trial->metric = compares ? ODL_SCORE_PSNR : ODL_SCORE_CNR;
  if (text == NULL)
    return true;
  for (int i = 0; i < ODL_N_SCORES; i++) {
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", odl_scores[i].word);
    if (!g_str_equal (text, odl_scores[i].word))
      continue;
    trial->metric = i;
    if (i < ODL_SCORE_FIRST_REGIONAL ? compares : trial->regions.used)
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
check_options (const OdlTrialOptions *options, GError **error)
{
  const OdlProcessOptions *process = &options->process;
  const char *word = NULL;

  if (process->inputs == NULL || g_strv_length (process->inputs) != 1)
    word = _ ("Name one picture.");
  else if (process->frame < 1 && process->frame != ODL_FRAME_UNSAID)
    word = _ ("Frames are counted from 1.");
  else if (process->frame > 0 && options->frames != NULL)
    word = _ ("--frame and --frames exclude each other.");
  else if (process->noise == NULL && process->reference == NULL
           && options->region == NULL)
    word = _ ("There is nothing to measure by. Add --noise to a clean picture, name one "
              "with --reference, or two regions with --region and --background.");
  if (word != NULL)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE, word);
  return word == NULL;
}

static bool
check_recipe (const OdlRecipe *recipe, GError **error)
{
  if (recipe->view == ODL_VIEW_SYNTHESIS)
    return true;
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("Pictures are measured; coefficients are none."));
}

static bool
parse (OdlTrial *trial, int divisions, GError **error)
{
  const OdlTrialOptions *options = trial->options;

  if (!check_options (options, error)
      || !odl_process_recipe (&options->process, &trial->recipe, error)
      || !check_recipe (&trial->recipe, error)
      || (options->process.noise != NULL
          && !odl_noise_model_parse (options->process.noise, &trial->noise, error))
      || !odl_score_regions_parse (options->region, options->background, &trial->regions,
                                   error)
      || !parse_metric (options->metric, trial, error))
    return false;
  trial->axes = odl_axes_new (options->vary, &trial->recipe, divisions, error);
  return trial->axes != NULL;
}

// ---- pictures ------------------------------------------------------------------------

static bool
read_pictures (OdlTrial *trial, GError **error)
{
  const OdlProcessOptions *process = &trial->options->process;
  OdlTrialPictures *pictures = &trial->pictures;

  if (!odl_trial_pictures_read (pictures, process, trial->options->frames, &trial->recipe,
                                &trial->noise, error)) {
    g_autofree char *name = g_filename_display_basename (process->inputs[0]);
    g_autofree char *start = odl_source_file_error_start (process->inputs[0]);
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
odl_trial_init (OdlTrial *trial,
                const OdlTrialOptions *options,
                int divisions,
                GError **error)
{
  OdlScores scores;

  *trial = (OdlTrial){ .options = options };
  // The unfiltered picture shows whether everything can be measured.
  return parse (trial, divisions, error) && read_pictures (trial, error)
         && odl_scores_measure (&scores, trial->image, trial->image, trial->reference,
                                &trial->regions, error);
}

void
odl_trial_clear (OdlTrial *trial)
{
  g_clear_pointer (&trial->axes, g_ptr_array_unref);
  odl_trial_pictures_clear (&trial->pictures);
}

OdlRunner *
odl_trial_runner (const OdlTrial *trial, GError **error)
{
  g_autoptr (OdlRunner) runner = odl_runner_new (trial->options->process.engine, error);

  if (runner == NULL || !odl_process_read_operands (&trial->recipe, runner, error))
    return NULL;
  return g_steal_pointer (&runner);
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

  odl_measure_recipe (
      &measured,
      &(OdlMeasured){ .image = trial->pictures.volume != NULL ? trial->pictures.volume
                                                              : trial->image,
                      .operands = odl_runner_operands (runner).operands });
  *scores = odl_scores_none ();
  const bool done = run_all (trial, &run, scores, result, error);
  if (done && run.note != NULL)
    odl_report_note (trial->options->process.inputs[0], run.note);
  g_free (run.note);
  return done;
}

bool
odl_trial_has (const OdlTrial *trial, int score)
{
  return score < ODL_SCORE_FIRST_REGIONAL ? trial->reference != NULL
                                          : trial->regions.used;
}

bool
odl_trial_better (const OdlTrial *trial, double value, double other)
{
  if (isnan (value) || isnan (other))
    return !isnan (value);
  return odl_scores[trial->metric].smaller_is_better ? value < other : value > other;
}
