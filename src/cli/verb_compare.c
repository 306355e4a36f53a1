// SPDX-License-Identifier: MIT
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "base/text.h"
#include "cli/inputs.h"
#include "cli/json.h"
#include "cli/verb.h"
#include "image/compare.h"

// As cmp has it.
enum { EXIT_ALIKE = 0, EXIT_DIFFERENT = 1, EXIT_TROUBLE = 2 };

// `index` counts from 0.
static OdlImage *
open_image (const char *location, gint64 index)
{
  g_autoptr (GError) error = NULL;
  OdlImage *image = odl_input_read (location, index, NULL, NULL, &error);

  if (image == NULL)
    odl_report_error (location, error);
  return image;
}

static void
write_json (const OdlComparison *c, bool within)
{
  OdlJson json;

  odl_json_init (&json);
  odl_json_begin_object (&json, NULL);
  odl_json_bool (&json, "equal", c->differing == 0);
  odl_json_bool (&json, "within", within);
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
  odl_json_integer (&json, "differing", (gint64) c->differing);
  odl_json_integer (&json, "samples", (gint64) c->samples);
  odl_json_end_object (&json);
  odl_json_print (&json);
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

static void
print_text (const OdlComparison *c, const char *channels)
{
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
  g_print (_ ("samples that differ: %zu of %zu\n"), c->differing, c->samples);
}

static int
compare (int argc, char **argv)
{
  gboolean as_json = FALSE;
  gint64 frame = 1;
  double most = 0;
  g_auto (GStrv) inputs = NULL;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("Write JSON"), NULL },
    { "frame", 0, 0, G_OPTION_ARG_INT64, &frame, N_ ("Frame of a moving source, from 1"),
      N_ ("N") },
    { "max-difference", 'm', 0, G_OPTION_ARG_DOUBLE, &most,
      N_ ("Pictures that differ by no more than that fraction of full scale count as "
          "alike; default: 0"),
      N_ ("FRACTION") },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &inputs, NULL, NULL },
    { NULL },
  };
  const char *description
      = _ ("Differences are fractions of full scale, PSNR is 20 log10 (1 / RMS). Exit "
           "status, as of cmp: 0 alike, 1 not alike, 2 an error. A grey picture is "
           "compared with red, green and blue of one in colour, alpha only if both "
           "have it.");

  if (!odl_verb_parse (&odl_verb_compare, entries, description, &argc, &argv))
    return EXIT_TROUBLE;
  if (inputs == NULL || g_strv_length (inputs) != 2) {
    odl_report_usage (_ ("Name two pictures to compare."));
    return EXIT_TROUBLE;
  }
  if (!(most >= 0)) {
    odl_report_usage (_ ("--max-difference is a fraction of full scale, such as 0.01."));
    return EXIT_TROUBLE;
  }

  if (frame < 1) {
    odl_report_usage (_ ("Frames are counted from 1; there is no frame %" PRId64 "."),
                      frame);
    return EXIT_TROUBLE;
  }

  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) a = open_image (inputs[0], frame - 1);
  g_autoptr (OdlImage) b = a != NULL ? open_image (inputs[1], frame - 1) : NULL;
  OdlComparison comparison;
  if (b == NULL)
    return EXIT_TROUBLE;
  if (!odl_compare (a, b, &comparison, &error)) {
    odl_report_error (inputs[1], error);
    return EXIT_TROUBLE;
  }
  const bool within = comparison.max_abs <= most;
  g_autofree char *channels
      = channels_text (odl_image_info (a)->channels, odl_image_info (b)->channels);
  if (as_json && channels != NULL)
    odl_report_note (NULL, channels);
  if (as_json)
    write_json (&comparison, within);
  else
    print_text (&comparison, channels);
  return within ? EXIT_ALIKE : EXIT_DIFFERENT;
}

const OdlVerb odl_verb_compare = {
  .name = "compare",
  .arguments = "A B",
  .summary = N_ ("Say how far two pictures of the same size differ."),
  .failed = EXIT_TROUBLE,
  .run = compare,
};
