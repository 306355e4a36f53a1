// SPDX-License-Identifier: MIT
// Where recordings and exports go, and what they are written as.
#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "config.h"
#include "widgets/window/private.h"

// Keys of the settings, and of the choices in the file chooser.
#define FORMAT "save-format"
#define FRAMES "record-frames"
#define RANGE "export-range"

// ---- the file chooser ----------------------------------------------------------------

typedef struct {
  OdlMainWindow *window;
  char *title;
  bool recording;
  bool frames; // it is asked what to record
  bool range; // it is asked which frames to export
  void (*chosen) (OdlMainWindow *window, GFile *file);
} Asking;

static void
asking_free (void *data)
{
  Asking *asking = data;
  g_object_unref (asking->window);
  g_free (asking->title);
  g_free (asking);
}

static void
response_cb (GtkNativeDialog *dialog, int response, OdlMainWindow *self)
{
  const Asking *asking = g_object_get_data (G_OBJECT (dialog), "odl-asking");
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  self->choosing = false;
  if (response == GTK_RESPONSE_ACCEPT) {
    const char *keys[] = { FORMAT, asking->frames ? FRAMES : NULL, NULL };
    for (size_t i = 0; keys[i]; i++)
      odl_settings_set_string (self->settings, keys[i],
                               gtk_file_chooser_get_choice (chooser, keys[i]));
    self->export_range
        = asking->range
          && g_str_equal (gtk_file_chooser_get_choice (chooser, RANGE), "range");
    g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);
    if (file)
      asking->chosen (self, file);
  }
  g_object_unref (dialog);
}

// What was chosen last comes first: GTK's own dialog (4.8) begins with the first one,
// whatever it is told.
static void
add_choice (OdlMainWindow *self,
            GtkFileChooser *chooser,
            const char *key,
            const char *label,
            GPtrArray *ids,
            GPtrArray *titles)
{
  g_autofree char *wanted = odl_settings_get_string (self->settings, key);
  guint last = 0;
  if (g_ptr_array_find_with_equal_func (ids, wanted, g_str_equal, &last)) {
    g_ptr_array_insert (ids, 0, g_ptr_array_steal_index (ids, last));
    g_ptr_array_insert (titles, 0, g_ptr_array_steal_index (titles, last));
  }
  g_ptr_array_add (ids, NULL);
  g_ptr_array_add (titles, NULL);
  gtk_file_chooser_add_choice (chooser, key, label, (const char **) ids->pdata,
                               (const char **) titles->pdata);
  gtk_file_chooser_set_choice (chooser, key, ids->pdata[0]);
}

static void
add_formats (OdlMainWindow *self, GtkFileChooser *chooser)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < self->save_formats->len; i++) {
    const OdlSaveFormat *format = &g_array_index (self->save_formats, OdlSaveFormat, i);
    g_ptr_array_add (ids, odl_save_format_to_text (format));
    g_ptr_array_add (titles, odl_save_format_title (format));
  }
  add_choice (self, chooser, FORMAT, _ ("Format"), ids, titles);
}

static void
add_frames (OdlMainWindow *self, GtkFileChooser *chooser)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (ids, g_strdup ("shown"));
  g_ptr_array_add (titles, g_strdup (_ ("As shown")));
  g_ptr_array_add (ids, g_strdup ("processed"));
  g_ptr_array_add (titles, g_strdup (_ ("Processed frames")));
  add_choice (self, chooser, FRAMES, _ ("Record"), ids, titles);
}

// A range was set for a reason: it comes first. Numbers as the transport bar has them.
static void
add_range (OdlMainWindow *self, GtkFileChooser *chooser)
{
  const int64_t first = odl_session_range_first (self->session);
  const int64_t last = odl_session_range_last (self->session);
  const int64_t n = odl_session_n_frames (self->session);
  g_autofree char *range
      = g_strdup_printf (_ ("The range, %" PRId64 " to %" PRId64), first + 1, last + 1);
  g_autofree char *all = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "All %" PRId64, "All %" PRId64, (gulong) n), n);
  const char *ids[] = { "range", "all", NULL };
  const char *titles[] = { range, all, NULL };
  gtk_file_chooser_add_choice (chooser, RANGE, _ ("Frames"), ids, titles);
  gtk_file_chooser_set_choice (chooser, RANGE, ids[0]);
}

// What stands in the folder already; without a filter GTK says "(None)".
static void
add_filter (GtkFileChooser *chooser)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  gtk_file_filter_set_name (filter, "MP4, MKV, PNG");
  gtk_file_filter_add_pattern (filter, "*.mp4");
  gtk_file_filter_add_pattern (filter, "*.mkv");
  gtk_file_filter_add_pattern (filter, "*.png");
  gtk_file_chooser_add_filter (chooser, filter);
}

static void
ask (Asking *asking)
{
  OdlMainWindow *self = asking->window;
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
      asking->title, GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  asking->frames = asking->recording && odl_session_is_moving (self->session);
  if (asking->frames)
    add_frames (self, chooser);
  asking->range = !asking->recording && odl_session_has_range (self->session);
  if (asking->range)
    add_range (self, chooser);
  add_formats (self, chooser);
  add_filter (chooser);
  g_autofree char *wanted = odl_settings_get_string (self->settings, FORMAT);
  // Nothing was chosen yet: the first one that is offered.
  const OdlSaveFormat format = *wanted
                                   ? odl_save_format_from_text (wanted)
                                   : g_array_index (self->save_formats, OdlSaveFormat, 0);
  const char *type = odl_save_format_ending (&format);
  g_autofree char *ending = asking->recording
                                ? g_strdup_printf ("-%s%s", _ ("recording"), type)
                                : g_strdup (type);
  g_autofree char *name = odl_main_window_save_name (self, ending);
  g_autoptr (GFile) place = odl_main_window_save_folder (self);
  if (place)
    gtk_file_chooser_set_current_folder (chooser, place, NULL);
  gtk_file_chooser_set_current_name (chooser, name);
  g_object_set_data_full (G_OBJECT (dialog), "odl-asking", asking, asking_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (response_cb), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

// ---- what this computer can write ----------------------------------------------------

static void
list_thread (GTask *task, void *source, void *data, GCancellable *cancellable)
{
  g_task_return_pointer (task, odl_save_formats_list (), (GDestroyNotify) g_array_unref);
}

static void
listed_cb (GObject *source, GAsyncResult *result, void *data)
{
  Asking *asking = data;
  OdlMainWindow *self = asking->window;
  g_clear_pointer (&self->save_formats, g_array_unref);
  self->save_formats = g_task_propagate_pointer (G_TASK (result), NULL);
  if (gtk_widget_get_realized (GTK_WIDGET (self)))
    ask (asking);
  else // closed meanwhile
    asking_free (asking);
}

void
odl_main_window_choose_save (OdlMainWindow *self,
                             const char *title,
                             bool recording,
                             void (*chosen) (OdlMainWindow *window, GFile *file))
{
  if (self->choosing)
    return;
  self->choosing = true;
  Asking *asking = g_new (Asking, 1);
  *asking = (Asking){ .window = g_object_ref (self),
                      .title = g_strdup (title),
                      .recording = recording,
                      .chosen = chosen };
  // Asked each time: an encoder may have been installed.
  g_autoptr (GTask) task = g_task_new (NULL, NULL, listed_cb, asking);
  g_task_run_in_thread (task, list_thread);
}

bool
odl_main_window_is_shown_file (OdlMainWindow *self, const char *path)
{
  if (!odl_session_reads (self->session, path)
      && !odl_reference_reads (self->reference, path))
    return false;
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *text
      = g_strdup_printf (_ ("“%s” belongs to what is shown, which is never written over. "
                            "Choose another name."),
                         name);
  odl_main_window_say (self, text);
  return true;
}

OdlSaveFormat
odl_main_window_save_format (OdlMainWindow *self, GFile *file, char **path, bool *replace)
{
  g_autofree char *text = odl_settings_get_string (self->settings, FORMAT);
  OdlSaveFormat format = odl_save_format_from_text (text);
  g_autofree char *chosen = g_file_get_path (file);
  *path = chosen ? odl_save_format_fit (&format, chosen) : NULL;
  *replace = g_strcmp0 (chosen, *path) == 0;
  return format;
}
