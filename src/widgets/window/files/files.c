// SPDX-License-Identifier: MIT
// Opening files: by the file chooser, from the recent ones, or dropped on the window.
// Recipes in files and on the clipboard.
#include "widgets/window/files/files.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "base/machine.h"
#include "config.h"
#include "widgets/diagnostics.h"
#include "plan/title.h"
#include "session/browse/folder.h"
#include "widgets/windows/statistics_window.h"
#include "widgets/panels/sources/source_item.h"
#include "widgets/window/parts.h"

#define RECENT_MAX 10
#define RECENT_CHARS 48
#define TOLD_CHARS 90 // of patient, study and series
#define MOST_FOLDERS 8 // that tell two files of one name apart
#define RECENT_APP "Ondelette"
// Adds files that were opened or completely written. GTK's own dialog would add every
// name chosen for saving, before the file exists.
#define RECENT_GROUP "Ondelette pictures"

struct _OdlFiles {
  OdlSettings *settings;
  OdlNames *names;
  AdwSplitButton *open_button; // its menu has the recent files
};

static void
open_file (const OdlWindowParts *parts, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  if (path)
    odl_main_window_open (parts->window, path, NULL);
  else
    odl_messages_say (
        parts->messages,
        _ ("Only files of this computer can be opened. Copy the file first."));
}

static void
chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  open_file (data, file);
}

static void
open_cb (void *data, GVariant *parameter)
{
  odl_file_chooser_ask (data, _ ("Open Picture"), GTK_FILE_CHOOSER_ACTION_OPEN, NULL,
                        chosen_cb, data);
}

static void
open_folder_cb (void *data, GVariant *parameter)
{
  odl_file_chooser_ask (data, _ ("Open Folder"), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                        NULL, chosen_cb, data);
}

static gboolean
drop_cb (const OdlWindowParts *parts, const GValue *value, double x, double y)
{
  if (G_VALUE_HOLDS (value, ODL_TYPE_SOURCE_ITEM)) {
    OdlSourceItem *item = g_value_get_object (value);
    odl_layout_activate_at (parts->layout, x, y);
    odl_main_window_open (parts->window, odl_source_item_location (item), NULL);
    return TRUE;
  }
  GSList *files = g_value_get_boxed (value);
  if (!files)
    return FALSE;
  odl_layout_activate_at (parts->layout, x, y);
  g_autofree char *path = g_file_get_path (files->data);
  if (odl_window_is_code (path) && odl_window_is_uncovered (parts))
    odl_window_insert_code (parts, path);
  else
    open_file (parts, files->data);
  return TRUE;
}

// ---- recent files --------------------------------------------------------------------

// Names of files and patients, so the user can turn the list off.
static void
remember (OdlFiles *self, const char *location, char *description)
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
  GtkRecentData recent = { .description = description,
                           .mime_type = mime ? mime : (char *) "application/octet-stream",
                           .app_name = (char *) RECENT_APP,
                           .app_exec = (char *) "ondelette %f",
                           .groups = groups,
                           .is_private = TRUE };
  if (uri)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &recent);
  odl_files_fill_recent (self);
}

void
odl_files_remember (OdlFiles *self, const char *location)
{
  remember (self, location, NULL);
}

void
odl_files_remember_source (OdlFiles *self, OdlSession *session)
{
  const char *location = odl_session_info (session)->location;
  g_autofree char *description = odl_names_of_series (session);
  // A series comes back by its file.
  const char *file = odl_folder_file_of_series (location);
  remember (self, file ? file : location, description);
}

static int
compare_recent (const void *a, const void *b)
{
  GDateTime *first = gtk_recent_info_get_modified (*(GtkRecentInfo *const *) a);
  GDateTime *second = gtk_recent_info_get_modified (*(GtkRecentInfo *const *) b);
  return g_date_time_compare (second, first);
}

// The program's entries, newest first; only those of `group`, if given.
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
odl_files_forget_recent (OdlFiles *self)
{
  odl_settings_set_string (self->settings, "last-folder", "");
  g_autoptr (GPtrArray) mine = list_recent (NULL);
  for (guint i = 0; i < mine->len; i++)
    gtk_recent_manager_remove_item (gtk_recent_manager_get_default (),
                                    gtk_recent_info_get_uri (mine->pdata[i]), NULL);
}

static char *
menu_label (const char *name, int most)
{
  g_autofree char *shown = odl_diagnostics_short_name (name, most);
  g_auto (GStrv) parts = g_strsplit (shown, "_", -1);
  return g_strjoinv ("__", parts);
}

// A name as a menu shows it: whole words, no mnemonics.
char *
odl_files_menu_label (const char *name)
{
  return menu_label (name, RECENT_CHARS);
}

// The last `n` folders of the path to a file. Transfer full.
static char *
folders_of (GtkRecentInfo *info, int n)
{
  g_autofree char *path
      = g_filename_from_uri (gtk_recent_info_get_uri (info), NULL, NULL);
  g_autofree char *folder = path ? g_path_get_dirname (path) : NULL;
  g_autofree char *shown = folder ? g_filename_display_name (folder) : g_strdup ("");
  const char *from = shown + strlen (shown);
  while (n > 0 && from > shown)
    n -= *--from == '/';
  return g_strdup (*from == '/' ? from + 1 : from);
}

static const char *
told_of (GtkRecentInfo *info)
{
  const char *told = gtk_recent_info_get_description (info);
  return told ? told : "";
}

// Slices of one series, of which the one that was opened last is listed.
static bool
are_of_one_series (GtkRecentInfo *a, GtkRecentInfo *b)
{
  g_autofree char *folder = folders_of (a, MOST_FOLDERS);
  g_autofree char *other = folders_of (b, MOST_FOLDERS);
  return *told_of (a) && g_str_equal (told_of (a), told_of (b))
         && g_str_equal (folder, other);
}

// Newest first.
static void
drop_doubles (GPtrArray *all)
{
  for (guint i = 0; i < all->len; i++)
    for (guint k = all->len - 1; k > i; k--)
      if (are_of_one_series (all->pdata[i], all->pdata[k]))
        g_ptr_array_remove_index (all, k);
}

// Of which the title, patient and series or the file's name, is told.
static const char *
title_of (GtkRecentInfo *info)
{
  return *told_of (info) ? told_of (info) : gtk_recent_info_get_display_name (info);
}

// Patient, study and series, or what the file is called, and where it lies, with as many
// folders as tell it from all others of its name. Transfer full.
static char *
recent_label (const GPtrArray *all, guint i)
{
  GtkRecentInfo *info = all->pdata[i];
  const char *title = title_of (info);
  int n = *told_of (info) ? 0 : 1;
  g_autofree char *folders = n > 0 ? folders_of (info, n) : g_strdup ("");
  for (guint k = 0; k < all->len && n < MOST_FOLDERS; k++) {
    g_autofree char *others = n > 0 ? folders_of (all->pdata[k], n) : g_strdup ("");
    if (k == i || !g_str_equal (title_of (all->pdata[k]), title)
        || !g_str_equal (others, folders))
      continue;
    g_free (folders);
    folders = folders_of (info, ++n);
    k = (guint) -1; // all of them again
  }
  g_autofree char *what = menu_label (title, *told_of (info) ? TOLD_CHARS : RECENT_CHARS);
  g_autofree char *where = odl_files_menu_label (folders);
  return g_strconcat (what, *where ? " — " : "", where, NULL);
}

void
odl_files_fill_recent (OdlFiles *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) files = g_menu_new ();
  g_autoptr (GMenu) others = g_menu_new ();
  g_autoptr (GMenu) workspaces = g_menu_new ();
  if (odl_names_are_hidden (self->names)) {
    // An action that there is not is greyed out.
    g_menu_append (files, _ ("Names hidden"), "win.none");
  } else if (odl_settings_get_boolean (self->settings, "remember-recent")) {
    g_autoptr (GPtrArray) mine = list_recent (RECENT_GROUP);
    drop_doubles (mine);
    g_ptr_array_set_size (mine, (int) MIN (mine->len, RECENT_MAX));
    for (guint i = 0; i < mine->len; i++) {
      GtkRecentInfo *info = mine->pdata[i];
      g_autofree char *label = recent_label (mine, i);
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (item, "win.open-uri", "s",
                                         gtk_recent_info_get_uri (info));
      g_menu_append_item (files, item);
    }
  }
  g_menu_append (others, _ ("Open _Folder…"), "win.open-folder");
  g_menu_append (others, _ ("Show the _Series"), "win.show-series");
  g_menu_append (others, _ ("Play _Numbered Pictures"), "win.play-sequence");
  g_menu_append (others, _ ("_Camera"), "win.open-camera");
  g_menu_append (others, _ ("Ultrasound _Phantom"), "win.open-phantom");
  g_menu_append (others, _ ("Ultrasound _Beams"), "win.open-beams");
  g_menu_append (others, _ ("_X-ray Phantom"), "win.open-xray");
  g_menu_append (others, _ ("_Surface of a Face"), "win.open-face");
  g_menu_append (workspaces, _ ("Open _Workspace…"), "win.open-workspace");
  g_menu_append (workspaces, _ ("Sa_ve Workspace…"), "win.save-workspace");
  g_menu_append (workspaces, _ ("_Reopen What Was Shown Last"),
                 "win.reopen-workspace('')");
  g_menu_append_section (menu, _ ("Recent"), G_MENU_MODEL (files));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (others));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (workspaces));
  adw_split_button_set_menu_model (self->open_button, G_MENU_MODEL (menu));
}

static void
show_folder_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  gtk_show_uri (GTK_WINDOW (parts->window), g_variant_get_string (parameter, NULL),
                GDK_CURRENT_TIME);
}

static void
open_uri_cb (void *data, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));
  open_file (data, file);
}

// ---- recipes -------------------------------------------------------------------------

#define REMARK "# "

// Where it came from, by what it was computed, what was measured: remarks below the
// filters, so that pasted again they are these filters.
static char *
lab_text (const OdlWindowParts *parts)
{
  OdlSession *session = parts->session;
  const OdlFrame *frame = odl_session_frame (session);
  const OdlSourceInfo *info = odl_session_info (session);
  g_autofree char *recipe = odl_recipe_to_text (odl_session_recipe (session), " ");
  g_autofree char *name = odl_names_of_source (session);
  GString *text = g_string_new (recipe);
  g_string_append (text, "\n" REMARK "Ondelette " ODL_VERSION);
  if (frame) {
    g_autofree char *engine
        = odl_engine_choice_to_text ((OdlEngineChoice){ frame->engine, frame->variant });
    g_string_append_printf (text, ", engine %s on %s\n", engine,
                            !frame->engine->needs_gl ? odl_machine_cpu ()
                            : frame->renderer        ? frame->renderer
                                              : odl_viewport_renderer (parts->viewport));
    g_string_append_printf (text, REMARK "%s, %s, %d x %d, frame %" PRId64 "\n",
                            name ? name : "", info->format ? info->format : "",
                            frame->plan->geometry.width, frame->plan->geometry.height,
                            frame->index + 1);
  } else {
    g_string_append_c (text, '\n');
  }
  g_autofree char *pair = odl_window_pair_text (parts, REMARK);
  g_string_append (text, pair ? pair : "");
  const char *reference = odl_reference_text (parts->reference);
  const char *details = odl_reference_details (parts->reference);
  if (reference) {
    g_autofree char *told
        = odl_names_in_text (odl_names_of (session), details ? details : "");
    g_string_append_printf (text, REMARK "%s. %s\n", reference, told);
  }
  g_autofree char *statistics = odl_statistics_text (parts, REMARK);
  g_string_append (text, statistics ? statistics : "");
  return g_string_free (text, FALSE);
}

static void
copy_recipe_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  g_autofree char *text = lab_text (parts);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (parts->window)), text);
  odl_messages_say (parts->messages,
                    _ ("Filters copied as text, with what was measured and computed"));
}

// Those of a picture that we made are in it already: used again, they would act twice.
void
odl_files_offer_recipe (const OdlWindowParts *parts)
{
  const char *told = odl_session_detail (parts->session, "recipe");
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  if (!told || !odl_recipe_parse (&recipe, told, NULL) || odl_recipe_is_identity (&recipe)
      || recipe.view != ODL_VIEW_SYNTHESIS)
    return;
  g_autofree char *whole = odl_recipe_to_text (&recipe, " ");
  g_autofree char *filters = odl_plan_title (&recipe, ODL_MAX_LEVELS);
  g_autofree char *text = g_strdup_printf (
      _ ("This picture was made by filters: %s. They are in it already. Copied, they can "
         "be pasted for the original."),
      filters);
  odl_messages_offer (parts->messages, text, _ ("_Copy Filters"), "win.copy-text", whole);
}

static void
copy_text_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (parts->window)),
                          g_variant_get_string (parameter, NULL));
  odl_messages_say (parts->messages, _ ("Filters copied as text"));
}

static void
pasted_cb (GObject *clipboard, GAsyncResult *result, void *data)
{
  g_autoptr (OdlMainWindow) window = data;
  const OdlWindowParts *parts = odl_main_window_parts (window);
  g_autoptr (GError) error = NULL;
  g_autofree char *text
      = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, &error);
  if (odl_window_is_closed (parts))
    return;
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  if (!text)
    odl_messages_say (parts->messages,
                      _ ("The clipboard holds no text. Copy filters first."));
  else if (odl_recipe_parse (&recipe, text, &error))
    odl_session_set_recipe (parts->session, &recipe, NULL);
  else
    odl_messages_say (parts->messages, error->message);
}

static void
paste_recipe_cb (void *data, GVariant *parameter)
{
  GtkWidget *window = GTK_WIDGET (((const OdlWindowParts *) data)->window);
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (window), NULL, pasted_cb,
                                 g_object_ref (window));
}

static void
load_recipe_from_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  const OdlWindowParts *parts = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (file);
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  if (odl_recipe_load (&recipe, path, &error)) {
    odl_session_set_recipe (parts->session, &recipe, NULL);
    if (recipe.n_items == 0)
      odl_messages_say (parts->messages, _ ("This file has settings, but no filters"));
  } else {
    odl_messages_say (parts->messages, error->message);
  }
}

static void
load_recipe_cb (void *data, GVariant *parameter)
{
  odl_file_chooser_ask (data, _ ("Load Filters"), GTK_FILE_CHOOSER_ACTION_OPEN, NULL,
                        load_recipe_from_cb, data);
}

static void
save_recipe_to_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  const OdlWindowParts *parts = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (file);
  if (odl_files_is_shown (parts, path))
    return;
  if (!odl_recipe_save (odl_session_recipe (parts->session), path, &error)) {
    odl_messages_say (parts->messages, error->message);
    return;
  }
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *text = g_strdup_printf (_ ("Saved “%s”"), name);
  odl_messages_say_of_file (parts->messages, text, path);
}

static void
save_recipe_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  const char *preset
      = odl_preset_bar_name (odl_filter_panel_presets (parts->filter_panel));
  g_autofree char *name = preset ? g_strconcat (preset, ".txt", NULL) : NULL;
  odl_file_chooser_ask (data, _ ("Save Filters"), GTK_FILE_CHOOSER_ACTION_SAVE,
                        name ? name : _ ("filters.txt"), save_recipe_to_cb, data);
}

// ---- life ----------------------------------------------------------------------------

OdlFiles *
odl_files_new (const OdlWindowParts *parts)
{
  static const OdlWindowAction entries[] = {
    { "open", G_CALLBACK (open_cb) },
    { "open-folder", G_CALLBACK (open_folder_cb) },
    { "open-uri", G_CALLBACK (open_uri_cb), "s" },
    { "show-folder", G_CALLBACK (show_folder_cb), "s" },
    { "copy-recipe", G_CALLBACK (copy_recipe_cb) },
    { "copy-text", G_CALLBACK (copy_text_cb), "s" },
    { "paste-recipe", G_CALLBACK (paste_recipe_cb), .when = odl_window_is_uncovered },
    { "load-recipe", G_CALLBACK (load_recipe_cb), .when = odl_window_is_uncovered },
    { "save-recipe", G_CALLBACK (save_recipe_cb) },
  };
  OdlFiles *self = g_new (OdlFiles, 1);
  *self = (OdlFiles){ parts->settings, odl_names_of (parts->session),
                      odl_window_child (parts, "open_button") };
  odl_window_add_actions (parts, entries, G_N_ELEMENTS (entries), (void *) parts);
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);
  gtk_drop_target_set_gtypes (target,
                              (GType[]){ ODL_TYPE_SOURCE_ITEM, GDK_TYPE_FILE_LIST }, 2);
  g_signal_connect_swapped (target, "drop", G_CALLBACK (drop_cb), (void *) parts);
  gtk_widget_add_controller (GTK_WIDGET (parts->window), GTK_EVENT_CONTROLLER (target));
  odl_window_own (parts, "odl-files", self, g_free);
  return self;
}
