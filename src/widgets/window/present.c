// SPDX-License-Identifier: MIT
// Presentation mode: sources and recipes in turn, full screen, the divider moving by
// itself, large numbers.
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "config.h"
#include "session/folder.h"
#include "session/presentation.h"
#include "widgets/diagnostics.h"
#include "widgets/window/private.h"

// The divider moves smoothly enough at this rate, and leaves time to compute.
#define WIPE_INTERVAL_US (G_USEC_PER_SEC / 30)

// A source slower than this does not hold the divider up.
#define SLOW_US (G_USEC_PER_SEC / 8)

// Window managers take their time when a monitor comes or goes.
#define MONITORS_MS 700
#define MONITORS_GRACE_US (5 * G_USEC_PER_SEC)

#define NAME_CHARS 36

struct _OdlShow {
  OdlPresentation order;
  GPtrArray *locations; // char *
  GArray *recipes; // OdlRecipe
  GCancellable *listing; // a folder among the locations; NULL: none now
  OdlHome *home;
  guint tick_id;
  int64_t wiped_us;
  const OdlFrame *wiped_frame; // to compare with only
  GListModel *monitors;
  gulong monitors_handler;
  guint monitors_id;
  int64_t monitors_us; // of their last change
};

static void
show_free (OdlShow *show)
{
  g_cancellable_cancel (show->listing);
  g_clear_object (&show->listing);
  g_clear_handle_id (&show->monitors_id, g_source_remove);
  g_clear_signal_handler (&show->monitors_handler, show->monitors);
  g_ptr_array_unref (show->locations);
  g_array_unref (show->recipes);
  odl_home_free (show->home);
  g_free (show);
}

// ---- what is on screen ---------------------------------------------------------------

void
odl_main_window_update_readout (OdlMainWindow *self)
{
  OdlFrame *frame = odl_session_frame (self->session);
  const char *name = odl_session_name (self->session);
  if (!self->show || !frame || !name)
    return;
  const bool gpu = frame->engine->needs_gl;
  const OdlDiagnostics d = {
    .width = frame->plan->geometry.width,
    .height = frame->plan->geometry.height,
    .gpu = gpu,
    .time_ns = gpu ? odl_viewport_gpu_ns (self->viewport) : frame->time_ns,
    .dropped = odl_session_dropped (self->session),
  };
  const bool playing = odl_session_playing (self->session);
  g_autofree char *rate = odl_diagnostics_rate (playing ? self->rate.per_second : 0, 0);
  g_autofree char *work = odl_diagnostics_line (&d);
  g_autofree char *short_name = odl_diagnostics_short_name (name, NAME_CHARS);
  gtk_label_set_text (self->show_rate, rate);
  gtk_label_set_text (self->show_work, work);
  gtk_label_set_text (self->show_name, short_name);
  gtk_widget_set_visible (GTK_WIDGET (self->show_rate), *rate != '\0');
  gtk_widget_set_visible (self->show_box, TRUE);
}

static void
set_notice (OdlMainWindow *self, const char *text)
{
  gtk_label_set_text (self->show_notice, text ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->show_notice), text != NULL);
}

static const OdlRecipe *
current_recipe (const OdlShow *show)
{
  return &g_array_index (show->recipes, OdlRecipe, show->order.recipe);
}

static void open_source (OdlMainWindow *self);

// In the place of a folder come its files.
static void
take_files (OdlShow *show, const char *const *files)
{
  const guint n_files = g_strv_length ((char **) files);
  const guint at = (guint) show->order.source;
  g_ptr_array_remove_index (show->locations, at);
  for (guint i = 0; i < n_files; i++)
    g_ptr_array_insert (show->locations, (int) (at + i), g_strdup (files[i]));
  show->order.n_sources = (int) show->locations->len;
}

static void
listed_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (OdlMainWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) files = odl_folder_list_finish (result, &error);
  if (!self->show || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || g_task_get_cancellable (G_TASK (result)) != self->show->listing)
    return;
  g_clear_object (&self->show->listing);
  if (files && files[0]) {
    take_files (self->show, (const char *const *) files);
    open_source (self);
    return;
  }
  if (!error)
    g_set_error (
        &error, ODL_ERROR, ODL_ERROR_IO,
        _ ("The folder “%s” holds nothing that can be shown. Choose another "
           "folder."),
        (char *) g_ptr_array_index (self->show->locations, self->show->order.source));
  odl_main_window_present_failed (self, error);
}

static void
open_source (OdlMainWindow *self)
{
  OdlShow *show = self->show;
  const char *location = g_ptr_array_index (show->locations, show->order.source);
  g_cancellable_cancel (show->listing);
  g_clear_object (&show->listing);
  if (g_file_test (location, G_FILE_TEST_IS_DIR)) {
    show->listing = g_cancellable_new ();
    odl_folder_list (location, show->listing, listed_cb, g_object_ref (self));
    return;
  }
  g_autofree char *resolved = odl_main_window_resolve_camera (self, location);
  odl_session_open (self->session, resolved, current_recipe (show));
}

// Of a picture as it came there are no two halves.
static void
update_wipe (OdlMainWindow *self)
{
  odl_viewport_set_wipe (self->viewport,
                         !odl_recipe_is_identity (current_recipe (self->show)));
}

static void
make_move (OdlMainWindow *self, OdlPresentationMove move)
{
  OdlShow *show = self->show;
  switch (move) {
  case ODL_PRESENTATION_OPEN:
    open_source (self);
    break;
  case ODL_PRESENTATION_CHANGE:
    odl_session_set_recipe (self->session, current_recipe (show), NULL);
    break;
  default:
    return;
  }
  update_wipe (self);
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, void *data)
{
  OdlMainWindow *self = ODL_MAIN_WINDOW (widget);
  OdlShow *show = self->show;
  const int64_t now = g_get_monotonic_time ();
  make_move (self, odl_presentation_advance (&show->order, now));
  // Sources begin to play when they are open.
  if (show->order.paused && odl_session_playing (self->session))
    odl_session_set_playing (self->session, false);
  // Together with a frame the divider costs no painting of its own.
  const OdlFrame *frame = odl_session_frame (self->session);
  const int64_t waited_us = now - show->wiped_us;
  const bool moving = odl_session_playing (self->session);
  if (moving ? frame != show->wiped_frame || waited_us >= SLOW_US
             : waited_us >= WIPE_INTERVAL_US) {
    show->wiped_us = now;
    show->wiped_frame = frame;
    const double wipe = odl_presentation_wipe (&show->order);
    if (odl_viewport_wipe (self->viewport)
        && wipe != odl_viewport_wipe_position (self->viewport))
      odl_viewport_set_wipe_position (self->viewport, wipe);
  }
  return G_SOURCE_CONTINUE;
}

// ---- what the session says -----------------------------------------------------------

void
odl_main_window_present_opened (OdlMainWindow *self)
{
  if (!self->show)
    return;
  odl_presentation_shown (&self->show->order, g_get_monotonic_time ());
  set_notice (self, NULL);
  odl_main_window_update_readout (self);
}

bool
odl_main_window_present_failed (OdlMainWindow *self, const GError *error)
{
  if (!self->show)
    return false;
  // A damaged frame says so itself, and the rest plays.
  if (g_error_matches (error, ODL_ERROR, ODL_ERROR_CORRUPT)
      && self->show->order.state == ODL_PRESENTATION_SHOWING)
    return true;
  odl_presentation_failed (&self->show->order, g_get_monotonic_time ());
  const char *next = self->show->order.n_sources > 1 ? _ ("The next source follows.")
                                                     : _ ("It is tried again.");
  g_autofree char *valid = g_utf8_make_valid (error->message, -1);
  g_autofree char *text = g_strdup_printf ("%s\n%s", valid, next);
  set_notice (self, text);
  return true;
}

// ---- monitors ------------------------------------------------------------------------

static gboolean
full_screen_again_cb (void *data)
{
  OdlMainWindow *self = data;
  self->show->monitors_id = 0;
  gtk_window_fullscreen (GTK_WINDOW (self));
  gtk_widget_queue_resize (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

// The window manager may have taken the window off a monitor that is gone.
static void
monitors_cb (OdlMainWindow *self)
{
  OdlShow *show = self->show;
  show->monitors_us = g_get_monotonic_time ();
  if (!show->monitors_id)
    show->monitors_id = g_timeout_add (MONITORS_MS, full_screen_again_cb, self);
}

bool
odl_main_window_present_holds (OdlMainWindow *self)
{
  OdlShow *show = self->show;
  if (!show || show->monitors_us == 0
      || g_get_monotonic_time () - show->monitors_us > MONITORS_GRACE_US)
    return false;
  if (!show->monitors_id)
    show->monitors_id = g_timeout_add (MONITORS_MS, full_screen_again_cb, self);
  return true;
}

static void
watch_monitors (OdlMainWindow *self)
{
  OdlShow *show = self->show;
  show->monitors = gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (self)));
  show->monitors_handler = g_signal_connect_swapped (show->monitors, "items-changed",
                                                     G_CALLBACK (monitors_cb), self);
}

// ---- in and out ----------------------------------------------------------------------

static void
use_built_in_recipes (GArray *recipes)
{
  for (int i = 0; odl_presentation_recipes[i]; i++) {
    OdlRecipe recipe;
    odl_recipe_init (&recipe);
    if (odl_recipe_parse (&recipe, odl_presentation_recipes[i], NULL))
      g_array_append_val (recipes, recipe);
  }
}

static OdlShow *
show_new (OdlMainWindow *self,
          const char *const *locations,
          const OdlRecipe *recipes,
          int n_recipes,
          double dwell_s)
{
  OdlShow *show = g_new0 (OdlShow, 1);
  show->locations = g_ptr_array_new_with_free_func (g_free);
  show->recipes = g_array_new (FALSE, FALSE, sizeof (OdlRecipe));
  for (int i = 0; locations[i]; i++)
    g_ptr_array_add (show->locations, g_strdup (locations[i]));
  if (n_recipes > 0)
    g_array_append_vals (show->recipes, recipes, (guint) n_recipes);
  else
    use_built_in_recipes (show->recipes);
  show->home
      = self->home ? g_steal_pointer (&self->home) : odl_main_window_leave_home (self);
  show->order
      = odl_presentation_begin ((int) show->locations->len, (int) show->recipes->len,
                                dwell_s, g_get_monotonic_time ());
  return show;
}

void
odl_main_window_present (OdlMainWindow *self,
                         const char *const *locations,
                         const OdlRecipe *recipes,
                         int n_recipes,
                         double dwell_s)
{
  g_return_if_fail (locations[0]);
  if (self->show)
    odl_main_window_stop_presenting (self);
  odl_main_window_close_page (self, true);
  OdlShow *show = self->show = show_new (self, locations, recipes, n_recipes, dwell_s);
  odl_main_window_set_full_screen (self, true);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "none");
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self->viewport), "none");
  set_notice (self, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->status), FALSE);
  odl_viewport_fit (self->viewport);
  odl_viewport_set_wipe_position (self->viewport, 1);
  update_wipe (self);
  watch_monitors (self);
  show->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
  // What is open already need not be opened again.
  if (g_strcmp0 (odl_session_location (self->session), locations[0]) == 0
      && !odl_session_opening (self->session)) {
    make_move (self, ODL_PRESENTATION_CHANGE);
    odl_session_set_playing (self->session, true);
    odl_main_window_present_opened (self);
  } else {
    make_move (self, ODL_PRESENTATION_OPEN);
  }
  odl_main_window_update_actions (self);
}

void
odl_main_window_stop_presenting (OdlMainWindow *self)
{
  OdlShow *show = g_steal_pointer (&self->show);
  if (!show)
    return;
  gtk_widget_remove_tick_callback (GTK_WIDGET (self), show->tick_id);
  gtk_widget_set_visible (self->show_box, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->show_notice), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->status),
                          !odl_session_location (self->session));
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
  gtk_widget_set_cursor (GTK_WIDGET (self->viewport), NULL);
  odl_main_window_go_home (self, g_steal_pointer (&show->home));
  show_free (show);
  odl_main_window_update_actions (self);
}

void
odl_main_window_dispose_show (OdlMainWindow *self)
{
  if (!self->show)
    return;
  gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->show->tick_id);
  g_clear_pointer (&self->show, show_free);
}

bool
odl_main_window_present_step (OdlMainWindow *self, int sources)
{
  if (!self->show)
    return false;
  make_move (
      self, odl_presentation_step (&self->show->order, sources, g_get_monotonic_time ()));
  return true;
}

bool
odl_main_window_present_pause (OdlMainWindow *self)
{
  if (!self->show)
    return false;
  const bool pause = !self->show->order.paused;
  odl_presentation_set_paused (&self->show->order, pause, g_get_monotonic_time ());
  odl_session_set_playing (self->session, !pause);
  return true;
}

// F5: what is open, as it is; else the phantom with the built-in filters.
static void
present_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlMainWindow *self = data;
  if (self->show) {
    odl_main_window_stop_presenting (self);
    return;
  }
  const char *location = odl_session_location (self->session);
  g_autofree char *first = g_strdup (location ? location : ODL_PHANTOM_LOCATION);
  const char *const locations[] = { first, NULL };
  const OdlRecipe recipe = *odl_session_recipe (self->session);
  odl_main_window_present (self, locations, &recipe, location ? 1 : 0, 0);
}

void
odl_main_window_add_present_action (OdlMainWindow *self)
{
  static const GActionEntry entry = { .name = "present", .activate = present_cb };
  g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
}
