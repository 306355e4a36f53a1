// SPDX-License-Identifier: MIT
#include "session/save/derived_preview.h"

#include <glib/gi18n-lib.h>

const char *const odl_derived_words[ODL_DERIVED_N_HINDRANCES] = {
  [ODL_DERIVED_COEFFICIENTS]
  = N_ ("DICOM files hold pictures, not coefficients. Choose PNG or TIFF, or view the "
        "result."),
  [ODL_DERIVED_SIZE]
  = N_ ("The result has another size than the picture, so that its distances and places "
        "would be wrong. Save it as .tif."),
  [ODL_DERIVED_LUMA]
  = N_ ("It is a video, of which parts cannot be made black while filters are used. Do "
        "one after the other."),
  [ODL_DERIVED_NO_REGIONS]
  = N_ ("It does not say which parts of it are ultrasound, so that nothing lies outside "
        "them. Draw rectangles."),
};

struct _OdlDerivedPreview {
  OdlSource *source;
  OdlImage *image, *shown;
  GArray *outside_sector; // NULL: none is found
  OdlWindow window;
};

// ---- The frame -----------------------------------------------------------------------

static void
clear (void *data)
{
  OdlDerivedPreview *preview = data;

  g_clear_pointer (&preview->source, odl_source_unref);
  g_clear_pointer (&preview->image, odl_image_unref);
  g_clear_pointer (&preview->shown, odl_image_unref);
  g_clear_pointer (&preview->outside_sector, g_array_unref);
}

void
odl_derived_preview_unref (OdlDerivedPreview *preview)
{
  if (preview != NULL)
    g_atomic_rc_box_release_full (preview, clear);
}

typedef struct {
  char *location;
  int64_t frame;
  OdlWindow window;
} Reading;

static void
reading_free (void *data)
{
  Reading *reading = data;

  g_free (reading->location);
  g_free (reading);
}

static OdlDerivedPreview *
read_frame (const Reading *reading, GCancellable *cancellable, GError **error)
{
  g_autoptr (OdlDerivedPreview) preview = g_atomic_rc_box_new0 (OdlDerivedPreview);

  preview->window = reading->window;
  preview->source = odl_source_open (reading->location, cancellable, error);
  if (preview->source == NULL || !odl_derived_is_possible (preview->source, error))
    return NULL;
  preview->image
      = odl_source_read_frame (preview->source, reading->frame, cancellable, error);
  if (preview->image == NULL)
    return NULL;
  g_autoptr (GArray) outside = g_array_new (FALSE, FALSE, sizeof (OdlBlank));
  if (odl_blank_add_outside_sector (preview->image, outside))
    preview->outside_sector = g_steal_pointer (&outside);
  const OdlDisplay display = odl_display_make (odl_image_info (preview->image),
                                               &preview->window, ODL_NO_DETAILS);
  preview->shown = odl_display_render (preview->image, &display, 8, error);
  return preview->shown != NULL ? g_steal_pointer (&preview) : NULL;
}

static void
unref_cb (void *preview)
{
  odl_derived_preview_unref (preview);
}

static void
read_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  GError *error = NULL;
  OdlDerivedPreview *preview = read_frame (data, cancellable, &error);

  if (preview != NULL)
    g_task_return_pointer (task, preview, unref_cb);
  else
    g_task_return_error (task, error);
}

void
odl_derived_preview_read (const char *location,
                          int64_t frame,
                          const OdlWindow *window,
                          GCancellable *cancellable,
                          GAsyncReadyCallback cb,
                          void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);
  Reading *reading = g_new (Reading, 1);

  *reading = (Reading){ g_strdup (location), frame, *window };
  g_task_set_task_data (task, reading, reading_free);
  g_task_run_in_thread (task, read_thread);
}

OdlDerivedPreview *
odl_derived_preview_read_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

const OdlImage *
odl_derived_preview_image (const OdlDerivedPreview *preview)
{
  return preview->image;
}

const OdlImage *
odl_derived_preview_shown (const OdlDerivedPreview *preview)
{
  return preview->shown;
}

const GArray *
odl_derived_preview_outside_sector (const OdlDerivedPreview *preview)
{
  return preview->outside_sector;
}

// ---- What remains --------------------------------------------------------------------

typedef struct {
  OdlDerivedPreview *preview;
  OdlDerivedChoice choice;
  OdlRecipe recipe;
} Reporting;

static void
reporting_free (void *data)
{
  Reporting *reporting = data;

  odl_derived_preview_unref (reporting->preview);
  g_free ((OdlBlank *) reporting->choice.blanks);
  g_free (reporting);
}

static void
report_free_cb (void *report)
{
  odl_derived_report_free (report);
}

static void
report_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  const Reporting *reporting = data;
  const OdlDerivedPreview *preview = reporting->preview;
  GError *error = NULL;
  const OdlDerivedFileParams params = {
    .source = preview->source,
    .image = preview->image,
    .recipe = &reporting->recipe,
    .window = &preview->window,
    .engine = "cpu",
    .n_frames = MAX (preview->source->info.n_frames, 1),
    .choice = &reporting->choice,
  };
  g_autoptr (GArray) blanks = odl_derived_blanks (&reporting->choice, odl_derived_words,
                                                  preview->image, &error);
  const int channels = odl_image_info (preview->image)->channels;
  OdlDerivedReport *report
      = blanks != NULL ? odl_derived_file_report (&params, blanks, channels, &error)
                       : NULL;

  if (report != NULL)
    g_task_return_pointer (task, report, report_free_cb);
  else
    g_task_return_error (task, error);
}

void
odl_derived_preview_report (OdlDerivedPreview *preview,
                            const OdlDerivedChoice *choice,
                            const OdlRecipe *recipe,
                            GCancellable *cancellable,
                            GAsyncReadyCallback cb,
                            void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);
  Reporting *reporting = g_new (Reporting, 1);

  *reporting = (Reporting){ g_atomic_rc_box_acquire (preview), *choice, *recipe };
  reporting->choice.blanks
      = g_memdup2 (choice->blanks, choice->n_blanks * sizeof *choice->blanks);
  g_task_set_task_data (task, reporting, reporting_free);
  g_task_run_in_thread (task, report_thread);
}

OdlDerivedReport *
odl_derived_preview_report_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
