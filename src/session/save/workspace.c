// SPDX-License-Identifier: MIT
#include "session/save/workspace.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "output/output.h"
#include "source/source_file.h"

#define WINDOW "Ondelette Workspace"
#define SHOW "Presentation"
#define VERSION 1
#define FARTHEST 1e9 // of zoom, centre and cross-hair

OdlWorkspace *
odl_workspace_new (void)
{
  return g_new0 (OdlWorkspace, 1);
}

void
odl_workspace_free (OdlWorkspace *self)
{
  for (int i = 0; i < ODL_WORKSPACE_MOST_PANES; i++) {
    OdlWorkspacePane *pane = &self->panes[i];
    g_free (pane->location);
    g_free (pane->recipe);
    g_free (pane->other);
    g_free (pane->letter);
    g_free (pane->comparison);
    g_free (pane->colours);
    g_free (pane->fusion);
    g_free (pane->fusion_colours);
  }
  g_free (self->layout);
  g_free (self->folder);
  g_free (self->calculation);
  g_strfreev (self->calculated_from);
  g_strfreev (self->links);
  g_strfreev (self->show_locations);
  g_strfreev (self->show_recipes);
  g_free (self);
}

bool
odl_workspace_is_empty (const OdlWorkspace *self)
{
  for (int i = 0; i < self->n_panes; i++)
    if (self->panes[i].location)
      return false;
  return true;
}

// ---- the keys of a pane --------------------------------------------------------------

typedef enum { TEXT, WHOLE, REAL, SWITCH } Kind;

// What a key says, by its place in a struct. Whole numbers are int64_t where they are
// `wide`.
typedef struct {
  const char *key;
  Kind kind;
  size_t offset;
  double least, most; // of numbers
  bool wide;
} Key;

#define PANE(field) offsetof (OdlWorkspacePane, field)

static const Key pane_keys[] = {
  { "location", TEXT, PANE (location) },
  { "position", WHOLE, PANE (position), -1, 9e15, true },
  { "playing", SWITCH, PANE (playing) },
  { "recipe", TEXT, PANE (recipe) },
  { "other-recipe", TEXT, PANE (other) },
  { "letter", TEXT, PANE (letter) },
  { "comparison", TEXT, PANE (comparison) },
  { "picture-width", WHOLE, PANE (view.image_width), 0, FARTHEST },
  { "picture-height", WHOLE, PANE (view.image_height), 0, FARTHEST },
  { "fit", SWITCH, PANE (view.fit) },
  { "zoom", REAL, PANE (view.zoom), 0, FARTHEST },
  { "centre-x", REAL, PANE (view.centre.x), -FARTHEST, FARTHEST },
  { "centre-y", REAL, PANE (view.centre.y), -FARTHEST, FARTHEST },
  { "quarter-turns", WHOLE, PANE (view.quarter_turns), 0, 3 },
  { "flip-horizontal", SWITCH, PANE (view.flip_horizontal) },
  { "flip-vertical", SWITCH, PANE (view.flip_vertical) },
  // 0 the file's, 1 the full range, 2 values
  { "window-kind", WHOLE, PANE (mode), ODL_WINDOW_FILE, ODL_WINDOW_CUSTOM },
  { "window-choice", WHOLE, PANE (choice), 0, FARTHEST },
  { "window-centre", REAL, PANE (centre), -G_MAXFLOAT, G_MAXFLOAT },
  { "window-width", REAL, PANE (width), 0, G_MAXFLOAT },
  { "invert", SWITCH, PANE (invert) },
  { "colours", TEXT, PANE (colours) },
  { "planes", SWITCH, PANE (planes) },
  { "voxel-x", WHOLE, PANE (voxel.at[0]), 0, FARTHEST },
  { "voxel-y", WHOLE, PANE (voxel.at[1]), 0, FARTHEST },
  { "voxel-z", WHOLE, PANE (voxel.at[2]), 0, FARTHEST },
  { "fusion", TEXT, PANE (fusion) },
  { "fusion-share", REAL, PANE (fusion_share), 0, 1 },
  { "fusion-colours", TEXT, PANE (fusion_colours) },
  { "fusion-centre", REAL, PANE (fusion_centre), -G_MAXFLOAT, G_MAXFLOAT },
  { "fusion-width", REAL, PANE (fusion_width), 0, G_MAXFLOAT },
};

#define WINDOW_OF(field) offsetof (OdlWorkspace, field)

static const Key show_keys[] = {
  { "dwell", REAL, WINDOW_OF (show_dwell_s), 0, FARTHEST },
};

static const Key window_keys[] = {
  { "layout", TEXT, WINDOW_OF (layout) },
  { "active", WHOLE, WINDOW_OF (active), 0, ODL_WORKSPACE_MOST_PANES - 1 },
  { "alone", SWITCH, WINDOW_OF (alone) },
  { "folder", TEXT, WINDOW_OF (folder) },
  { "ended", SWITCH, WINDOW_OF (ended) },
  { "process", WHOLE, WINDOW_OF (process), 0, 9e15, true },
  { "begun", WHOLE, WINDOW_OF (begun), 0, 9e15, true },
  { "calculation", TEXT, WINDOW_OF (calculation) },
};

// The window that somebody set is kept; without these two keys it is one of the file's.
// How another volume is seen is kept where there is one.
static bool
is_left_out (const Key *key, const OdlWorkspacePane *pane)
{
  if (!pane)
    return false;
  if (key->offset >= PANE (fusion_share) && key->offset <= PANE (fusion_width))
    return !pane->fusion;
  return pane->mode != ODL_WINDOW_CUSTOM
         && (key->offset == PANE (centre) || key->offset == PANE (width));
}

static void
write_keys (GKeyFile *file,
            const char *group,
            const void *data,
            const Key *keys,
            size_t n,
            const OdlWorkspacePane *pane)
{
  for (size_t i = 0; i < n; i++) {
    const char *at = (const char *) data + keys[i].offset;
    const char *key = keys[i].key;
    if (is_left_out (&keys[i], pane))
      continue;
    if (keys[i].kind == TEXT && *(char *const *) at)
      g_key_file_set_string (file, group, key, *(char *const *) at);
    else if (keys[i].kind == WHOLE)
      g_key_file_set_int64 (file, group, key,
                            keys[i].wide ? *(const int64_t *) at : *(const int *) at);
    else if (keys[i].kind == REAL)
      g_key_file_set_double (file, group, key, *(const double *) at);
    else if (keys[i].kind == SWITCH)
      g_key_file_set_boolean (file, group, key, *(const bool *) at);
  }
}

static bool
read_number (GKeyFile *file, const char *group, const Key *key, double *number)
{
  g_autoptr (GError) error = NULL;

  *number = g_key_file_get_double (file, group, key->key, &error);
  return !error && isfinite (*number) && *number >= key->least && *number <= key->most
         && (key->kind == REAL || *number == floor (*number));
}

static bool
read_key (GKeyFile *file, const char *group, void *data, const Key *key)
{
  char *at = (char *) data + key->offset;
  g_autoptr (GError) error = NULL;
  double number;

  if (!g_key_file_has_key (file, group, key->key, NULL))
    return true;
  if (key->kind == TEXT) {
    *(char **) at = g_key_file_get_string (file, group, key->key, &error);
    return !error;
  }
  if (key->kind == SWITCH) {
    *(bool *) at = g_key_file_get_boolean (file, group, key->key, &error);
    return !error;
  }
  if (!read_number (file, group, key, &number))
    return false;
  if (key->kind == REAL)
    *(double *) at = number;
  else if (key->wide)
    *(int64_t *) at = (int64_t) number;
  else
    *(int *) at = (int) number;
  return true;
}

static bool
read_keys (GKeyFile *file,
           const char *group,
           void *data,
           const Key *keys,
           size_t n,
           const char *shown,
           GError **error)
{
  for (size_t i = 0; i < n; i++)
    if (!read_key (file, group, data, &keys[i]))
      return odl_error_set (error, ODL_ERROR_CORRUPT,
                            _ ("%s: “%s” of [%s] is not what a workspace says there. "
                               "Correct or remove that line."),
                            shown, keys[i].key, group);
  return true;
}

// ---- text ----------------------------------------------------------------------------

static char *
group_of (int pane)
{
  return g_strdup_printf ("Pane %d", pane + 1);
}

static void
write_list (GKeyFile *file, const char *group, const char *key, char *const *list)
{
  if (list)
    g_key_file_set_string_list (file, group, key, (const char *const *) list,
                                g_strv_length ((char **) list));
}

char *
odl_workspace_to_text (const OdlWorkspace *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();

  g_key_file_set_integer (file, WINDOW, "version", VERSION);
  write_keys (file, WINDOW, self, window_keys, G_N_ELEMENTS (window_keys), NULL);
  write_list (file, WINDOW, "links", self->links);
  write_list (file, WINDOW, "calculated-from", self->calculated_from);
  for (int i = 0; i < self->n_panes; i++) {
    const OdlWorkspacePane *pane = &self->panes[i];
    g_autofree char *group = group_of (i);
    if (pane->location)
      write_keys (file, group, pane, pane_keys, G_N_ELEMENTS (pane_keys), pane);
    else
      g_key_file_set_boolean (file, group, "empty", TRUE);
  }
  if (self->show_locations) {
    write_list (file, SHOW, "sources", self->show_locations);
    write_list (file, SHOW, "recipes", self->show_recipes);
    write_keys (file, SHOW, self, show_keys, G_N_ELEMENTS (show_keys), NULL);
  }
  return g_key_file_to_data (file, NULL, NULL);
}

// A recipe of another version, or of somebody's hand, is refused before anything changes.
static bool
check_recipe (const char *text, const char *shown, GError **error)
{
  g_autoptr (GError) reason = NULL;
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  if (!text || odl_recipe_parse (&recipe, text, &reason))
    return true;
  return odl_error_set (error, ODL_ERROR_CORRUPT, "%s: %s", shown, reason->message);
}

static bool
read_pane (GKeyFile *file,
           int index,
           OdlWorkspace *self,
           const char *shown,
           GError **error)
{
  OdlWorkspacePane *pane = &self->panes[index];
  g_autofree char *group = group_of (index);

  pane->view.fit = true;
  if (!read_keys (file, group, pane, pane_keys, G_N_ELEMENTS (pane_keys), shown, error)
      || !check_recipe (pane->recipe, shown, error)
      || !check_recipe (pane->other, shown, error))
    return false;
  if (pane->mode == ODL_WINDOW_CUSTOM && pane->width <= 0)
    pane->mode = ODL_WINDOW_FILE;
  if (pane->location && !*pane->location)
    g_clear_pointer (&pane->location, g_free);
  return true;
}

// Half of a list is none.
static bool
read_show (GKeyFile *file, OdlWorkspace *self, const char *shown, GError **error)
{
  self->show_locations = g_key_file_get_string_list (file, SHOW, "sources", NULL, NULL);
  self->show_recipes = g_key_file_get_string_list (file, SHOW, "recipes", NULL, NULL);
  if (!self->show_locations || !self->show_locations[0] || !self->show_recipes
      || !self->show_recipes[0]) {
    g_clear_pointer (&self->show_locations, g_strfreev);
    g_clear_pointer (&self->show_recipes, g_strfreev);
    return true;
  }
  for (size_t i = 0; self->show_recipes[i]; i++)
    if (!check_recipe (self->show_recipes[i], shown, error))
      return false;
  return read_keys (file, SHOW, self, show_keys, G_N_ELEMENTS (show_keys), shown, error);
}

OdlWorkspace *
odl_workspace_from_text (const char *text, const char *shown, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (OdlWorkspace) self = odl_workspace_new ();

  if (!g_key_file_load_from_data (file, text, strlen (text), G_KEY_FILE_NONE, NULL)
      || !g_key_file_has_group (file, WINDOW))
    return odl_error_null (error, ODL_ERROR_CORRUPT, _ ("%s is no workspace."), shown);
  if (g_key_file_get_integer (file, WINDOW, "version", NULL) != VERSION)
    return odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                           _ ("%s is a workspace of another version of Ondelette."),
                           shown);
  if (!read_keys (file, WINDOW, self, window_keys, G_N_ELEMENTS (window_keys), shown,
                  error))
    return NULL;
  self->links = g_key_file_get_string_list (file, WINDOW, "links", NULL, NULL);
  self->calculated_from
      = g_key_file_get_string_list (file, WINDOW, "calculated-from", NULL, NULL);
  if (!read_show (file, self, shown, error))
    return NULL;
  for (int i = 0; i < ODL_WORKSPACE_MOST_PANES; i++) {
    g_autofree char *group = group_of (i);
    if (!g_key_file_has_group (file, group))
      break;
    self->n_panes = i + 1;
    if (!read_pane (file, i, self, shown, error))
      return NULL;
  }
  return g_steal_pointer (&self);
}

// ---- files ---------------------------------------------------------------------------

bool
odl_workspace_save (const OdlWorkspace *self, const char *path, GError **error)
{
  g_autofree char *text = odl_workspace_to_text (self);
  OdlOutput output;

  if (!odl_output_open (NULL, path, &output, error))
    return false;
  return odl_output_end (&output, odl_output_write (&output, text, strlen (text), error),
                         error);
}

OdlWorkspace *
odl_workspace_load (const char *path, GError **error)
{
  g_autofree char *shown = odl_source_file_display_path (path);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *text = g_malloc (ODL_WORKSPACE_MOST_BYTES + 1);
  g_autoptr (GError) reason = NULL;
  size_t n = 0;

  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, &reason);
  if (!stream
      || !g_input_stream_read_all (G_INPUT_STREAM (stream), text,
                                   ODL_WORKSPACE_MOST_BYTES + 1, &n, NULL, &reason))
    return odl_error_null (error, ODL_ERROR_IO, _ ("%s cannot be read: %s"), shown,
                           reason->message);
  if (n > ODL_WORKSPACE_MOST_BYTES)
    return odl_error_null (error, ODL_ERROR_TOO_LARGE, _ ("%s is no workspace."), shown);
  text[n] = '\0';
  return odl_workspace_from_text (text, shown, error);
}

static char *
state_path (const char *name)
{
  return g_build_filename (g_get_user_state_dir (), "ondelette", name, NULL);
}

char *
odl_workspace_current_path (void)
{
  return state_path ("current" ODL_WORKSPACE_ENDING);
}

char *
odl_workspace_previous_path (void)
{
  return state_path ("previous" ODL_WORKSPACE_ENDING);
}

void
odl_workspace_keep (const char *text)
{
  g_autofree char *path = odl_workspace_current_path ();
  g_autofree char *folder = g_path_get_dirname (path);

  // What a power cut takes away is not worth that the window waits for the disk.
  if (g_mkdir_with_parents (folder, 0700) == 0)
    g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL);
}

// Fields of /proc/PID/stat behind the name, which may hold anything (proc(5)).
#define STATE 0
#define BEGUN 19

int64_t
odl_workspace_begun (int64_t process)
{
  g_autofree char *path = g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/stat", process);
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  const char *behind = strrchr (text, ')');
  g_auto (GStrv) fields = g_strsplit (behind != NULL ? behind + 2 : "", " ", -1);
  // One that was killed stays as a zombie until its parent has asked for its end.
  if (g_strv_length (fields) <= BEGUN || *fields[STATE] == 'Z')
    return 0;
  return g_ascii_strtoll (fields[BEGUN], NULL, 10);
}

static bool
still_runs (const OdlWorkspace *self)
{
  const int64_t begun = self->process > 0 ? odl_workspace_begun (self->process) : 0;

  return begun > 0 && (self->begun == 0 || self->begun == begun);
}

OdlWorkspace *
odl_workspace_begin (void)
{
  g_autofree char *current = odl_workspace_current_path ();
  g_autofree char *previous = odl_workspace_previous_path ();
  OdlWorkspace *last = odl_workspace_load (current, NULL);
  const bool runs
      = last && !last->ended && last->process != getpid () && still_runs (last);

  if (last && !runs && g_rename (current, previous) == 0)
    return last;
  if (last)
    odl_workspace_free (last);
  return odl_workspace_load (previous, NULL);
}

void
odl_workspace_forget (void)
{
  g_autofree char *current = odl_workspace_current_path ();
  g_autofree char *previous = odl_workspace_previous_path ();

  g_unlink (current);
  g_unlink (previous);
}
