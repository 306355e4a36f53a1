// SPDX-License-Identifier: MIT
// Files in and out of the window: open, recent, drop, recipes.
#include <glib/gi18n-lib.h>

#include "config.h"
#include "widgets/diagnostics.h"
#include "widgets/window/private.h"

#define RECENT_MAX 10
#define RECENT_CHARS 48
#define RECENT_APP "Ondelette"
// What was opened, or written to its end. GTK's own dialog adds every name that somebody
// chose to save under, before anything is there.
#define RECENT_GROUP "Ondelette pictures"

// ---- choosers ------------------------------------------------------------------------

typedef void (*ChosenFunc) (OdlMainWindow *self, GFile *file);

static void
response_cb (GtkNativeDialog *dialog, int response, OdlMainWindow *self)
{
  ChosenFunc chosen = (ChosenFunc) g_object_get_data (G_OBJECT (dialog), "odl-chosen");
  if (response == GTK_RESPONSE_ACCEPT) {
    GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
    g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);
    self->picture_format = gtk_file_chooser_get_choice (chooser, ODL_PICTURE_FORMAT);
    if (file)
      chosen (self, file);
    self->picture_format = NULL;
  }
  g_object_unref (dialog);
}

#define SEQUENCE "sequence:"

GFile *
odl_main_window_save_folder (OdlMainWindow *self)
{
  const char *location = odl_session_location (self->session);
  g_autofree char *folder = odl_settings_get_string (self->settings, "last-folder");
  if (location && g_str_has_prefix (location, SEQUENCE))
    location += strlen (SEQUENCE);
  if (location && g_path_is_absolute (location)) {
    g_free (folder);
    folder = g_file_test (location, G_FILE_TEST_IS_DIR) ? g_strdup (location)
                                                        : g_path_get_dirname (location);
  }
  return *folder && g_file_test (folder, G_FILE_TEST_IS_DIR)
             ? g_file_new_for_path (folder)
             : NULL;
}

GtkFileChooser *
odl_main_window_make_chooser (OdlMainWindow *self,
                              const char *title,
                              GtkFileChooserAction action,
                              const char *name,
                              ChosenFunc chosen)
{
  GtkFileChooserNative *dialog
      = gtk_file_chooser_native_new (title, GTK_WINDOW (self), action, NULL, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_autofree char *folder = odl_settings_get_string (self->settings, "last-folder");
  if (*folder && !name) {
    g_autoptr (GFile) file = g_file_new_for_path (folder);
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), file, NULL);
  }
  if (name) {
    g_autoptr (GFile) place = odl_main_window_save_folder (self);
    if (place)
      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), place, NULL);
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  }
  g_object_set_data (G_OBJECT (dialog), "odl-chosen", (void *) chosen);
  g_signal_connect_object (dialog, "response", G_CALLBACK (response_cb), self, 0);
  return GTK_FILE_CHOOSER (dialog);
}

void
odl_main_window_choose (OdlMainWindow *self,
                        const char *title,
                        GtkFileChooserAction action,
                        const char *name,
                        ChosenFunc chosen)
{
  GtkFileChooser *chooser
      = odl_main_window_make_chooser (self, title, action, name, chosen);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
open_file (OdlMainWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  if (path)
    odl_main_window_open (self, path, NULL);
  else
    odl_main_window_say (
        self, _ ("Only files of this computer can be opened. Copy the file first."));
}

static void
open_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_main_window_choose (data, _ ("Open Picture"), GTK_FILE_CHOOSER_ACTION_OPEN, NULL,
                          open_file);
}

static void
open_folder_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_main_window_choose (data, _ ("Open Folder"), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                          NULL, open_file);
}

static gboolean
drop_cb (GtkDropTarget *target,
         const GValue *value,
         double x,
         double y,
         OdlMainWindow *self)
{
  GSList *files = g_value_get_boxed (value);
  if (!files)
    return FALSE;
  open_file (self, files->data);
  return TRUE;
}

void
odl_main_window_add_drop (OdlMainWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

// ---- recent files --------------------------------------------------------------------

// File names may hold names of patients: nothing is kept once the user says so.
void
odl_main_window_remember (OdlMainWindow *self, const char *location)
{
  if (!g_path_is_absolute (location)
      || !odl_settings_get_boolean (self->settings, "remember-recent"))
    return;
  g_autofree char *folder = g_path_get_dirname (location);
  odl_settings_set_string (self->settings, "last-folder", folder);
  g_autofree char *uri = g_filename_to_uri (location, NULL, NULL);
  g_autofree char *type = g_content_type_guess (location, NULL, 0, NULL);
  g_autofree char *mime = g_content_type_get_mime_type (type);
  char *groups[] = { (char *) RECENT_GROUP, NULL };
  GtkRecentData recent = { .mime_type = mime ? mime : (char *) "application/octet-stream",
                           .app_name = (char *) RECENT_APP,
                           .app_exec = (char *) "ondelette %f",
                           .groups = groups,
                           .is_private = TRUE };
  if (uri)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &recent);
  odl_main_window_fill_recent (self);
}

static int
compare_recent (const void *a, const void *b)
{
  GDateTime *first = gtk_recent_info_get_modified (*(GtkRecentInfo *const *) a);
  GDateTime *second = gtk_recent_info_get_modified (*(GtkRecentInfo *const *) b);
  return g_date_time_compare (second, first);
}

// Our entries, newest first; of a group alone, if one is given.
static GPtrArray *
list_recent (const char *group)
{
  GPtrArray *mine
      = g_ptr_array_new_with_free_func ((GDestroyNotify) gtk_recent_info_unref);
  GList *all = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  for (GList *at = all; at; at = at->next)
    if (gtk_recent_info_has_application (at->data, RECENT_APP)
        && (!group || gtk_recent_info_has_group (at->data, group)))
      g_ptr_array_add (mine, gtk_recent_info_ref (at->data));
  g_list_free_full (all, (GDestroyNotify) gtk_recent_info_unref);
  g_ptr_array_sort (mine, compare_recent);
  return mine;
}

void
odl_main_window_forget_recent (OdlMainWindow *self)
{
  odl_settings_set_string (self->settings, "last-folder", "");
  g_autoptr (GPtrArray) mine = list_recent (NULL);
  for (guint i = 0; i < mine->len; i++)
    gtk_recent_manager_remove_item (gtk_recent_manager_get_default (),
                                    gtk_recent_info_get_uri (mine->pdata[i]), NULL);
}

// A name as a menu shows it: whole words, no mnemonics.
char *
odl_main_window_menu_label (const char *name)
{
  g_autofree char *shown = odl_diagnostics_short_name (name, RECENT_CHARS);
  g_auto (GStrv) parts = g_strsplit (shown, "_", -1);
  return g_strjoinv ("__", parts);
}

void
odl_main_window_fill_recent (OdlMainWindow *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) files = g_menu_new ();
  g_autoptr (GMenu) others = g_menu_new ();
  if (odl_settings_get_boolean (self->settings, "remember-recent")) {
    g_autoptr (GPtrArray) mine = list_recent (RECENT_GROUP);
    for (guint i = 0; i < mine->len && i < RECENT_MAX; i++) {
      GtkRecentInfo *info = mine->pdata[i];
      g_autofree char *label
          = odl_main_window_menu_label (gtk_recent_info_get_display_name (info));
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (item, "win.open-uri", "s",
                                         gtk_recent_info_get_uri (info));
      g_menu_append_item (files, item);
    }
  }
  g_menu_append (others, _ ("Open _Folder…"), "win.open-folder");
  g_menu_append (others, _ ("Play _Numbered Pictures"), "win.play-sequence");
  g_menu_append (others, _ ("_Camera"), "win.open-camera");
  g_menu_append (others, _ ("Ultrasound _Phantom"), "win.open-phantom");
  g_menu_append_section (menu, _ ("Recent"), G_MENU_MODEL (files));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (others));
  adw_split_button_set_menu_model (self->open_button, G_MENU_MODEL (menu));
}

static void
open_uri_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));
  open_file (data, file);
}

// ---- recipes -------------------------------------------------------------------------

static void
copy_recipe_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  g_autofree char *text = odl_recipe_to_text (odl_session_recipe (self->session), " ");
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  odl_main_window_say (self, _ ("Filters copied as text"));
}

static void
pasted_cb (GObject *clipboard, GAsyncResult *result, void *data)
{
  g_autoptr (OdlMainWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text
      = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, &error);
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  if (!text)
    odl_main_window_say (self, _ ("The clipboard holds no text. Copy filters first."));
  else if (odl_recipe_parse (&recipe, text, &error))
    odl_session_set_recipe (self->session, &recipe, NULL);
  else
    odl_main_window_say (self, error->message);
}

static void
paste_recipe_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (data)), NULL,
                                 pasted_cb, g_object_ref (data));
}

static void
load_recipe (OdlMainWindow *self, GFile *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (file);
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  if (path && odl_recipe_load (&recipe, path, &error))
    odl_session_set_recipe (self->session, &recipe, NULL);
  else if (error)
    odl_main_window_say (self, error->message);
}

static void
load_recipe_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_main_window_choose (data, _ ("Load Filters"), GTK_FILE_CHOOSER_ACTION_OPEN, NULL,
                          load_recipe);
}

static void
save_recipe (OdlMainWindow *self, GFile *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (file);
  if (path && odl_main_window_is_shown_file (self, path))
    return;
  if (path && !odl_recipe_save (odl_session_recipe (self->session), path, &error))
    odl_main_window_say (self, error->message);
}

static void
save_recipe_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_main_window_choose (data, _ ("Save Filters"), GTK_FILE_CHOOSER_ACTION_SAVE,
                          _ ("filters.txt"), save_recipe);
}

void
odl_main_window_add_file_actions (OdlMainWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "open", .activate = open_cb },
    { .name = "open-folder", .activate = open_folder_cb },
    { .name = "open-uri", .activate = open_uri_cb, .parameter_type = "s" },
    { .name = "copy-recipe", .activate = copy_recipe_cb },
    { .name = "paste-recipe", .activate = paste_recipe_cb },
    { .name = "load-recipe", .activate = load_recipe_cb },
    { .name = "save-recipe", .activate = save_recipe_cb },
  };
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries),
                                   self);
}
