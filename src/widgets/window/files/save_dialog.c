// SPDX-License-Identifier: MIT
#include "widgets/window/files/save_dialog.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "widgets/window/parts.h"

// Keys of the settings, and of the choices in the file chooser.
#define FORMAT "save-format"
#define FRAMES "record-frames"
#define RANGE "export-range"
#define PICTURES "export-pictures"

// Key of the Asking in the object data of a window and of its dialog.
#define ASKING "odl-asking"

// ---- the file chooser ----------------------------------------------------------------

typedef struct {
  OdlMainWindow *window;
  char *title;
  bool recording;
  bool frames; // asks what to record
  bool range; // asks which frames to export
  bool rendered; // asks whether slices are exported, or the rendered view
  GArray *formats; // OdlSaveFormat
  OdlSaveFormat suggested; // whose ending the name had at first
  OdlSaveChosen chosen;
  void *data;
} Asking;

static void
asking_free (void *data)
{
  Asking *asking = data;
  g_object_set_data (G_OBJECT (asking->window), ASKING, NULL);
  g_object_unref (asking->window);
  g_clear_pointer (&asking->formats, g_array_unref);
  g_free (asking->title);
  g_free (asking);
}

// The ending that was suggested goes when another format was chosen. The caller owns it.
static GFile *
fit_choice (const Asking *asking, GtkFileChooser *chooser, GFile *file)
{
  g_autofree char *suggested = odl_save_format_to_text (&asking->suggested);
  g_autofree char *path = g_file_get_path (file);
  const char *ending = odl_save_format_ending (&asking->suggested);
  if (!g_str_has_suffix (path, ending)
      || g_str_equal (gtk_file_chooser_get_choice (chooser, FORMAT), suggested))
    return g_object_ref (file);
  path[strlen (path) - strlen (ending)] = '\0';
  return g_file_new_for_path (path);
}

static void
chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  const Asking *asking = data;
  OdlSettings *settings = odl_main_window_parts (asking->window)->settings;
  const char *keys[] = { FORMAT, asking->frames ? FRAMES : NULL, NULL };
  for (size_t i = 0; keys[i]; i++)
    odl_settings_set_string (settings, keys[i],
                             gtk_file_chooser_get_choice (chooser, keys[i]));
  const OdlSaveWhat what = {
    .range = asking->range
             && g_str_equal (gtk_file_chooser_get_choice (chooser, RANGE), "range"),
    .rendered
    = asking->rendered
      && g_str_equal (gtk_file_chooser_get_choice (chooser, PICTURES), "rendered"),
  };
  g_autoptr (GFile) fitting = fit_choice (asking, chooser, file);
  asking->chosen (fitting, what, asking->data);
}

// The last choice is listed first, because GTK's own dialog (4.8) always starts with the
// first entry.
static void
add_choice (const OdlWindowParts *parts,
            GtkFileChooser *chooser,
            const char *key,
            const char *label,
            GPtrArray *ids,
            GPtrArray *titles)
{
  g_autofree char *wanted = odl_settings_get_string (parts->settings, key);
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
add_formats (const OdlWindowParts *parts, GtkFileChooser *chooser, const GArray *formats)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < formats->len; i++) {
    const OdlSaveFormat *format = &g_array_index (formats, OdlSaveFormat, i);
    g_ptr_array_add (ids, odl_save_format_to_text (format));
    g_ptr_array_add (titles, odl_save_format_title (format));
  }
  add_choice (parts, chooser, FORMAT, _ ("Format"), ids, titles);
}

static void
add_frames (const OdlWindowParts *parts, GtkFileChooser *chooser)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (ids, g_strdup ("shown"));
  g_ptr_array_add (titles, g_strdup (_ ("As shown")));
  g_ptr_array_add (ids, g_strdup ("processed"));
  g_ptr_array_add (titles, g_strdup (_ ("Processed frames")));
  add_choice (parts, chooser, FRAMES, _ ("Record"), ids, titles);
}

// If a range is set, it is listed first. Numbers are those of the transport bar.
static void
add_range (const OdlWindowParts *parts, GtkFileChooser *chooser)
{
  const int64_t first = odl_playback_range (parts->playback).first;
  const int64_t last = odl_playback_range (parts->playback).last;
  const int64_t n = odl_playback_n_frames (parts->playback);
  g_autofree char *range
      = g_strdup_printf (_ ("The range, %" PRId64 " to %" PRId64), first + 1, last + 1);
  g_autofree char *all = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "All %" PRId64, "All %" PRId64, (gulong) n), n);
  const char *ids[] = { "range", "all", NULL };
  const char *titles[] = { range, all, NULL };
  gtk_file_chooser_add_choice (chooser, RANGE, _ ("Frames"), ids, titles);
  gtk_file_chooser_set_choice (chooser, RANGE, ids[0]);
}

static void
add_pictures (const OdlWindowParts *parts, GtkFileChooser *chooser)
{
  const OdlSourceInfo *info = odl_session_info (parts->session);
  const char *ids[] = { "slices", "rendered", NULL };
  const char *titles[]
      = { _ ("Slices"),
          info->n_frames > info->n_slices ? _ ("Rendered view, volume after volume")
                                          : _ ("Rendered view, one turn"),
          NULL };
  gtk_file_chooser_add_choice (chooser, PICTURES, _ ("Pictures"), ids, titles);
  gtk_file_chooser_set_choice (chooser, PICTURES, ids[0]);
}

static bool
is_offered (const Asking *asking, const char *format)
{
  for (guint i = 0; i < asking->formats->len; i++) {
    g_autofree char *text
        = odl_save_format_to_text (&g_array_index (asking->formats, OdlSaveFormat, i));
    if (g_str_equal (text, format))
      return true;
  }
  return false;
}

static void
ask (Asking *asking)
{
  const OdlWindowParts *parts = odl_main_window_parts (asking->window);
  g_autofree char *wanted = odl_settings_get_string (parts->settings, FORMAT);
  const bool volume
      = !asking->recording && odl_session_info (parts->session)->n_slices > 0;
  if (volume)
    odl_save_formats_add_volumes (asking->formats);
  // Without an earlier choice the first one offered.
  asking->suggested = is_offered (asking, wanted)
                          ? odl_save_format_from_text (wanted)
                          : g_array_index (asking->formats, OdlSaveFormat, 0);
  const char *type = odl_save_format_ending (&asking->suggested);
  g_autofree char *ending = asking->recording
                                ? g_strdup_printf ("-%s%s", _ ("recording"), type)
                                : g_strdup (type);
  g_autofree char *name = odl_files_save_name (parts, ending);
  GtkFileChooser *chooser = odl_file_chooser_new (
      parts, asking->title, GTK_FILE_CHOOSER_ACTION_SAVE, name, chosen_cb, asking);
  g_object_set_data_full (G_OBJECT (chooser), ASKING, asking, asking_free);
  asking->frames = asking->recording && odl_playback_is_moving (parts->playback);
  if (asking->frames)
    add_frames (parts, chooser);
  asking->range = !asking->recording && !odl_playback_range (parts->playback).whole;
  if (asking->range)
    add_range (parts, chooser);
  OdlRenderScene scene;
  asking->rendered = volume && odl_viewport_rendered (parts->viewport, &scene);
  if (asking->rendered)
    add_pictures (parts, chooser);
  add_formats (parts, chooser, asking->formats);
  const char *const videos[] = { "*.mp4", "*.mkv", "*.png", NULL };
  const char *const all[]
      = { "*.mp4", "*.mkv", "*.png", "*.nii", "*.gz", "*.mha", "*.tif", NULL };
  odl_file_chooser_add_filter (
      chooser, volume ? "MP4, MKV, PNG, NIfTI, MHA, TIFF" : "MP4, MKV, PNG",
      volume ? all : videos);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
list_thread (GTask *task, void *source, void *data, GCancellable *cancellable)
{
  g_task_return_pointer (task, odl_save_formats_list (), (GDestroyNotify) g_array_unref);
}

static void
listed_cb (GObject *source, GAsyncResult *result, void *data)
{
  Asking *asking = data;
  asking->formats = g_task_propagate_pointer (G_TASK (result), NULL);
  if (gtk_widget_get_realized (GTK_WIDGET (asking->window)))
    ask (asking);
  else // closed meanwhile
    asking_free (asking);
}

void
odl_save_dialog_ask (const OdlWindowParts *parts,
                     const char *title,
                     bool recording,
                     OdlSaveChosen chosen,
                     void *data)
{
  if (g_object_get_data (G_OBJECT (parts->window), ASKING))
    return;
  Asking *asking = g_new (Asking, 1);
  *asking = (Asking){ .window = g_object_ref (parts->window),
                      .title = g_strdup (title),
                      .recording = recording,
                      .chosen = chosen,
                      .data = data };
  g_object_set_data (G_OBJECT (parts->window), ASKING, asking);
  // The formats are listed each time: an encoder may have been installed.
  g_autoptr (GTask) task = g_task_new (NULL, NULL, listed_cb, asking);
  g_task_run_in_thread (task, list_thread);
}

OdlSaveFormat
odl_save_dialog_format (const OdlWindowParts *parts,
                        GFile *file,
                        char **path,
                        bool *replace)
{
  g_autofree char *text = odl_settings_get_string (parts->settings, FORMAT);
  OdlSaveFormat format = odl_save_format_from_text (text);
  g_autofree char *chosen = g_file_get_path (file);
  *path = odl_save_format_fit (&format, chosen);
  *replace = g_str_equal (chosen, *path);
  return format;
}
