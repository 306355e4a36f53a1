// SPDX-License-Identifier: MIT
#include "config.h"

#include "cli/process_dicom.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/verb.h"
#include "source/derived.h"

#define DESCRIPTION_CHARACTERS 1024
#define MOST_DAYS 36500

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

// One that covers nothing may be a mistake that leaves a name readable.
static bool
blanks_are_inside (const OdlProcess *task, const OdlImageInfo *source, GError **error)
{
  for (gsize i = 0; i < task->n_blanks; i++)
    if (task->blanks[i].x >= source->extent.x || task->blanks[i].y >= source->extent.y) {
      g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                   _ ("the rectangle %d,%d,%d,%d lies outside the picture of %d×%d "
                      "pixels"),
                   task->blanks[i].x, task->blanks[i].y, task->blanks[i].width,
                   task->blanks[i].height, source->extent.x, source->extent.y);
      return false;
    }
  return true;
}

static bool
suits (const OdlProcess *task, const OdlPicture *picture, GError **error)
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
  else if (source->ycbcr.used && task->n_blanks > 0
           && !odl_recipe_is_identity (&task->recipe))
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("it is a video, for which --blank does not go with filters. "
                            "Do one after the other."));
  else
    return blanks_are_inside (task, source, error);
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

  const char *bits = odl_source_detail (source, "bits-stored");

  if (!suits (task, picture, error)
      || !odl_dicom_samples_of (picture->source, bits != NULL ? atoi (bits) : 0,
                                &params.samples, error))
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
    .days = task->days,
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

// ---- Rectangles ----

// The darkest pixel of a grey picture.
static const guint8 *
darkest (OdlImage *image, float *line)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlPlane *plane = &info->planes[0];
  const guint8 *found = plane->data;
  float best = 0;

  for (int y = 0; y < info->extent.y; y++) {
    odl_image_scaled_row (image, 0, y, 0, 0, line);
    for (int x = 0; x < info->extent.x; x++) {
      const float dark = info->value_map.inverse ? -line[x] : line[x];
      if ((x > 0 || y > 0) && dark >= best)
        continue;
      best = dark;
      found = (const guint8 *) plane->data + y * plane->row_stride_bytes
              + x * plane->sample_stride_bytes;
    }
  }
  return found;
}

OdlImage *
odl_process_blank (const OdlProcess *task, OdlImage *image, GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);
  const gsize size = odl_sample_size (info->type), pixel = size * info->channels;
  const gsize row = pixel * info->extent.x;
  g_autofree float *line = g_new (float, info->extent.x);
  void *samples = NULL;

  if (!odl_image_is_interleaved (image))
    return odl_image_ref (image);
  OdlImage *copy = odl_image_alloc (info, &samples, error);
  if (copy == NULL)
    return NULL;
  const guint8 *dark = info->channels == 1 ? darkest (image, line) : NULL;
  for (int y = 0; y < info->extent.y; y++) {
    guint8 *to = (guint8 *) samples + y * row;
    memcpy (to,
            (const guint8 *) info->planes[0].data + y * info->planes[0].row_stride_bytes,
            row);
    for (gsize i = 0; i < task->n_blanks; i++) {
      const OdlBlank *area = &task->blanks[i];
      if (y < area->y || y >= area->y + area->height)
        continue;
      for (int x = area->x; x < MIN (area->x + area->width, info->extent.x); x++)
        if (dark != NULL)
          memcpy (to + x * pixel, dark, size);
        else
          memset (to + x * pixel, 0, pixel);
    }
  }
  return copy;
}

// ---- Options ----

// Names of files may be those of patients.
static void
number_outputs (OdlProcess *task)
{
  for (guint i = 0; i < task->jobs->len; i++) {
    OdlJob *job = g_ptr_array_index (task->jobs, i);
    g_autofree char *folder = g_path_get_dirname (job->output);
    g_free (job->output);
    job->output
        = g_strdup_printf ("%s/%05u%s", folder, i + 1, task->format->extensions[0]);
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
  if (n > 0 && odl_recipe_is_volumetric (&task->asked)) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE,
                         _ ("--blank does not go with filters that process all slices "
                            "together. Do one after the other."));
    return false;
  }
  if (!parse_days (options, task, error))
    return false;
  if (task->deidentify
      && odl_jobs_want_folder ((const char *const *) options->inputs, options->out))
    number_outputs (task);
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
  if (task->deidentify && n == 0)
    odl_report_note (options->out,
                     _ ("what is written in the pixels stays, as ultrasound often has a "
                        "name there; look at each picture, and add --blank"));
  return true;
}
