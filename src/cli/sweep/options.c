// SPDX-License-Identifier: MIT
#include "cli/sweep/options.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "cli/process/process.h"
#include "source/source_files.h"

void
odl_sweep_options_fill (OdlSweepOptions *options, GOptionEntry *entries)
{
  static const char *const of_process[]
      = { "filter", "recipe", "preset", "trust-code",       "noise", "engine",
          "colour", "border", "frame",  G_OPTION_REMAINING, NULL };
  const GOptionEntry ours[] = {
    { "vary", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->vary,
      N_ ("A parameter and its values: FROM:TO:STEP, or several separated by commas; "
          "FILTER:2 is the second filter of that name; strength is that of the recipe; "
          "FILTER=NAME,NAME puts other filters in its place, each with those parameters "
          "that it has"),
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
                   == ODL_SWEEP_N_OPTIONS + 1);
  for (gsize i = 0; i < G_N_ELEMENTS (ours); i++)
    *entries++ = ours[i];
  odl_process_options_take (&options->process, of_process, entries);
}

void
odl_sweep_options_clear (OdlSweepOptions *options)
{
  odl_process_options_clear (&options->process);
  g_strfreev (options->vary);
  g_free (options->region);
  g_free (options->background);
  g_free (options->metric);
  g_free (options->frames);
}

static bool
check_options (const OdlSweepOptions *options, GError **error)
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

static void
note (const char *input, const char *message, void *data)
{
  odl_report_note (input, message);
}

bool
odl_sweep_options_read (const OdlSweepOptions *options,
                        int divisions,
                        OdlTrialParams *params,
                        GError **error)
{
  const OdlProcessOptions *process = &options->process;

  if (!check_options (options, error))
    return false;
  *params = (OdlTrialParams){
    .input = process->inputs[0],
    .vary = options->vary,
    .divisions = divisions,
    .noise = process->noise,
    .reference = process->reference,
    .region = options->region,
    .background = options->background,
    .metric = options->metric,
    .engine = process->engine,
    .frame = process->frame == ODL_FRAME_UNSAID ? 0 : process->frame,
    .frames = options->frames,
    .note = note,
  };
  return odl_process_recipe (process, &params->recipe, error);
}

GHashTable *
odl_sweep_options_files (const OdlSweepOptions *options, const OdlTrial *trial)
{
  GHashTable *files = odl_trial_files (trial);

  if (options->process.recipe != NULL)
    odl_source_files_add_path (files, options->process.recipe);
  return files;
}
