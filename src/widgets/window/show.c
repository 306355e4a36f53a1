// SPDX-License-Identifier: MIT
#include "widgets/window/show.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "session/browse/folder.h"
#include "session/computing.h"
#include "session/presentation.h"
#include "widgets/diagnostics.h"
#include "widgets/window/home.h"
#include "widgets/window/parts.h"

// The divider moves smoothly enough at this rate, and leaves time to compute.
#define WIPE_INTERVAL_US (G_USEC_PER_SEC / 30)

// A source slower than this does not delay the divider.
#define SLOW_US (G_USEC_PER_SEC / 8)

// Time for the window manager after a monitor was connected or removed.
#define MONITORS_MS 700
#define MONITORS_GRACE_US (5 * G_USEC_PER_SEC)

#define NAME_CHARS 36

// One presentation.
typedef struct {
  OdlPresentation order;
  GPtrArray *locations; // char *
  GArray *recipes; // OdlRecipe
  GCancellable *listing; // the listed folder among the locations; NULL: none
  double dwell_s; // 0: the default
  int in_place; // number of the source that the session shows; −1: none of these
  guint tick_id;
  bool of_list; // it was begun with sources and recipes of its own
  bool fast; // moving sources are played as fast as possible
  int64_t wiped_us;
  const OdlFrame *wiped_frame; // for comparison only
  GListModel *monitors;
  gulong monitors_handler;
  guint monitors_id;
  int64_t monitors_us; // time of their last change
} Run;

struct _OdlShow {
  const OdlWindowParts *parts;
  OdlHome *home;
  bool pane_alone; // it was before
  Run *run; // NULL: there is no presentation
  Run *left; // that was begun from a list and left, to go on; NULL: none
  GtkWidget *box; // the large numbers
  GtkLabel *rate;
  GtkLabel *work;
  GtkLabel *name;
  GtkLabel *notice;
};

// Nothing of it comes any more.
static void
run_stop (Run *run)
{
  g_cancellable_cancel (run->listing);
  g_clear_object (&run->listing);
  g_clear_handle_id (&run->monitors_id, g_source_remove);
  g_clear_signal_handler (&run->monitors_handler, run->monitors);
  run->in_place = -1;
  run->wiped_frame = NULL;
}

static void
run_free (Run *run)
{
  run_stop (run);
  g_ptr_array_unref (run->locations);
  g_array_unref (run->recipes);
  g_free (run);
}

// ---- what is on screen ---------------------------------------------------------------

static void
update_readout (OdlShow *self)
{
  OdlFrame *frame = odl_session_frame (self->parts->session);
  g_autofree char *name = odl_names_of_source (self->parts->session);
  // The picture of the source before stays until the next one is computed.
  if (!self->run || !frame || !name
      || !odl_session_is_of_source (self->parts->session, frame))
    return;
  const OdlDiagnostics d = {
    .width = frame->plan->geometry.width,
    .height = frame->plan->geometry.height,
    .gpu = frame->engine->needs_gl,
    .time_ns = odl_frame_is_for_canvas (frame)
                   ? odl_viewport_gpu_ns (self->parts->viewport)
                   : frame->time_ns,
    .dropped = odl_session_dropped (self->parts->session),
    .fast = frame->fast,
  };
  const bool playing = odl_session_playing (self->parts->session);
  g_autofree char *rate
      = odl_diagnostics_rate (playing ? odl_readout_rate (self->parts->readout) : 0, 0);
  g_autofree char *work = odl_diagnostics_line (&d);
  g_autofree char *short_name = odl_diagnostics_short_name (name, NAME_CHARS);
  // Translators: the caption of a picture whose filters are still at work.
  g_autofree char *waits = g_strdup_printf (_ ("%s · original"), short_name);
  const bool original = odl_session_is_computing (self->parts->session)
                        && odl_recipe_is_identity (&frame->recipe);
  gtk_label_set_text (self->rate, rate);
  gtk_label_set_text (self->work, work);
  gtk_label_set_text (self->name, original ? waits : short_name);
  gtk_widget_set_visible (GTK_WIDGET (self->rate), *rate != '\0');
  gtk_widget_set_visible (self->box, TRUE);
}

static void
set_notice (OdlShow *self, const char *text)
{
  gtk_label_set_text (self->notice, text ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->notice), text != NULL);
}

void
odl_show_names_changed (OdlShow *self)
{
  g_autofree char *notice = odl_names_in_text (odl_names_of (self->parts->session),
                                               gtk_label_get_text (self->notice));
  gtk_label_set_text (self->notice, notice);
  update_readout (self);
}

static const OdlRecipe *
current_recipe (const Run *run)
{
  return &g_array_index (run->recipes, OdlRecipe, run->order.recipe);
}

static void open_source (OdlShow *self);
static void tell_failure (OdlShow *self, const GError *error);

// Replaces a folder by its files.
static void
take_files (Run *run, const char *const *files)
{
  const guint n_files = g_strv_length ((char **) files);
  const guint at = (guint) run->order.source;
  g_ptr_array_remove_index (run->locations, at);
  for (guint i = 0; i < n_files; i++)
    g_ptr_array_insert (run->locations, (int) (at + i), g_strdup (files[i]));
  run->order.n_sources = (int) run->locations->len;
  run->in_place = -1;
}

static void
listed_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (OdlMainWindow) window = data;
  OdlShow *self = odl_main_window_parts (window)->show;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) files = odl_folder_list_finish (result, NULL, &error);
  if (!self->run || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || g_task_get_cancellable (G_TASK (result)) != self->run->listing)
    return;
  g_clear_object (&self->run->listing);
  if (files && files[0]) {
    take_files (self->run, (const char *const *) files);
    open_source (self);
    return;
  }
  if (!error)
    g_set_error (
        &error, ODL_ERROR, ODL_ERROR_IO,
        _ ("The folder “%s” holds nothing that can be shown. Choose another folder."),
        (char *) g_ptr_array_index (self->run->locations, self->run->order.source));
  tell_failure (self, error);
}

static void
open_source (OdlShow *self)
{
  Run *run = self->run;
  const char *location = g_ptr_array_index (run->locations, run->order.source);
  g_cancellable_cancel (run->listing);
  g_clear_object (&run->listing);
  if (g_file_test (location, G_FILE_TEST_IS_DIR)) {
    run->listing = g_cancellable_new ();
    odl_folder_list (location, false, run->listing, listed_cb,
                     g_object_ref (self->parts->window));
    return;
  }
  g_autofree char *resolved = odl_last_camera_resolve (self->parts->camera, location);
  odl_session_open (self->parts->session, resolved, current_recipe (run));
}

// An unfiltered picture has no wipe.
static void
update_wipe (OdlShow *self)
{
  odl_viewport_set_beside (self->parts->viewport, false);
  odl_viewport_set_wipe (self->parts->viewport,
                         !odl_recipe_is_identity (current_recipe (self->run)));
}

static void
make_move (OdlShow *self, OdlPresentationMove move)
{
  Run *run = self->run;
  switch (move) {
  case ODL_PRESENTATION_OPEN:
    open_source (self);
    break;
  case ODL_PRESENTATION_CHANGE:
    odl_session_set_recipe (self->parts->session, current_recipe (run), NULL);
    break;
  default:
    return;
  }
  update_wipe (self);
}

// The source whose turn it is, and no other one is on its way: only then what the
// session says of the one in place is about the presentation.
static bool
is_in_place (const OdlShow *self)
{
  const Run *run = self->run;
  return run && run->in_place == run->order.source && !run->listing
         && !odl_session_opening (self->parts->session);
}

// A still has no speed, and the device sets that of a capture.
static bool
has_speed (const OdlShow *self)
{
  return odl_playback_is_moving (self->parts->playback)
         && !odl_session_info (self->parts->session)->capture;
}

// The speed of one source is that of the next.
static void
note_speed (OdlShow *self)
{
  if (is_in_place (self) && has_speed (self))
    self->run->fast = odl_playback_is_fast (self->parts->playback);
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, void *data)
{
  OdlShow *self = data;
  Run *run = self->run;
  const int64_t now = g_get_monotonic_time ();
  note_speed (self);
  // What takes long to compute is shown as long as all others.
  if (is_in_place (self) && odl_session_is_computing (self->parts->session))
    odl_presentation_hold (&run->order, now);
  make_move (self, odl_presentation_advance (&run->order, now));
  // Sources begin to play when they are open.
  if (run->order.paused && odl_session_playing (self->parts->session))
    odl_session_set_playing (self->parts->session, false);
  // Moving the divider together with a frame saves a repaint.
  const OdlFrame *frame = odl_session_frame (self->parts->session);
  const int64_t waited_us = now - run->wiped_us;
  const bool moving = odl_session_playing (self->parts->session);
  if (moving ? frame != run->wiped_frame || waited_us >= SLOW_US
             : waited_us >= WIPE_INTERVAL_US) {
    run->wiped_us = now;
    run->wiped_frame = frame;
    const double wipe = odl_presentation_wipe (&run->order);
    if (odl_viewport_wipe (self->parts->viewport)
        && wipe != odl_viewport_wipe_position (self->parts->viewport))
      odl_viewport_set_wipe_position (self->parts->viewport, wipe);
  }
  return G_SOURCE_CONTINUE;
}

// ---- what the session says -----------------------------------------------------------

static void
tell_failure (OdlShow *self, const GError *error)
{
  odl_presentation_failed (&self->run->order, g_get_monotonic_time ());
  const char *next = self->run->order.n_sources > 1 ? _ ("The next source follows.")
                                                    : _ ("It is tried again.");
  g_autofree char *valid
      = odl_names_in_text (odl_names_of (self->parts->session), error->message);
  g_autofree char *text = g_strdup_printf ("%s\n%s", valid, next);
  set_notice (self, text);
}

static void
take_place (OdlShow *self)
{
  Run *run = self->run;
  run->in_place = run->order.source;
  odl_presentation_shown (&run->order, g_get_monotonic_time ());
  // What is shown first has the speed that was chosen for it.
  if (run->fast && has_speed (self)) {
    odl_playback_set_speed (self->parts->playback, ODL_SPEED_FAST);
    odl_window_update_actions (self->parts);
  }
  set_notice (self, NULL);
  update_readout (self);
}

void
odl_show_recovered (OdlShow *self)
{
  if (!is_in_place (self))
    return;
  odl_presentation_recovered (&self->run->order, g_get_monotonic_time ());
  set_notice (self, NULL);
  update_readout (self);
}

void
odl_show_opened (OdlShow *self)
{
  if (self->run)
    take_place (self);
  odl_home_opened (self->home);
}

bool
odl_show_open_failed (OdlShow *self, const char *location, const GError *error)
{
  // “webcam” is any camera when the last one is not there.
  if (self->run && odl_last_camera_opens_another (self->parts->camera, location, error))
    return true;
  odl_home_forget (self->home);
  if (self->run)
    tell_failure (self, error);
  return self->run != NULL;
}

bool
odl_show_failed (OdlShow *self, const GError *error)
{
  // A damaged frame or a missing end is shown as such, and the rest plays.
  const bool plays_on = g_error_matches (error, ODL_ERROR, ODL_ERROR_CORRUPT)
                        || g_error_matches (error, ODL_ERROR, ODL_ERROR_END);
  if (is_in_place (self)
      && !(plays_on && self->run->order.state == ODL_PRESENTATION_SHOWING))
    tell_failure (self, error);
  return self->run != NULL;
}

// ---- monitors ------------------------------------------------------------------------

static gboolean
full_screen_again_cb (void *data)
{
  OdlShow *self = data;
  self->run->monitors_id = 0;
  gtk_window_fullscreen (GTK_WINDOW (self->parts->window));
  gtk_widget_queue_resize (GTK_WIDGET (self->parts->window));
  return G_SOURCE_REMOVE;
}

// The window manager may have moved the window from a monitor that was removed.
static void
monitors_cb (OdlShow *self)
{
  Run *run = self->run;
  run->monitors_us = g_get_monotonic_time ();
  if (!run->monitors_id)
    run->monitors_id = g_timeout_add (MONITORS_MS, full_screen_again_cb, self);
}

static bool
keeps_screen (void *data)
{
  OdlShow *self = data;
  Run *run = self->run;
  if (!run || run->monitors_us == 0
      || g_get_monotonic_time () - run->monitors_us > MONITORS_GRACE_US)
    return false;
  if (!run->monitors_id)
    run->monitors_id = g_timeout_add (MONITORS_MS, full_screen_again_cb, self);
  return true;
}

static void
watch_monitors (OdlShow *self)
{
  Run *run = self->run;
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (self->parts->window));
  run->monitors = gdk_display_get_monitors (display);
  run->monitors_handler = g_signal_connect_swapped (run->monitors, "items-changed",
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

static Run *
run_new (const char *const *locations,
         const OdlRecipe *recipes,
         int n_recipes,
         double dwell_s)
{
  Run *run = g_new0 (Run, 1);
  run->in_place = -1;
  run->dwell_s = dwell_s;
  run->locations = g_ptr_array_new_with_free_func (g_free);
  run->recipes = g_array_new (FALSE, FALSE, sizeof (OdlRecipe));
  for (int i = 0; locations[i]; i++)
    g_ptr_array_add (run->locations, g_strdup (locations[i]));
  if (n_recipes > 0)
    g_array_append_vals (run->recipes, recipes, (guint) n_recipes);
  else
    use_built_in_recipes (run->recipes);
  run->order = odl_presentation_begin ((int) run->locations->len, (int) run->recipes->len,
                                       dwell_s, g_get_monotonic_time ());
  return run;
}

// The source whose turn it is, opened unless it is open already.
static void
begin_source (OdlShow *self)
{
  const OdlWindowParts *parts = self->parts;
  const Run *run = self->run;
  const char *first = g_ptr_array_index (run->locations, run->order.source);
  if (g_strcmp0 (odl_session_info (parts->session)->location, first) != 0
      || odl_session_opening (parts->session)) {
    make_move (self, ODL_PRESENTATION_OPEN);
    return;
  }
  make_move (self, ODL_PRESENTATION_CHANGE);
  odl_session_set_playing (parts->session, true);
  take_place (self);
  if (odl_session_trouble (parts->session))
    tell_failure (self, odl_session_trouble (parts->session));
}

static void
begin (OdlShow *self, Run *run)
{
  const OdlWindowParts *parts = self->parts;
  GtkWidget *window = GTK_WIDGET (parts->window);
  odl_show_end (self);
  self->pane_alone = odl_layout_alone (parts->layout);
  odl_layout_set_alone (parts->layout, true);
  odl_page_close (parts->page, true);
  odl_home_leave (self->home);
  self->run = run;
  parts->state->presenting = true;
  odl_screen_set_full (parts->screen, true);
  gtk_widget_set_cursor_from_name (window, "none");
  gtk_widget_set_cursor_from_name (GTK_WIDGET (parts->viewport), "none");
  set_notice (self, NULL);
  odl_page_update_invitation (parts->page, true);
  odl_viewport_set_presents (parts->viewport, true);
  odl_viewport_fit (parts->viewport);
  odl_viewport_set_wipe_position (parts->viewport, 1);
  update_wipe (self);
  watch_monitors (self);
  self->run->tick_id = gtk_widget_add_tick_callback (window, tick_cb, self, NULL);
  begin_source (self);
  odl_window_update_actions (parts);
}

void
odl_show_begin (OdlShow *self,
                const char *const *locations,
                const OdlRecipe *recipes,
                int n_recipes,
                double dwell_s)
{
  g_return_if_fail (locations[0]);
  Run *run = run_new (locations, recipes, n_recipes, dwell_s);
  run->of_list = true;
  begin (self, run);
}

void
odl_show_save (const OdlShow *self, OdlWorkspace *workspace)
{
  const Run *left = self->left;
  if (!left)
    return;
  g_autoptr (GStrvBuilder) locations = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) recipes = g_strv_builder_new ();
  for (guint i = 0; i < left->locations->len; i++)
    g_strv_builder_add (locations, left->locations->pdata[i]);
  for (guint i = 0; i < left->recipes->len; i++) {
    g_autofree char *text
        = odl_recipe_to_text (&g_array_index (left->recipes, OdlRecipe, i), " ");
    g_strv_builder_add (recipes, text);
  }
  workspace->show_locations = g_strv_builder_end (locations);
  workspace->show_recipes = g_strv_builder_end (recipes);
  workspace->show_dwell_s = left->dwell_s;
}

void
odl_show_restore (OdlShow *self, const OdlWorkspace *workspace)
{
  if (!workspace->show_locations)
    return;
  const guint n = g_strv_length (workspace->show_recipes);
  g_autofree OdlRecipe *recipes = g_new (OdlRecipe, n);
  for (guint i = 0; i < n; i++) {
    odl_recipe_init (&recipes[i]);
    odl_recipe_parse (&recipes[i], workspace->show_recipes[i], NULL);
  }
  g_clear_pointer (&self->left, run_free);
  self->left = run_new ((const char *const *) workspace->show_locations, recipes, (int) n,
                        workspace->show_dwell_s);
  self->left->of_list = true;
}

void
odl_show_end (OdlShow *self)
{
  const OdlWindowParts *parts = self->parts;
  if (!self->run)
    return;
  const bool of_list = self->run->of_list;
  // Speed is not what stays of it, should its last source do so.
  if (self->run->fast)
    odl_playback_set_speed (parts->playback, 1);
  odl_show_stop (self);
  gtk_widget_set_visible (self->box, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->notice), FALSE);
  odl_layout_set_alone (parts->layout, self->pane_alone);
  odl_layout_update (parts->layout);
  gtk_widget_set_cursor (GTK_WIDGET (parts->window), NULL);
  gtk_widget_set_cursor (GTK_WIDGET (parts->viewport), NULL);
  odl_viewport_set_presents (parts->viewport, false);
  odl_home_return (self->home);
  odl_window_update_actions (parts);
  if (of_list)
    odl_messages_say_of_state (parts->messages,
                               _ ("The presentation was left. F5 goes on where it "
                                  "stopped."));
}

void
odl_show_stop (OdlShow *self)
{
  Run *run = g_steal_pointer (&self->run);
  if (!run)
    return;
  self->parts->state->presenting = false;
  gtk_widget_remove_tick_callback (GTK_WIDGET (self->parts->window), run->tick_id);
  run_stop (run);
  if (!run->of_list) {
    run_free (run);
    return;
  }
  g_clear_pointer (&self->left, run_free);
  self->left = run;
}

bool
odl_show_step (OdlShow *self, int sources)
{
  if (!self->run)
    return false;
  note_speed (self);
  make_move (self,
             odl_presentation_step (&self->run->order, sources, g_get_monotonic_time ()));
  return true;
}

bool
odl_show_pause (OdlShow *self)
{
  if (!self->run)
    return false;
  const bool pause = !self->run->order.paused;
  odl_presentation_set_paused (&self->run->order, pause, g_get_monotonic_time ());
  odl_session_set_playing (self->parts->session, !pause);
  return true;
}

static void
end_cb (void *data)
{
  odl_show_end (data);
}

// F5: what was left goes on; else what is open, with its recipe; else the phantom with
// the built-in recipes.
static void
present_cb (OdlShow *self, GVariant *parameter)
{
  if (self->run) {
    odl_show_end (self);
    return;
  }
  if (self->left) {
    Run *left = g_steal_pointer (&self->left);
    odl_presentation_resume (&left->order, g_get_monotonic_time ());
    begin (self, left);
    return;
  }
  const char *location = odl_session_info (self->parts->session)->location;
  g_autofree char *first = g_strdup (location ? location : ODL_PHANTOM_LOCATION);
  const char *const locations[] = { first, NULL };
  const OdlRecipe recipe = *odl_session_recipe (self->parts->session);
  begin (self, run_new (locations, &recipe, location ? 1 : 0, 0));
}

static void
free_cb (void *data)
{
  OdlShow *self = data;
  g_clear_pointer (&self->left, run_free);
  odl_home_free (self->home);
  g_free (self);
}

OdlShow *
odl_show_new (const OdlWindowParts *parts)
{
  static const OdlWindowAction entry
      = { "present", G_CALLBACK (present_cb), .when = odl_window_is_uncovered };
  OdlShow *self = g_new (OdlShow, 1);
  *self = (OdlShow){
    .parts = parts,
    .home = odl_home_new (parts),
    .box = odl_window_child (parts, "show_box"),
    .rate = odl_window_child (parts, "show_rate"),
    .work = odl_window_child (parts, "show_work"),
    .name = odl_window_child (parts, "show_name"),
    .notice = odl_window_child (parts, "show_notice"),
  };
  odl_window_add_actions (parts, &entry, 1, self);
  odl_window_connect (parts, parts->window, "told::readout", G_CALLBACK (update_readout),
                      self);
  odl_screen_set_holder (parts->screen, &(OdlScreenHolder){ end_cb, keeps_screen, self });
  odl_window_own (parts, "odl-show", self, free_cb);
  return self;
}
