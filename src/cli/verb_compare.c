// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "base/text.h"
#include "cli/inputs.h"
#include "cli/json.h"
#include "work/sweep/score.h"
#include "cli/verb.h"
#include "image/compare.h"

// As cmp has it.
enum { EXIT_ALIKE = 0, EXIT_DIFFERENT = 1, EXIT_TROUBLE = 2 };

// What was measured: `c` as a whole; the scores of A against B, and of B's regions.
typedef struct {
  OdlComparison c;
  OdlScores a, b;
  bool regions;
  bool within;
} Found;

// `index` counts from 0. `any`: a still is taken for whatever frame.
static OdlImage *
open_image (const char *location, gint64 index, bool any)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (location, NULL, &error);
  OdlImage *image = NULL;

  if (source != NULL && any && !odl_source_is_moving (source))
    index = 0;
  if (source != NULL)
    image = odl_input_read_from (source, location, index, NULL, NULL, &error);
  if (image == NULL)
    odl_report_error (location, error);
  return image;
}

static void
write_regions (OdlJson *json, const char *key, const OdlScores *scores)
{
  odl_json_begin_object (json, key);
  for (int i = ODL_SCORE_FIRST_REGIONAL; i < ODL_N_SCORES; i++)
    odl_json_number (json, odl_scores[i].name, scores->values[i]);
  odl_json_end_object (json);
}

static void
write_json (const Found *found)
{
  const OdlComparison *c = &found->c;
  OdlJson json;

  odl_json_init (&json);
  odl_json_begin_object (&json, NULL);
  odl_json_bool (&json, "equal", c->differing == 0);
  odl_json_bool (&json, "within", found->within);
  odl_json_integer (&json, "channels", c->channels);
  odl_json_number (&json, "max", c->max_abs);
  odl_json_begin_object (&json, "max_at");
  odl_json_integer (&json, "x", c->max_x);
  odl_json_integer (&json, "y", c->max_y);
  odl_json_integer (&json, "channel", c->max_channel);
  odl_json_end_object (&json);
  odl_json_number (&json, "rms", c->rms);
  odl_json_number (&json, "psnr_db", c->psnr_db);
  odl_json_number (&json, "ssim", c->ssim);
  odl_json_number (&json, "mse", found->a.values[ODL_SCORE_MSE]);
  odl_json_number (&json, "edges", found->a.values[ODL_SCORE_EDGES]);
  if (found->regions) {
    write_regions (&json, "regions_of_a", &found->a);
    write_regions (&json, "regions_of_b", &found->b);
  }
  odl_json_integer (&json, "differing", (gint64) c->differing);
  odl_json_integer (&json, "samples", (gint64) c->samples);
  odl_json_end_object (&json);
  odl_json_print (&json);
}

static void
add_cells (GString *names, GString *row, const Found *found)
{
  for (int i = 0; i < ODL_N_SCORES; i++) {
    const bool regional = i >= ODL_SCORE_FIRST_REGIONAL;
    g_autofree char *of_a = odl_score_to_cell (found->a.values[i]);
    g_autofree char *of_b = odl_score_to_cell (found->b.values[i]);
    if (regional && !found->regions)
      continue;
    g_string_append_printf (names, regional ? ",%s_of_a,%s_of_b" : ",%s",
                            odl_scores[i].name, odl_scores[i].name);
    g_string_append_printf (row, regional ? ",%s,%s" : ",%s", of_a, of_b);
  }
}

// A line of names and one of values.
static void
print_csv (const Found *found)
{
  g_autoptr (GString) names = g_string_new ("differing,samples,max,rms");
  g_autoptr (GString) row = g_string_new (NULL);
  g_autofree char *most = odl_score_to_cell (found->c.max_abs);
  g_autofree char *rms = odl_score_to_cell (found->c.rms);

  g_string_append_printf (row, "%zu,%zu,%s,%s", found->c.differing, found->c.samples,
                          most, rms);
  add_cells (names, row, found);
  g_print ("%s\n%s\n", names->str, row->str);
}

// `format` is for a double in the C locale.
static void
print_number (const char *label, const char *format, double value, const char *unit)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (buffer, sizeof buffer, format, value);
  g_print ("%s: %s%s\n", label, isfinite (value) ? buffer : _ ("infinite"), unit);
}

// Which channels were omitted or used several times; NULL: none. Transfer full.
static char *
channels_text (int of_a, int of_b)
{
  if (of_a == of_b)
    return NULL;
  const char *what = MIN (of_a, of_b) == 1
                         ? _ ("the grey picture against red, green and blue of the other")
                         : _ ("red, green and blue");
  return MAX (of_a, of_b) == 4
             // Translators: which channels of two pictures are compared.
             ? g_strdup_printf (_ ("compared: %s; alpha is left out"), what)
             : g_strdup_printf (_ ("compared: %s"), what);
}

// A number for people, in the C locale.
static const char *
format_score (int score, double value, char buffer[G_ASCII_DTOSTR_BUF_SIZE])
{
  if (!isfinite (value))
    return isnan (value) ? _ ("not defined") : _ ("infinite");
  return g_ascii_formatd (buffer, G_ASCII_DTOSTR_BUF_SIZE, odl_scores[score].format,
                          value);
}

static void
print_scores (const Found *found)
{
  char of_a[G_ASCII_DTOSTR_BUF_SIZE], of_b[G_ASCII_DTOSTR_BUF_SIZE];

  for (int i = ODL_SCORE_MSE; i < ODL_SCORE_FIRST_REGIONAL; i++)
    g_print ("%s: %s\n", _ (odl_scores[i].label),
             format_score (i, found->a.values[i], of_a));
  for (int i = ODL_SCORE_FIRST_REGIONAL; found->regions && i < ODL_N_SCORES; i++)
    // Translators: a measure such as CNR, and its value in each of two pictures.
    g_print (_ ("%s: %s in A, %s in B\n"), _ (odl_scores[i].label),
             format_score (i, found->a.values[i], of_a),
             format_score (i, found->b.values[i], of_b));
}

static void
print_text (const Found *found, const char *channels)
{
  const OdlComparison *c = &found->c;

  if (channels != NULL)
    g_print ("%s\n", channels);
  if (c->differing == 0)
    g_print ("%s\n", _ ("The pictures are equal."));
  print_number (_ ("largest difference"), "%.6g", c->max_abs, "");
  if (c->differing > 0)
    g_print (_ ("    at x %d, y %d, channel %d\n"), c->max_x, c->max_y, c->max_channel);
  print_number (_ ("RMS difference"), "%.6g", c->rms, "");
  print_number (_ ("PSNR"), "%.2f", c->psnr_db, isfinite (c->psnr_db) ? " dB" : "");
  print_number (_ ("SSIM"), "%.5f", c->ssim, "");
  print_scores (found);
  g_print (_ ("samples that differ: %zu of %zu\n"), c->differing, c->samples);
}

typedef struct {
  gboolean as_json, as_csv, formulas;
  gint64 frame;
  double most;
  char *region, *background;
  char **inputs;
} Options;

static void
clear_options (Options *options)
{
  g_free (options->region);
  g_free (options->background);
  g_strfreev (options->inputs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, clear_options)

// Whether what was typed can be done; says what cannot.
static bool
check (const Options *options)
{
  if (options->inputs == NULL || g_strv_length (options->inputs) != 2)
    odl_report_usage (_ ("Name two pictures to compare."));
  else if (!(options->most >= 0))
    odl_report_usage (_ ("--max-difference is a fraction of full scale, such as 0.01."));
  else if (options->frame < 1)
    odl_report_usage (_ ("Frames are counted from 1; there is no frame %" PRId64 "."),
                      options->frame);
  else if (options->as_json && options->as_csv)
    odl_report_usage (_ ("Choose one of --json and --csv."));
  else
    return true;
  return false;
}

static bool
parse (Options *options, int argc, char **argv)
{
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &options->as_json, N_ ("Write JSON"), NULL },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &options->as_csv, N_ ("Write CSV"), NULL },
    { "frame", 0, 0, G_OPTION_ARG_INT64, &options->frame,
      N_ ("Frame of moving sources, from 1; a still B is for any frame"), N_ ("N") },
    { "max-difference", 'm', 0, G_OPTION_ARG_DOUBLE, &options->most,
      N_ ("Pictures that differ by no more than that fraction of full scale count as "
          "alike; default: 0"),
      N_ ("FRACTION") },
    { "region", 0, 0, G_OPTION_ARG_STRING, &options->region,
      N_ ("An ellipse, by the rectangle around it: its contrast to the background"),
      "X,Y,WIDTH,HEIGHT" },
    { "background", 0, 0, G_OPTION_ARG_STRING, &options->background,
      N_ ("An ellipse of what the region stands out from, with speckle or noise alone"),
      "X,Y,WIDTH,HEIGHT" },
    { "formulas", 0, 0, G_OPTION_ARG_NONE, &options->formulas,
      N_ ("Print the formulas, after the numbers if two pictures are named"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->inputs, NULL,
      NULL },
    { NULL },
  };
  const char *description = _ (
      "Differences are fractions of full scale, PSNR is 20 log10 (1 / RMS). Exit status, "
      "as of cmp: 0 alike, 1 not alike, 2 an error. A grey picture is compared with red, "
      "green and blue of one in colour, alpha only if both have it.");

  return odl_verb_parse (&odl_verb_compare, entries, description, argc, argv);
}

static bool
measure (const OdlImage *a,
         const OdlImage *b,
         const OdlScoreRegions *regions,
         Found *found,
         GError **error)
{
  found->regions = regions->used;
  found->a = found->b = odl_scores_none ();
  return odl_scores_compare (&found->a, a, b, &found->c, error)
         && odl_score_regions_check (regions, &odl_image_info (a)->extent, error)
         && odl_scores_contrast (&found->a, a, a, regions, error)
         && odl_scores_contrast (&found->b, b, b, regions, error);
}

static void
print_formulas (void)
{
  for (int i = 0; i < ODL_N_SCORES; i++)
    g_print ("%s\n", _ (odl_scores[i].formula));
}

static int
compare (int argc, char **argv)
{
  g_auto (Options) options = { .frame = 1 };
  g_autoptr (GError) error = NULL;
  OdlScoreRegions regions;
  Found found = { 0 };

  if (!parse (&options, argc, argv))
    return EXIT_TROUBLE;
  if (options.formulas && options.inputs == NULL) {
    print_formulas ();
    return EXIT_ALIKE;
  }
  if (!check (&options))
    return EXIT_TROUBLE;
  if (!odl_score_regions_parse (options.region, options.background, &regions, &error)) {
    odl_report_error (NULL, error);
    return EXIT_TROUBLE;
  }
  g_autoptr (OdlImage) a = open_image (options.inputs[0], options.frame - 1, false);
  g_autoptr (OdlImage) b
      = a != NULL ? open_image (options.inputs[1], options.frame - 1, true) : NULL;
  if (b == NULL)
    return EXIT_TROUBLE;
  if (!measure (a, b, &regions, &found, &error)) {
    odl_report_error (options.inputs[1], error);
    return EXIT_TROUBLE;
  }
  found.within = found.c.max_abs <= options.most;
  g_autofree char *channels
      = channels_text (odl_image_info (a)->channels, odl_image_info (b)->channels);
  if ((options.as_json || options.as_csv) && channels != NULL)
    odl_report_note (NULL, channels);
  if (options.as_json)
    write_json (&found);
  else if (options.as_csv)
    print_csv (&found);
  else
    print_text (&found, channels);
  if (options.formulas && !options.as_json && !options.as_csv)
    print_formulas ();
  return found.within ? EXIT_ALIKE : EXIT_DIFFERENT;
}

const OdlVerb odl_verb_compare = {
  .name = "compare",
  .arguments = "A B",
  .summary = N_ ("Say how far two pictures of the same size differ."),
  .failed = EXIT_TROUBLE,
  .run = compare,
};
