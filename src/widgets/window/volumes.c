// SPDX-License-Identifier: MIT
// How volumes are looked at: three planes, how thick they are, and a rendered view. Also
// what makes a volume of frames, and registers one to another.
#include <glib/gi18n-lib.h>
#include <math.h>

#include "image/render/render.h"
#include "session/browse/folder.h"
#include "widgets/window/parts.h"

#define STEP 1.25 // of a slab's thickness

static void
planes_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  odl_session_set_planes (parts->session, !odl_session_planes (parts->session));
}

static void
say_why_no_volume (const OdlWindowParts *parts)
{
  if (odl_session_info (parts->session)->live)
    odl_messages_say_of_source (parts->messages,
                                _ ("What is live is no volume, and has no planes."));
  else if (odl_playback_is_moving (parts->playback))
    odl_messages_say_of_source (
        parts->messages,
        _ ("This is no volume, and has no planes. “Frames as Slices of a "
           "Volume” under “Show” in the menu takes its frames for one."));
  else
    odl_messages_say_of_source (parts->messages,
                                _ ("This is a single picture, and has no planes. Open a "
                                   "volume, or a picture of a DICOM series."));
}

// The series of a picture is in place: its planes are shown, if it is a volume. What else
// it is its own warning says.
static void
opened_cb (OdlSession *session, void *data)
{
  const OdlSourceInfo *info = odl_session_info (session);
  g_signal_handlers_disconnect_by_func (session, opened_cb, data);
  if (!odl_folder_file_of_series (info->location))
    return;
  if (odl_session_is_volume (session))
    odl_session_set_planes (session, true);
  else if (!info->warning || info->n_frames < 2)
    say_why_no_volume (data);
}

// By key: planes or rendered view of the volume; of a picture of a series those of that.
static void
see_volume_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  GActionGroup *actions = G_ACTION_GROUP (parts->window);
  const char *name = g_variant_get_string (parameter, NULL);
  const char *location = odl_session_info (parts->session)->location;
  if (odl_session_is_volume (parts->session)) {
    g_action_group_activate_action (actions, name, NULL);
  } else if (g_action_group_get_action_enabled (actions, "show-series")
             && !odl_folder_file_of_series (location)) {
    g_signal_handlers_disconnect_by_func (parts->session, opened_cb, data);
    g_signal_connect (parts->session, "opened", G_CALLBACK (opened_cb), data);
    g_action_group_activate_action (actions, "show-series", NULL);
  } else {
    say_why_no_volume (parts);
  }
}

// Frames of a file that does not say where they lie are taken for slices.
static void
as_volume_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  g_autofree char *location
      = g_strconcat ("volume:", odl_session_info (parts->session)->location, NULL);
  odl_session_open (parts->session, location, odl_session_recipe (parts->session));
}

// With the grid over it, so that what was found is seen; its card has the other outputs.
static void
chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  const OdlWindowParts *parts = data;
  g_autofree char *path = g_file_get_path (file);
  OdlRecipe recipe = *odl_session_recipe (parts->session);
  const int item = recipe.n_items;
  if (!odl_recipe_append (&recipe, odl_filter_find ("register"))) {
    odl_messages_say (parts->messages, _ ("There is no room for another filter."));
    return;
  }
  odl_recipe_set_file (&recipe, item, path);
  odl_recipe_set (&recipe, item, "output", 0, ODL_REGISTER_GRID);
  odl_recipe_set (&recipe, item, "dimensions", 0, 1);
  odl_session_set_recipe (parts->session, &recipe, NULL);
}

static void
register_cb (void *data, GVariant *parameter)
{
  odl_file_chooser_ask (data, _ ("Register to Another Volume"),
                        GTK_FILE_CHOOSER_ACTION_OPEN, NULL, chosen_cb, data);
}

static void
slab_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  const char *name = g_variant_get_string (parameter, NULL);
  OdlSlab slab = odl_session_slab (parts->session);
  for (int i = 0; i < ODL_N_SLABS; i++)
    if (g_str_equal (odl_slab_names[i], name))
      slab.kind = (OdlSlabKind) i;
  odl_session_set_slab (parts->session, &slab);
}

static void
next_slab_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  OdlSlab slab = odl_session_slab (parts->session);
  const int by = g_variant_get_int32 (parameter);
  slab.kind = (OdlSlabKind) (((int) slab.kind + by + ODL_N_SLABS) % ODL_N_SLABS);
  odl_session_set_slab (parts->session, &slab);
}

// Thicker, thinner, or (0) through the whole volume. A single slice becomes thick.
static void
thickness_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  OdlSlab slab = odl_session_slab (parts->session);
  const double most = odl_session_thickest_slab (parts->session);
  const int by = g_variant_get_int32 (parameter);
  if (most < 1)
    return;
  if (slab.kind == ODL_SLAB_SLICE)
    slab.kind = ODL_SLAB_MAXIMUM;
  else if (by > 0)
    slab.thickness = MAX (ceil (slab.thickness * STEP), slab.thickness + 1);
  else if (by < 0)
    slab.thickness = MAX (floor (slab.thickness / STEP), 2);
  if (by == 0 || slab.thickness > most)
    slab.thickness = most;
  odl_session_set_slab (parts->session, &slab);
}

static void
rendering_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  odl_viewport_set_rendering (parts->viewport, g_variant_get_string (parameter, NULL));
}

static void
turn_rendering_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  odl_viewport_set_turns (parts->viewport, !odl_viewport_turns (parts->viewport));
}

static void
cut_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  odl_viewport_set_cut (parts->viewport, g_variant_get_string (parameter, NULL));
}

// The next rendered view, the last one followed by none; of those that suit the volume.
// It has its place beside the planes, so that these come first.
static void
next_rendering_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  const OdlRenderPreset *preset;
  size_t i = 0;
  const char *now = odl_viewport_rendering (parts->viewport);
  while ((preset = odl_render_preset_at (i)) != NULL && !g_str_equal (preset->name, now))
    i++;
  if (!odl_session_planes (parts->session)) {
    odl_session_set_planes (parts->session, true);
    if (preset)
      return;
  }
  i = preset ? i + 1 : 0;
  while ((preset = odl_render_preset_at (i)) != NULL
         && !odl_viewport_suits_rendering (parts->viewport, preset->name))
    i++;
  odl_viewport_set_rendering (parts->viewport, preset ? preset->name : "none");
}

static void
next_cut_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  int i = 0;
  while (!g_str_equal (odl_render_cut_names[i], odl_viewport_cut (parts->viewport)))
    i++;
  odl_viewport_set_cut (parts->viewport,
                        odl_render_cut_names[(i + 1) % ODL_RENDER_N_CUTS]);
}

// By volumes of a source of these, else as the wheel does.
static void
step_time_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  const int by = g_variant_get_int32 (parameter);
  if (odl_playback_group (parts->playback) > 1)
    odl_playback_step_group (parts->playback, by);
  else if (!odl_viewport_step_plane (parts->viewport, by))
    odl_playback_step (parts->playback, by);
}

static void
turn_plane_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  odl_viewport_turn_plane (parts->viewport);
}

static void
lean_plane_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  int right, down;
  g_variant_get (parameter, "(ii)", &right, &down);
  odl_viewport_lean_plane (parts->viewport, right, down);
}

static void
show_box_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  odl_viewport_show_box (parts->viewport);
}

static void
push_box_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  gboolean opposite;
  int x, y;
  g_variant_get (parameter, "(iib)", &x, &y, &opposite);
  odl_viewport_push_box (parts->viewport, x, y, opposite);
}

static bool
is_volume (const OdlWindowParts *parts)
{
  return odl_session_is_volume (parts->session);
}

static bool
shows_planes (const OdlWindowParts *parts)
{
  return odl_session_shows_planes (parts->session);
}

static bool
can_be_volume (const OdlWindowParts *parts)
{
  return odl_window_has_frames (parts) && !is_volume (parts)
         && !odl_session_info (parts->session)->live;
}

static void
set_text (const OdlWindowParts *parts, const char *name, const char *state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (parts->window), name);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (state));
}

// Rendered views by their titles, before the one that there is none.
static void
add_menu (const OdlWindowParts *parts)
{
  GMenu *menu = odl_window_child (parts, "rendering_menu");
  const OdlRenderPreset *preset;
  for (size_t i = 0; (preset = odl_render_preset_at (i)) != NULL; i++) {
    g_autofree char *action = g_strconcat ("win.rendering::", preset->name, NULL);
    g_menu_append (menu, _ (preset->title), action);
  }
  // The button beside that of the planes has no room in a narrow window.
  g_menu_append_submenu (
      odl_window_child (parts, "seeing_menu"), _ ("Ho_w Planes Are Looked At"),
      gtk_menu_button_get_menu_model (odl_window_child (parts, "planes_options")));
}

void
odl_window_add_volumes (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[] = {
    { "planes", G_CALLBACK (planes_cb), NULL, "true", .when = is_volume },
    { "slab", G_CALLBACK (slab_cb), "s", "'slice'", .when = shows_planes },
    { "next-slab", G_CALLBACK (next_slab_cb), "i", .when = shows_planes },
    { "slab-thickness", G_CALLBACK (thickness_cb), "i", .when = shows_planes },
    { "rendering", G_CALLBACK (rendering_cb), "s", "'none'", .when = shows_planes },
    { "next-rendering", G_CALLBACK (next_rendering_cb), .when = is_volume },
    { "turn-rendering", G_CALLBACK (turn_rendering_cb), NULL, "false",
      .when = shows_planes },
    { "cut", G_CALLBACK (cut_cb), "s", "'whole'", .when = shows_planes },
    { "next-cut", G_CALLBACK (next_cut_cb), .when = shows_planes },
    { "turn-plane", G_CALLBACK (turn_plane_cb), NULL, "false", .when = shows_planes },
    { "lean-plane", G_CALLBACK (lean_plane_cb), "(ii)", .when = shows_planes },
    { "show-box", G_CALLBACK (show_box_cb), NULL, "false", .when = shows_planes },
    { "push-box", G_CALLBACK (push_box_cb), "(iib)", .when = shows_planes },
    { "register-volume", G_CALLBACK (register_cb), .when = is_volume },
    { "step-time", G_CALLBACK (step_time_cb), "i", .when = odl_window_has_frames },
    { "see-volume", G_CALLBACK (see_volume_cb), "s", .when = odl_window_shows_picture },
    { "as-volume", G_CALLBACK (as_volume_cb), .when = can_be_volume },
  };
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), (void *) parts);
  add_menu (parts);
}

void
odl_window_update_volumes (const OdlWindowParts *parts)
{
  OdlSession *session = parts->session;
  const bool covered = odl_page_covers (parts->page);
  const bool volume = !covered && odl_session_is_volume (session);
  const bool planes = !covered && odl_session_shows_planes (session);
  odl_window_set_switch (parts, "planes", odl_session_planes (session));
  odl_window_set_switch (parts, "turn-plane", odl_session_oblique (session).turned);
  odl_window_set_switch (parts, "show-box", odl_session_box (session).shown);
  odl_window_set_switch (parts, "turn-rendering", odl_viewport_turns (parts->viewport));
  set_text (parts, "slab", odl_slab_names[odl_session_slab (session).kind]);
  set_text (parts, "rendering", odl_viewport_rendering (parts->viewport));
  set_text (parts, "cut", odl_viewport_cut (parts->viewport));
  gtk_widget_set_visible (odl_window_child (parts, "planes"), volume);
  gtk_widget_set_visible (odl_window_child (parts, "planes_options"), planes);
}
