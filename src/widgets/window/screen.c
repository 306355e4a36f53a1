// SPDX-License-Identifier: MIT
#include "widgets/window/screen.h"

#include <glib/gi18n-lib.h>

#include "widgets/panels/panel_grip.h"
#include "widgets/stay_awake.h"
#include "widgets/transport/transport.h"
#include "widgets/window/parts.h"

// The pointer within this many pixels of the upper edge brings the header back.
#define HEADER_ZONE 60
#define HIDE_DELAY_MS 2500

struct _OdlScreen {
  const OdlWindowParts *parts;
  GtkWidget *whole; // the overlay around all
  GtkWidget *toasts;
  AdwFlap *header;
  AdwFlap *sources;
  AdwFlap *filters;
  AdwSplitButton *open_button;
  GtkRevealer *transport_revealer;
  OdlTransport *transport;
  GtkEventControllerMotion *transport_motion; // the pointer over it
  GtkWidget *diagnostics;
  GtkWidget *line; // of the diagnostics
  GtkLabel *window_line; // beside it: grey levels and zoom
  bool full_line; // asked for in full screen
  bool full;
  OdlScreenHolder holder; // of the screen; no functions: nobody
  bool knows_kind; // of the source: one was opened
  bool medical; // it says how a patient was examined
  bool updating;
  bool sources_wanted, filters_wanted; // outside of full screen
  bool hidden[2]; // sources, filters: both at once, to come back so
  guint hide_id; // hides header and transport in full screen
  OdlStayAwake *stay_awake; // NULL outside of full screen
};

static void
reveal_transport (OdlScreen *self, bool reveal)
{
  const bool moves = odl_window_shows_picture (self->parts)
                     && odl_playback_is_moving (self->parts->playback);
  // Panes do not change their size when another one becomes active.
  gtk_widget_set_sensitive (GTK_WIDGET (self->transport), moves);
  gtk_revealer_set_reveal_child (
      self->transport_revealer,
      reveal && (moves || odl_layout_shows (self->parts->layout, true)));
}

void
odl_screen_update (OdlScreen *self)
{
  reveal_transport (self, !self->full);
  odl_screen_update_lines (self);
}

// Grey levels and zoom are always visible, here or in a corner of the canvas; how the
// picture was computed only when asked for. Alone on the screen all is.
void
odl_screen_update_lines (OdlScreen *self)
{
  const bool line = odl_settings_get_boolean (self->parts->settings, "show-diagnostics");
  // The same whichever pane is the active one, so that no picture changes its size.
  const bool words = odl_layout_lacks_corners (self->parts->layout);
  gtk_widget_set_visible (self->line, self->full ? self->full_line : line);
  gtk_widget_set_visible (self->diagnostics,
                          odl_layout_shows (self->parts->layout, false)
                              && (self->full ? self->full_line : line || words));
}

// ---- panels --------------------------------------------------------------------------

// Whoever examines patients asks for filters; everybody else came for them. What each
// chose is kept apart.
static const char *
filters_key (const OdlScreen *self)
{
  return self->medical ? "show-filters-medical" : "show-filters";
}

static const char *
parameters_key (const OdlScreen *self)
{
  return self->medical ? "show-parameters-medical" : "show-parameters";
}

// What the user chose for such pictures; of none there are no panels.
static bool
is_wanted (const OdlScreen *self, const AdwFlap *panel)
{
  const bool is_sources = panel == self->sources;
  return (is_sources ? self->parts->state->panels : self->knows_kind)
         && odl_settings_get_boolean (self->parts->settings,
                                      is_sources ? "show-sources" : filters_key (self));
}

// A panel that went for lack of room comes back by itself when there is room; one that is
// not wanted does not.
static void
lock_panels (OdlScreen *self)
{
  adw_flap_set_locked (self->sources, self->full || !is_wanted (self, self->sources));
  adw_flap_set_locked (self->filters, self->full || !is_wanted (self, self->filters));
}

// Where it would lie over the picture it waits until it is asked for.
static void
show_if_wanted (OdlScreen *self, AdwFlap *panel, bool *wanted)
{
  *wanted = is_wanted (self, panel);
  lock_panels (self);
  if (!self->full)
    adw_flap_set_reveal_flap (panel, *wanted && !adw_flap_get_folded (panel));
}

static void
apply_chrome (OdlScreen *self)
{
  bool full = self->full;
  adw_flap_set_fold_policy (self->header, full ? ADW_FLAP_FOLD_POLICY_ALWAYS
                                               : ADW_FLAP_FOLD_POLICY_NEVER);
  adw_flap_set_reveal_flap (self->header, !full);
  odl_screen_update (self);
  if (full) {
    self->sources_wanted = adw_flap_get_reveal_flap (self->sources);
    self->filters_wanted = adw_flap_get_reveal_flap (self->filters);
  }
  lock_panels (self);
  adw_flap_set_reveal_flap (self->sources, !full && self->sources_wanted);
  adw_flap_set_reveal_flap (self->filters, !full && self->filters_wanted);
}

void
odl_screen_show_panels (OdlScreen *self)
{
  if (self->parts->state->panels)
    return;
  self->parts->state->panels = true;
  show_if_wanted (self, self->sources, &self->sources_wanted);
}

void
odl_screen_opened (OdlScreen *self)
{
  const char *modality = odl_session_detail (self->parts->session, "modality");
  const char *instance = odl_session_detail (self->parts->session, "sop-instance");
  const bool medical = (modality && *modality) || (instance && *instance);
  const bool is_same = self->knows_kind && self->medical == medical;
  self->knows_kind = true;
  self->medical = medical;
  if (!is_same)
    show_if_wanted (self, self->filters, &self->filters_wanted);
  self->updating = true;
  gtk_expander_set_expanded (
      odl_filter_panel_parameters (self->parts->filter_panel),
      odl_settings_get_boolean (self->parts->settings, parameters_key (self)));
  self->updating = false;
}

static void
parameters_cb (OdlScreen *self, GtkExpander *expander)
{
  if (!self->updating && self->knows_kind)
    odl_settings_set_boolean (self->parts->settings, parameters_key (self),
                              gtk_expander_get_expanded (expander));
}

void
odl_screen_set_holder (OdlScreen *self, const OdlScreenHolder *holder)
{
  self->holder = *holder;
}

bool
odl_screen_is_full (const OdlScreen *self)
{
  return self->full;
}

void
odl_screen_set_full (OdlScreen *self, bool full)
{
  GtkWidget *window = GTK_WIDGET (self->parts->window);
  if (self->full == full)
    return;
  if (!full && self->parts->state->presenting) {
    self->holder.end (self->holder.data);
    return;
  }
  self->full = full;
  self->full_line = false;
  if (full) {
    gtk_window_fullscreen (GTK_WINDOW (window));
    gtk_widget_add_css_class (window, "bare");
  } else {
    gtk_window_unfullscreen (GTK_WINDOW (window));
    gtk_widget_remove_css_class (window, "bare");
  }
  g_clear_handle_id (&self->hide_id, g_source_remove);
  gtk_widget_set_cursor (GTK_WIDGET (self->parts->viewport), NULL);
  apply_chrome (self);
  // Prevents the screen saver from interrupting a demonstration.
  g_clear_pointer (&self->stay_awake, odl_stay_awake_free);
  if (full)
    self->stay_awake = odl_stay_awake_new (GTK_WINDOW (window));
  odl_window_update_actions (self->parts);
  gtk_widget_grab_focus (GTK_WIDGET (self->parts->viewport));
}

// Window managers have keys for this, too.
static void
fullscreened_cb (OdlScreen *self)
{
  bool now = gtk_window_is_fullscreen (GTK_WINDOW (self->parts->window));
  if (now != self->full
      && (now || !self->holder.keeps || !self->holder.keeps (self->holder.data)))
    odl_screen_set_full (self, now);
}

static gboolean
hide_cb (void *data)
{
  OdlScreen *self = data;
  self->hide_id = 0;
  if (!self->full)
    return G_SOURCE_REMOVE;
  if (odl_transport_in_use (self->transport)
      || gtk_event_controller_motion_contains_pointer (self->transport_motion)) {
    self->hide_id = g_timeout_add (HIDE_DELAY_MS, hide_cb, self);
    return G_SOURCE_REMOVE;
  }
  adw_flap_set_reveal_flap (self->header, FALSE);
  gtk_revealer_set_reveal_child (self->transport_revealer, FALSE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self->parts->viewport), "none");
  return G_SOURCE_REMOVE;
}

static void
motion_cb (OdlScreen *self, double x, double y)
{
  if (!self->full || self->parts->state->presenting)
    return;
  gtk_widget_set_cursor (GTK_WIDGET (self->parts->viewport), NULL);
  reveal_transport (self, true);
  if (y < HEADER_ZONE)
    adw_flap_set_reveal_flap (self->header, TRUE);
  g_clear_handle_id (&self->hide_id, g_source_remove);
  // While the pointer is on the header, it is in use.
  if (y >= HEADER_ZONE || !adw_flap_get_reveal_flap (self->header))
    self->hide_id = g_timeout_add (HIDE_DELAY_MS, hide_cb, self);
}

// The original is shown as long as O is held down.
static gboolean
key_pressed_cb (OdlScreen *self, guint key, guint code, GdkModifierType state)
{
  bool plain = !(state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK));
  if ((key != GDK_KEY_o && key != GDK_KEY_O) || !plain)
    return FALSE;
  odl_viewport_set_show_original (self->parts->viewport, true);
  return TRUE;
}

static void
key_released_cb (OdlScreen *self, guint key, guint code, GdkModifierType state)
{
  if (key == GDK_KEY_o || key == GDK_KEY_O)
    odl_viewport_set_show_original (self->parts->viewport, false);
}

// The release of the key is sent to the window that then has the focus.
static void
active_cb (OdlScreen *self)
{
  if (!gtk_window_is_active (GTK_WINDOW (self->parts->window)))
    odl_viewport_set_show_original (self->parts->viewport, false);
}

static void
flap_cb (OdlScreen *self, GParamSpec *pspec, AdwFlap *flap)
{
  AdwFlap *other = flap == self->sources ? self->filters : self->sources;
  // In a narrow window panels cover the picture, so only one is shown at a time.
  if (adw_flap_get_reveal_flap (flap) && adw_flap_get_folded (flap)
      && adw_flap_get_folded (other))
    adw_flap_set_reveal_flap (other, FALSE);
  odl_window_update_actions (self->parts);
}

// On very narrow screens the label would push the window buttons out.
static void
folded_cb (OdlScreen *self)
{
  if (adw_flap_get_folded (self->filters)) {
    adw_split_button_set_icon_name (self->open_button, "document-open-symbolic");
    return;
  }
  adw_split_button_set_label (self->open_button, _ ("_Open"));
  adw_split_button_set_use_underline (self->open_button, TRUE);
}

// Toasts are placed above the lower edge of the canvases, where they cover neither the
// transport bar nor a badge, the scale or a letter.
static gboolean
place_toasts_cb (OdlScreen *self, GtkWidget *child, GdkRectangle *place)
{
  graphene_rect_t canvas;
  int least, wide, high;
  if (child != self->toasts
      || !gtk_widget_compute_bounds (odl_window_child (self->parts, "panes"), self->whole,
                                     &canvas))
    return FALSE;
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wide, NULL, NULL);
  wide = MAX (least, MIN (wide, (int) canvas.size.width));
  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, wide, NULL, &high, NULL, NULL);
  const int left
      = MAX ((int) (canvas.origin.x + (canvas.size.width - (float) wide) / 2), 0);
  const int end
      = odl_layout_words_top (self->parts->layout, self->whole, left, left + wide,
                              (int) (canvas.origin.y + canvas.size.height));
  *place = (GdkRectangle){ left, end - high, wide, high };
  return TRUE;
}

// ---- actions -------------------------------------------------------------------------

bool
odl_screen_close_sheet (OdlScreen *self)
{
  AdwFlap *sheets[] = { self->filters, self->sources };
  for (size_t i = 0; i < G_N_ELEMENTS (sheets); i++)
    if (adw_flap_get_folded (sheets[i]) && adw_flap_get_reveal_flap (sheets[i])) {
      adw_flap_set_reveal_flap (sheets[i], FALSE);
      gtk_widget_grab_focus (GTK_WIDGET (self->parts->viewport));
      return true;
    }
  return false;
}

static void
full_screen_cb (OdlScreen *self, GVariant *parameter)
{
  odl_screen_set_full (self, !self->full);
}

static void
toggle_panel (OdlScreen *self, AdwFlap *panel)
{
  const bool show = !adw_flap_get_reveal_flap (panel);
  adw_flap_set_reveal_flap (panel, show);
  if (!self->full)
    odl_settings_set_boolean (
        self->parts->settings,
        panel == self->sources ? "show-sources" : filters_key (self), show);
  lock_panels (self);
}

static void
sources_cb (void *data, GVariant *parameter)
{
  toggle_panel (data, ((OdlScreen *) data)->sources);
}

static void
search_cb (OdlScreen *self, GVariant *parameter)
{
  if (!adw_flap_get_reveal_flap (self->sources))
    toggle_panel (self, self->sources);
  odl_source_panel_search (self->parts->source_panel);
}

static void
add_filter_cb (OdlScreen *self, GVariant *parameter)
{
  if (!adw_flap_get_reveal_flap (self->filters))
    toggle_panel (self, self->filters);
  gtk_expander_set_expanded (odl_filter_panel_parameters (self->parts->filter_panel),
                             true);
  gtk_widget_activate_action (GTK_WIDGET (self->parts->filter_panel),
                              "panel.search-filter", NULL);
}

static void
filters_cb (void *data, GVariant *parameter)
{
  toggle_panel (data, ((OdlScreen *) data)->filters);
}

// Hides those that are shown, or shows those that were hidden together; both, where none
// was.
static void
panels_cb (OdlScreen *self, GVariant *parameter)
{
  AdwFlap *panels[] = { self->sources, self->filters };
  const bool any
      = adw_flap_get_reveal_flap (panels[0]) || adw_flap_get_reveal_flap (panels[1]);
  const bool none_hidden = !self->hidden[0] && !self->hidden[1];
  for (size_t i = 0; i < G_N_ELEMENTS (panels); i++) {
    const bool shown = adw_flap_get_reveal_flap (panels[i]);
    if (any ? shown : self->hidden[i] || none_hidden)
      toggle_panel (self, panels[i]);
    self->hidden[i] = any && shown;
  }
}

static void
diagnostics_cb (OdlScreen *self, GVariant *parameter)
{
  OdlSettings *settings = self->parts->settings;
  if (self->full)
    self->full_line = !self->full_line;
  else
    odl_settings_set_boolean (settings, "show-diagnostics",
                              !odl_settings_get_boolean (settings, "show-diagnostics"));
  odl_screen_update_lines (self);
}

void
odl_screen_update_actions (OdlScreen *self)
{
  const OdlWindowParts *parts = self->parts;
  odl_window_set_switch (parts, "full-screen", self->full);
  odl_window_set_switch (parts, "show-sources", adw_flap_get_reveal_flap (self->sources));
  odl_window_set_switch (parts, "show-filters", adw_flap_get_reveal_flap (self->filters));
}

// ---- life ----------------------------------------------------------------------------

static void
add_controllers (OdlScreen *self)
{
  GtkWidget *window = GTK_WIDGET (self->parts->window);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  gtk_event_controller_set_propagation_phase (motion, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  gtk_widget_add_controller (window, motion);
  GtkEventController *over = gtk_event_controller_motion_new ();
  self->transport_motion = GTK_EVENT_CONTROLLER_MOTION (over);
  gtk_widget_add_controller (GTK_WIDGET (self->transport), over);
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  g_signal_connect_swapped (keys, "key-released", G_CALLBACK (key_released_cb), self);
  gtk_widget_add_controller (window, keys);
}

// It may be asked for again between the unmapping and the end of the window.
static void
screen_free (void *data)
{
  OdlScreen *self = data;
  g_clear_handle_id (&self->hide_id, g_source_remove);
  g_free (self);
}

OdlScreen *
odl_screen_new (const OdlWindowParts *parts)
{
  static const OdlWindowAction entries[] = {
    { "full-screen", G_CALLBACK (full_screen_cb), NULL, "false" },
    { "show-sources", G_CALLBACK (sources_cb), NULL, "true" },
    { "search-sources", G_CALLBACK (search_cb) },
    { "show-filters", G_CALLBACK (filters_cb), NULL, "true" },
    { "add-filter", G_CALLBACK (add_filter_cb) },
    { "show-panels", G_CALLBACK (panels_cb) },
    { "show-diagnostics", G_CALLBACK (diagnostics_cb), .when = odl_window_shows_picture },
  };
  OdlScreen *self = g_new (OdlScreen, 1);
  *self = (OdlScreen){
    .parts = parts,
    .whole = odl_window_child (parts, "whole"),
    .toasts = odl_window_child (parts, "toasts"),
    .header = odl_window_child (parts, "header_flap"),
    .sources = odl_window_child (parts, "sources_flap"),
    .filters = odl_window_child (parts, "filters_flap"),
    .open_button = odl_window_child (parts, "open_button"),
    .transport_revealer = odl_window_child (parts, "transport_revealer"),
    .transport = odl_window_child (parts, "transport"),
    .diagnostics = odl_window_child (parts, "diagnostics"),
    .line = odl_window_child (parts, "line"),
    .window_line = odl_window_child (parts, "window_line"),
  };
  // An empty window has an invitation and no panels.
  adw_flap_set_reveal_flap (self->sources, FALSE);
  adw_flap_set_reveal_flap (self->filters, FALSE);
  lock_panels (self);
  odl_window_add_actions (parts, entries, G_N_ELEMENTS (entries), self);
  add_controllers (self);
  const struct {
    void *object;
    const char *signal;
    GCallback cb;
  } signals[] = {
    { self->whole, "get-child-position", G_CALLBACK (place_toasts_cb) },
    { parts->window, "notify::fullscreened", G_CALLBACK (fullscreened_cb) },
    { parts->window, "notify::is-active", G_CALLBACK (active_cb) },
    { self->filters, "notify::folded", G_CALLBACK (folded_cb) },
    { self->filters, "notify::reveal-flap", G_CALLBACK (flap_cb) },
    { self->sources, "notify::reveal-flap", G_CALLBACK (flap_cb) },
    { parts->window, "told::layout", G_CALLBACK (odl_screen_update) },
    { parts->window, "told::panels", G_CALLBACK (odl_screen_show_panels) },
    { parts->window, "told::parameters", G_CALLBACK (parameters_cb) },
    { parts->window, "told::readout", G_CALLBACK (odl_screen_update_lines) },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (signals); i++)
    odl_window_connect (parts, signals[i].object, signals[i].signal, signals[i].cb, self);
  odl_panel_grip_add (odl_window_child (parts, "sources_edge"),
                      GTK_WIDGET (parts->source_panel), parts->settings, "sources-width");
  odl_window_own (parts, "odl-screen", self, screen_free);
  return self;
}

void
odl_screen_stop (OdlScreen *self)
{
  g_clear_handle_id (&self->hide_id, g_source_remove);
  g_clear_pointer (&self->stay_awake, odl_stay_awake_free);
}
