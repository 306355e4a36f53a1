// SPDX-License-Identifier: MIT
#include "widgets/panels/sources/source_panel.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "session/archive/spool.h"
#include "session/browse/folder.h"
#include "session/browse/keys.h"
#include "session/browse/studies.h"
#include "widgets/diagnostics.h"
#include "widgets/names.h"
#include "widgets/panels/shown_selection.h"
#include "widgets/panels/sources/source_cameras.h"
#include "widgets/panels/sources/file_rows.h"
#include "widgets/panels/sources/source_item.h"
#include "widgets/panels/sources/source_opener.h"
#include "widgets/panels/sources/source_row.h"
#include "widgets/panels/sources/source_search.h"
#include "widgets/panels/sources/shown_row.h"
#include "widgets/panels/sources/source_thumbnails.h"
#include "widgets/panels/sources/study_rows.h"

// Whether folders with DICOM in them are listed by patients, studies and series.
#define STUDIES_KEY "list-studies"

// What thumbnails of generated pictures are made from: the whole pictures take a second
// together, for which each new window would keep a processor busy.
#define PHANTOM_THUMBNAIL "phantom:256x256"
#define BEAMS_THUMBNAIL ODL_BEAMS_LOCATION ":32x2048" // as deep as the whole one
#define XRAY_THUMBNAIL ODL_XRAY_LOCATION ":321x255,salt=0"

#define SIDE_KEY "thumbnail-side"
#define SIDE_STEP 16

struct _OdlSourcePanel {
  GtkWidget parent_instance;
  OdlSettings *settings;
  OdlSession *session;
  OdlNames *names; // of the session
  GtkWidget *root;
  GtkLabel *folder_label;
  GtkToggleButton *studies_button;
  GtkAdjustment *side; // of thumbnails
  GtkListView *list;
  GtkSearchBar *search_bar;
  GtkSearchEntry *search_entry;
  GtkLabel *search_empty;
  OdlSourceSearch *search;
  GListStore *items;
  OdlShownSelection *selection;
  char *failed; // location whose failure page is shown; NULL: the session is shown
  guint follow_id;
  OdlSourceThumbnails *thumbnails;
  OdlSourceCameras *cameras;
  char *last_camera;
  GCancellable *listing;
  GCancellable *reading; // of studies; borrowed, may be gone
  char *folder;
  GPtrArray *studies; // OdlSeries, in the place of files; NULL: files are listed
  bool updating; // the button, not a person
  int shown_side;
  OdlSourceOpener *opener;
  GStrv files; // of a folder whose studies are read; NULL: they are listed
  guint keys_id; // counts the key pictures of what is shown
  GCancellable *marking; // of the files that are listed; NULL: nothing is looked for
  char *first_picture; // of a series of which more may be found; NULL: none
};

enum { SIGNAL_MESSAGE, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (OdlSourcePanel, odl_source_panel, GTK_TYPE_WIDGET)

// Those of the list, which a search may have made fewer.
static GListModel *
rows_of (OdlSourcePanel *self)
{
  return odl_source_search_found (self->search);
}

static guint
find_row (OdlSourcePanel *self, const char *location)
{
  return odl_source_item_find (rows_of (self), location);
}

static guint
find_item (OdlSourcePanel *self, const char *location)
{
  return odl_source_item_find (G_LIST_MODEL (self->items), location);
}

// ---- rows ----------------------------------------------------------------------------

// The table of a disc stands for what is on it.
static void
open_location (OdlSourcePanel *self, const char *location, const OdlRecipe *recipe)
{
  if (odl_studies_is_table (location))
    odl_source_panel_open_studies (self, location, recipe);
  else
    odl_source_opener_open (self->opener, self->session, location, recipe);
}

static const OdlSeries *
find_object (OdlSourcePanel *self, const char *path)
{
  for (guint i = 0; self->studies && i < self->studies->len; i++) {
    const OdlSeries *one = self->studies->pdata[i];
    if (one->kind != ODL_SERIES_PICTURES && g_str_equal (one->path, path))
      return one;
  }
  return NULL;
}

// What says something of pictures is shown with these, if they are in the list; a report
// by itself.
static void
open_object (OdlSourcePanel *self, OdlSourceItem *item)
{
  const char *path = odl_source_item_location (item);
  const OdlSeries *object = find_object (self, path);
  if (!object)
    return;
  const OdlSeries *pictures = odl_studies_pictures_of (self->studies, object);
  const bool outlines
      = object->kind == ODL_SERIES_SEGMENTS || object->kind == ODL_SERIES_STRUCTURES;
  if (outlines || (object->kind == ODL_SERIES_KEYS && pictures))
    gtk_widget_activate_action (GTK_WIDGET (self),
                                outlines ? "win.show-outlines" : "win.show-keys", "(ss)",
                                path, pictures ? pictures->location : "");
  else
    open_location (self, path, NULL);
}

// The first series below a patient or a study, else what says something of pictures; the
// row itself if it is no heading. Transfer full; NULL: there is none.
static OdlSourceItem *
find_opened (OdlSourcePanel *self, guint index)
{
  g_autoptr (OdlSourceItem) item = g_list_model_get_item (rows_of (self), index);
  if (!item || !odl_source_item_is_heading (item))
    return g_steal_pointer (&item);
  const int depth = odl_source_item_depth (item);
  g_autoptr (OdlSourceItem) object = NULL;
  for (guint i = index + 1;; i++) {
    g_autoptr (OdlSourceItem) below = g_list_model_get_item (rows_of (self), i);
    if (!below || odl_source_item_depth (below) <= depth)
      return g_steal_pointer (&object);
    if (odl_source_item_is_heading (below))
      continue;
    if (!odl_source_item_is_object (below))
      return g_steal_pointer (&below);
    if (!object)
      object = g_steal_pointer (&below);
  }
}

static void
open_item (OdlSourcePanel *self, guint index)
{
  g_autoptr (OdlSourceItem) item = find_opened (self, index);
  if (!item)
    return;
  const char *location = odl_source_item_location (item);
  // The last camera is opened with its last format.
  const size_t length = strlen (location);
  if (odl_source_item_state (item) == ODL_THUMBNAIL_CAMERA && self->last_camera
      && strncmp (self->last_camera, location, length) == 0
      && self->last_camera[length] == ',')
    location = self->last_camera;
  if (odl_source_item_is_object (item))
    open_object (self, item);
  else
    open_location (self, location, NULL);
}

// ---- folder --------------------------------------------------------------------------

static guint
find_shown (OdlSourcePanel *self)
{
  return odl_shown_row (rows_of (self), self->session, self->failed, self->studies);
}

static void
select_shown (OdlSourcePanel *self)
{
  odl_shown_selection_set (self->selection, find_shown (self));
}

static void
cameras_cb (void *data)
{
  select_shown (data);
}

static gboolean
scroll_cb (void *data)
{
  OdlSourcePanel *self = data;
  const guint index = odl_shown_selection_get (self->selection);
  self->follow_id = 0;
  if (index != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u",
                                index);
  return G_SOURCE_REMOVE;
}

// Scrolls to the source on the canvas, however it was opened. Postponed until new rows
// have been laid out, since their positions are unknown before.
static void
follow_shown (OdlSourcePanel *self)
{
  select_shown (self);
  if (!self->follow_id)
    self->follow_id = g_idle_add_full (G_PRIORITY_LOW, scroll_cb, self, NULL);
}

// The shown file may have a name that is not listed; it is inserted in its place.
static bool
add_shown (OdlSourcePanel *self)
{
  const char *location
      = self->failed ? self->failed : odl_session_info (self->session)->location;
  if (!self->folder || self->studies || !location || !g_path_is_absolute (location)
      || find_item (self, location) != GTK_INVALID_LIST_POSITION
      || !g_file_test (location, G_FILE_TEST_IS_REGULAR))
    return false;
  g_autofree char *folder = g_path_get_dirname (location);
  if (!g_str_equal (folder, self->folder))
    return false;
  odl_file_rows_add (self->items, location, NULL,
                     odl_file_rows_place (G_LIST_MODEL (self->items), location));
  return true;
}

// Only needed while the list is visible.
static void
mapped_cb (OdlSourcePanel *self)
{
  odl_source_cameras_look (self->cameras);
}

void
odl_source_panel_set_last_camera (OdlSourcePanel *self, const char *location)
{
  g_free (self->last_camera);
  self->last_camera = g_strdup (location);
}

static void
fill (OdlSourcePanel *self, char **paths)
{
  odl_source_thumbnails_forget (self->thumbnails);
  g_list_store_remove_all (self->items);
  if (self->studies) {
    odl_source_cameras_fill (self->cameras, false);
    odl_study_rows_set (self->items, self->studies, odl_names_are_hidden (self->names));
    follow_shown (self);
    return;
  }
  // What the folder holds comes first, the cameras last.
  odl_file_rows_add_all (self->items, paths);
  odl_file_rows_add_generated (self->items, ODL_PHANTOM_LOCATION, PHANTOM_THUMBNAIL,
                               _ ("Ultrasound phantom"));
  odl_file_rows_add_generated (self->items, ODL_BEAMS_LOCATION, BEAMS_THUMBNAIL,
                               _ ("Ultrasound beams"));
  odl_file_rows_add_generated (self->items, ODL_XRAY_LOCATION, XRAY_THUMBNAIL,
                               _ ("X-ray phantom"));
  odl_file_rows_add (self->items, ODL_FACE_LOCATION, _ ("Surface of a face"), G_MAXUINT);
  odl_source_cameras_fill (self->cameras, true);
  add_shown (self);
  if (odl_names_are_hidden (self->names))
    odl_file_rows_name (G_LIST_MODEL (self->items), odl_names_are_hidden (self->names));
  follow_shown (self);
}

static void
name_folder (OdlSourcePanel *self)
{
  g_autofree char *name
      = self->folder ? odl_names_of_file (self->names, self->folder, NULL) : NULL;
  g_autofree char *shown = odl_spool_holds (self->folder)
                               // Its folder has a name that nobody gave.
                               ? g_strdup (_ ("Archive"))
                               : name ? odl_diagnostics_short_name (name, 60) : NULL;
  gtk_label_set_text (self->folder_label, shown ? shown : _ ("Sources"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->folder_label),
                               odl_names_are_hidden (self->names) ? NULL : self->folder);
}

static void read_studies (OdlSourcePanel *self, const char *path);
static void find_marked (OdlSourcePanel *self, char **paths);

static void
listed_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (OdlSourcePanel) self = data;
  g_autoptr (GError) error = NULL;
  bool has_dicom = false;
  g_auto (GStrv) paths = odl_folder_list_finish (result, &has_dicom, &error);
  if (g_task_get_cancellable (G_TASK (result)) != self->listing)
    return;
  g_clear_object (&self->listing);
  g_autofree char *reason
      = error ? odl_names_in_text (self->names, error->message) : NULL;
  if (error)
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->folder_label), reason);
  const bool as_files
      = !has_dicom || !odl_settings_get_boolean (self->settings, STUDIES_KEY);
  // Thousands of rows would be made for the moment until there are studies.
  if (odl_source_opener_awaits (self->opener) && has_dicom && !as_files && !error) {
    g_strfreev (self->files);
    self->files = g_steal_pointer (&paths);
    read_studies (self, self->folder);
    return;
  }
  fill (self, paths);
  if (paths)
    find_marked (self, paths);
  if (!odl_source_opener_awaits (self->opener))
    return;
  if (error)
    g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, reason);
  if (error || (paths[0] && as_files && !odl_studies_is_table (paths[0])))
    odl_source_opener_open_awaited (self->opener, error ? NULL : paths[0]);
  else // it may have some in folders, and what a table lacks
    read_studies (self, self->folder);
}

// ---- key pictures --------------------------------------------------------------------

// A series says how many it has.
static void
set_series_keys (OdlSourcePanel *self, const char *location, int n_keys)
{
  for (guint i = 0; i < self->studies->len; i++) {
    OdlSeries *one = self->studies->pdata[i];
    if (one->kind != ODL_SERIES_PICTURES || one->n_keys == n_keys
        || !g_str_equal (one->location, location))
      continue;
    one->n_keys = n_keys;
    odl_study_rows_set (self->items, self->studies, odl_names_are_hidden (self->names));
    select_shown (self);
  }
}

static gboolean
count_keys_cb (void *data)
{
  OdlSourcePanel *self = data;
  const int n_keys = odl_session_count_keys (self->session);
  g_autoptr (OdlSourceItem) item
      = g_list_model_get_item (rows_of (self), find_shown (self));
  self->keys_id = 0;
  if (!item || n_keys < 0 || self->failed)
    return G_SOURCE_REMOVE;
  if (self->studies)
    set_series_keys (self, odl_source_item_location (item), n_keys);
  else
    odl_source_item_set_n_keys (item, n_keys);
  return G_SOURCE_REMOVE;
}

// Once for many changes, as of a line that is dragged.
static void
keys_cb (OdlSourcePanel *self)
{
  if (!self->keys_id)
    self->keys_id = g_idle_add_full (G_PRIORITY_LOW, count_keys_cb, self, NULL);
}

static void
marked_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (OdlSourcePanel) self = data;
  g_autoptr (GHashTable) marked = odl_keys_list_finish (result);
  if (!marked || g_task_get_cancellable (G_TASK (result)) != self->marking)
    return;
  g_clear_object (&self->marking);
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items));
  for (guint i = 0; i < n && !self->studies; i++) {
    g_autoptr (OdlSourceItem) item
        = g_list_model_get_item (G_LIST_MODEL (self->items), i);
    const void *n_keys = g_hash_table_lookup (marked, odl_source_item_location (item));
    if (n_keys)
      odl_source_item_set_n_keys (item, GPOINTER_TO_INT (n_keys));
  }
}

static void
forget_marking (OdlSourcePanel *self)
{
  if (self->marking)
    g_cancellable_cancel (self->marking);
  g_clear_object (&self->marking);
}

// Of files, in the background.
static void
find_marked (OdlSourcePanel *self, char **paths)
{
  forget_marking (self);
  self->marking = g_cancellable_new ();
  odl_keys_list (paths, self->marking, marked_cb, g_object_ref (self));
}

// ---- patients, studies and series ----------------------------------------------------

static void
set_studies (OdlSourcePanel *self, GPtrArray *studies)
{
  g_clear_pointer (&self->studies, g_ptr_array_unref);
  self->studies = studies;
  self->updating = true;
  gtk_toggle_button_set_active (self->studies_button, studies != NULL);
  self->updating = false;
}

// What is DICOM in a folder may be no picture, and lie beside pictures.
static void
open_first_file (OdlSourcePanel *self, const char *else_message)
{
  const guint index
      = odl_file_rows_next (G_LIST_MODEL (self->items), GTK_INVALID_LIST_POSITION, 1);
  g_autoptr (OdlSourceItem) item
      = g_list_model_get_item (G_LIST_MODEL (self->items), index);
  const bool opens = item && odl_source_opener_awaits (self->opener)
                     && !odl_studies_is_table (odl_source_item_location (item));
  if (!opens)
    g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, else_message);
  odl_source_opener_open_awaited (self->opener,
                                  opens ? odl_source_item_location (item) : NULL);
}

// Rows that were there stay where the list has grown.
static void
show_studies (OdlSourcePanel *self, GPtrArray *studies)
{
  const bool grows = self->studies != NULL;
  set_studies (self, studies);
  if (!grows) {
    fill (self, NULL);
    return;
  }
  odl_study_rows_set (self->items, self->studies, odl_names_are_hidden (self->names));
  select_shown (self);
}

// The series of the slice that is wanted hangs at it, if it is in the list.
static bool
open_slice (OdlSourcePanel *self)
{
  const char *instance = odl_source_opener_slice (self->opener);
  const char *file = NULL;
  const OdlSeries *series
      = instance ? odl_studies_with (self->studies, instance, &file) : NULL;
  if (!series)
    return false;
  g_autofree char *location
      = series->n_pictures > 1 ? odl_folder_series_of (file) : g_strdup (file);
  odl_source_opener_open_slice (self->opener, location);
  return true;
}

// The first series hangs as soon as it is known, one that hangs last when there is no
// other; where there may be more of it, its first picture does.
static void
grown_cb (const OdlStudiesSoFar *so_far, GCancellable *cancellable, void *data)
{
  OdlSourcePanel *self = data;
  if (cancellable != self->listing)
    return;
  // Translators: of a folder that is being listed: so many files of it were read.
  g_autofree char *text = g_strdup_printf (
      ngettext ("Reading… %u file", "Reading… %u files", so_far->n_files),
      so_far->n_files);
  gtk_label_set_text (self->folder_label, text);
  show_studies (self, g_ptr_array_ref (so_far->list));
  // What is shown meanwhile is that slice.
  if (odl_source_opener_slice (self->opener)) {
    if (so_far->whole)
      open_slice (self);
    return;
  }
  const OdlSeries *first = odl_studies_first (self->studies, NULL);
  if (!first || first->hangs_last || !odl_source_opener_awaits (self->opener))
    return;
  g_clear_pointer (&self->first_picture, g_free);
  if (!so_far->whole && first->n_frames == 1)
    self->first_picture = g_strdup (first->path);
  odl_source_opener_open_awaited (self->opener, self->first_picture ? self->first_picture
                                                                    : first->location);
}

static const OdlSeries *
find_location (const GPtrArray *studies, const char *location)
{
  for (guint i = 0; i < studies->len; i++)
    if (g_str_equal (((const OdlSeries *) studies->pdata[i])->location, location))
      return studies->pdata[i];
  return NULL;
}

// The first series of a study that is newer than that of a series, of the same person;
// NULL: there is none, or something was drawn on what is shown.
static const char *
find_newer (OdlSourcePanel *self, const char *location)
{
  const OdlSeries *series = find_location (self->studies, location);
  const OdlSeries *first
      = series ? odl_studies_first (self->studies, series->person) : NULL;
  return first && !g_str_equal (first->study_uid, series->study_uid)
                 && odl_annotations_count (odl_session_annotations (self->session)) == 0
             ? first->location
             : NULL;
}

// All of the series is known, of which the first picture is shown, or on its way.
static void
complete_first (OdlSourcePanel *self)
{
  const char *opening = odl_session_opening (self->session);
  if (!self->first_picture || self->listing || !self->studies
      || g_strcmp0 (opening, self->first_picture) == 0)
    return;
  g_autofree char *path = g_steal_pointer (&self->first_picture);
  const char *shown = odl_session_info (self->session)->location;
  if (opening || g_strcmp0 (shown, path) != 0)
    return;
  const char *uid = odl_session_detail (self->session, "series-instance");
  const char *location = odl_study_rows_find (self->studies, path, uid);
  const char *newer = location ? find_newer (self, location) : NULL;
  if (newer)
    odl_source_opener_open (self->opener, self->session, newer, NULL);
  else if (location && !g_str_equal (location, path))
    odl_source_opener_complete (self->opener, self->session, location);
}

static void
studies_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (OdlSourcePanel) self = data;
  g_autoptr (GError) error = NULL;
  const char *note = NULL;
  g_autoptr (GPtrArray) studies = odl_studies_list_finish (result, &note, &error);
  if (g_task_get_cancellable (G_TASK (result)) != self->listing)
    return;
  g_clear_object (&self->listing);
  name_folder (self);
  if (!studies || !odl_studies_first (studies, NULL)) {
    set_studies (self, NULL);
    if (self->files)
      fill (self, self->files);
    open_first_file (self, error
                               ? error->message
                               : _ ("This folder holds no picture that can be opened."));
    return;
  }
  show_studies (self, g_steal_pointer (&studies));
  if (note)
    g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, note);
  if (odl_source_opener_slice (self->opener) && !open_slice (self))
    g_signal_emit (self, signals[SIGNAL_MESSAGE], 0,
                   _ ("The picture that was open is not in this folder."));
  odl_source_opener_open_awaited (self->opener,
                                  odl_studies_first (self->studies, NULL)->location);
  complete_first (self);
}

static void
read_studies (OdlSourcePanel *self, const char *path)
{
  if (self->listing)
    g_cancellable_cancel (self->listing);
  g_clear_object (&self->listing);
  g_clear_pointer (&self->first_picture, g_free);
  self->listing = g_cancellable_new ();
  self->reading = self->listing;
  gtk_label_set_text (self->folder_label, _ ("Reading…"));
  odl_studies_list (path, grown_cb, self->listing, studies_cb, g_object_ref (self));
}

void
odl_source_panel_open_studies (OdlSourcePanel *self,
                               const char *path,
                               const OdlRecipe *recipe)
{
  g_autofree char *folder
      = odl_studies_is_table (path) ? g_path_get_dirname (path) : g_strdup (path);
  odl_source_panel_set_folder (self, folder);
  odl_source_opener_await (self->opener, self->session, recipe);
  read_studies (self, path);
}

void
odl_source_panel_list_studies (OdlSourcePanel *self, const char *folder)
{
  odl_source_panel_set_folder (self, folder);
  read_studies (self, folder);
}

const GPtrArray *
odl_source_panel_studies (OdlSourcePanel *self)
{
  return self->studies;
}

// Those are read that will be listed.
static bool
reads_studies (const OdlSourcePanel *self)
{
  return self->listing && self->listing == self->reading;
}

const char *
odl_source_panel_studies_folder (OdlSourcePanel *self)
{
  return self->studies || reads_studies (self) ? self->folder : NULL;
}

bool
odl_source_panel_is_listing (OdlSourcePanel *self)
{
  return self->listing != NULL;
}

void
odl_source_panel_choose (OdlSourcePanel *self, const char *location)
{
  odl_source_opener_choose (self->opener, location);
}

bool
odl_source_panel_open_whole (OdlSourcePanel *self)
{
  g_autofree char *series = odl_source_opener_whole (self->opener, self->session);
  const bool opens = series && odl_settings_get_boolean (self->settings, STUDIES_KEY);
  if (opens)
    odl_session_open_whole (self->session, series);
  return opens;
}

static void
toggled_cb (OdlSourcePanel *self)
{
  if (self->updating || !self->folder)
    return;
  const bool studies = gtk_toggle_button_get_active (self->studies_button);
  odl_settings_set_boolean (self->settings, STUDIES_KEY, studies);
  if (studies) {
    odl_source_opener_open_awaited (self->opener, NULL);
    read_studies (self, self->folder);
    return;
  }
  g_autofree char *folder = g_strdup (self->folder);
  odl_source_panel_set_folder (self, NULL);
  odl_source_panel_set_folder (self, folder);
}

void
odl_source_panel_open_folder (OdlSourcePanel *self,
                              const char *folder,
                              const OdlRecipe *recipe)
{
  odl_source_panel_set_folder (self, NULL);
  odl_source_opener_await (self->opener, self->session, recipe);
  odl_source_panel_set_folder (self, folder);
}

void
odl_source_panel_await_slice (OdlSourcePanel *self, const char *instance)
{
  odl_source_opener_await_slice (self->opener, instance);
}

static void
names_cb (OdlSourcePanel *self)
{
  // What was looked for may be a name, and so may be what was not found.
  if (odl_names_are_hidden (self->names))
    odl_source_search_close (self->search);
  name_folder (self);
  if (self->studies)
    fill (self, NULL);
  else
    odl_file_rows_name (G_LIST_MODEL (self->items), odl_names_are_hidden (self->names));
  odl_source_search_update (self->search);
}

void
odl_source_panel_search (OdlSourcePanel *self)
{
  odl_source_search_open (self->search);
}

void
odl_source_panel_set_folder (OdlSourcePanel *self, const char *folder)
{
  if (g_strcmp0 (folder, self->folder) == 0 && folder)
    return;
  if (self->listing)
    g_cancellable_cancel (self->listing);
  g_clear_object (&self->listing);
  forget_marking (self);
  g_free (self->folder);
  g_clear_pointer (&self->files, g_strfreev);
  self->folder = g_strdup (folder);
  set_studies (self, NULL);
  odl_source_search_close (self->search);
  gtk_widget_set_sensitive (GTK_WIDGET (self->studies_button), folder != NULL);
  name_folder (self);
  fill (self, NULL);
  if (!folder)
    return;
  self->listing = g_cancellable_new ();
  self->reading = NULL;
  odl_folder_list (folder, odl_source_opener_awaits (self->opener), self->listing,
                   listed_cb, g_object_ref (self));
}

void
odl_source_panel_step (OdlSourcePanel *self, int by)
{
  guint index = find_shown (self);
  // While the next file is being opened, another step starts from it.
  const char *opening = odl_session_opening (self->session);
  if (opening && find_row (self, opening) != GTK_INVALID_LIST_POSITION)
    index = find_row (self, opening);
  const guint next = odl_file_rows_next (rows_of (self), index, by);
  if (next != GTK_INVALID_LIST_POSITION)
    open_item (self, next);
}

// Patients and series are also of the folders in that folder.
static bool
lists_below (const OdlSourcePanel *self, const char *location)
{
  const bool studies = self->folder && (self->studies || reads_studies (self));
  const size_t length = studies ? strlen (self->folder) : 0;
  return studies && strncmp (location, self->folder, length) == 0
         && location[length] == '/';
}

// The list follows the shown file. For a folder that does not exist it is empty.
static void
follow_folder (OdlSourcePanel *self)
{
  const char *location
      = self->failed ? self->failed : odl_session_info (self->session)->location;
  if (location && g_path_is_absolute (location) && !lists_below (self, location)) {
    g_autofree char *file = odl_shown_file (location);
    g_autofree char *folder = g_path_get_dirname (file);
    const bool there = g_file_test (folder, G_FILE_TEST_IS_DIR);
    odl_source_panel_set_folder (self, there ? folder : NULL);
    if (!self->listing && add_shown (self) && odl_names_are_hidden (self->names))
      odl_file_rows_name (G_LIST_MODEL (self->items), odl_names_are_hidden (self->names));
  }
  follow_shown (self);
}

void
odl_source_panel_set_failed (OdlSourcePanel *self, const char *location)
{
  if (g_strcmp0 (location, self->failed) == 0)
    return;
  g_free (self->failed);
  self->failed = g_strdup (location);
  follow_folder (self);
  if (location)
    odl_source_item_set_broken (G_LIST_MODEL (self->items), location, true);
}

// A series stands among the others of its folder.
static void
list_series (OdlSourcePanel *self)
{
  const char *file
      = odl_folder_file_of_series (odl_session_info (self->session)->location);
  if (!file || lists_below (self, file) || g_file_test (file, G_FILE_TEST_IS_DIR)
      || !odl_settings_get_boolean (self->settings, STUDIES_KEY))
    return;
  g_autofree char *folder = g_path_get_dirname (file);
  odl_source_panel_set_folder (self, folder);
  read_studies (self, folder);
}

static void
source_cb (OdlSourcePanel *self)
{
  // The file may have been repaired meanwhile.
  odl_source_item_set_broken (G_LIST_MODEL (self->items),
                              odl_session_info (self->session)->location, false);
  odl_source_thumbnails_request (self->thumbnails);
  odl_source_opener_begin (self->opener, self->session);
  if (odl_session_info (self->session)->is_stack)
    list_series (self);
  follow_folder (self);
  odl_source_cameras_update (self->cameras);
}

static void
opening_cb (OdlSourcePanel *self)
{
  if (odl_session_opening (self->session))
    odl_source_opener_leave (self->opener, self->session);
  else
    complete_first (self);
}

// ---- widget --------------------------------------------------------------------------

static void
take_session (OdlSourcePanel *self, OdlSession *session)
{
  if (self->session) {
    g_signal_handlers_disconnect_by_func (self->session, source_cb, self);
    g_signal_handlers_disconnect_by_func (self->session, opening_cb, self);
    g_signal_handlers_disconnect_by_func (self->session, keys_cb, self);
  }
  g_set_object (&self->session, session);
  g_signal_connect_object (session, "notify::source", G_CALLBACK (source_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "annotations-changed", G_CALLBACK (keys_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::opening", G_CALLBACK (opening_cb), self,
                           G_CONNECT_SWAPPED);
}

// The folder of a stack is that of its pictures; that before stays for an empty session.
void
odl_source_panel_set_session (OdlSourcePanel *self, OdlSession *session)
{
  const char *location = odl_session_info (session)->location;
  const char *file = location && odl_folder_file_of_series (location)
                         ? odl_session_file (session)
                         : NULL;
  take_session (self, session);
  odl_source_cameras_set_session (self->cameras, session);
  // A folder that is to be opened stays until its files are known.
  if (odl_source_opener_awaits (self->opener)) {
    select_shown (self);
    return;
  }
  if (file && !lists_below (self, file)) {
    g_autofree char *folder = g_path_get_dirname (file);
    odl_source_panel_set_folder (self, folder);
  }
  follow_folder (self);
}

// In steps, so that a drag does not make all of them anew at each pixel.
static void
side_cb (OdlSourcePanel *self)
{
  const int side
      = (int) round (gtk_adjustment_get_value (self->side) / SIDE_STEP) * SIDE_STEP;
  if (side == self->shown_side)
    return;
  self->shown_side = side;
  odl_settings_set_int (self->settings, SIDE_KEY, side);
  odl_source_thumbnails_set_side (self->thumbnails, side);
  g_autoptr (GtkListItemFactory) factory = odl_source_row_factory_new (
      side, odl_source_thumbnails_request, self->thumbnails);
  gtk_list_view_set_factory (self->list, factory);
}

void
odl_source_panel_set_up (OdlSourcePanel *self, OdlSession *session, OdlSettings *settings)
{
  self->settings = g_object_ref (settings);
  self->opener = odl_source_opener_new (settings);
  take_session (self, session);
  self->names = odl_names_of (session);
  g_signal_connect_object (self->names, "changed", G_CALLBACK (names_cb), self,
                           G_CONNECT_SWAPPED);
  self->cameras = odl_source_cameras_new (session, self->items, cameras_cb, self);
  gtk_box_append (GTK_BOX (self->root), odl_source_cameras_bar (self->cameras));
  gtk_adjustment_set_value (self->side, odl_settings_get_int (settings, SIDE_KEY));
  g_signal_connect_object (self->side, "value-changed", G_CALLBACK (side_cb), self,
                           G_CONNECT_SWAPPED);
  side_cb (self);
  fill (self, NULL);
}

static void
odl_source_panel_dispose (GObject *object)
{
  OdlSourcePanel *self = ODL_SOURCE_PANEL (object);
  g_clear_pointer (&self->thumbnails, odl_source_thumbnails_free);
  g_clear_pointer (&self->opener, odl_source_opener_free);
  g_clear_object (&self->settings);
  g_clear_handle_id (&self->follow_id, g_source_remove);
  g_clear_handle_id (&self->keys_id, g_source_remove);
  forget_marking (self);
  g_clear_pointer (&self->cameras, odl_source_cameras_free);
  if (self->listing)
    g_cancellable_cancel (self->listing);
  g_clear_object (&self->listing);
  g_clear_pointer (&self->search, odl_source_search_free);
  g_clear_pointer (&self->root, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->items);
  g_clear_object (&self->session);
  g_clear_pointer (&self->folder, g_free);
  g_clear_pointer (&self->studies, g_ptr_array_unref);
  g_clear_pointer (&self->failed, g_free);
  g_clear_pointer (&self->files, g_strfreev);
  g_clear_pointer (&self->first_picture, g_free);
  g_clear_pointer (&self->last_camera, g_free);
  G_OBJECT_CLASS (odl_source_panel_parent_class)->dispose (object);
}

static void
odl_source_panel_class_init (OdlSourcePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = odl_source_panel_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/org/ondelette/Ondelette/ui/source_panel.ui");
  signals[SIGNAL_MESSAGE]
      = g_signal_new ("message", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_bind_template_child (widget_class, OdlSourcePanel, root);
  gtk_widget_class_bind_template_child (widget_class, OdlSourcePanel, folder_label);
  gtk_widget_class_bind_template_child (widget_class, OdlSourcePanel, list);
  gtk_widget_class_bind_template_child (widget_class, OdlSourcePanel, studies_button);
  gtk_widget_class_bind_template_child (widget_class, OdlSourcePanel, side);
  gtk_widget_class_bind_template_child (widget_class, OdlSourcePanel, search_bar);
  gtk_widget_class_bind_template_child (widget_class, OdlSourcePanel, search_entry);
  gtk_widget_class_bind_template_child (widget_class, OdlSourcePanel, search_empty);
  gtk_widget_class_bind_template_callback (widget_class, open_item);
  gtk_widget_class_bind_template_callback (widget_class, toggled_cb);
}

static void
odl_source_panel_init (OdlSourcePanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self, "map", G_CALLBACK (mapped_cb), NULL);
  self->items = g_list_store_new (ODL_TYPE_SOURCE_ITEM);
  self->search
      = odl_source_search_new (G_LIST_MODEL (self->items), self->search_bar,
                               self->search_entry, self->search_empty, self->list);
  self->selection = odl_shown_selection_new (rows_of (self));
  g_signal_connect_swapped (rows_of (self), "items-changed", G_CALLBACK (select_shown),
                            self);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  self->thumbnails = odl_source_thumbnails_new (self->list, G_LIST_MODEL (self->items),
                                                rows_of (self));
  odl_source_row_add_keys (GTK_WIDGET (self->list));
}
