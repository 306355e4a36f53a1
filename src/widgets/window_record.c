// SPDX-License-Identifier: MIT
// Recording what the canvas shows, and exporting all frames of a source.
#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "base/error.h"
#include "config.h"
#include "widgets/diagnostics.h"
#include "widgets/window_private.h"

#define SHOW_MS 250

// Neither can be named with a sign that GTK's mnemonics would take.
#define NAME_CHARS 40

static char *
short_name (const char *path)
{
  g_autofree char *base = g_filename_display_basename (path);
  return odl_diagnostics_short_name (base, NAME_CHARS);
}

// ---- how far they are ----------------------------------------------------------------

static void
show_recording (OdlMainWindow *self)
{
  const OdlRecorderState state = odl_recorder_state (self->recorder);
  g_autofree char *text
      = odl_diagnostics_recording (state.elapsed_ns, state.bytes, state.dropped);
  gtk_label_set_text (self->recording_label, text);
}

static void
show_exporting (OdlMainWindow *self)
{
  const OdlExporterState state = odl_exporter_state (self->exporter);
  g_autofree char *text = odl_diagnostics_exporting (state.written, state.total);
  gtk_label_set_text (self->exporting_label, text);
  if (state.total > 0)
    gtk_progress_bar_set_fraction (self->exporting_bar,
                                   (double) state.written / (double) state.total);
  else
    gtk_progress_bar_pulse (self->exporting_bar);
}

static gboolean
show_cb (void *data)
{
  OdlMainWindow *self = data;
  if (self->recorder)
    show_recording (self);
  if (self->exporter)
    show_exporting (self);
  return G_SOURCE_CONTINUE;
}

static void
update (OdlMainWindow *self)
{
  const bool busy = self->recorder || self->exporter;
  gtk_widget_set_visible (self->recording, self->recorder != NULL);
  gtk_widget_set_visible (self->exporting, self->exporter != NULL);
  if (busy && !self->record_id)
    self->record_id = g_timeout_add (SHOW_MS, show_cb, self);
  else if (!busy)
    g_clear_handle_id (&self->record_id, g_source_remove);
  if (busy)
    show_cb (self);
  odl_main_window_update_record_actions (self);
}

// ---- recording -----------------------------------------------------------------------

static void
captured_cb (OdlImage *image, void *data)
{
  OdlMainWindow *self = data;
  if (self->recorder)
    odl_recorder_add (self->recorder, image);
}

static void
stop_capture (OdlMainWindow *self)
{
  odl_viewport_set_capture (self->viewport, NULL, NULL);
}

static void
recorded_cb (const char *path, const GError *error, void *data)
{
  OdlMainWindow *self = data;
  stop_capture (self);
  g_autofree char *name = short_name (path);
  g_autofree char *text = NULL;
  const OdlRecorderState state = odl_recorder_state (self->recorder);
  if (error)
    text = g_strdup (error->message);
  else if (state.dropped > 0)
    text = g_strdup_printf (
        g_dngettext (
            GETTEXT_PACKAGE,
            "Saved “%s”; %" PRId64 " picture was dropped because the encoder was busy",
            "Saved “%s”; %" PRId64 " pictures were dropped because the encoder was busy",
            (gulong) state.dropped),
        name, state.dropped);
  else
    text = g_strdup_printf (_ ("Saved “%s”"), name);
  g_clear_pointer (&self->recorder, odl_recorder_free);
  update (self);
  odl_main_window_say (self, text);
}

// Matroska is what is written, whatever the name.
static char *
path_with_ending (GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  if (!path)
    return NULL;
  g_autofree char *lower = g_ascii_strdown (path, -1);
  const bool good = g_str_has_suffix (lower, ".mkv") || g_str_has_suffix (lower, ".png");
  return good ? g_steal_pointer (&path) : g_strconcat (path, ".mkv", NULL);
}

static void
say_not_here (OdlMainWindow *self)
{
  odl_main_window_say (self, _ ("Videos can only be written on this computer. Choose a "
                                "folder of it."));
}

static void
start_recording (OdlMainWindow *self, GFile *file)
{
  g_autofree char *path = path_with_ending (file);
  if (!path) {
    say_not_here (self);
    return;
  }
  if (self->recorder)
    return;
  g_autofree char *recipe = odl_recipe_to_text (odl_session_recipe (self->session), " ");
  g_autofree char *description
      = g_strdup_printf ("recording of the canvas; recipe at the beginning %s; "
                         "not for diagnostic use",
                         recipe);
  self->recorder
      = odl_recorder_new (path, ODL_QUALITY_HIGH, description, recorded_cb, self);
  odl_viewport_set_capture (self->viewport, captured_cb, self);
  update (self);
}

static void
record_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  if (self->recorder) {
    stop_capture (self);
    odl_recorder_finish (self->recorder);
    return;
  }
  g_autofree char *ending = g_strdup_printf ("-%s.mkv", _ ("recording"));
  g_autofree char *name = odl_main_window_save_name (self, ending);
  odl_main_window_choose (self, _ ("Record What Is Shown"), GTK_FILE_CHOOSER_ACTION_SAVE,
                          name, start_recording);
}

// ---- exporting -----------------------------------------------------------------------

static void
exported_cb (const char *path, const GError *error, void *data)
{
  OdlMainWindow *self = data;
  const OdlExporterState state = odl_exporter_state (self->exporter);
  g_autofree char *name = short_name (path);
  g_autofree char *text = NULL;
  if (g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED))
    text = g_strdup (_ ("Export cancelled"));
  else if (error)
    text = g_strdup (error->message);
  else if (state.damaged > 0)
    text = g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE,
                     "Exported “%s”; %" PRId64
                     " frame is damaged, a cross stands in its place",
                     "Exported “%s”; %" PRId64
                     " frames are damaged, crosses stand in their places",
                     (gulong) state.damaged),
        name, state.damaged);
  else
    text = g_strdup_printf (_ ("Exported “%s”"), name);
  g_clear_pointer (&self->exporter, odl_exporter_free);
  update (self);
  odl_main_window_say (self, text);
}

static void
start_export (OdlMainWindow *self, GFile *file)
{
  g_autofree char *path = path_with_ending (file);
  OdlFrame *frame = odl_session_frame (self->session);
  if (!path) {
    say_not_here (self);
    return;
  }
  if (self->exporter)
    return;
  if (g_strcmp0 (path, odl_session_location (self->session)) == 0) {
    odl_main_window_say (
        self, _ ("This is the file that is shown, which is never written over. Choose "
                 "another name."));
    return;
  }
  OdlExporterParams params = {
    .location = odl_session_location (self->session),
    .path = path,
    .recipe = *odl_session_recipe (self->session),
    .window = odl_viewport_window (self->viewport),
    .default_rate = odl_session_frame_rate (self->session),
    .engine = { odl_engine_find ("cpu"), NULL },
  };
  // Before the first picture nobody knows better.
  if (frame)
    params.engine = (OdlEngineChoice){ frame->engine, frame->variant };
  self->exporter = odl_exporter_new (&params, exported_cb, self);
  update (self);
}

static void
export_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  g_autofree char *name = odl_main_window_save_name (self, ".mkv");
  odl_main_window_choose (self, _ ("Export Video"), GTK_FILE_CHOOSER_ACTION_SAVE, name,
                          start_export);
}

static void
cancel_export_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  if (self->exporter)
    odl_exporter_cancel (self->exporter);
}

// With a path in place of the dialog: for tests and scripts.
static void
record_to_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));
  start_recording (data, file);
}

static void
export_to_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));
  start_export (data, file);
}

static const GActionEntry entries[] = {
  { .name = "record", .activate = record_cb },
  { .name = "record-to", .activate = record_to_cb, .parameter_type = "s" },
  { .name = "export", .activate = export_cb },
  { .name = "export-to", .activate = export_to_cb, .parameter_type = "s" },
  { .name = "cancel-export", .activate = cancel_export_cb },
};

void
odl_main_window_add_record_actions (OdlMainWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries),
                                   self);
}

static void
set_enabled (OdlMainWindow *self, const char *name, bool enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

void
odl_main_window_update_record_actions (OdlMainWindow *self)
{
  const bool picture = odl_session_location (self->session) != NULL;
  const bool ends = picture && odl_session_is_moving (self->session)
                    && !odl_session_is_capture (self->session);
  set_enabled (self, "record", picture);
  set_enabled (self, "record-to", picture && !self->recorder);
  set_enabled (self, "export", ends && !self->exporter);
  set_enabled (self, "export-to", ends && !self->exporter);
  set_enabled (self, "cancel-export", self->exporter != NULL);
}

void
odl_main_window_end_recording (OdlMainWindow *self)
{
  if (self->recorder && self->viewport)
    stop_capture (self);
  g_clear_handle_id (&self->record_id, g_source_remove);
  g_clear_pointer (&self->recorder, odl_recorder_free);
  g_clear_pointer (&self->exporter, odl_exporter_free);
}
