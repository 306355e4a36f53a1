// SPDX-License-Identifier: MIT
#include "widgets/window/layout/layout.h"

#include <glib/gi18n-lib.h>

#include "session/browse/cameras.h"
#include "widgets/preferences.h"
#include "widgets/window/layout/grid.h"
#include "widgets/window/layout/links.h"
#include "widgets/window/parts.h"

static const struct {
  const char *name;
  int rows, columns;
} shapes[] = {
  { "1x1", 1, 1 },
  { "1x2", 1, 2 },
  { "2x1", 2, 1 },
  { "2x2", 2, 2 },
};

struct _OdlLayout {
  OdlWindowParts *parts;
  GPtrArray *panes; // OdlPane, in the order of the grid
  OdlPane *active;
  size_t shape; // row of `shapes`
  bool alone; // the active one
  bool started;
  OdlLinks *links;
};

int
odl_layout_count (const OdlLayout *self)
{
  return (int) self->panes->len;
}

OdlPane *
odl_layout_nth (const OdlLayout *self, int n)
{
  return n >= 0 && n < odl_layout_count (self) ? self->panes->pdata[n] : NULL;
}

OdlPane *
odl_layout_active (const OdlLayout *self)
{
  return self->active;
}

bool
odl_layout_is_active (const OdlLayout *self, const OdlPane *pane)
{
  return self->active == pane;
}

bool
odl_layout_alone (const OdlLayout *self)
{
  return self->alone;
}

static int
index_of (const OdlLayout *self, const OdlPane *pane)
{
  guint index = 0;
  g_ptr_array_find (self->panes, pane, &index);
  return (int) index;
}

char *
odl_layout_words (const OdlLayout *self, const OdlPane *pane)
{
  if (self->panes->len < 2)
    return g_strdup ("");
  // Translators: read out before what a part of the window shows, with a blank at its
  // end.
  return g_strdup_printf (_ ("Pane %d of %d. "), index_of (self, pane) + 1,
                          (int) self->panes->len);
}

static bool
shows (const OdlLayout *self, const OdlPane *pane)
{
  return (pane == self->active || !self->alone)
         && odl_session_info (pane->session)->location && !odl_page_covers (pane->page);
}

bool
odl_layout_shows (const OdlLayout *self, bool moving)
{
  for (guint i = 0; i < self->panes->len; i++) {
    const OdlPane *pane = self->panes->pdata[i];
    if (shows (self, pane)
        && (!moving || odl_playback_is_moving (odl_session_playback (pane->session))))
      return true;
  }
  return false;
}

bool
odl_layout_lacks_corners (const OdlLayout *self)
{
  for (guint i = 0; i < self->panes->len; i++) {
    const OdlPane *pane = self->panes->pdata[i];
    if (shows (self, pane) && !odl_viewport_corners_tell (pane->viewport))
      return true;
  }
  return false;
}

int
odl_layout_words_top (const OdlLayout *self,
                      GtkWidget *widget,
                      int left,
                      int right,
                      int bottom)
{
  int top = bottom;
  for (guint i = 0; i < self->panes->len; i++) {
    const OdlPane *pane = self->panes->pdata[i];
    graphene_rect_t place;
    if (!gtk_widget_get_mapped (pane->widget)
        || !gtk_widget_compute_bounds (pane->widget, widget, &place)
        || (int) (place.origin.y + place.size.height) < bottom)
      continue;
    const int x = (int) place.origin.x;
    if (left < x + (int) place.size.width && right > x)
      top = MIN (top, (int) place.origin.y
                          + odl_viewport_words_top (pane->viewport, left - x, right - x));
  }
  return top;
}

// ---- what is to be seen of them ------------------------------------------------------

static void
describe (OdlLayout *self, OdlPane *pane)
{
  g_autofree char *words = odl_layout_words (self, pane);
  g_autofree char *name = odl_pane_name (pane);
  g_autofree char *text = g_strconcat (words, name ? name : _ ("Empty"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (pane->viewport),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

// A pane that is not seen does not play: its frames would never be painted.
static void
show_pane (OdlPane *pane, bool visible)
{
  if ((bool) gtk_widget_get_visible (pane->widget) == visible)
    return;
  gtk_widget_set_visible (pane->widget, visible);
  if (!visible)
    pane->plays_on = odl_session_playing (pane->session);
  if (pane->plays_on)
    odl_session_set_playing (pane->session, visible);
}

void
odl_layout_update (OdlLayout *self)
{
  const bool several = self->panes->len > 1;
  for (guint i = 0; i < self->panes->len; i++) {
    OdlPane *pane = self->panes->pdata[i];
    const bool active = pane == self->active;
    show_pane (pane, active || !self->alone);
    gtk_widget_set_visible (pane->hint, several && odl_pane_is_empty (pane));
    gtk_widget_set_visible (pane->edge, several && !self->alone && active);
    if (!active || !odl_session_frame (pane->session))
      describe (self, pane);
  }
  odl_page_update_invitation (self->parts->page, several);
}

static void
set_state (OdlLayout *self, const char *name, GVariant *state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->parts->window), name);
  if (action)
    g_simple_action_set_state (G_SIMPLE_ACTION (action), state);
  else
    g_variant_unref (g_variant_ref_sink (state));
}

// The memory for frames is that of the window.
static void
apply_settings (OdlLayout *self)
{
  for (guint i = 0; i < self->panes->len; i++) {
    OdlPane *pane = self->panes->pdata[i];
    OdlPlayback *playback = odl_session_playback (pane->session);
    odl_preferences_apply (self->parts->settings, pane->session, pane->viewport);
    odl_playback_set_cache_bytes (playback,
                                  odl_playback_cache_bytes (playback) / self->panes->len);
  }
}

static void
arrange (OdlLayout *self)
{
  const bool several = self->panes->len > 1;
  odl_pane_grid_set_columns (odl_window_child (self->parts, "panes"),
                             self->alone ? 1 : shapes[self->shape].columns);
  odl_layout_update (self);
  apply_settings (self);
  odl_window_tell (self->parts, "layout", NULL);
  set_state (self, "layout", g_variant_new_string (shapes[self->shape].name));
  set_state (self, "pane-alone", g_variant_new_boolean (self->alone));
  static const char *const of_several[] = { "pane-alone", "close-pane" };
  for (size_t i = 0; i < G_N_ELEMENTS (of_several); i++)
    odl_window_enable (self->parts, of_several[i], several);
  odl_links_update (self->links);
}

void
odl_layout_set_alone (OdlLayout *self, bool alone)
{
  self->alone = alone && self->panes->len > 1;
  arrange (self);
}

// ---- which is active -----------------------------------------------------------------

static void
take_active (OdlLayout *self, OdlPane *pane)
{
  OdlWindowParts *parts = self->parts;
  self->active = pane;
  parts->session = pane->session;
  parts->playback = odl_session_playback (pane->session);
  parts->viewport = pane->viewport;
  parts->filter_panel = pane->filter_panel;
  parts->page = pane->page;
  gtk_stack_set_visible_child (odl_window_child (parts, "filter_panels"),
                               GTK_WIDGET (pane->filter_panel));
}

void
odl_layout_activate (OdlLayout *self, OdlPane *pane)
{
  OdlPane *before = self->active;
  if (before == pane || self->parts->state->presenting)
    return;
  take_active (self, pane);
  odl_window_follow (self->parts, before->session, before->viewport);
  odl_layout_update (self);
  odl_links_update (self->links);
  g_signal_emit_by_name (self->parts->window, "pane-changed");
}

void
odl_layout_activate_at (OdlLayout *self, double x, double y)
{
  const graphene_point_t at = GRAPHENE_POINT_INIT ((float) x, (float) y);
  for (guint i = 0; i < self->panes->len; i++) {
    OdlPane *pane = self->panes->pdata[i];
    graphene_rect_t place;
    if (gtk_widget_get_mapped (pane->widget)
        && gtk_widget_compute_bounds (pane->widget, GTK_WIDGET (self->parts->window),
                                      &place)
        && graphene_rect_contains_point (&place, &at)) {
      odl_layout_activate (self, pane);
      return;
    }
  }
}

static gboolean
event_cb (OdlPane *pane, GdkEvent *event)
{
  const GdkEventType type = gdk_event_get_event_type (event);
  if (type == GDK_BUTTON_PRESS || type == GDK_TOUCH_BEGIN || type == GDK_SCROLL)
    odl_layout_activate (pane->parts->layout, pane);
  return GDK_EVENT_PROPAGATE;
}

static void
focus_cb (OdlPane *pane)
{
  odl_layout_activate (pane->parts->layout, pane);
}

// ---- what happens in the others ------------------------------------------------------

static bool
is_other (const OdlPane *pane)
{
  return !odl_layout_is_active (pane->parts->layout, pane);
}

static void
message_cb (OdlPane *pane, const char *text)
{
  if (is_other (pane))
    odl_messages_say (pane->parts->messages, text);
}

static void
frame_failed_cb (OdlPane *pane, const GError *error)
{
  if (is_other (pane) && !odl_page_covers (pane->page))
    odl_messages_say_of_frame (pane->parts->messages, error->message,
                               odl_session_playing (pane->session));
}

static void
open_failed_cb (OdlPane *pane, const char *location, const GError *error)
{
  if (is_other (pane))
    odl_page_show (pane->page,
                   odl_camera_is_location (location) ? ODL_FAILURE_CAMERA
                                                     : ODL_FAILURE_FILE,
                   location, error);
  odl_layout_update (pane->parts->layout);
}

static void
opened_cb (OdlPane *pane)
{
  const OdlWindowParts *parts = pane->parts;
  const char *warning = odl_session_info (pane->session)->warning;
  if (is_other (pane)) {
    odl_page_close (pane->page, false);
    if (warning)
      odl_messages_say (parts->messages, warning);
    if (!odl_session_opening (pane->session))
      odl_window_tell (parts, "pane-opened", pane);
  }
  odl_layout_update (parts->layout);
}

static void
opening_cb (OdlPane *pane)
{
  odl_layout_update (pane->parts->layout);
}

static void
trouble_cb (OdlPane *pane)
{
  const GError *trouble = odl_session_trouble (pane->session);
  if (!is_other (pane))
    return;
  if (!trouble && odl_page_tells_of_loss (pane->page))
    odl_page_close (pane->page, true);
  else if (trouble && !odl_session_opening (pane->session)
           && !odl_page_covers (pane->page))
    odl_page_show (pane->page, ODL_FAILURE_LOST,
                   odl_session_info (pane->session)->location, trouble);
}

static void
watch (OdlPane *pane)
{
  const struct {
    void *object;
    const char *signal;
    GCallback cb;
  } signals[] = {
    { pane->session, "message", G_CALLBACK (message_cb) },
    { pane->session, "frame-failed", G_CALLBACK (frame_failed_cb) },
    { pane->session, "open-failed", G_CALLBACK (open_failed_cb) },
    { pane->session, "opened", G_CALLBACK (opened_cb) },
    { pane->session, "notify::opening", G_CALLBACK (opening_cb) },
    { pane->session, "trouble-changed", G_CALLBACK (trouble_cb) },
    { pane->viewport, "message", G_CALLBACK (message_cb) },
    { pane->viewport, "failure", G_CALLBACK (message_cb) },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_swapped (signals[i].object, signals[i].signal, signals[i].cb, pane);
  GtkEventController *events = gtk_event_controller_legacy_new ();
  gtk_event_controller_set_propagation_phase (events, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (events, "event", G_CALLBACK (event_cb), pane);
  gtk_widget_add_controller (pane->widget, events);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (focus_cb), pane);
  gtk_widget_add_controller (pane->widget, focus);
}

// ---- more and fewer ------------------------------------------------------------------

static OdlPane *
add_pane (OdlLayout *self)
{
  OdlPane *pane = odl_pane_new (self->parts, self->active);
  g_ptr_array_add (self->panes, pane);
  self->parts->state->n_panes = odl_layout_count (self);
  watch (pane);
  odl_links_add (self->links, pane);
  if (self->started)
    odl_viewport_start (pane->viewport);
  return pane;
}

// What is recorded is not to end by the way.
static bool
may_remove (OdlLayout *self, const OdlPane *pane)
{
  if (self->parts->state->recorded != pane->viewport)
    return true;
  odl_messages_say (
      self->parts->messages,
      _ ("This pane is being recorded. Stop the recording first (Ctrl+R)."));
  return false;
}

// Another one is active then.
static void
remove_pane (OdlLayout *self, OdlPane *pane)
{
  if (pane == self->active) {
    const int index = index_of (self, pane);
    odl_layout_activate (self, odl_layout_nth (self, index > 0 ? index - 1 : 1));
  }
  odl_pane_remove (pane);
  g_ptr_array_remove (self->panes, pane);
  self->parts->state->n_panes = odl_layout_count (self);
}

// The one that is missed least: the last one that is empty, else the last one that is not
// active.
static OdlPane *
least_wanted (const OdlLayout *self)
{
  OdlPane *last = self->panes->pdata[self->panes->len - 1];
  for (guint i = self->panes->len; i > 0; i--)
    if (odl_pane_is_empty (self->panes->pdata[i - 1]))
      return self->panes->pdata[i - 1];
  return last == self->active ? self->panes->pdata[self->panes->len - 2] : last;
}

// Panes with pictures stay; of these the active one and the first ones.
static void
set_shape (OdlLayout *self, size_t shape)
{
  const guint wanted = (guint) (shapes[shape].rows * shapes[shape].columns);
  while (self->panes->len > wanted) {
    OdlPane *pane = least_wanted (self);
    if (!may_remove (self, pane))
      return;
    remove_pane (self, pane);
  }
  while (self->panes->len < wanted)
    add_pane (self);
  self->shape = shape;
  self->alone = false;
  arrange (self);
  odl_window_update_title (self->parts);
}

static void
layout_cb (OdlLayout *self, GVariant *parameter)
{
  if (self->parts->state->presenting)
    return;
  odl_window_tell (self->parts, "panels", NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (shapes); i++)
    if (g_str_equal (shapes[i].name, g_variant_get_string (parameter, NULL)))
      set_shape (self, i);
}

static void
next_cb (OdlLayout *self, GVariant *parameter)
{
  const int n = odl_layout_count (self);
  const int by = g_variant_get_int32 (parameter);
  OdlPane *next = odl_layout_nth (self, (index_of (self, self->active) + by % n + n) % n);
  const bool alone = self->alone;
  if (self->parts->state->presenting)
    return;
  if (n == 1)
    odl_messages_say (self->parts->messages,
                      _ ("There is one pane. “Layout” in the menu has more of them."));
  odl_layout_activate (self, next);
  if (alone)
    arrange (self);
  gtk_widget_grab_focus (GTK_WIDGET (next->viewport));
}

static void
alone_cb (OdlLayout *self, GVariant *parameter)
{
  odl_layout_set_alone (self, !self->alone);
}

// Two that are left stay beside or below each other.
static void
close_cb (OdlLayout *self, GVariant *parameter)
{
  if (self->panes->len < 2 || self->parts->state->presenting
      || !may_remove (self, self->active))
    return;
  remove_pane (self, self->active);
  self->alone = false;
  if (self->panes->len == 1)
    self->shape = 0;
  else if (self->panes->len == 2)
    self->shape = 1;
  arrange (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->active->viewport));
}

// An empty pane, else the next one; a window of one pane gets another one beside it.
static void
open_in_other_cb (OdlLayout *self, GVariant *parameter)
{
  OdlPane *other = NULL;
  if (self->panes->len < 2)
    set_shape (self, 1);
  for (guint i = 0; i < self->panes->len && !other; i++)
    if (self->panes->pdata[i] != self->active
        && odl_pane_is_empty (self->panes->pdata[i]))
      other = self->panes->pdata[i];
  if (!other)
    other = odl_layout_nth (self, (index_of (self, self->active) + 1)
                                      % odl_layout_count (self));
  odl_layout_set_alone (self, false);
  odl_layout_activate (self, other);
  odl_main_window_open (self->parts->window, g_variant_get_string (parameter, NULL),
                        NULL);
}

// ---- life ----------------------------------------------------------------------------

static void
free_cb (void *data)
{
  OdlLayout *self = data;
  g_ptr_array_unref (self->panes);
  odl_links_free (self->links);
  g_free (self);
}

OdlLayout *
odl_layout_new (OdlWindowParts *parts)
{
  OdlLayout *self = g_new0 (OdlLayout, 1);
  parts->layout = self;
  self->parts = parts;
  self->panes = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_pane_free);
  self->links = odl_links_new (parts, self->panes);
  take_active (self, add_pane (self));
  odl_window_own (parts, "odl-layout", self, free_cb);
  return self;
}

void
odl_layout_add_actions (OdlLayout *self)
{
  static const OdlWindowAction actions[] = {
    { "layout", G_CALLBACK (layout_cb), "s", "'1x1'" },
    { "next-pane", G_CALLBACK (next_cb), "i" },
    { "pane-alone", G_CALLBACK (alone_cb), NULL, "false" },
    { "close-pane", G_CALLBACK (close_cb) },
    { "open-in-other", G_CALLBACK (open_in_other_cb), "s" },
  };
  odl_window_add_actions (self->parts, actions, G_N_ELEMENTS (actions), self);
  odl_window_connect (self->parts, self->parts->window, "told::preferences",
                      G_CALLBACK (apply_settings), self);
  odl_links_add_actions (self->links);
  arrange (self);
}

void
odl_layout_start (OdlLayout *self)
{
  self->started = true;
  for (guint i = 0; i < self->panes->len; i++)
    odl_viewport_start (((OdlPane *) self->panes->pdata[i])->viewport);
}

// Their widgets are destroyed with the window.
void
odl_layout_stop (OdlLayout *self)
{
  for (guint i = 0; i < self->panes->len; i++) {
    OdlPane *pane = self->panes->pdata[i];
    if (!pane->session)
      continue;
    g_signal_handlers_disconnect_by_data (pane->session, pane);
    g_signal_handlers_disconnect_by_data (pane->viewport, pane);
    g_clear_object (&pane->session);
  }
  self->parts->session = NULL;
}
