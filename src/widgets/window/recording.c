// SPDX-License-Identifier: MIT
#include "widgets/window/recording.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "base/error.h"
#include "session/save/exporter.h"
#include "session/save/recorder.h"
#include "widgets/diagnostics.h"
#include "widgets/window/parts.h"
#include "widgets/window/files/save_dialog.h"

#define SHOW_MS 250

// Limit for one gap: frames missing because a camera was disconnected do not count as
// dropped.
#define MAX_MISSED 1000

// Most characters of a file name that are shown.
#define NAME_CHARS 40

struct _OdlRecording {
  const OdlWindowParts *parts;
  GtkWidget *recording_box;
  GtkLabel *recording_label;
  GtkWidget *exporting_box;
  GtkLabel *exporting_label;
  GtkProgressBar *exporting_bar;
  OdlRecorder *recorder; // NULL: nothing is being recorded
  OdlExporter *exporter; // NULL: nothing is being exported
  int64_t exported_first;
  char *exported; // location of what is exported
  bool values; // a volume is exported
  bool saves; // one DICOM file: it was asked for by “Save as DICOM”
  GtkWindow *stop_question; // see odl_recording_asks_to_stop; NULL: none
  guint show_id;
  OdlSession *session; // of the pane that is recorded; NULL: none
  OdlViewport *viewport; // likewise, borrowed
  gulong frames_handler; // gives frames to the recorder; 0: the canvas does
  // The last frame that was recorded.
  guint64 source_serial;
  guint64 arrival;
  int64_t index;
};

static char *
short_name (OdlRecording *self, const char *path, int64_t first)
{
  g_autofree char *base = odl_save_format_name (path, first);
  g_autofree char *shown
      = odl_names_of_file (odl_names_of (self->parts->session), path, base);
  return odl_diagnostics_short_name (shown, NAME_CHARS);
}

// ---- how far they are ----------------------------------------------------------------

static void
show_recording (OdlRecording *self)
{
  const OdlRecorderState state = odl_recorder_state (self->recorder);
  g_autofree char *text
      = odl_diagnostics_recording (state.elapsed_ns, state.bytes, state.dropped);
  gtk_label_set_text (self->recording_label, text);
}

static void
show_exporting (OdlRecording *self)
{
  const OdlExporterState state = odl_exporter_state (self->exporter);
  g_autofree char *text = state.filtering >= 0
                              ? odl_diagnostics_filtering (state.filtering)
                              : odl_diagnostics_exporting (state.written, state.total);
  gtk_label_set_text (self->exporting_label, text);
  if (state.filtering >= 0)
    gtk_progress_bar_set_fraction (self->exporting_bar, CLAMP (state.filtering, 0, 1));
  else if (state.total > 0)
    gtk_progress_bar_set_fraction (self->exporting_bar,
                                   (double) state.written / (double) state.total);
  else
    gtk_progress_bar_pulse (self->exporting_bar);
}

static gboolean
show_cb (void *data)
{
  OdlRecording *self = data;
  if (self->recorder)
    show_recording (self);
  if (self->exporter)
    show_exporting (self);
  return G_SOURCE_CONTINUE;
}

static void
update (OdlRecording *self)
{
  const bool busy = self->recorder || self->exporter;
  gtk_widget_set_visible (self->recording_box, self->recorder != NULL);
  gtk_widget_set_visible (self->exporting_box, self->exporter != NULL);
  if (busy && !self->show_id)
    self->show_id = g_timeout_add (SHOW_MS, show_cb, self);
  else if (!busy)
    g_clear_handle_id (&self->show_id, g_source_remove);
  if (busy)
    show_cb (self);
  odl_recording_update_actions (self);
}

// ---- recording -----------------------------------------------------------------------

static void
captured_cb (OdlImage *image, void *data)
{
  OdlRecording *self = data;
  if (self->recorder)
    odl_recorder_add (self->recorder, image);
}

// A camera counts the frames that it sends; of other sources the frames that arrived but
// were not processed count as dropped.
static int64_t
count_missed (OdlRecording *self, const OdlFrame *frame)
{
  if (frame->source_serial != self->source_serial)
    return 0;
  const int64_t steps = odl_session_info (self->session)->capture
                            ? frame->index - self->index
                            : (int64_t) (frame->arrival - self->arrival);
  return CLAMP (steps - 1, 0, MAX_MISSED);
}

// Another frame, or the same one with other filters.
static void
frame_ready_cb (OdlRecording *self)
{
  OdlFrame *frame = odl_session_frame (self->session);
  if (!self->recorder || !frame)
    return;
  for (int64_t i = count_missed (self, frame); i > 0; i--)
    odl_recorder_add (self->recorder, NULL);
  const bool is_new
      = frame->source_serial != self->source_serial || frame->arrival != self->arrival;
  const int64_t time_us = is_new && self->source_serial > 0 && frame->arrived_us > 0
                              ? frame->arrived_us
                              : g_get_monotonic_time ();
  const OdlWindow window = odl_viewport_window (self->viewport);
  g_autoptr (OdlDetailMeasuring) details
      = odl_viewport_details (self->viewport, &frame->recipe);
  odl_recorder_add_frame (self->recorder, frame, &window, details, time_us * 1000);
  self->source_serial = frame->source_serial;
  self->arrival = frame->arrival;
  self->index = frame->index;
}

static bool
records_frames (OdlRecording *self)
{
  g_autofree char *what
      = odl_settings_get_string (self->parts->settings, "record-frames");
  return g_str_equal (what, "processed")
         && odl_playback_is_moving (self->parts->playback);
}

static void
start_capture (OdlRecording *self)
{
  g_set_object (&self->session, self->parts->session);
  self->viewport = self->parts->viewport;
  self->parts->state->recorded = self->viewport;
  if (!records_frames (self)) {
    odl_viewport_set_capture (self->viewport, captured_cb, self);
    return;
  }
  self->source_serial = 0;
  self->frames_handler = g_signal_connect_swapped (self->session, "frame-ready",
                                                   G_CALLBACK (frame_ready_cb), self);
  frame_ready_cb (self);
}

static void
stop_capture (OdlRecording *self)
{
  if (!self->session)
    return;
  g_clear_signal_handler (&self->frames_handler, self->session);
  odl_viewport_set_capture (self->viewport, NULL, NULL);
  g_clear_object (&self->session);
  self->viewport = NULL;
  self->parts->state->recorded = NULL;
}

// Only a complete video becomes a recent file.
static void
remember (OdlRecording *self, const char *path, const GError *error)
{
  if (!error && g_file_test (path, G_FILE_TEST_IS_REGULAR))
    odl_files_remember (self->parts->files, path);
}

static void
say_written (OdlRecording *self, const char *text, const char *path, const GError *error)
{
  if (error)
    odl_messages_say (self->parts->messages, text);
  else
    odl_messages_say_of_file (self->parts->messages, text, path);
}

static void
recorded_cb (const char *path, const GError *error, void *data)
{
  OdlRecording *self = data;
  stop_capture (self);
  g_autofree char *name = short_name (self, path, 0);
  g_autofree char *text = NULL;
  const OdlRecorderState state = odl_recorder_state (self->recorder);
  if (error)
    text = g_strdup (error->message);
  else if (state.dropped > 0)
    text = g_strdup_printf (
        g_dngettext (
            GETTEXT_PACKAGE,
            "Saved “%s”; %" PRId64 " picture was dropped because the computer was busy",
            "Saved “%s”; %" PRId64 " pictures were dropped because the computer was busy",
            (gulong) state.dropped),
        name, state.dropped);
  else
    text = g_strdup_printf (_ ("Saved “%s”"), name);
  remember (self, path, error);
  say_written (self, text, path, error); // its path goes next
  g_clear_pointer (&self->recorder, odl_recorder_free);
  self->parts->state->recording = false;
  update (self);
}

static void
start_recording (GFile *file, OdlSaveWhat what, void *data)
{
  OdlRecording *self = data;
  g_autofree char *path = NULL;
  OdlRecorderParams params = { 0 };
  params.format = odl_save_dialog_format (self->parts, file, &path, &params.replace);
  if (params.format.volume != ODL_VOLUME_NONE) {
    odl_messages_say (self->parts->messages,
                      _ ("A recording is a video or numbered pictures. Choose a name "
                         "that ends with .mp4, .mkv or .png."));
    return;
  }
  if (self->recorder || odl_files_is_shown (self->parts, path))
    return;
  const char *word = odl_names_word (odl_names_of (self->parts->session));
  const OdlRecipe told
      = odl_recipe_with_files_as (odl_session_recipe (self->parts->session), word);
  g_autofree char *recipe = odl_recipe_to_text (&told, " ");
  g_autofree char *description = g_strdup_printf (
      "recording; recipe at the beginning %s; not for diagnostic use", recipe);
  params.path = path;
  params.description = description;
  params.frames = records_frames (self);
  if (params.frames)
    params.colorimetry = odl_session_detail (self->parts->session, "colorimetry");
  self->recorder = odl_recorder_new (&params, recorded_cb, self);
  self->parts->state->recording = true;
  odl_recorder_hide_files (self->recorder, word);
  start_capture (self);
  update (self);
}

static void
record_cb (OdlRecording *self, GVariant *parameter)
{
  if (self->recorder) {
    stop_capture (self);
    odl_recorder_finish (self->recorder);
    return;
  }
  odl_save_dialog_ask (self->parts, _ ("Record"), true, start_recording, self);
}

// ---- exporting -----------------------------------------------------------------------

static void
exported_cb (const char *path, const GError *error, void *data)
{
  OdlRecording *self = data;
  const OdlExporterState state = odl_exporter_state (self->exporter);
  g_autofree char *name = short_name (self, path, self->exported_first);
  g_autofree char *text = NULL;
  if (g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED))
    text = g_strdup (_ ("Export cancelled"));
  else if (error)
    text = g_strdup (error->message);
  else if (state.damaged > 0 && self->values)
    text = g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE,
                     "Exported “%s”; %" PRId64
                     " slice is damaged, there are no numbers (NaN) in its place",
                     "Exported “%s”; %" PRId64
                     " slices are damaged, there are no numbers (NaN) in their places",
                     (gulong) state.damaged),
        name, state.damaged);
  else if (state.damaged > 0)
    text = g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE,
                     "Exported “%s”; %" PRId64
                     " frame is damaged, a cross stands in its place",
                     "Exported “%s”; %" PRId64
                     " frames are damaged, crosses stand in their places",
                     (gulong) state.damaged),
        name, state.damaged);
  else if (state.limited > 0)
    text = g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE,
                     "Exported “%s”; %" PRId64
                     " value was beyond what the file can store, and was limited to that",
                     "Exported “%s”; %" PRId64
                     " values were beyond what the file can store, and were limited to "
                     "that",
                     (gulong) state.limited),
        name, state.limited);
  else
    text = g_strdup_printf (self->saves ? _ ("Saved “%s”") : _ ("Exported “%s”"), name);
  remember (self, path, error);
  if (self->saves && !error)
    odl_window_remember_derived (self->parts, self->exported, path);
  say_written (self, text, path, error); // its path goes next
  g_clear_pointer (&self->exporter, odl_exporter_free);
  if (self->stop_question) // which has answered itself
    gtk_window_close (self->stop_question);
  update (self);
}

// What is shown, with its filters and grey levels.
static OdlExporterParams
params_of_picture (OdlRecording *self)
{
  const OdlFrame *frame = odl_session_frame (self->parts->session);

  return (OdlExporterParams){
    .location = odl_session_info (self->parts->session)->location,
    .recipe = *odl_session_recipe (self->parts->session),
    .files_as = odl_names_word (odl_names_of (self->parts->session)),
    .operands = odl_session_operands (self->parts->session),
    .window = odl_viewport_window (self->parts->viewport),
    .default_rate = odl_playback_frame_rate (self->parts->playback),
    // Before the first picture the default engine is used.
    .engine = frame ? (OdlEngineChoice){ frame->engine, frame->variant }
                    : (OdlEngineChoice){ odl_engine_find ("cpu"), NULL },
  };
}

static void
begin_export (OdlRecording *self, OdlExporterParams *params)
{
  g_autoptr (OdlDetailMeasuring) details
      = odl_viewport_details (self->parts->viewport, &params->recipe);
  params->details = details;
  self->exported_first = params->rendering ? 0 : params->first;
  self->values = params->format.volume != ODL_VOLUME_NONE;
  self->saves = params->derived != NULL;
  g_free (self->exported);
  self->exported = g_strdup (params->location);
  self->exporter = odl_exporter_new (params, exported_cb, self);
  update (self);
}

// Of volumes over time it is those that the range begins or ends in, as a whole.
static void
take_range (OdlRecording *self, OdlExporterParams *params)
{
  const OdlPlayRange range = odl_playback_range (self->parts->playback);
  const int64_t n = odl_session_info (self->parts->session)->n_slices;
  int64_t end = range.last + 1;
  params->first = range.first;
  if (params->format.volume != ODL_VOLUME_NONE && n > 0
      && range.first / n != range.last / n) {
    params->first -= range.first % n;
    end += n - 1 - range.last % n;
  }
  params->count = end - params->first;
}

static void
start_export (GFile *file, OdlSaveWhat what, void *data)
{
  OdlRecording *self = data;
  g_autofree char *path = NULL;
  OdlExporterParams params = params_of_picture (self);
  params.format = odl_save_dialog_format (self->parts, file, &path, &params.replace);
  params.path = path;
  if (self->exporter || odl_files_is_shown (self->parts, path))
    return;
  if (what.range)
    take_range (self, &params);
  // Values are those of slices in any case.
  OdlRenderScene scene;
  if (what.rendered && params.format.volume == ODL_VOLUME_NONE)
    params.rendering = &scene;
  if (params.rendering && !odl_viewport_rendered (self->parts->viewport, &scene))
    odl_messages_say (
        self->parts->messages,
        _ ("The rendered view is no longer shown. Show it, and export it again."));
  else
    begin_export (self, &params);
}

void
odl_recording_export_derived (OdlRecording *self, const OdlDerivedExport *derived)
{
  OdlExporterParams params = params_of_picture (self);
  params.location = derived->location;
  params.first = derived->first;
  params.count = derived->count;
  params.derived = derived->choice;
  params.path = derived->path;
  params.replace = derived->replace;
  if (!self->exporter && !odl_files_is_shown (self->parts, derived->path))
    begin_export (self, &params);
}

static void
export_cb (OdlRecording *self, GVariant *parameter)
{
  const char *title = !odl_playback_range (self->parts->playback).whole
                          ? _ ("Export Frames")
                          : _ ("Export All Frames");
  odl_save_dialog_ask (self->parts, title, false, start_export, self);
}

static void
cancel_export_cb (OdlRecording *self, GVariant *parameter)
{
  if (self->exporter)
    odl_exporter_cancel (self->exporter);
}

static gboolean
end_cb (void *data)
{
  odl_main_window_end (data);
  return G_SOURCE_REMOVE;
}

// Ends in an idle callback: closing the window destroys the question, whose signal is
// still being emitted.
static void
answered_cb (OdlRecording *self, const char *answer)
{
  if (g_str_equal (answer, "stop"))
    g_idle_add_full (G_PRIORITY_DEFAULT, end_cb, g_object_ref (self->parts->window),
                     g_object_unref);
}

bool
odl_recording_asks_to_stop (OdlRecording *self)
{
  if (!self->exporter)
    return false;
  if (!self->stop_question) {
    GtkWidget *widget = adw_message_dialog_new (
        GTK_WINDOW (self->parts->window), _ ("Stop Exporting?"),
        _ ("Not all frames are written yet. A video or a volume that is not complete is "
           "not kept."));
    AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);
    adw_message_dialog_add_responses (dialog, "go-on", _ ("_Keep Exporting"), "stop",
                                      _ ("_Stop and Close"), NULL);
    adw_message_dialog_set_response_appearance (dialog, "stop", ADW_RESPONSE_DESTRUCTIVE);
    adw_message_dialog_set_default_response (dialog, "go-on");
    adw_message_dialog_set_close_response (dialog, "go-on");
    odl_window_connect (self->parts, dialog, "response", G_CALLBACK (answered_cb), self);
    g_set_weak_pointer (&self->stop_question, GTK_WINDOW (dialog));
  }
  gtk_window_present (self->stop_question);
  return true;
}

// With a path instead of the dialog, for tests and scripts.
static void
record_to_cb (void *data, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));
  start_recording (file, (OdlSaveWhat){ 0 }, data);
}

static void
export_to_cb (void *data, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));
  start_export (file, (OdlSaveWhat){ 0 }, data);
}

static void
export_range_to_cb (void *data, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));
  start_export (file, (OdlSaveWhat){ .range = true }, data);
}

void
odl_recording_update_actions (OdlRecording *self)
{
  const OdlWindowParts *parts = self->parts;
  const bool picture = odl_window_shows_picture (parts);
  const bool ends = picture && odl_window_has_frames (parts);
  odl_window_enable (parts, "record", picture || self->recorder);
  odl_window_enable (parts, "record-to", picture && !self->recorder);
  odl_window_enable (parts, "export", ends && !self->exporter);
  odl_window_enable (parts, "export-to", ends && !self->exporter);
  odl_window_enable (parts, "export-range-to", ends && !self->exporter);
  odl_window_enable (parts, "cancel-export", self->exporter != NULL);
}

void
odl_recording_names_changed (OdlRecording *self)
{
  if (self->recorder)
    odl_recorder_hide_files (self->recorder,
                             odl_names_word (odl_names_of (self->parts->session)));
}

void
odl_recording_end (OdlRecording *self)
{
  if (self->recorder)
    stop_capture (self);
  g_clear_handle_id (&self->show_id, g_source_remove);
  g_clear_pointer (&self->recorder, odl_recorder_free);
  self->parts->state->recording = false;
  g_clear_pointer (&self->exporter, odl_exporter_free);
  g_clear_weak_pointer (&self->stop_question);
}

// It may be asked for again between the unmapping and the end of the window.
static void
recording_free (void *data)
{
  OdlRecording *self = data;
  g_clear_handle_id (&self->show_id, g_source_remove);
  g_free (self->exported);
  g_free (self);
}

OdlRecording *
odl_recording_new (const OdlWindowParts *parts)
{
  static const OdlWindowAction entries[] = {
    { "record", G_CALLBACK (record_cb) },
    { "record-to", G_CALLBACK (record_to_cb), "s" },
    { "export", G_CALLBACK (export_cb) },
    { "export-to", G_CALLBACK (export_to_cb), "s" },
    { "export-range-to", G_CALLBACK (export_range_to_cb), "s" },
    { "cancel-export", G_CALLBACK (cancel_export_cb) },
  };
  OdlRecording *self = g_new (OdlRecording, 1);
  *self = (OdlRecording){
    .parts = parts,
    .recording_box = odl_window_child (parts, "recording"),
    .recording_label = odl_window_child (parts, "recording_label"),
    .exporting_box = odl_window_child (parts, "exporting"),
    .exporting_label = odl_window_child (parts, "exporting_label"),
    .exporting_bar = odl_window_child (parts, "exporting_bar"),
  };
  odl_window_add_actions (parts, entries, G_N_ELEMENTS (entries), self);
  odl_window_own (parts, "odl-recording", self, recording_free);
  return self;
}
