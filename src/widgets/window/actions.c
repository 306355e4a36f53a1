// SPDX-License-Identifier: MIT
// What the menu, the buttons and the keys of the window do.
#include <glib/gi18n-lib.h>

#include "session/browse/folder.h"
#include "session/computing.h"
#include "widgets/advice.h"
#include "widgets/archive/find_window.h"
#include "widgets/archive/send_window.h"
#include "widgets/sweep/sweep_window.h"
#include "widgets/windows/calculation_window.h"
#include "widgets/windows/engine_window.h"
#include "widgets/windows/help_window.h"
#include "widgets/windows/preferences_window.h"
#include "widgets/windows/properties_window.h"
#include "widgets/windows/profile_window.h"
#include "widgets/windows/statistics_window.h"
#include "widgets/window/parts.h"

#define ZOOM_STEP 1.25

static void
engine_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const char *name = g_variant_get_string (parameter, NULL);
  odl_session_set_engine (parts->session, name);
  odl_settings_set_string (parts->settings, "engine",
                           odl_session_engine (parts->session));
  odl_window_update_actions (parts);
}

static void
measure_engines_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  if (!odl_session_measure_engines (parts->session))
    odl_messages_say_of_state (
        parts->messages,
        _ ("Open a picture and add a filter to have the engines measured"));
}

static void
clear_recipe_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  odl_session_set_recipe (parts->session, &recipe, NULL);
}

// Actions that toggle something on the canvas.
static const struct {
  const char *name;
  bool (*get) (OdlViewport *viewport);
  void (*set) (OdlViewport *viewport, bool on);
} switches[] = {
  { "invert", odl_viewport_invert, odl_viewport_set_invert },
  { "show-overlays", odl_viewport_overlays, odl_viewport_set_overlays },
  { "show-values", odl_viewport_shows_values, odl_viewport_set_shows_values },
  { "save-values", odl_viewport_saves_values, odl_viewport_set_saves_values },
  { "show-corners", odl_viewport_shows_corners, odl_viewport_set_shows_corners },
  { "mask-names", odl_viewport_masks_names, odl_viewport_set_masks_names },
  { "original", odl_viewport_shows_original, odl_viewport_set_show_original },
  { "wipe", odl_viewport_wipe, odl_viewport_set_wipe },
  { "beside", odl_viewport_beside, odl_viewport_set_beside },
  { "magnifier", odl_viewport_magnifies, odl_viewport_set_magnifies },
  { "show-surface", odl_viewport_surface, odl_viewport_set_surface },
  { "show-net", odl_viewport_net, odl_viewport_set_net },
};

static void
switch_cb (const OdlWindowParts *parts, GVariant *parameter, GAction *action)
{
  OdlViewport *viewport = parts->viewport;
  const char *name = g_action_get_name (action);
  for (size_t i = 0; i < G_N_ELEMENTS (switches); i++)
    if (g_str_equal (switches[i].name, name))
      switches[i].set (viewport, !switches[i].get (viewport));
}

#define TOLD "odl-told-of-measuring"

// Says how a measuring tool is used; the first time in a window also by which keys.
static void
tell_tool (const OdlWindowParts *parts, const OdlAnnotationKind *kind)
{
  GObject *window = G_OBJECT (parts->window);
  const bool told = g_object_get_data (window, TOLD);
  const char *keys
      = told ? NULL : _ ("By keys: the arrows move a cross, Enter sets a point.");
  g_autofree char *text = g_strjoin (" ", _ (kind->hint), keys, NULL);
  g_object_set_data (window, TOLD, GINT_TO_POINTER (true));
  odl_messages_say_of_state (parts->messages, text);
}

// `name`: as in odl_viewport_set_tool. Says how the measuring tool is used if it is the
// first one in this window, or another one than before.
static void
choose_tool (const OdlWindowParts *parts, const char *name)
{
  OdlViewport *viewport = parts->viewport;
  const OdlAnnotationKind *before = odl_viewport_measuring (viewport);
  odl_viewport_set_tool (viewport, name);
  const OdlAnnotationKind *kind = odl_viewport_measuring (viewport);
  const bool told = g_object_get_data (G_OBJECT (parts->window), TOLD);
  if ((kind != before || !told) && odl_viewport_measures (viewport))
    tell_tool (parts, kind);
  gtk_widget_grab_focus (GTK_WIDGET (viewport));
}

// Choosing the same tool again leaves it.
static void
tool_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const char *name = g_variant_get_string (parameter, NULL);
  const bool again = g_str_equal (name, odl_viewport_tool (parts->viewport));
  choose_tool (parts, again ? NULL : name);
}

static void
measure_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const bool again = odl_viewport_measures (parts->viewport);
  choose_tool (parts, again ? NULL : odl_viewport_measuring (parts->viewport)->name);
}

static void
next_measure_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  size_t i = 0;
  while (odl_annotation_kind_at (i) != odl_viewport_measuring (parts->viewport))
    i++;
  const OdlAnnotationKind *next = odl_annotation_kind_at (i + 1);
  choose_tool (parts, (next ? next : odl_annotation_kind_at (0))->name);
}

static void
zoom_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  bool in = g_variant_get_int32 (parameter) > 0;
  odl_viewport_zoom_by (parts->viewport, in ? ZOOM_STEP : 1 / ZOOM_STEP);
}

static void
rotate_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_viewport_rotate (parts->viewport, g_variant_get_int32 (parameter));
}

static void
flip_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_viewport_flip (parts->viewport, g_variant_get_boolean (parameter));
}

static void
transport_changed (const OdlWindowParts *parts)
{
  odl_readout_update_transport (parts->readout);
  odl_window_update_actions (parts);
}

static void
play_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  if (!odl_show_pause (parts->show))
    odl_session_set_playing (parts->session, !odl_session_playing (parts->session));
}

static void
set_speed (const OdlWindowParts *parts, double speed)
{
  odl_playback_set_speed (parts->playback, speed);
  odl_readout_reset_rate (parts->readout);
  odl_window_update_actions (parts);
}

static void
speed_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  set_speed (parts, g_variant_get_double (parameter));
}

static void
fast_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  set_speed (parts, odl_playback_is_fast (parts->playback) ? 1 : ODL_SPEED_FAST);
}

static void
cycle_repeat_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const OdlRepeat repeat = odl_playback_mode (parts->playback)->repeat;
  odl_playback_set_repeat (parts->playback, (repeat + 1) % ODL_N_REPEATS);
  transport_changed (parts);
}

static void
first_frame_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const int64_t first = odl_playback_range (parts->playback).first;
  odl_playback_seek_group (parts->playback, first / odl_playback_group (parts->playback));
}

static void
last_frame_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const int64_t last = odl_playback_range (parts->playback).last;
  odl_playback_seek_group (parts->playback, last / odl_playback_group (parts->playback));
}

static void
step_frame_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const int by = g_variant_get_int32 (parameter);
  if (!odl_viewport_step_plane (parts->viewport, by))
    odl_playback_step (parts->playback, by);
}

// Sets an end of the range to the frame on screen; moves the other end if necessary.
static void
range_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const int64_t at = odl_playback_position (parts->playback);
  if (g_variant_get_boolean (parameter))
    odl_playback_set_range (parts->playback,
                            MIN (odl_playback_range (parts->playback).first, at), at);
  else
    odl_playback_set_range (parts->playback, at,
                            MAX (odl_playback_range (parts->playback).last, at));
  transport_changed (parts);
}

static void
clear_range_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_playback_set_range (parts->playback, 0, G_MAXINT64);
  transport_changed (parts);
}

static void
step_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const int by = g_variant_get_int32 (parameter);
  if (!odl_show_step (parts->show, by))
    odl_source_panel_step (parts->source_panel, by);
}

static void
cancel_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  if (parts->state->presenting)
    odl_show_end (parts->show);
  else if (odl_screen_close_sheet (parts->screen))
    return;
  else if (odl_session_opening (parts->session))
    odl_session_cancel_open (parts->session);
  else if (odl_page_is_open (parts->page))
    odl_page_close (parts->page, true);
  else if (odl_session_is_computing (parts->session))
    odl_session_give_up_volume (parts->session);
  else if (odl_screen_is_full (parts->screen))
    odl_screen_set_full (parts->screen, false);
  else {
    odl_layout_set_alone (parts->layout, false);
    gtk_widget_grab_focus (GTK_WIDGET (parts->viewport));
  }
}

static void
remember_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  bool remember = !odl_settings_get_boolean (parts->settings, "remember-recent");
  odl_settings_set_boolean (parts->settings, "remember-recent", remember);
  if (!remember)
    odl_files_forget_recent (parts->files);
  odl_files_fill_recent (parts->files);
  odl_window_update_actions (parts);
}

static void
details_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  g_autofree char *body = odl_advice_markup (g_variant_get_string (parameter, NULL));
  GtkWidget *dialog
      = adw_message_dialog_new (GTK_WINDOW (parts->window), _ ("Details"), NULL);
  adw_message_dialog_set_body_use_markup (ADW_MESSAGE_DIALOG (dialog), TRUE);
  adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog), body);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
phantom_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_main_window_open (parts->window, ODL_PHANTOM_LOCATION, NULL);
}

static void
beams_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_main_window_open (parts->window, ODL_BEAMS_LOCATION, NULL);
}

static void
xray_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_main_window_open (parts->window, ODL_XRAY_LOCATION, NULL);
}

static void
face_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_main_window_open (parts->window, ODL_FACE_LOCATION, NULL);
}

// The sequence that the still on screen belongs to; NULL: none.
static char *
sequence_of_picture (const OdlWindowParts *parts)
{
  const char *location = odl_session_info (parts->session)->location;
  if (!location || !g_path_is_absolute (location)
      || odl_playback_is_moving (parts->playback))
    return NULL;
  return odl_folder_sequence_of (location);
}

static void
play_sequence_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  g_autofree char *sequence = sequence_of_picture (parts);
  if (sequence)
    odl_main_window_open (parts->window, sequence, NULL);
}

// The stack that the DICOM picture on screen belongs to, or the picture whose stack is on
// screen; NULL: neither.
static char *
series_of_picture (const OdlWindowParts *parts)
{
  const char *location = odl_session_info (parts->session)->location;
  const char *file = location ? odl_folder_file_of_series (location) : NULL;
  if (file)
    return g_strdup (odl_session_file (parts->session));
  if (!location || !g_path_is_absolute (location)
      || odl_playback_is_moving (parts->playback)
      || !odl_session_detail (parts->session, "series-instance"))
    return NULL;
  return odl_folder_series_of (location);
}

static void
show_series_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  g_autofree char *series = series_of_picture (parts);
  if (!series)
    return;
  if (!odl_folder_file_of_series (series))
    odl_source_panel_choose (parts->source_panel, series); // the slice by itself
  odl_main_window_open (parts->window, series, NULL);
}

static void
help_cb (const OdlWindowParts *parts, GVariant *page)
{
  odl_help_window_present (parts->window, g_variant_get_string (page, NULL));
}

// ---- when actions are enabled --------------------------------------------------------

// A presentation can be held, too.
static bool
moves (const OdlWindowParts *parts)
{
  return parts->state->presenting || odl_playback_is_moving (parts->playback);
}

// A last frame is known.
static bool
has_end (const OdlWindowParts *parts)
{
  return odl_playback_is_moving (parts->playback)
         && !odl_session_info (parts->session)->live
         && odl_playback_n_frames (parts->playback) > 0;
}

static bool
has_surface (const OdlWindowParts *parts)
{
  return odl_viewport_has_surface (parts->viewport);
}

static bool
has_effect (const OdlWindowParts *parts)
{
  return !odl_recipe_is_identity (odl_session_recipe (parts->session));
}

static bool
has_filter (const OdlWindowParts *parts)
{
  return odl_session_recipe (parts->session)->n_items > 0;
}

// There is one in the name of a still.
static bool
has_number (const OdlWindowParts *parts)
{
  g_autofree char *sequence = sequence_of_picture (parts);
  return sequence != NULL;
}

static bool
has_series (const OdlWindowParts *parts)
{
  g_autofree char *series = series_of_picture (parts);
  return series != NULL;
}

static bool
can_undo (const OdlWindowParts *parts)
{
  return odl_history_can_undo (odl_session_history (parts->session));
}

static bool
can_redo (const OdlWindowParts *parts)
{
  return odl_history_can_redo (odl_session_history (parts->session));
}

// ---- life ----------------------------------------------------------------------------

#define OF(part) (1 + offsetof (OdlWindowParts, part))

static void
set_state (const OdlWindowParts *parts, const char *name, GVariant *state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (parts->window), name);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), state);
}

static void
update_actions (const OdlWindowParts *parts)
{
  const OdlRecipe *recipe = odl_session_recipe (parts->session);
  odl_window_enable_actions (parts, !odl_window_is_uncovered (parts));
  odl_recording_update_actions (parts->recording);
  odl_screen_update_actions (parts->screen);
  odl_lab_update (parts->lab);
  set_state (parts, "view", g_variant_new_string (odl_view_names[recipe->view]));
  set_state (parts, "colour-map", g_variant_new_string (odl_window_colour_map (parts)));
  set_state (parts, "filter-area", g_variant_new_string (odl_window_area (parts)));
  set_state (parts, "speed",
             g_variant_new_double (odl_playback_mode (parts->playback)->speed));
  set_state (parts, "engine", g_variant_new_string (odl_session_engine (parts->session)));
  set_state (parts, "tool", g_variant_new_string (odl_viewport_tool (parts->viewport)));
  for (size_t i = 0; i < G_N_ELEMENTS (switches); i++)
    odl_window_set_switch (parts, switches[i].name, switches[i].get (parts->viewport));
  odl_window_set_switch (parts, "remember-recent",
                         odl_settings_get_boolean (parts->settings, "remember-recent"));
  odl_window_set_switch (parts, "measure", odl_viewport_measures (parts->viewport));
  odl_window_update_measures (parts);
  odl_window_update_volumes (parts);
  gtk_widget_set_visible (odl_window_child (parts, "measures"),
                          odl_window_shows_picture (parts));
  gtk_widget_set_visible (odl_window_child (parts, "views"),
                          odl_window_is_uncovered (parts) && has_effect (parts));
  odl_window_update_views (parts);
}

void
odl_window_add_menu_actions (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[] = {
    { "view", G_CALLBACK (odl_window_choose_view), "s", "'synthesis'",
      .when = has_effect },
    { "engine", G_CALLBACK (engine_cb), "s", "'auto'" },
    { "show-engines", G_CALLBACK (odl_engine_window_present), .part = OF (window) },
    { "find-archive", G_CALLBACK (odl_find_window_present), .part = OF (window) },
    { "find-priors", G_CALLBACK (odl_find_window_present_priors),
      .when = odl_window_shows_picture, .part = OF (window) },
    { "send-archive", G_CALLBACK (odl_send_window_present), .part = OF (window) },
    { "preferences", G_CALLBACK (odl_preferences_window_present), .part = OF (window) },
    { "help", G_CALLBACK (help_cb), "s" },
    { "properties", G_CALLBACK (odl_properties_window_present),
      .when = odl_window_shows_picture, .part = OF (window) },
    { "profile-plot", G_CALLBACK (odl_profile_window_present),
      .when = odl_window_shows_picture, .part = OF (window) },
    { "calculations", G_CALLBACK (odl_calculation_window_present),
      .when = odl_window_shows_picture, .part = OF (window) },
    { "region-statistics", G_CALLBACK (odl_statistics_window_present),
      .when = odl_window_shows_picture, .part = OF (window) },
    { "sweep", G_CALLBACK (odl_sweep_window_present), .when = odl_window_shows_picture,
      .part = OF (window) },
    { "measure-engines", G_CALLBACK (measure_engines_cb) },
    { "undo", G_CALLBACK (odl_session_undo), .when = can_undo, .part = OF (session) },
    { "redo", G_CALLBACK (odl_session_redo), .when = can_redo, .part = OF (session) },
    { "clear-recipe", G_CALLBACK (clear_recipe_cb), .when = has_filter },
    { "invert", G_CALLBACK (switch_cb), NULL, "false", .when = odl_window_shows_picture },
    { "show-overlays", G_CALLBACK (switch_cb), NULL, "true",
      .when = odl_window_shows_picture },
    { "show-values", G_CALLBACK (switch_cb), NULL, "true" },
    { "save-values", G_CALLBACK (switch_cb), NULL, "false" },
    { "show-corners", G_CALLBACK (switch_cb), NULL, "true" },
    { "mask-names", G_CALLBACK (switch_cb), NULL, "false" },
    { "original", G_CALLBACK (switch_cb), NULL, "false" },
    { "wipe", G_CALLBACK (switch_cb), NULL, "false" },
    { "beside", G_CALLBACK (switch_cb), NULL, "false" },
    { "magnifier", G_CALLBACK (switch_cb), NULL, "false" },
    { "next-magnification", G_CALLBACK (odl_viewport_next_magnification),
      .when = odl_window_shows_picture, .part = OF (viewport) },
    { "show-surface", G_CALLBACK (switch_cb), NULL, "true", .when = has_surface },
    { "show-net", G_CALLBACK (switch_cb), NULL, "false", .when = has_surface },
    { "tool", G_CALLBACK (tool_cb), "s", "'window'", .when = odl_window_shows_picture },
    { "measure", G_CALLBACK (measure_cb), NULL, "false",
      .when = odl_window_shows_picture },
    { "next-measure", G_CALLBACK (next_measure_cb), .when = odl_window_shows_picture },
    { "reset-window", G_CALLBACK (odl_viewport_reset_window),
      .when = odl_window_shows_picture, .part = OF (viewport) },
    { "fit", G_CALLBACK (odl_viewport_fit), .when = odl_window_shows_picture,
      .part = OF (viewport) },
    { "actual-size", G_CALLBACK (odl_viewport_actual_size),
      .when = odl_window_shows_picture, .part = OF (viewport) },
    { "zoom", G_CALLBACK (zoom_cb), "i", .when = odl_window_shows_picture },
    { "rotate", G_CALLBACK (rotate_cb), "i", .when = odl_window_shows_picture },
    { "flip", G_CALLBACK (flip_cb), "b", .when = odl_window_shows_picture },
    { "play", G_CALLBACK (play_cb), .when = moves },
    { "speed", G_CALLBACK (speed_cb), "d", "1.0", .when = odl_window_has_frames },
    { "fast", G_CALLBACK (fast_cb), .when = odl_window_has_frames },
    { "skip-pause", G_CALLBACK (odl_playback_skip_pause), .when = odl_window_has_frames,
      .part = OF (playback) },
    { "cycle-repeat", G_CALLBACK (cycle_repeat_cb), .when = has_end },
    { "first-frame", G_CALLBACK (first_frame_cb), .when = odl_window_has_frames },
    { "last-frame", G_CALLBACK (last_frame_cb), .when = has_end },
    { "step-frame", G_CALLBACK (step_frame_cb), "i", .when = odl_window_has_frames },
    { "set-range", G_CALLBACK (range_cb), "b", .when = has_end },
    { "clear-range", G_CALLBACK (clear_range_cb), .when = has_end },
    { "focus-picture", G_CALLBACK (gtk_widget_grab_focus), .part = OF (viewport) },
    { "step-file", G_CALLBACK (step_cb), "i" },
    { "cancel", G_CALLBACK (cancel_cb) },
    { "remember-recent", G_CALLBACK (remember_cb), NULL, "true" },
    { "show-details", G_CALLBACK (details_cb), "s" },
    { "open-phantom", G_CALLBACK (phantom_cb) },
    { "open-beams", G_CALLBACK (beams_cb) },
    { "open-xray", G_CALLBACK (xray_cb) },
    { "open-face", G_CALLBACK (face_cb) },
    { "play-sequence", G_CALLBACK (play_sequence_cb), .when = has_number },
    { "show-series", G_CALLBACK (show_series_cb), .when = has_series },
  };
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), (void *) parts);
  odl_window_connect (parts, parts->window, "told::actions", G_CALLBACK (update_actions),
                      (void *) parts);
}
