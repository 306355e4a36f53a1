// SPDX-License-Identifier: MIT
// What the menu, the buttons and the keys of the window do.
#include <glib/gi18n-lib.h>

#include "config.h"
#include "session/folder.h"
#include "widgets/advice.h"
#include "widgets/engine_window.h"
#include "widgets/preferences_window.h"
#include "widgets/window/private.h"

#define ZOOM_STEP 1.25

typedef void (*Activate) (GSimpleAction *action, GVariant *parameter, void *data);

static void
change_recipe_view (OdlMainWindow *self, const char *name)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  for (int i = 0; odl_view_names[i]; i++)
    if (g_str_equal (odl_view_names[i], name))
      recipe.view = (OdlViewKind) i;
  odl_session_set_recipe (self->session, &recipe, NULL);
}

static void
view_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  change_recipe_view (self, g_variant_get_string (parameter, NULL));
  odl_main_window_update_actions (self);
}

static void
engine_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  const char *name = g_variant_get_string (parameter, NULL);
  odl_session_set_engine (self->session, name);
  odl_settings_set_string (self->settings, "engine", odl_session_engine (self->session));
  odl_main_window_update_actions (self);
}

static void
show_engines_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_engine_window_present (data);
}

static void
preferences_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_preferences_window_present (data);
}

static void
measure_engines_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  if (!odl_session_measure_engines (self->session))
    odl_main_window_say (
        self, _ ("Open a picture and add a filter to have the engines measured"));
}

static void
undo_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_session_undo (((OdlMainWindow *) data)->session);
}

static void
redo_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_session_redo (((OdlMainWindow *) data)->session);
}

static void
clear_recipe_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  odl_session_set_recipe (((OdlMainWindow *) data)->session, &recipe, NULL);
}

static void
invert_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlViewport *viewport = ((OdlMainWindow *) data)->viewport;
  odl_viewport_set_invert (viewport, !odl_viewport_invert (viewport));
}

static void
overlays_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlViewport *viewport = ((OdlMainWindow *) data)->viewport;
  odl_viewport_set_overlays (viewport, !odl_viewport_overlays (viewport));
}

static void
values_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlViewport *viewport = ((OdlMainWindow *) data)->viewport;
  odl_viewport_set_shows_values (viewport, !odl_viewport_shows_values (viewport));
}

static void
wipe_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlViewport *viewport = ((OdlMainWindow *) data)->viewport;
  odl_viewport_set_wipe (viewport, !odl_viewport_wipe (viewport));
}

static void
reset_window_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_viewport_reset_window (((OdlMainWindow *) data)->viewport);
}

static void
fit_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_viewport_fit (((OdlMainWindow *) data)->viewport);
}

static void
actual_size_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_viewport_actual_size (((OdlMainWindow *) data)->viewport);
}

static void
zoom_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  bool in = g_variant_get_int32 (parameter) > 0;
  odl_viewport_zoom_by (((OdlMainWindow *) data)->viewport,
                        in ? ZOOM_STEP : 1 / ZOOM_STEP);
}

static void
rotate_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_viewport_rotate (((OdlMainWindow *) data)->viewport,
                       g_variant_get_int32 (parameter));
}

static void
flip_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_viewport_flip (((OdlMainWindow *) data)->viewport,
                     g_variant_get_boolean (parameter));
}

static void
transport_changed (OdlMainWindow *self)
{
  odl_transport_update (self->transport, self->rate.per_second, true);
  odl_main_window_update_actions (self);
}

static void
play_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  if (!odl_main_window_present_pause (self))
    odl_session_set_playing (self->session, !odl_session_playing (self->session));
}

static void
speed_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  odl_session_set_speed (self->session, g_variant_get_double (parameter));
  transport_changed (self);
}

static void
cycle_repeat_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  const OdlRepeat repeat = odl_session_repeat (self->session);
  odl_session_set_repeat (self->session, (repeat + 1) % ODL_N_REPEATS);
  transport_changed (self);
}

static void
first_frame_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  odl_session_seek (self->session, odl_session_range_first (self->session));
}

static void
step_frame_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  const int by = g_variant_get_int32 (parameter);
  if (!odl_viewport_step_plane (self->viewport, by))
    odl_session_step (self->session, by);
}

static void
planes_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlSession *session = ((OdlMainWindow *) data)->session;
  odl_session_set_planes (session, !odl_session_planes (session));
}

// An end of the range at the frame on screen; the other end gives way.
static void
range_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  const int64_t at = odl_session_position (self->session);
  if (g_variant_get_boolean (parameter))
    odl_session_set_range (self->session,
                           MIN (odl_session_range_first (self->session), at), at);
  else
    odl_session_set_range (self->session, at,
                           MAX (odl_session_range_last (self->session), at));
  transport_changed (self);
}

static void
clear_range_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  odl_session_set_range (self->session, 0, G_MAXINT64);
  transport_changed (self);
}

static void
focus_picture_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  gtk_widget_grab_focus (GTK_WIDGET (((OdlMainWindow *) data)->viewport));
}

static void
step_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  const int by = g_variant_get_int32 (parameter);
  if (!odl_main_window_present_step (self, by))
    odl_source_panel_step (self->source_panel, by);
}

// Of a narrow window, where a panel lies over the picture.
static bool
close_sheet (OdlMainWindow *self)
{
  AdwFlap *sheets[] = { self->filters_flap, self->sources_flap };
  for (size_t i = 0; i < G_N_ELEMENTS (sheets); i++)
    if (adw_flap_get_folded (sheets[i]) && adw_flap_get_reveal_flap (sheets[i])) {
      adw_flap_set_reveal_flap (sheets[i], FALSE);
      gtk_widget_grab_focus (GTK_WIDGET (self->viewport));
      return true;
    }
  return false;
}

static void
cancel_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  if (self->show)
    odl_main_window_stop_presenting (self);
  else if (close_sheet (self))
    return;
  else if (odl_session_opening (self->session))
    odl_session_cancel_open (self->session);
  else if (gtk_widget_get_visible (GTK_WIDGET (self->failure_page)))
    odl_main_window_close_page (self, true);
  else if (self->full_screen)
    odl_main_window_set_full_screen (self, false);
}

static void
full_screen_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  odl_main_window_set_full_screen (self, !self->full_screen);
}

static void
toggle_flap (OdlMainWindow *self, AdwFlap *flap, const char *key)
{
  bool show = !adw_flap_get_reveal_flap (flap);
  adw_flap_set_reveal_flap (flap, show);
  if (!self->full_screen)
    odl_settings_set_boolean (self->settings, key, show);
}

static void
sources_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  toggle_flap (self, self->sources_flap, "show-sources");
}

static void
filters_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  toggle_flap (self, self->filters_flap, "show-filters");
}

// Away with both, or back with both.
static void
panels_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  bool any = adw_flap_get_reveal_flap (self->sources_flap)
             || adw_flap_get_reveal_flap (self->filters_flap);
  if (adw_flap_get_reveal_flap (self->sources_flap) == any)
    sources_cb (NULL, NULL, self);
  if (adw_flap_get_reveal_flap (self->filters_flap) == any)
    filters_cb (NULL, NULL, self);
}

static void
diagnostics_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  const bool show = !gtk_widget_get_visible (GTK_WIDGET (self->line))
                    || !gtk_widget_get_visible (self->diagnostics);
  gtk_widget_set_visible (GTK_WIDGET (self->line), show);
  if (self->full_screen)
    gtk_widget_set_visible (self->diagnostics, show);
  else
    odl_settings_set_boolean (self->settings, "show-diagnostics", show);
}

static void
remember_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  bool remember = !odl_settings_get_boolean (self->settings, "remember-recent");
  odl_settings_set_boolean (self->settings, "remember-recent", remember);
  if (!remember)
    odl_main_window_forget_recent (self);
  odl_main_window_fill_recent (self);
  odl_main_window_update_actions (self);
}

static void
details_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  g_autofree char *body = odl_advice_markup (g_variant_get_string (parameter, NULL));
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (data), _ ("Details"), NULL);
  adw_message_dialog_set_body_use_markup (ADW_MESSAGE_DIALOG (dialog), TRUE);
  adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog), body);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
phantom_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  odl_main_window_open (data, ODL_PHANTOM_LOCATION, NULL);
}

// What would play the numbered pictures that the still on screen is one of; NULL: it is
// not one.
static char *
sequence_of_picture (OdlMainWindow *self)
{
  const char *location = odl_session_location (self->session);
  if (!location || !g_path_is_absolute (location)
      || odl_session_is_moving (self->session))
    return NULL;
  return odl_folder_sequence_of (location);
}

static void
play_sequence_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  g_autofree char *sequence = sequence_of_picture (data);
  if (sequence)
    odl_main_window_open (data, sequence, NULL);
}

// Needs: what must be there for the action to do anything.
typedef enum {
  NEEDS_NOTHING,
  NEEDS_PICTURE,
  NEEDS_MOTION,
  NEEDS_FRAMES, // that can be chosen: no capture
  NEEDS_END, // that is known
  NEEDS_VOLUME,
  NEEDS_WAVELET,
  NEEDS_FILTER,
  NEEDS_NUMBER, // in the name of a still
} Needs;

static const struct {
  const char *name;
  Activate activate;
  const char *parameter; // GVariant type
  const char *state; // GVariant text; NULL: stateless
  Needs needs;
} actions[] = {
  { "view", view_cb, "s", "'synthesis'", NEEDS_WAVELET },
  { "engine", engine_cb, "s", "'auto'", NEEDS_NOTHING },
  { "show-engines", show_engines_cb, NULL, NULL, NEEDS_NOTHING },
  { "preferences", preferences_cb, NULL, NULL, NEEDS_NOTHING },
  { "measure-engines", measure_engines_cb, NULL, NULL, NEEDS_NOTHING },
  { "undo", undo_cb, NULL, NULL, NEEDS_NOTHING },
  { "redo", redo_cb, NULL, NULL, NEEDS_NOTHING },
  { "clear-recipe", clear_recipe_cb, NULL, NULL, NEEDS_FILTER },
  { "invert", invert_cb, NULL, "false", NEEDS_PICTURE },
  { "show-overlays", overlays_cb, NULL, "true", NEEDS_PICTURE },
  { "show-values", values_cb, NULL, "true", NEEDS_NOTHING },
  { "wipe", wipe_cb, NULL, "false", NEEDS_NOTHING },
  { "reset-window", reset_window_cb, NULL, NULL, NEEDS_PICTURE },
  { "fit", fit_cb, NULL, NULL, NEEDS_PICTURE },
  { "actual-size", actual_size_cb, NULL, NULL, NEEDS_PICTURE },
  { "zoom", zoom_cb, "i", NULL, NEEDS_PICTURE },
  { "rotate", rotate_cb, "i", NULL, NEEDS_PICTURE },
  { "flip", flip_cb, "b", NULL, NEEDS_PICTURE },
  { "play", play_cb, NULL, NULL, NEEDS_MOTION },
  { "speed", speed_cb, "d", "1.0", NEEDS_FRAMES },
  { "cycle-repeat", cycle_repeat_cb, NULL, NULL, NEEDS_END },
  { "first-frame", first_frame_cb, NULL, NULL, NEEDS_FRAMES },
  { "step-frame", step_frame_cb, "i", NULL, NEEDS_FRAMES },
  { "planes", planes_cb, NULL, "true", NEEDS_VOLUME },
  { "set-range", range_cb, "b", NULL, NEEDS_END },
  { "clear-range", clear_range_cb, NULL, NULL, NEEDS_END },
  { "focus-picture", focus_picture_cb, NULL, NULL, NEEDS_NOTHING },
  { "step-file", step_cb, "i", NULL, NEEDS_NOTHING },
  { "cancel", cancel_cb, NULL, NULL, NEEDS_NOTHING },
  { "full-screen", full_screen_cb, NULL, "false", NEEDS_NOTHING },
  { "show-sources", sources_cb, NULL, "true", NEEDS_NOTHING },
  { "show-filters", filters_cb, NULL, "true", NEEDS_NOTHING },
  { "show-panels", panels_cb, NULL, NULL, NEEDS_NOTHING },
  { "show-diagnostics", diagnostics_cb, NULL, NULL, NEEDS_PICTURE },
  { "remember-recent", remember_cb, NULL, "true", NEEDS_NOTHING },
  { "show-details", details_cb, "s", NULL, NEEDS_NOTHING },
  { "open-phantom", phantom_cb, NULL, NULL, NEEDS_NOTHING },
  { "play-sequence", play_sequence_cb, NULL, NULL, NEEDS_NUMBER },
};

void
odl_main_window_add_actions (OdlMainWindow *self)
{
  for (size_t i = 0; i < G_N_ELEMENTS (actions); i++) {
    GActionEntry entry = { .name = actions[i].name,
                           .activate = actions[i].activate,
                           .parameter_type = actions[i].parameter,
                           .state = actions[i].state };
    g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
  }
}

static void
set_state (OdlMainWindow *self, const char *name, GVariant *state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), state);
}

static void
set_enabled (OdlMainWindow *self, const char *name, bool enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static bool
has_number (OdlMainWindow *self)
{
  g_autofree char *sequence = sequence_of_picture (self);
  return sequence != NULL;
}

static bool
is_met (OdlMainWindow *self, Needs needs)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  // What a page covers is not acted on.
  if (self->failed && needs != NEEDS_NOTHING)
    return false;
  switch (needs) {
  case NEEDS_PICTURE:
    return odl_session_location (self->session) != NULL;
  case NEEDS_MOTION: // a presentation can be held, too
    return self->show || odl_session_is_moving (self->session);
  case NEEDS_FRAMES:
    return odl_session_is_moving (self->session)
           && !odl_session_is_capture (self->session);
  case NEEDS_END:
    return odl_session_is_moving (self->session) && !odl_session_is_live (self->session)
           && odl_session_n_frames (self->session) > 0;
  case NEEDS_VOLUME:
    return odl_session_is_volume (self->session);
  case NEEDS_WAVELET:
    return odl_recipe_last_wavelet_item (recipe) >= 0;
  case NEEDS_NUMBER:
    return has_number (self);
  case NEEDS_FILTER:
    return recipe->n_items > 0;
  default:
    return true;
  }
}

void
odl_main_window_update_actions (OdlMainWindow *self)
{
  static const char *const picture_files[] = { "save", "copy" };
  static const char *const uncovered[] = { "present", "load-recipe", "paste-recipe" };
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  for (size_t i = 0; i < G_N_ELEMENTS (actions); i++)
    set_enabled (self, actions[i].name, is_met (self, actions[i].needs));
  for (size_t i = 0; i < G_N_ELEMENTS (picture_files); i++)
    set_enabled (self, picture_files[i], is_met (self, NEEDS_PICTURE));
  for (size_t i = 0; i < G_N_ELEMENTS (uncovered); i++)
    set_enabled (self, uncovered[i], !self->failed);
  odl_main_window_update_record_actions (self);
  set_enabled (self, "undo", !self->failed && odl_session_can_undo (self->session));
  set_enabled (self, "redo", !self->failed && odl_session_can_redo (self->session));
  set_state (self, "view", g_variant_new_string (odl_view_names[recipe->view]));
  set_state (self, "speed", g_variant_new_double (odl_session_speed (self->session)));
  set_state (self, "engine", g_variant_new_string (odl_session_engine (self->session)));
  set_state (self, "invert",
             g_variant_new_boolean (odl_viewport_invert (self->viewport)));
  set_state (self, "show-overlays",
             g_variant_new_boolean (odl_viewport_overlays (self->viewport)));
  set_state (self, "show-values",
             g_variant_new_boolean (odl_viewport_shows_values (self->viewport)));
  set_state (self, "planes", g_variant_new_boolean (odl_session_planes (self->session)));
  set_state (self, "wipe", g_variant_new_boolean (odl_viewport_wipe (self->viewport)));
  set_state (self, "full-screen", g_variant_new_boolean (self->full_screen));
  set_state (self, "show-sources",
             g_variant_new_boolean (adw_flap_get_reveal_flap (self->sources_flap)));
  set_state (self, "show-filters",
             g_variant_new_boolean (adw_flap_get_reveal_flap (self->filters_flap)));
  if (self->settings)
    set_state (self, "remember-recent",
               g_variant_new_boolean (
                   odl_settings_get_boolean (self->settings, "remember-recent")));
  gtk_widget_set_visible (self->planes, is_met (self, NEEDS_VOLUME));
  gtk_widget_set_visible (self->views, is_met (self, NEEDS_WAVELET));
}

// Keys that a text entry may want for itself come here, where the entry is asked first;
// the others are the application's accelerators and stand in the menus.
static const struct {
  guint key;
  GdkModifierType modifiers;
  const char *action;
  const char *parameter; // GVariant text
} keys[] = {
  { GDK_KEY_1, 0, "win.view", "'synthesis'" },
  { GDK_KEY_2, 0, "win.view", "'analysis'" },
  { GDK_KEY_3, 0, "win.view", "'filtered-analysis'" },
  { GDK_KEY_t, 0, "win.planes", NULL },
  { GDK_KEY_w, 0, "win.wipe", NULL },
  { GDK_KEY_i, 0, "win.invert", NULL },
  { GDK_KEY_g, 0, "win.show-overlays", NULL },
  { GDK_KEY_p, 0, "win.show-values", NULL },
  { GDK_KEY_r, 0, "win.rotate", "1" },
  { GDK_KEY_r, GDK_SHIFT_MASK, "win.rotate", "-1" },
  { GDK_KEY_h, 0, "win.flip", "true" },
  { GDK_KEY_v, 0, "win.flip", "false" },
  { GDK_KEY_d, 0, "win.show-diagnostics", NULL },
  { GDK_KEY_e, 0, "win.show-engines", NULL },
  { GDK_KEY_comma, 0, "win.step-frame", "-1" },
  { GDK_KEY_period, 0, "win.step-frame", "1" },
  { GDK_KEY_Home, 0, "win.first-frame", NULL },
  { GDK_KEY_bracketleft, 0, "win.set-range", "false" },
  { GDK_KEY_bracketright, 0, "win.set-range", "true" },
  { GDK_KEY_BackSpace, 0, "win.clear-range", NULL },
  { GDK_KEY_l, 0, "win.cycle-repeat", NULL },
  { GDK_KEY_Left, 0, "win.step-file", "-1" },
  { GDK_KEY_Right, 0, "win.step-file", "1" },
  { GDK_KEY_Page_Up, 0, "win.step-file", "-1" },
  { GDK_KEY_Page_Down, 0, "win.step-file", "1" },
  { GDK_KEY_Escape, 0, "win.cancel", NULL },
  { GDK_KEY_c, GDK_CONTROL_MASK, "win.copy", NULL },
  { GDK_KEY_z, GDK_CONTROL_MASK, "win.undo", NULL },
  { GDK_KEY_z, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "win.redo", NULL },
  { GDK_KEY_v, GDK_CONTROL_MASK, "win.paste-recipe", NULL },
};

// In a controller of the instance, which is asked before those of the class, where
// GtkWindow has keys of its own: it moves the focus by arrows.
void
odl_main_window_add_keys (OdlMainWindow *self)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++) {
    GtkShortcutTrigger *trigger = gtk_keyval_trigger_new (keys[i].key, keys[i].modifiers);
    GtkShortcut *shortcut
        = gtk_shortcut_new (trigger, gtk_named_action_new (keys[i].action));
    if (keys[i].parameter)
      gtk_shortcut_set_arguments (
          shortcut, g_variant_parse (NULL, keys[i].parameter, NULL, NULL, NULL));
    gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller), shortcut);
  }
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}
