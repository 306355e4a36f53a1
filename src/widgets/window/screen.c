// SPDX-License-Identifier: MIT
// Full screen, and the pointer and keys of the whole window.
#include <glib/gi18n-lib.h>

#include "config.h"
#include "widgets/window/private.h"

// The pointer within this many pixels of the upper edge brings the header back.
#define HEADER_ZONE 60
#define HIDE_DELAY_MS 2500

void
odl_main_window_update_chrome (OdlMainWindow *self)
{
  const bool shows = odl_main_window_shows_picture (self) && !self->full_screen;
  gtk_revealer_set_reveal_child (self->transport_revealer,
                                 shows && odl_session_is_moving (self->session));
  // Grey levels and zoom always stand there; how it was computed, when asked for.
  gtk_widget_set_visible (self->diagnostics, shows);
  gtk_widget_set_visible (GTK_WIDGET (self->line),
                          odl_settings_get_boolean (self->settings, "show-diagnostics"));
}

static void
apply_chrome (OdlMainWindow *self)
{
  bool full = self->full_screen;
  adw_flap_set_fold_policy (self->header_flap, full ? ADW_FLAP_FOLD_POLICY_ALWAYS
                                                    : ADW_FLAP_FOLD_POLICY_NEVER);
  adw_flap_set_reveal_flap (self->header_flap, !full);
  odl_main_window_update_chrome (self);
  if (full) {
    self->sources_wanted = adw_flap_get_reveal_flap (self->sources_flap);
    self->filters_wanted = adw_flap_get_reveal_flap (self->filters_flap);
  }
  // A panel that had no room would come back by itself when it has.
  adw_flap_set_locked (self->sources_flap, full);
  adw_flap_set_locked (self->filters_flap, full);
  adw_flap_set_reveal_flap (self->sources_flap, !full && self->sources_wanted);
  adw_flap_set_reveal_flap (self->filters_flap, !full && self->filters_wanted);
}

void
odl_main_window_show_panels (OdlMainWindow *self)
{
  if (self->panels_shown)
    return;
  self->panels_shown = true;
  self->sources_wanted = odl_settings_get_boolean (self->settings, "show-sources");
  self->filters_wanted = odl_settings_get_boolean (self->settings, "show-filters");
  if (self->full_screen)
    return;
  adw_flap_set_reveal_flap (self->sources_flap, self->sources_wanted);
  adw_flap_set_reveal_flap (self->filters_flap, self->filters_wanted);
}

void
odl_main_window_set_full_screen (OdlMainWindow *self, bool full_screen)
{
  if (self->full_screen == full_screen)
    return;
  if (!full_screen && self->show) {
    odl_main_window_stop_presenting (self);
    return;
  }
  self->full_screen = full_screen;
  if (full_screen) {
    gtk_window_fullscreen (GTK_WINDOW (self));
    gtk_widget_add_css_class (GTK_WIDGET (self), "bare");
  } else {
    gtk_window_unfullscreen (GTK_WINDOW (self));
    gtk_widget_remove_css_class (GTK_WIDGET (self), "bare");
  }
  g_clear_handle_id (&self->hide_id, g_source_remove);
  gtk_widget_set_cursor (GTK_WIDGET (self->viewport), NULL);
  apply_chrome (self);
  // A demonstration must not be interrupted by the screen saver.
  g_clear_pointer (&self->stay_awake, odl_stay_awake_free);
  if (full_screen)
    self->stay_awake = odl_stay_awake_new (GTK_WINDOW (self));
  odl_main_window_update_actions (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->viewport));
}

// The window manager has keys of its own for this.
static void
fullscreened_cb (OdlMainWindow *self)
{
  bool now = gtk_window_is_fullscreen (GTK_WINDOW (self));
  if (now != self->full_screen && (now || !odl_main_window_present_holds (self)))
    odl_main_window_set_full_screen (self, now);
}

static gboolean
hide_cb (void *data)
{
  OdlMainWindow *self = data;
  self->hide_id = 0;
  if (!self->full_screen)
    return G_SOURCE_REMOVE;
  if (odl_transport_in_use (self->transport)
      || gtk_event_controller_motion_contains_pointer (self->transport_motion)) {
    self->hide_id = g_timeout_add (HIDE_DELAY_MS, hide_cb, self);
    return G_SOURCE_REMOVE;
  }
  adw_flap_set_reveal_flap (self->header_flap, FALSE);
  gtk_revealer_set_reveal_child (self->transport_revealer, FALSE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self->viewport), "none");
  return G_SOURCE_REMOVE;
}

static void
motion_cb (OdlMainWindow *self, double x, double y)
{
  if (!self->full_screen || self->show)
    return;
  gtk_widget_set_cursor (GTK_WIDGET (self->viewport), NULL);
  gtk_revealer_set_reveal_child (self->transport_revealer,
                                 odl_main_window_shows_picture (self)
                                     && odl_session_is_moving (self->session));
  if (y < HEADER_ZONE)
    adw_flap_set_reveal_flap (self->header_flap, TRUE);
  g_clear_handle_id (&self->hide_id, g_source_remove);
  // While the pointer is on the header, it is in use.
  if (y >= HEADER_ZONE || !adw_flap_get_reveal_flap (self->header_flap))
    self->hide_id = g_timeout_add (HIDE_DELAY_MS, hide_cb, self);
}

// O is held, not pressed: the original is there as long as the key is down.
static gboolean
key_pressed_cb (OdlMainWindow *self, guint key, guint code, GdkModifierType state)
{
  bool plain = !(state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK));
  if ((key != GDK_KEY_o && key != GDK_KEY_O) || !plain)
    return FALSE;
  odl_viewport_set_show_original (self->viewport, true);
  return TRUE;
}

static void
key_released_cb (OdlMainWindow *self, guint key, guint code, GdkModifierType state)
{
  if (key == GDK_KEY_o || key == GDK_KEY_O)
    odl_viewport_set_show_original (self->viewport, false);
}

// The release of the key goes to whatever window has the focus then.
static void
active_cb (OdlMainWindow *self)
{
  if (!gtk_window_is_active (GTK_WINDOW (self)))
    odl_viewport_set_show_original (self->viewport, false);
}

static void
flap_cb (OdlMainWindow *self, GParamSpec *pspec, AdwFlap *flap)
{
  AdwFlap *other = flap == self->sources_flap ? self->filters_flap : self->sources_flap;
  // In a narrow window panels lie over the picture, and would over each other.
  if (adw_flap_get_reveal_flap (flap) && adw_flap_get_folded (flap)
      && adw_flap_get_folded (other))
    adw_flap_set_reveal_flap (other, FALSE);
  odl_main_window_update_actions (self);
}

// On a screen as narrow as a telephone's the word would push the window's own buttons
// out.
static void
folded_cb (OdlMainWindow *self)
{
  if (adw_flap_get_folded (self->filters_flap)) {
    adw_split_button_set_icon_name (self->open_button, "document-open-symbolic");
    return;
  }
  adw_split_button_set_label (self->open_button, _ ("_Open"));
  adw_split_button_set_use_underline (self->open_button, TRUE);
}

// Toasts stand above the lower edge of the canvas, where they cover neither the transport
// nor what the picture's badge says.
static gboolean
place_toasts_cb (OdlMainWindow *self, GtkWidget *child, GdkRectangle *place)
{
  graphene_rect_t canvas;
  int least, wide, high;
  if (child != GTK_WIDGET (self->toasts)
      || !gtk_widget_compute_bounds (GTK_WIDGET (self->viewport),
                                     GTK_WIDGET (self->whole), &canvas))
    return FALSE;
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wide, NULL, NULL);
  wide = MAX (least, MIN (wide, (int) canvas.size.width));
  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, wide, NULL, &high, NULL, NULL);
  const int left = (int) (canvas.origin.x + (canvas.size.width - (float) wide) / 2);
  const int badge = odl_viewport_badge_top (self->viewport, left - (int) canvas.origin.x,
                                            left - (int) canvas.origin.x + wide);
  *place
      = (GdkRectangle){ MAX (left, 0), (int) canvas.origin.y + badge - high, wide, high };
  return TRUE;
}

void
odl_main_window_add_controllers (OdlMainWindow *self)
{
  g_signal_connect_object (self->whole, "get-child-position",
                           G_CALLBACK (place_toasts_cb), self, G_CONNECT_SWAPPED);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  gtk_event_controller_set_propagation_phase (motion, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  GtkEventController *over = gtk_event_controller_motion_new ();
  self->transport_motion = GTK_EVENT_CONTROLLER_MOTION (over);
  gtk_widget_add_controller (GTK_WIDGET (self->transport), over);
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  g_signal_connect_swapped (keys, "key-released", G_CALLBACK (key_released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect (self, "notify::fullscreened", G_CALLBACK (fullscreened_cb), NULL);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (active_cb), NULL);
  g_signal_connect_object (self->filters_flap, "notify::folded", G_CALLBACK (folded_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->sources_flap, "notify::reveal-flap",
                           G_CALLBACK (flap_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->filters_flap, "notify::reveal-flap",
                           G_CALLBACK (flap_cb), self, G_CONNECT_SWAPPED);
}
