// SPDX-License-Identifier: MIT
#include "cli/process/dicom.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/verb.h"
#include "source/dicom/derived_order.h"

#define MOST_DAYS 36500

// One that covers nothing may be a mistake that leaves a name readable.
static bool
blanks_are_inside (const OdlProcess *task, const OdlImageInfo *source, GError **error)
{
  for (gsize i = 0; i < task->n_blanks; i++)
    if (task->blanks[i].x >= source->extent.x || task->blanks[i].y >= source->extent.y)
      return odl_usage_error (
          error, _ ("the rectangle %d,%d,%d,%d lies outside the picture of %d×%d pixels"),
          task->blanks[i].x, task->blanks[i].y, task->blanks[i].width,
          task->blanks[i].height, source->extent.x, source->extent.y);
  return true;
}

GArray *
odl_process_blanks (const OdlProcess *task, OdlImage *image, GError **error)
{
  const OdlImageInfo *source = odl_image_info (image);
  g_autoptr (GArray) blanks = g_array_new (FALSE, FALSE, sizeof (OdlBlank));

  if (!blanks_are_inside (task, source, error))
    return NULL;
  g_array_append_vals (blanks, task->blanks, (guint) task->n_blanks);
  if (task->blanks_outside && !odl_blank_add_outside (source, blanks))
    return odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                           _ ("it does not say which parts of it are ultrasound, so that "
                              "nothing lies outside them. Give rectangles to --blank."));
  if (task->blanks_sector && !odl_blank_add_outside_sector (image, blanks))
    return odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                           _ ("no ultrasound sector was found in it: an area of its own "
                              "on an even background. Give rectangles to --blank."));
  return g_steal_pointer (&blanks);
}

static bool
suits (const OdlProcess *task,
       const OdlPicture *picture,
       const GArray *blanks,
       GError **error)
{
  const OdlImageInfo *source = odl_image_info (picture->source);
  const OdlImageInfo *result = odl_image_info (picture->rows->image);

  if (picture->plan->details.levels > 0)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("DICOM files hold pictures, not coefficients. Choose PNG or "
                            "TIFF, or view the synthesis."));
  else if (result->extent.x != source->extent.x
           || picture->rows->height != source->extent.y)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("the result has another size than the picture, so that its "
                            "distances and places would be wrong. Write it as .tif."));
  // Filters would spread what is to be hidden: of luma and chroma nothing is made black
  // before.
  else if (source->ycbcr.used && blanks->len > 0
           && !odl_recipe_is_identity (&task->recipe))
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("it is a video, for which --blank does not go with filters. "
                            "Do one after the other."));
  else
    return true;
  return false;
}

// On standard output: what the new file says in words, and what is known of its pixels.
static bool
tell_what_remains (const OdlJob *job,
                   const OdlSource *source,
                   const OdlDerivedParams *derived,
                   GError **error)
{
  g_autoptr (OdlDerivedReport) report = odl_derived_report (source, derived, error);

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
  const OdlImageInfo *result = odl_image_info (picture->rows->image);
  static const OdlDerivedCompression compressions[] = {
    [ODL_DICOM_PLAIN] = ODL_DERIVED_PLAIN,
    [ODL_DICOM_RLE] = ODL_DERIVED_RLE,
    [ODL_DICOM_JPEG_2000] = ODL_DERIVED_JPEG_2000,
  };
  // Names of files may be those of persons.
  const OdlRecipe recipe = odl_recipe_with_files_as (&task->recipe, "FILE");
  g_autofree char *line = odl_recipe_to_text (&recipe, " ");
  g_autofree char *text = odl_recipe_to_text (&recipe, "\n");
  g_auto (OdlDerivedOrder) order = { 0 };
  OdlDicomParams params = {
    .width = result->extent.x,
    .height = picture->rows->height,
    .channels = result->channels,
    .n_frames = n_frames,
    .compression = task->compression,
    .inverse = odl_image_info (picture->source)->value_map.inverse,
  };

  const char *bits = odl_source_detail (source, "bits-stored");
  params.blanks = (const OdlBlank *) blanks->data;
  params.n_blanks = blanks->len;
  if (!suits (task, picture, blanks, error)
      || !odl_dicom_samples_of (picture->source, bits != NULL ? atoi (bits) : 0,
                                &params.samples, error))
    return NULL;
  const OdlDerivedWork work = { .picture = odl_image_info (picture->source),
                                .window = &picture->window,
                                .compression = compressions[task->compression],
                                .channels = params.channels,
                                .bits = params.samples.bits,
                                .is_signed = params.samples.is_signed,
                                .first_frame = task->first,
                                .n_frames = n_frames,
                                .has_filters = !odl_recipe_is_identity (&recipe),
                                .filters = line,
                                .recipe = text,
                                .in_area = task->area != ODL_AREA_ALL,
                                .engine = odl_runner_engine (task->runner),
                                .deidentify = task->deidentify,
                                .days = task->days,
                                .blanked = blanks->len > 0,
                                .secret = task->secret };
  odl_derived_order_fill (&order, &work);
  if (task->tell_what_remains && !tell_what_remains (job, source, &order.params, error))
    return NULL;
  params.header = odl_derived_begin (source, &order.params, error);
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

// Names of files and folders may be those of patients.
static void
number_outputs (OdlProcess *task, const char *out)
{
  for (guint i = 0; i < task->jobs->len; i++) {
    OdlJob *job = g_ptr_array_index (task->jobs, i);
    g_free (job->output);
    job->output = g_strdup_printf ("%s/%05u%s", out, job->number + 1,
                                   task->format->extensions[0]);
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
    task->days = (int) days;
  return task->days != 0;
}

static bool
parse_compression (const OdlProcessOptions *options, OdlProcess *task, GError **error)
{
  if (options->compression == NULL)
    return true;
  if (!task->format->is_dicom)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--compression is for DICOM files. Name one after "
                             "-o, such as out.dcm."));
  for (int i = 0; i < ODL_DICOM_N_COMPRESSIONS; i++)
    if (strcmp (options->compression, odl_dicom_compression_name (i)) == 0) {
      task->compression = i;
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

  task->blanks = g_new0 (OdlBlank, n + 1);
  for (gsize i = 0; i < n; i++) {
    const char *text = options->blanks[i];
    if (g_str_equal (text, "regions"))
      task->blanks_outside = true;
    else if (g_str_equal (text, "sector"))
      task->blanks_sector = true;
    else if (odl_blank_parse (text, &task->blanks[task->n_blanks]))
      task->n_blanks++;
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

  odl_derived_make_secret (task->secret);
  task->deidentify = options->deidentify;
  task->tell_what_remains = options->report;
  if (!task->format->is_dicom && (task->deidentify || n > 0 || options->report))
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--deidentify, --blank and --report are for DICOM "
                             "files. Name one after -o, such as out.dcm."));
  if (n > 0 && odl_recipe_is_volumetric (&task->asked))
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--blank does not go with filters that process all "
                             "slices together. Do one after the other."));
  if (!parse_days (options, task, error) || !parse_compression (options, task, error))
    return false;
  if (task->deidentify
      && odl_jobs_want_folder ((const char *const *) options->inputs, options->out))
    number_outputs (task, options->out);
  if (!parse_blanks (options, task, error))
    return false;
  if (task->deidentify && n == 0)
    odl_report_note (options->out,
                     _ ("what is written in the pixels stays, as ultrasound often has a "
                        "name there; look at each picture, and add --blank"));
  return true;
}
