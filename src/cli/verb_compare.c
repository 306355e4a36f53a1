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
write_json (const OdlComparison *c)
{
  OdlJson json;

  odl_json_init (&json);
  odl_json_begin_object (&json, NULL);
  odl_json_bool (&json, "equal", c->differing == 0);
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

static void
print_text (const OdlComparison *c)
{
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
  g_auto (GStrv) inputs = NULL;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("Write JSON"), NULL },
    { "frame", 0, 0, G_OPTION_ARG_INT64, &frame, N_ ("Frame of a moving source, from 1"),
      N_ ("N") },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &inputs, NULL, NULL },
    { NULL },
  };
  const char *description
      = _ ("Differences are fractions of full scale, PSNR is 20 log10 (1 / RMS).");

  if (!odl_verb_parse (&odl_verb_compare, entries, description, &argc, &argv))
    return ODL_EXIT_USAGE;
  if (inputs == NULL || g_strv_length (inputs) != 2) {
    odl_report_usage (_ ("Name two pictures to compare."));
    return ODL_EXIT_USAGE;
  }

  if (frame < 1) {
    odl_report_usage (_ ("Frames are counted from 1; there is no frame %" PRId64 "."),
                      frame);
    return ODL_EXIT_USAGE;
  }

  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) a = open_image (inputs[0], frame - 1);
  g_autoptr (OdlImage) b = a != NULL ? open_image (inputs[1], frame - 1) : NULL;
  OdlComparison comparison;
  if (b == NULL)
    return ODL_EXIT_FAILED;
  if (!odl_compare (a, b, &comparison, &error)) {
    odl_report_error (inputs[1], error);
    return ODL_EXIT_FAILED;
  }
  if (as_json)
    write_json (&comparison);
  else
    print_text (&comparison);
  return ODL_EXIT_DONE;
}

const OdlVerb odl_verb_compare = {
  .name = "compare",
  .arguments = "A B",
  .summary = N_ ("Say how far two pictures of the same size differ."),
  .run = compare,
};
