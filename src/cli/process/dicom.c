// SPDX-License-Identifier: MIT
#include "cli/process/dicom.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "cli/verb.h"

#define MOST_DAYS 36500

static const char *const words[ODL_DERIVED_N_HINDRANCES] = {
  [ODL_DERIVED_COEFFICIENTS]
  = N_ ("DICOM files hold pictures, not coefficients. Choose PNG or TIFF, or view the "
        "synthesis."),
  [ODL_DERIVED_SIZE]
  = N_ ("the result has another size than the picture, so that its distances and places "
        "would be wrong. Write it as .tif."),
  [ODL_DERIVED_LUMA]
  = N_ ("it is a video, for which --blank does not go with filters. Do one after the "
        "other."),
  [ODL_DERIVED_NO_REGIONS]
  = N_ ("it does not say which parts of it are ultrasound, so that nothing lies outside "
        "them. Give rectangles to --blank."),
  [ODL_DERIVED_NO_SECTOR]
  = N_ ("no ultrasound sector was found in it: an area of its own on an even background. "
        "Give rectangles to --blank."),
};

// One that covers nothing may be a mistake that leaves a name readable.
static bool
blanks_are_inside (const OdlProcess *task, const OdlImageInfo *source, GError **error)
{
  for (gsize i = 0; i < task->work.derived.n_blanks; i++)
    if (task->work.derived.blanks[i].x >= source->extent.x
        || task->work.derived.blanks[i].y >= source->extent.y)
      return odl_usage_error (
          error, _ ("the rectangle %d,%d,%d,%d lies outside the picture of %d×%d pixels"),
          task->work.derived.blanks[i].x, task->work.derived.blanks[i].y,
          task->work.derived.blanks[i].width, task->work.derived.blanks[i].height,
          source->extent.x, source->extent.y);
  return true;
}

GArray *
odl_process_blanks (const OdlProcess *task, OdlImage *image, GError **error)
{
  return blanks_are_inside (task, odl_image_info (image), error)
             ? odl_derived_blanks (&task->work.derived, words, image, error)
             : NULL;
}

// On standard output: what the new file says in words, and what is known of its pixels.
static bool
tell_what_remains (const OdlJob *job,
                   const OdlDerivedFileParams *params,
                   const GArray *blanks,
                   int channels,
                   GError **error)
{
  g_autoptr (OdlDerivedReport) report
      = odl_derived_file_report (params, blanks, channels, error);

  if (report == NULL)
    return false;
  g_print ("%s\n", job->output);
  for (guint i = 0; i < report->texts->len; i++) {
    const OdlDerivedText *text = g_ptr_array_index (report->texts, i);
    g_print ("  %s %s: %s\n", text->tag, text->name, text->value);
  }
  g_print ("  %s\n", report->pixels);
  return true;
}

OdlDicomFile *
odl_process_open_dicom (const OdlProcess *task,
                        const OdlJob *job,
                        const OdlSource *source,
                        const OdlPicture *picture,
                        const GArray *blanks,
                        gint64 n_frames,
                        GError **error)
{
  const OdlDerivedFileParams params = { .source = source,
                                        .image = picture->source,
                                        .recipe = &task->run.recipe,
                                        .window = &picture->window,
                                        .engine = odl_runner_engine (task->run.runner),
                                        .first = task->work.first,
                                        .n_frames = n_frames,
                                        .choice = &task->work.derived,
                                        .words = words };
  const int channels = odl_image_info (picture->rows->image)->channels;

  if (task->tell_what_remains
      && !(odl_derived_file_suits (&params, blanks, picture->plan, picture->rows, error)
           && tell_what_remains (job, &params, blanks, channels, error)))
    return NULL;
  return odl_derived_file_open (&params, blanks, picture->plan, picture->rows,
                                task->guard, job->output, task->replace, error);
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

// Names of files and folders may be those of patients.
static void
number_outputs (OdlProcess *task, const char *out)
{
  for (guint i = 0; i < task->jobs->len; i++) {
    OdlJob *job = g_ptr_array_index (task->jobs, i);
    g_free (job->output);
    job->output = g_strdup_printf ("%s/%05u%s", out, job->number + 1,
                                   task->work.format->extensions[0]);
  }
}

static bool
parse_days (const OdlProcessOptions *options, OdlProcess *task, GError **error)
{
  gint64 days = 0;

  if (options->shift_dates == NULL)
    return true;
  if (!options->deidentify)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE,
                         _ ("--shift-dates goes with --deidentify."));
  else if (!g_ascii_string_to_signed (options->shift_dates, 10, -MOST_DAYS, MOST_DAYS,
                                      &days, NULL)
           || days == 0)
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("--shift-dates “%s” is no number of days, such as -1000."),
                 options->shift_dates);
  else
    task->work.derived.days = (int) days;
  return task->work.derived.days != 0;
}

static bool
parse_compression (const OdlProcessOptions *options, OdlProcess *task, GError **error)
{
  if (options->compression == NULL)
    return true;
  if (!task->work.format->is_dicom)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--compression is for DICOM files. Name one after "
                             "-o, such as out.dcm."));
  for (int i = 0; i < ODL_DICOM_N_COMPRESSIONS; i++)
    if (strcmp (options->compression, odl_dicom_compression_name (i)) == 0) {
      task->work.derived.compression = i;
      return true;
    }
  return odl_usage_error (
      error, _ ("--compression “%s” is not known. Write none, rle or jpeg2000."),
      options->compression);
}

static bool
parse_blanks (const OdlProcessOptions *options, OdlProcess *task, GError **error)
{
  const gsize n = options->blanks != NULL ? g_strv_length (options->blanks) : 0;

  OdlBlank *blanks = g_new0 (OdlBlank, n + 1);
  task->work.derived.blanks = blanks;
  for (gsize i = 0; i < n; i++) {
    const char *text = options->blanks[i];
    if (g_str_equal (text, "regions"))
      task->work.derived.blank_outside = true;
    else if (g_str_equal (text, "sector"))
      task->work.derived.blank_outside_sector = true;
    else if (odl_blank_parse (text, &blanks[task->work.derived.n_blanks]))
      task->work.derived.n_blanks++;
    else {
      return odl_error_set (error, ODL_ERROR_USAGE,
                            _ ("--blank “%s” is no rectangle. Write X,Y,WIDTH,HEIGHT "
                               "in pixels, such as 0,0,640,48, or regions or sector."),
                            text);
    }
  }
  return true;
}

bool
odl_process_parse_dicom (const OdlProcessOptions *options,
                         OdlProcess *task,
                         GError **error)
{
  const gsize n = options->blanks != NULL ? g_strv_length (options->blanks) : 0;

  odl_derived_make_secret (task->work.derived.secret);
  task->work.derived.in_area = task->work.area != ODL_AREA_ALL;
  task->work.derived.deidentify = options->deidentify;
  task->tell_what_remains = options->report;
  if (!task->work.format->is_dicom
      && (task->work.derived.deidentify || n > 0 || options->report))
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--deidentify, --blank and --report are for DICOM "
                             "files. Name one after -o, such as out.dcm."));
  if (n > 0 && odl_recipe_is_volumetric (&task->work.asked))
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--blank does not go with filters that process all "
                             "slices together. Do one after the other."));
  if (!parse_days (options, task, error) || !parse_compression (options, task, error))
    return false;
  if (task->work.derived.deidentify
      && odl_jobs_want_folder ((const char *const *) options->inputs, options->out))
    number_outputs (task, options->out);
  if (!parse_blanks (options, task, error))
    return false;
  if (task->work.derived.deidentify && n == 0)
    odl_report_note (options->out,
                     _ ("what is written in the pixels stays, as ultrasound often has a "
                        "name there; look at each picture, and add --blank"));
  return true;
}
