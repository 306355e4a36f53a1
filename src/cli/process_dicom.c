// SPDX-License-Identifier: MIT
#include "config.h"

#include "cli/process_dicom.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "base/error.h"
#include "cli/verb.h"
#include "source/derived.h"

#define DESCRIPTION_CHARACTERS 1024

// What was done, for people; without names of files, which may be those of persons.
static char *
describe (const OdlProcess *task, const OdlRecipe *recipe)
{
  g_autofree char *text = odl_recipe_to_text (recipe, " ");
  g_autofree char *whole
      = g_strdup_printf ("Ondelette " ODL_VERSION
                         ", for research and teaching, not for diagnosis. Recipe: %s; "
                         "engine %s",
                         text, odl_runner_engine (task->runner));

  return g_strndup (whole, DESCRIPTION_CHARACTERS);
}

static bool
suits (const OdlPicture *picture, GError **error)
{
  const OdlImageInfo *source = odl_image_info (picture->source);
  const OdlImageInfo *result = odl_image_info (picture->rows->image);

  if (picture->plan->approx_width > 0)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("DICOM files hold pictures, not coefficients. Choose PNG or "
                            "TIFF, or view the synthesis."));
  else if (result->extent.x != source->extent.x
           || picture->rows->height != source->extent.y)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("the result has another size than the picture, so that its "
                            "distances and places would be wrong. Write it as .tif."));
  else
    return true;
  return false;
}

static void
set_window (OdlDerivedParams *params, const OdlPicture *picture)
{
  const OdlImageInfo *info = odl_image_info (picture->source);

  params->window_is_chosen = picture->window.mode != ODL_WINDOW_FILE;
  params->has_window = params->window_is_chosen || info->value_map.has_window;
  if (params->has_window)
    odl_display_window (info, &picture->window, &params->window_centre,
                        &params->window_width);
}

OdlDicomFile *
odl_process_open_dicom (const OdlProcess *task,
                        const OdlJob *job,
                        const OdlSource *source,
                        const OdlPicture *picture,
                        gint64 n_frames,
                        GError **error)
{
  const OdlImageInfo *result = odl_image_info (picture->rows->image);
  const OdlRecipe recipe = odl_recipe_with_files_as (&task->recipe, "FILE");
  OdlDicomParams params = {
    .width = result->extent.x,
    .height = picture->rows->height,
    .channels = result->channels,
    .n_frames = n_frames,
    .inverse = odl_image_info (picture->source)->value_map.inverse,
    .blanks = task->blanks,
    .n_blanks = task->n_blanks,
  };

  if (!suits (picture, error)
      || !odl_dicom_samples_of (picture->source, &params.samples, error))
    return NULL;
  g_autofree char *description = describe (task, &recipe);
  g_autofree char *text = odl_recipe_to_text (&recipe, "\n");
  OdlDerivedParams derived = {
    .width = params.width,
    .height = params.height,
    .channels = params.channels,
    .bits = params.samples.bits,
    .is_signed = params.samples.is_signed,
    .first_frame = task->first,
    .n_frames = n_frames,
    // Who only removes names has the same picture afterwards.
    .filtered = !odl_recipe_is_identity (&recipe) || !task->deidentify,
    .deidentify = task->deidentify,
    .blanked = task->n_blanks > 0,
    .description = description,
    .recipe = text,
    .secret = task->secret,
  };
  set_window (&derived, picture);
  params.header = odl_derived_begin (source, &derived, error);
  if (params.header == NULL)
    return NULL;
  OdlDicomFile *file
      = odl_dicom_file_new (task->guard, job->output, &params, task->replace, error);
  g_bytes_unref (params.header);
  return file;
}

bool
odl_process_finish_dicom (const OdlJob *job, OdlDicomFile *file, GError **error)
{
  const guint64 limited = odl_dicom_file_limited (file);

  if (!odl_dicom_file_finish (file, error))
    return false;
  if (limited > 0) {
    g_autofree char *text = g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE,
                     "%" PRIu64 " value was beyond what the file can store, and was "
                     "limited to that",
                     "%" PRIu64 " values were beyond what the file can store, and were "
                     "limited to that",
                     (gulong) limited),
        limited);
    odl_report_note (job->input, text);
  }
  return true;
}

// ---- Options ----

static bool
parse_blank (const char *text, OdlBlank *blank)
{
  g_auto (GStrv) numbers = g_strsplit (text, ",", 5);
  int *const fields[] = { &blank->x, &blank->y, &blank->width, &blank->height };

  if (g_strv_length (numbers) != G_N_ELEMENTS (fields))
    return false;
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
    gint64 value = 0;
    if (!g_ascii_string_to_signed (numbers[i], 10, i < 2 ? 0 : 1, G_MAXUINT16, &value,
                                   NULL))
      return false;
    *fields[i] = (int) value;
  }
  return true;
}

bool
odl_process_parse_dicom (const OdlProcessOptions *options,
                         OdlProcess *task,
                         GError **error)
{
  const gsize n = options->blanks != NULL ? g_strv_length (options->blanks) : 0;

  odl_derived_make_secret (task->secret);
  task->deidentify = options->deidentify;
  if (!task->format->is_dicom && (task->deidentify || n > 0)) {
    g_set_error_literal (
        error, ODL_ERROR, ODL_ERROR_USAGE,
        _ ("--deidentify and --blank are for DICOM files. Name one after "
           "-o, such as out.dcm."));
    return false;
  }
  task->blanks = g_new0 (OdlBlank, n + 1);
  task->n_blanks = n;
  for (gsize i = 0; i < n; i++)
    if (!parse_blank (options->blanks[i], &task->blanks[i])) {
      g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                   _ ("--blank “%s” is no rectangle. Write X,Y,WIDTH,HEIGHT in pixels, "
                      "such as 0,0,640,48."),
                   options->blanks[i]);
      return false;
    }
  return true;
}
