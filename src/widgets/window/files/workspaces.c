// SPDX-License-Identifier: MIT
#include "widgets/window/files/workspaces.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "image/display/colour_map.h"
#include "widgets/window/fusion.h"
#include "widgets/window/parts.h"
#include "widgets/windows/calculation_window.h"

#define KEEP_S 5

static const char *const links[]
    = { "link-view", "link-slices", "link-window", "link-time" };

struct _OdlWorkspaces {
  const OdlWindowParts *parts;
  OdlWorkspace *previous; // of the window before; NULL: none
  char *kept; // the text that is in the user's state folder; NULL: none
  guint keep_id; // 0: the window is closed
};

// ---- what is shown, as a workspace ---------------------------------------------------

static bool
is_on (const OdlWindowParts *parts, const char *action)
{
  g_autoptr (GVariant) state
      = g_action_group_get_action_state (G_ACTION_GROUP (parts->window), action);
  return state && g_variant_get_boolean (state);
}

static char *
text_state (const OdlWindowParts *parts, const char *action)
{
  g_autoptr (GVariant) state
      = g_action_group_get_action_state (G_ACTION_GROUP (parts->window), action);
  return state ? g_variant_dup_string (state, NULL) : NULL;
}

static void
note_fusion (const OdlPane *pane, OdlWorkspacePane *noted)
{
  const OdlFusionLook look = odl_pane_fusion_look (pane);
  noted->fusion = g_strdup (odl_pane_fusion_location (pane));
  if (!noted->fusion)
    return;
  noted->fusion_share = look.share;
  noted->fusion_colours = g_strdup (look.map->name);
  noted->fusion_centre = look.levels.centre;
  noted->fusion_width = look.levels.width;
}

// Frames of a capture do not come back.
static void
note_pane (const OdlPane *pane, OdlWorkspacePane *noted)
{
  OdlSession *session = pane->session;
  const OdlSourceInfo *info = odl_session_info (session);
  const OdlWindow window = odl_viewport_window (pane->viewport);
  const OdlColourMap *map = odl_viewport_colour_map (pane->viewport);
  if (!info->location)
    return;
  *noted = (OdlWorkspacePane){
    .location = g_strdup (info->location),
    .position
    = info->capture ? 0 : odl_playback_position (odl_session_playback (session)),
    .playing = odl_session_playing (session),
    .recipe = odl_recipe_to_text (odl_session_recipe (session), " "),
    .view = *odl_viewport_view (pane->viewport),
    .mode = window.mode == ODL_WINDOW_TABLE ? ODL_WINDOW_FILE : window.mode,
    .choice = window.choice,
    .centre = window.centre,
    .width = window.width,
    .invert = window.invert,
    .colours = map ? g_strdup (map->name) : NULL,
    .planes = odl_session_planes (session),
  };
  if (odl_session_shows_planes (session))
    noted->voxel = odl_session_voxel (session);
  note_fusion (pane, noted);
  odl_window_save_pair (session, noted);
}

static OdlWorkspace *
note (OdlWorkspaces *self, bool ended)
{
  const OdlWindowParts *parts = self->parts;
  OdlWorkspace *workspace = odl_workspace_new ();
  g_autoptr (GStrvBuilder) on = g_strv_builder_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (links); i++)
    if (is_on (parts, links[i]))
      g_strv_builder_add (on, links[i]);
  workspace->links = g_strv_builder_end (on);
  workspace->layout = text_state (parts, "layout");
  odl_show_save (parts->show, workspace);
  workspace->alone = odl_layout_alone (parts->layout);
  workspace->folder = g_strdup (odl_source_panel_studies_folder (parts->source_panel));
  workspace->ended = ended;
  workspace->process = getpid ();
  workspace->begun = odl_workspace_begun (workspace->process);
  odl_calculation_window_save (parts->window, workspace);
  workspace->n_panes = odl_layout_count (parts->layout);
  for (int i = 0; i < workspace->n_panes; i++) {
    const OdlPane *pane = odl_layout_nth (parts->layout, i);
    if (odl_layout_is_active (parts->layout, pane))
      workspace->active = i;
    note_pane (pane, &workspace->panes[i]);
  }
  return workspace;
}

// ---- a pane comes back ---------------------------------------------------------------

#define COMING "odl-workspace-pane" // of a session

// What a pane waits to be given.
typedef struct {
  OdlPane *at; // borrowed
  OdlWorkspace *workspace;
  OdlWorkspacePane *pane; // of it
  guint64 serial; // of the source that was shown before
  bool looked; // the look is there; the position may have to wait for a whole stack
} Coming;

static void
coming_free (void *data)
{
  Coming *coming = data;
  odl_workspace_free (coming->workspace);
  g_free (coming);
}

static void
give_look (Coming *self)
{
  const OdlWorkspacePane *pane = self->pane;
  OdlViewport *viewport = self->at->viewport;
  OdlView view = *odl_viewport_view (viewport);
  OdlWindow window = odl_viewport_window (viewport);
  view.quarter_turns = pane->view.quarter_turns;
  view.flip_horizontal = pane->view.flip_horizontal;
  view.flip_vertical = pane->view.flip_vertical;
  view.fit = true;
  // A zoom is of pictures of that size: another one may have the file's name now.
  if (!pane->view.fit && pane->view.zoom > 0 && pane->view.image_width == view.image_width
      && pane->view.image_height == view.image_height) {
    view.fit = false;
    view.zoom = pane->view.zoom;
    view.centre = pane->view.centre;
  }
  window.invert = pane->invert;
  window.map = pane->colours ? odl_colour_map_find (pane->colours) : NULL;
  window.mode = pane->mode;
  window.choice = pane->choice;
  if (pane->mode == ODL_WINDOW_CUSTOM) {
    window.centre = pane->centre;
    window.width = pane->width;
  }
  odl_viewport_restore (viewport, &view, &window, false);
}

static void
give_fusion (const Coming *self)
{
  const OdlWorkspacePane *pane = self->pane;
  const OdlColourMap *map
      = pane->fusion_colours ? odl_colour_map_find (pane->fusion_colours) : NULL;
  odl_pane_set_fusion (self->at, pane->fusion);
  if (!pane->fusion)
    return;
  OdlFusionLook look = odl_pane_fusion_look (self->at);
  look.share = pane->fusion_share;
  look.map = map ? map : look.map;
  look.levels = (OdlFusionLevels){ pane->fusion_centre, pane->fusion_width };
  odl_pane_set_fusion_look (self->at, look);
}

// False: the source has no such frame yet.
static bool
give_position (const Coming *self, OdlSession *session)
{
  const OdlWorkspacePane *pane = self->pane;
  OdlPlayback *playback = odl_session_playback (session);
  if (odl_session_info (session)->capture || pane->position < 0)
    return true;
  if (pane->position >= odl_playback_n_frames (playback))
    return pane->position == 0;
  if (odl_session_shows_planes (session))
    odl_session_set_voxel (session, &pane->voxel);
  if (odl_playback_position (playback) != pane->position)
    odl_playback_seek (playback, pane->position);
  if (odl_playback_is_moving (playback))
    odl_session_set_playing (session, pane->playing);
  return true;
}

static void arrived_cb (OdlSession *session);

static void
let_go (OdlSession *session)
{
  g_signal_handlers_disconnect_by_func (session, arrived_cb, NULL);
  g_object_set_data (G_OBJECT (session), COMING, NULL);
}

static void
arrived_cb (OdlSession *session)
{
  Coming *coming = g_object_get_data (G_OBJECT (session), COMING);
  const OdlFrame *frame = odl_session_frame (session);
  const char *opening = odl_session_opening (session);
  const bool there
      = g_strcmp0 (odl_session_info (session)->location, coming->pane->location) == 0;
  // Somebody opened another one meanwhile.
  if (!there && g_strcmp0 (opening, coming->pane->location) != 0) {
    let_go (session);
    return;
  }
  // The same source may be opened anew, and its picture of before be computed once more.
  if (!there || !frame || !odl_session_is_of_source (session, frame)
      || frame->source_serial == coming->serial)
    return;
  if (!coming->looked) {
    coming->looked = true;
    give_look (coming);
    give_fusion (coming);
    odl_window_restore_pair (coming->at->parts, session, coming->pane);
  }
  if (give_position (coming, session) || !opening)
    let_go (session);
}

static void
bring_pane (const OdlWindowParts *parts, OdlPane *pane, const char *text, int index)
{
  // It was read from a text before.
  g_autoptr (OdlWorkspace) workspace = odl_workspace_from_text (text, "", NULL);
  OdlWorkspacePane *wanted = &workspace->panes[index];
  OdlRecipe recipe;
  if (!wanted->location)
    return;
  odl_recipe_init (&recipe);
  if (wanted->recipe)
    odl_recipe_parse (&recipe, wanted->recipe, NULL);
  odl_session_set_planes (pane->session, wanted->planes);
  let_go (pane->session);
  Coming *coming = g_new (Coming, 1);
  const OdlFrame *frame = odl_session_frame (pane->session);
  *coming = (Coming){ .at = pane,
                      .workspace = g_steal_pointer (&workspace),
                      .pane = wanted,
                      .serial = frame ? frame->source_serial : 0 };
  g_object_set_data_full (G_OBJECT (pane->session), COMING, coming, coming_free);
  // The viewport has taken the frame in by then.
  g_signal_connect_after (pane->session, "frame-ready", G_CALLBACK (arrived_cb), NULL);
  odl_layout_activate (parts->layout, pane);
  odl_main_window_open (parts->window, wanted->location, wanted->recipe ? &recipe : NULL);
}

// ---- a workspace comes back ----------------------------------------------------------

static void
set_layout (const OdlWindowParts *parts, const char *layout)
{
  GActionGroup *actions = G_ACTION_GROUP (parts->window);
  g_action_group_activate_action (actions, "layout", g_variant_new_string (layout));
}

static void
bring_links (const OdlWindowParts *parts, const OdlWorkspace *workspace)
{
  for (size_t i = 0; i < G_N_ELEMENTS (links); i++) {
    const bool wanted
        = workspace->links
          && g_strv_contains ((const char *const *) workspace->links, links[i]);
    if (is_on (parts, links[i]) != wanted)
      g_action_group_activate_action (G_ACTION_GROUP (parts->window), links[i], NULL);
  }
}

static bool
may_bring (const OdlWindowParts *parts)
{
  const char *why = parts->state->presenting  ? _ ("End the presentation first (F5).")
                    : parts->state->recording ? _ ("Stop the recording first (Ctrl+R).")
                                              : NULL;
  if (why)
    odl_messages_say (parts->messages, why);
  return !why;
}

bool
odl_workspaces_bring (const OdlWindowParts *parts, const OdlWorkspace *workspace)
{
  if (!may_bring (parts))
    return false;
  g_autofree char *text = odl_workspace_to_text (workspace);
  // One that has gone is left: the list follows what is shown.
  if (workspace->folder && g_path_is_absolute (workspace->folder)
      && g_file_test (workspace->folder, G_FILE_TEST_IS_DIR)
      && g_strcmp0 (workspace->folder,
                    odl_source_panel_studies_folder (parts->source_panel))
             != 0)
    odl_source_panel_list_studies (parts->source_panel, workspace->folder);
  // New panes, so that nothing of what was shown before is left in an empty one.
  set_layout (parts, "1x1");
  if (workspace->layout)
    set_layout (parts, workspace->layout);
  bring_links (parts, workspace);
  odl_show_restore (parts->show, workspace);
  const int n = MIN (workspace->n_panes, odl_layout_count (parts->layout));
  for (int i = 0; i < n; i++)
    bring_pane (parts, odl_layout_nth (parts->layout, i), text, i);
  OdlPane *active = odl_layout_nth (parts->layout, MIN (workspace->active, n - 1));
  if (active)
    odl_layout_activate (parts->layout, active);
  odl_layout_set_alone (parts->layout, workspace->alone);
  if (workspace->calculation)
    odl_calculation_window_restore (parts->window, workspace);
  return true;
}

// ---- actions -------------------------------------------------------------------------

static void
open_file_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  OdlWorkspaces *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (OdlWorkspace) workspace = odl_workspace_load (path, &error);
  if (workspace) {
    odl_workspaces_bring (self->parts, workspace);
    return;
  }
  g_autofree char *text
      = odl_names_in_text (odl_names_of (self->parts->session), error->message);
  odl_messages_say (self->parts->messages, text);
}

static void
open_cb (OdlWorkspaces *self, GVariant *parameter)
{
  static const char *const patterns[] = { "*" ODL_WORKSPACE_ENDING, NULL };
  GtkFileChooser *chooser
      = odl_file_chooser_new (self->parts, _ ("Open Workspace"),
                              GTK_FILE_CHOOSER_ACTION_OPEN, NULL, open_file_cb, self);
  odl_file_chooser_add_filter (chooser, _ ("Workspaces"), patterns);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
save_file_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  OdlWorkspaces *self = data;
  const OdlWindowParts *parts = self->parts;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (OdlWorkspace) workspace = note (self, true);
  if (odl_files_is_shown (parts, path))
    return;
  if (!odl_workspace_save (workspace, path, &error)) {
    odl_messages_say (parts->messages, error->message);
    return;
  }
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *text = g_strdup_printf (_ ("Saved “%s”"), name);
  odl_messages_say_of_file (parts->messages, text, path);
}

static void
save_cb (OdlWorkspaces *self, GVariant *parameter)
{
  // Translators: the name of a file that is offered for a workspace, before its ending.
  g_autofree char *name = g_strconcat (_ ("workspace"), ODL_WORKSPACE_ENDING, NULL);
  odl_file_chooser_ask (self->parts, _ ("Save Workspace"), GTK_FILE_CHOOSER_ACTION_SAVE,
                        name, save_file_cb, self);
}

static void
reopen_cb (OdlWorkspaces *self, GVariant *parameter)
{
  if (self->previous)
    odl_workspaces_bring (self->parts, self->previous);
}

// ---- the one of now ------------------------------------------------------------------

static bool
is_wanted (const OdlWorkspaces *self)
{
  return odl_settings_get_boolean (self->parts->settings, "remember-recent");
}

// What is shown, unless that is nothing, a presentation's, or hidden names are in it.
static void
keep (OdlWorkspaces *self, bool ended)
{
  const OdlWindowParts *parts = self->parts;
  if (!is_wanted (self)) {
    if (self->kept)
      odl_workspace_forget ();
    g_clear_pointer (&self->kept, g_free);
    return;
  }
  if (parts->state->presenting || odl_names_are_hidden (odl_names_of (parts->session)))
    return;
  g_autoptr (OdlWorkspace) workspace = note (self, ended);
  if (odl_workspace_is_empty (workspace))
    return;
  g_autofree char *text = odl_workspace_to_text (workspace);
  if (g_strcmp0 (text, self->kept) == 0)
    return;
  odl_workspace_keep (text);
  g_free (self->kept);
  self->kept = g_steal_pointer (&text);
}

static gboolean
keep_cb (void *data)
{
  keep (data, false);
  return G_SOURCE_CONTINUE;
}

void
odl_workspaces_close (OdlWorkspaces *self)
{
  if (self->keep_id > 0)
    keep (self, true);
  g_clear_handle_id (&self->keep_id, g_source_remove);
}

void
odl_workspaces_stop (OdlWorkspaces *self)
{
  g_clear_handle_id (&self->keep_id, g_source_remove);
}

// Where the command line named nothing to show.
static void
map_cb (OdlWorkspaces *self)
{
  const OdlWindowParts *parts = self->parts;
  g_signal_handlers_disconnect_by_func (parts->window, map_cb, self);
  if (self->previous && !self->previous->ended
      && odl_main_window_is_empty (parts->window))
    odl_messages_offer (parts->messages,
                        _ ("Ondelette ended before its window was closed."),
                        _ ("_Reopen"), "win.reopen-workspace", "");
}

static void
workspaces_free (void *data)
{
  OdlWorkspaces *self = data;
  g_clear_pointer (&self->previous, odl_workspace_free);
  g_free (self->kept);
  g_free (self);
}

OdlWorkspaces *
odl_workspaces_new (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[] = {
    { "open-workspace", G_CALLBACK (open_cb) },
    { "save-workspace", G_CALLBACK (save_cb), .when = odl_window_shows_picture },
    { "reopen-workspace", G_CALLBACK (reopen_cb), "s" },
  };
  OdlWorkspaces *self = g_new0 (OdlWorkspaces, 1);
  self->parts = parts;
  if (is_wanted (self))
    self->previous = odl_workspace_begin ();
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), self);
  odl_window_enable (parts, "reopen-workspace", self->previous != NULL);
  odl_window_connect (parts, parts->window, "map", G_CALLBACK (map_cb), self);
  odl_window_own (parts, "odl-workspaces", self, workspaces_free);
  self->keep_id = g_timeout_add_seconds (KEEP_S, keep_cb, self);
  return self;
}
