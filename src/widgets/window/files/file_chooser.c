// SPDX-License-Identifier: MIT
// File choosers, and where and under which name something made from the picture is saved.
#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "session/archive/spool.h"
#include "session/browse/folder.h"
#include "widgets/window/parts.h"

#define SEQUENCE "sequence:"

typedef struct {
  OdlFileChosen chosen;
  void *data;
} Answer;

static void
response_cb (GtkNativeDialog *dialog, int response, OdlMainWindow *window)
{
  const Answer *answer = g_object_get_data (G_OBJECT (dialog), "odl-answer");
  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
    g_autofree char *path = file ? g_file_get_path (file) : NULL;
    if (path)
      answer->chosen (GTK_FILE_CHOOSER (dialog), file, answer->data);
    else if (file)
      odl_messages_say (
          odl_main_window_parts (window)->messages,
          gtk_file_chooser_get_action (GTK_FILE_CHOOSER (dialog))
                  == GTK_FILE_CHOOSER_ACTION_SAVE
              ? _ ("Files are saved on this computer only. Choose another place.")
              : _ ("Only files of this computer can be opened. Copy the file first."));
  }
  g_object_unref (dialog);
}

// The folder of the picture that is shown. NULL: it is no file. Transfer full.
static char *
folder_of_picture (const OdlWindowParts *parts)
{
  const char *location = odl_session_info (parts->session)->location;

  if (location && g_str_has_prefix (location, SEQUENCE))
    location += strlen (SEQUENCE);
  else if (location && odl_folder_file_of_series (location))
    location = odl_folder_file_of_series (location);
  if (!location || !g_path_is_absolute (location))
    return NULL;
  return g_file_test (location, G_FILE_TEST_IS_DIR) ? g_strdup (location)
                                                    : g_path_get_dirname (location);
}

GFile *
odl_files_save_folder (const OdlWindowParts *parts)
{
  const OdlNames *names = odl_names_of (parts->session);
  if (odl_names_are_hidden (names))
    return odl_names_folder_of (names, NULL);
  g_autofree char *folder = folder_of_picture (parts);
  g_autofree char *last = odl_settings_get_string (parts->settings, "last-folder");
  // What was got is cleared away with all that lies beside it.
  const bool passes = odl_spool_holds (folder);
  const char *place = folder && !passes ? folder : last;

  if (*place && g_file_test (place, G_FILE_TEST_IS_DIR) && !odl_spool_holds (place))
    return g_file_new_for_path (place);
  return passes ? g_file_new_for_path (g_get_home_dir ()) : NULL;
}

char *
odl_files_save_name (const OdlWindowParts *parts, const char *ending)
{
  const bool hidden = odl_names_are_hidden (odl_names_of (parts->session));
  // Translators: the name of a file that is saved while names are hidden.
  g_autofree char *base
      = g_strdup (hidden ? _ ("picture") : odl_session_info (parts->session)->name);
  g_strdelimit (odl_text_cut_ending (base), "/", '-');
  bool processed = !odl_recipe_is_identity (odl_session_recipe (parts->session));
  return g_strconcat (base, processed ? "-" : "", processed ? _ ("processed") : "",
                      ending, NULL);
}

bool
odl_files_is_shown (const OdlWindowParts *parts, const char *path)
{
  bool reads = odl_reference_reads (parts->reference, path);
  for (int i = 0; i < odl_layout_count (parts->layout); i++)
    reads = reads || odl_session_reads (odl_layout_nth (parts->layout, i)->session, path);
  if (!reads)
    return false;
  g_autofree char *name = odl_names_of_file (odl_names_of (parts->session), path, NULL);
  g_autofree char *text = g_strdup_printf (_ ("“%s” belongs to what is shown, which is "
                                              "never written over. Choose another name."),
                                           name);
  odl_messages_say (parts->messages, text);
  return true;
}

GtkFileChooser *
odl_file_chooser_new (const OdlWindowParts *parts,
                      const char *title,
                      GtkFileChooserAction action,
                      const char *name,
                      OdlFileChosen chosen,
                      void *data)
{
  const OdlNames *names = odl_names_of (parts->session);
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
      title, GTK_WINDOW (parts->window), action, NULL, NULL);
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_autofree char *last = odl_settings_get_string (parts->settings, "last-folder");
  g_autoptr (GFile) folder = name ? odl_files_save_folder (parts)
                             : odl_names_are_hidden (names)
                                 ? odl_names_folder_of (names, NULL)
                             : *last ? g_file_new_for_path (last)
                                     : NULL;
  if (folder)
    gtk_file_chooser_set_current_folder (chooser, folder, NULL);
  if (name)
    gtk_file_chooser_set_current_name (chooser, name);
  Answer *answer = g_new (Answer, 1);
  *answer = (Answer){ chosen, data };
  g_object_set_data_full (G_OBJECT (dialog), "odl-answer", answer, g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (response_cb), parts->window,
                           0);
  return chooser;
}

void
odl_file_chooser_ask (const OdlWindowParts *parts,
                      const char *title,
                      GtkFileChooserAction action,
                      const char *name,
                      OdlFileChosen chosen,
                      void *data)
{
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (
      odl_file_chooser_new (parts, title, action, name, chosen, data)));
}

void
odl_file_chooser_add_filter (GtkFileChooser *chooser,
                             const char *name,
                             const char *const *patterns)
{
  // Without a name GTK shows "(None)".
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  gtk_file_filter_set_name (filter, name);
  for (int i = 0; patterns[i]; i++)
    gtk_file_filter_add_pattern (filter, patterns[i]);
  gtk_file_chooser_add_filter (chooser, filter);
}
