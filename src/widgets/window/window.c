// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <time.h>
#include <unistd.h>

#include "base/debug.h"
#include "config.h"
#include "plan/title.h"
#include "widgets/diagnostics.h"
#include "widgets/preferences_window.h"
#include "widgets/window/private.h"

G_DEFINE_FINAL_TYPE (OdlMainWindow, odl_main_window, ADW_TYPE_APPLICATION_WINDOW)

// A spinner for less than this would only flicker.
#define OPENING_DELAY_MS 250

// The line's numbers change at most this often, so that they can be read.
#define LINE_INTERVAL_MS 250

// A longer title would push the view buttons out of the header.
#define TITLE_CHARS 32

// ---- messages ------------------------------------------------------------------------

static void
message_cb (OdlMainWindow *self, const char *text)
{
  odl_main_window_say (self, text);
}

static void
frame_failed_cb (OdlMainWindow *self, const GError *error)
{
  // What was read ahead of a source that a page has covered meanwhile is nobody's
  // concern.
  if (!odl_main_window_present_failed (self, error) && !self->failed)
    odl_main_window_say_of_frame (self, error->message);
}

// ---- opening -------------------------------------------------------------------------

static gboolean
show_opening_cb (void *data)
{
  OdlMainWindow *self = data;
  self->opening_id = 0;
  gtk_widget_set_visible (self->opening, self->show == NULL);
  return G_SOURCE_REMOVE;
}

static void
opening_cb (OdlMainWindow *self)
{
  const char *location = odl_session_opening (self->session);
  g_clear_handle_id (&self->opening_id, g_source_remove);
  if (!location) {
    gtk_widget_set_visible (self->opening, FALSE);
    return;
  }
  odl_main_window_show_panels (self);
  g_autofree char *base = g_path_get_basename (location);
  g_autofree char *name = odl_diagnostics_short_name (base, 40);
  g_autofree char *text = g_strdup_printf (_ ("Opening %s"), name);
  gtk_label_set_text (self->opening_label, text);
  self->opening_id = g_timeout_add (OPENING_DELAY_MS, show_opening_cb, self);
}

static void
open_failed_cb (OdlMainWindow *self, const char *location, const GError *error)
{
  odl_main_window_forget_home (self);
  if (odl_main_window_present_failed (self, error)
      || odl_main_window_take_camera_failure (self, location, error))
    return;
  odl_main_window_show_page (self, ODL_FAILURE_FILE, location, error);
}

static char *
make_subtitle (OdlMainWindow *self)
{
  OdlFrame *frame = odl_session_frame (self->session);
  const char *format = odl_session_format (self->session);
  if (self->failed)
    return g_strdup (_ ("Cannot be opened"));
  return frame
             ? g_strdup_printf ("%s · %d × %d", format ? format : "",
                                frame->plan->geometry.width, frame->plan->geometry.height)
             : NULL;
}

void
odl_main_window_update_title (OdlMainWindow *self)
{
  g_autofree char *failed = self->failed_camera && self->failed ? g_strdup (_ ("Camera"))
                            : self->failed ? g_filename_display_basename (self->failed)
                                           : NULL;
  const char *name = failed ? failed : odl_session_name (self->session);
  if (!name) {
    gtk_window_set_title (GTK_WINDOW (self), "Ondelette");
    adw_window_title_set_title (self->title, "Ondelette");
    adw_window_title_set_subtitle (self->title, "");
    return;
  }
  g_autofree char *shown = odl_diagnostics_short_name (name, TITLE_CHARS);
  g_autofree char *title = g_strdup_printf (_ ("Ondelette — %s"), shown);
  // This is a word to the window manager, which nobody needs with every frame.
  if (g_strcmp0 (gtk_window_get_title (GTK_WINDOW (self)), title) != 0)
    gtk_window_set_title (GTK_WINDOW (self), title);
  adw_window_title_set_title (self->title, shown);
  g_autofree char *subtitle = make_subtitle (self);
  adw_window_title_set_subtitle (self->title, subtitle ? subtitle : "");
  // What is wrong with the file, or not applied, outlives its message.
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title),
                               odl_session_warning (self->session));
}

static void
opened_cb (OdlMainWindow *self)
{
  self->rate = (OdlRateMeter){ 0 };
  odl_main_window_hush_source (self);
  odl_transport_update (self->transport, 0, true);
  odl_main_window_close_page (self, false);
  if (!self->show)
    odl_main_window_remember (self, odl_session_location (self->session));
  odl_main_window_remember_camera (self);
  const char *warning = odl_session_warning (self->session);
  // An audience sees the picture alone; the badge moves with the divider.
  if (warning && !self->show)
    odl_main_window_say_of_source (self, warning);
  odl_main_window_update_actions (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->viewport));
  odl_main_window_present_opened (self);
  odl_main_window_home_opened (self);
}

void
odl_main_window_open (OdlMainWindow *self, const char *location, const OdlRecipe *recipe)
{
  odl_main_window_show_panels (self);
  if (g_file_test (location, G_FILE_TEST_IS_DIR))
    odl_source_panel_open_folder (self->source_panel, location, recipe);
  else {
    g_autofree char *resolved = odl_main_window_resolve_camera (self, location);
    self->any_camera = !g_str_equal (resolved, location);
    self->any_has_recipe = recipe != NULL;
    if (recipe)
      self->any_recipe = *recipe;
    odl_session_open (self->session, resolved, recipe);
  }
}

bool
odl_main_window_is_empty (OdlMainWindow *self)
{
  return !odl_session_location (self->session) && !odl_session_opening (self->session);
}

// ---- the diagnostic line -------------------------------------------------------------

static int
plan_levels (const OdlPlan *plan)
{
  int levels = 0;
  for (int i = 0; i < plan->n_steps; i++)
    levels = MAX (levels, plan->steps[i].level);
  return levels;
}

static void
describe_picture (OdlMainWindow *self, const char *line)
{
  OdlFrame *frame = odl_session_frame (self->session);
  g_autofree char *done = odl_plan_title (&frame->recipe, ODL_MAX_LEVELS);
  g_autofree char *text = g_strdup_printf ("%s. %s. %s", odl_session_name (self->session),
                                           done ? done : _ ("Not processed"), line);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->viewport),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

void
odl_main_window_update_line (OdlMainWindow *self)
{
  OdlFrame *frame = odl_session_frame (self->session);
  if (!frame)
    return;
  // The line may be written more often than frames come.
  if (self->latency_us > 0)
    self->told_latency_us = self->latency_us;
  self->latency_us = 0;
  bool gpu = frame->engine->needs_gl;
  g_autofree char *engine
      = odl_diagnostics_engine ((OdlEngineChoice){ frame->engine, frame->variant },
                                odl_session_engine_request (self->session)->choice);
  OdlDiagnostics d = {
    .renderer = odl_viewport_renderer (self->viewport),
    .engine = engine,
    .gpu = gpu,
    .width = frame->plan->geometry.width,
    .height = frame->plan->geometry.height,
    .levels = plan_levels (frame->plan),
    .frames_per_second = odl_session_playing (self->session) ? self->rate.per_second : 0,
    .dropped = odl_session_dropped (self->session),
    .cached_bytes
    = odl_session_is_live (self->session) ? 0 : odl_session_cached_bytes (self->session),
    .latency_us = odl_session_playing (self->session) ? self->told_latency_us : 0,
    .time_ns = gpu ? odl_viewport_gpu_ns (self->viewport) : frame->time_ns,
  };
  g_autofree char *line = odl_diagnostics_line (&d);
  gtk_label_set_text (self->line, line);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->line), line);

  double centre, width;
  odl_viewport_get_window (self->viewport, &centre, &width);
  const OdlImageInfo *info = odl_image_info (frame->input);
  const OdlWindow chosen = odl_viewport_window (self->viewport);
  g_autofree char *values = odl_diagnostics_window (centre, width, info->value_map.unit);
  g_autofree char *window
      = odl_diagnostics_levels (values, odl_display_uses_curve (info, &chosen),
                                info->value_map.function == ODL_VOI_SIGMOID);
  g_autofree char *zoom = odl_diagnostics_zoom (odl_viewport_zoom (self->viewport));
  g_autofree char *view = g_strdup_printf ("%s · %s", window, zoom);
  g_autofree char *right = odl_main_window_reference_words (self, view);
  gtk_label_set_text (self->window_line, right);
  describe_picture (self, line);
  odl_main_window_update_readout (self);
}

static gboolean
line_timeout_cb (void *data)
{
  OdlMainWindow *self = data;
  self->line_id = 0;
  odl_main_window_update_line (self);
  return G_SOURCE_REMOVE;
}

static void
queue_line (OdlMainWindow *self)
{
  if (!self->line_id)
    self->line_id = g_timeout_add (LINE_INTERVAL_MS, line_timeout_cb, self);
}

// Milliseconds since the process began, loading and GTK's start included.
static double
process_age_ms (void)
{
  g_autofree char *stat = NULL;
  if (!g_file_get_contents ("/proc/self/stat", &stat, NULL, NULL))
    return 0;
  // The name in brackets may hold blanks; start time is field 22, the 20th after it.
  const char *at = strrchr (stat, ')');
  for (int field = 0; at && field < 20; field++)
    at = strchr (at + 1, ' ');
  if (!at)
    return 0;
  struct timespec now;
  clock_gettime (CLOCK_BOOTTIME, &now);
  double started_s = (double) g_ascii_strtoull (at + 1, NULL, 10) / sysconf (_SC_CLK_TCK);
  return 1000 * ((double) now.tv_sec + now.tv_nsec / 1e9 - started_s);
}

static void
tell_timing (const char *what)
{
  if (odl_debug_wants (ODL_DEBUG_TIMING))
    odl_debug (ODL_DEBUG_TIMING, "%s after %.0f ms", what, process_age_ms ());
}

static void
painted_cb (OdlMainWindow *self)
{
  int64_t now = g_get_monotonic_time ();
  if (!self->told_first_picture) {
    self->told_first_picture = true;
    tell_timing ("first picture");
    odl_main_window_update_title (self);
    odl_main_window_update_line (self);
  }
  self->latency_us = MAX (self->latency_us, odl_viewport_latency_us (self->viewport));
  if (odl_session_trouble (self->session)) {
    // A lost camera has no rate, however often its last picture is drawn.
    self->rate = (OdlRateMeter){ 0 };
  } else if (odl_rate_meter_take (&self->rate, now,
                                  odl_session_n_painted (self->session)))
    odl_main_window_update_line (self);
  odl_transport_update (self->transport, self->rate.per_second, false);
  // The end of a stream becomes known while it plays.
  if (odl_session_n_frames (self->session) != self->n_frames) {
    self->n_frames = odl_session_n_frames (self->session);
    odl_main_window_update_actions (self);
  }
  queue_line (self);
}

static void
frame_ready_cb (OdlMainWindow *self)
{
  odl_main_window_update_title (self);
  odl_reference_show (self->reference, odl_session_frame (self->session));
}

static void
viewport_changed_cb (OdlMainWindow *self)
{
  odl_main_window_update_actions (self);
  queue_line (self);
}

static void
playing_cb (OdlMainWindow *self)
{
  self->rate = (OdlRateMeter){ 0 };
  odl_transport_update (self->transport, 0, true);
  queue_line (self);
}

// ---- life ----------------------------------------------------------------------------

static gboolean
start_canvas_cb (void *data)
{
  OdlMainWindow *self = data;
  odl_viewport_start (self->viewport);
  odl_main_window_fill_recent (self);
  return G_SOURCE_REMOVE;
}

// GL and all that hangs on it waits until the window is up.
static void
mapped_cb (OdlMainWindow *self)
{
  tell_timing ("window mapped");
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, start_canvas_cb, g_object_ref (self),
                   g_object_unref);
}

static gboolean
close_cb (OdlMainWindow *self)
{
  int width, height;
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  odl_settings_set_int (self->settings, "window-width", width);
  odl_settings_set_int (self->settings, "window-height", height);
  odl_settings_set_boolean (self->settings, "window-maximized",
                            gtk_window_is_maximized (GTK_WINDOW (self)));
  if (!self->ending && odl_main_window_asks_to_stop (self))
    return GDK_EVENT_STOP;
  // While the canvas is still there.
  odl_main_window_end_recording (self);
  return GDK_EVENT_PROPAGATE;
}

void
odl_main_window_end (OdlMainWindow *self)
{
  self->ending = true;
  gtk_window_close (GTK_WINDOW (self));
}

static void
odl_main_window_dispose (GObject *object)
{
  OdlMainWindow *self = ODL_MAIN_WINDOW (object);
  odl_main_window_end_recording (self);
  g_clear_handle_id (&self->opening_id, g_source_remove);
  g_clear_handle_id (&self->line_id, g_source_remove);
  g_clear_handle_id (&self->hide_id, g_source_remove);
  odl_main_window_dispose_show (self);
  g_clear_handle_id (&self->home_id, g_source_remove);
  g_clear_pointer (&self->home, odl_home_free);
  g_clear_pointer (&self->stay_awake, odl_stay_awake_free);
  g_clear_pointer (&self->save_formats, g_array_unref);
  g_clear_pointer (&self->reference, odl_reference_free);
  g_clear_object (&self->session);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (odl_main_window_parent_class)->dispose (object);
}

static void
odl_main_window_finalize (GObject *object)
{
  g_free (ODL_MAIN_WINDOW (object)->last_toast);
  g_ptr_array_unref (ODL_MAIN_WINDOW (object)->said);
  g_free (ODL_MAIN_WINDOW (object)->failed_camera);
  g_free (ODL_MAIN_WINDOW (object)->failed);
  G_OBJECT_CLASS (odl_main_window_parent_class)->finalize (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
#define BIND(name) \
  gtk_widget_class_bind_template_child (widget_class, OdlMainWindow, name)
  BIND (whole);
  BIND (toasts);
  BIND (header_flap);
  BIND (sources_flap);
  BIND (filters_flap);
  BIND (title);
  BIND (open_button);
  BIND (planes);
  BIND (views);
  BIND (view_menu);
  BIND (diagnostics);
  BIND (line);
  BIND (window_line);
  BIND (source_panel);
  BIND (filter_panel);
  BIND (viewport);
  BIND (status);
  BIND (failure_page);
  BIND (opening);
  BIND (opening_label);
  BIND (recording);
  BIND (recording_label);
  BIND (exporting);
  BIND (exporting_label);
  BIND (exporting_bar);
  BIND (transport_revealer);
  BIND (transport);
  BIND (show_box);
  BIND (show_rate);
  BIND (show_work);
  BIND (show_name);
  BIND (show_notice);
#undef BIND
}

static void
odl_main_window_class_init (OdlMainWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = odl_main_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = odl_main_window_finalize;
  g_type_ensure (ODL_TYPE_FAILURE_PAGE);
  g_type_ensure (ODL_TYPE_SOURCE_PANEL);
  g_type_ensure (ODL_TYPE_FILTER_PANEL);
  g_type_ensure (ODL_TYPE_VIEWPORT);
  g_type_ensure (ODL_TYPE_TRANSPORT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/ondelette/Ondelette/ui/window.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, mapped_cb);
  gtk_widget_class_bind_template_callback (widget_class, close_cb);
}

static void
odl_main_window_init (OdlMainWindow *self)
{
  self->session = odl_session_new ();
  self->said = g_ptr_array_new_with_free_func (g_object_unref);
  odl_main_window_add_actions (self);
  odl_main_window_add_file_actions (self);
  odl_main_window_add_picture_actions (self);
  odl_main_window_add_page_actions (self);
  odl_main_window_add_present_action (self);
  odl_main_window_add_camera (self);
  odl_main_window_add_record_actions (self);
  odl_main_window_add_reference (self);
  gtk_widget_init_template (GTK_WIDGET (self));
  odl_session_set_planes (self->session, true);
  odl_viewport_set_session (self->viewport, self->session);
  odl_transport_set_session (self->transport, self->session);
  odl_source_panel_set_up (self->source_panel, self->session);
  odl_filter_panel_set_up (self->filter_panel, self->session, self->viewport);
  static const struct {
    const char *signal;
    GCallback cb;
  } session_signals[] = {
    { "message", G_CALLBACK (message_cb) },
    { "frame-failed", G_CALLBACK (frame_failed_cb) },
    { "open-failed", G_CALLBACK (open_failed_cb) },
    { "opened", G_CALLBACK (opened_cb) },
    { "frame-ready", G_CALLBACK (frame_ready_cb) },
    { "notify::opening", G_CALLBACK (opening_cb) },
    { "notify::playing", G_CALLBACK (playing_cb) },
    { "notify::recipe", G_CALLBACK (odl_main_window_update_actions) },
    { "planes-changed", G_CALLBACK (odl_main_window_update_actions) },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (session_signals); i++)
    g_signal_connect_object (self->session, session_signals[i].signal,
                             session_signals[i].cb, self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->source_panel, "message", G_CALLBACK (message_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->viewport, "message", G_CALLBACK (message_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->viewport, "painted", G_CALLBACK (painted_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->viewport, "changed", G_CALLBACK (viewport_changed_cb),
                           self, G_CONNECT_SWAPPED);
  odl_main_window_add_drop (self);
  odl_main_window_add_controllers (self);
  odl_main_window_add_keys (self);
}

GtkWidget *
odl_main_window_new (GtkApplication *application, OdlSettings *settings)
{
  OdlMainWindow *self
      = g_object_new (ODL_TYPE_MAIN_WINDOW, "application", application, NULL);
  self->settings = g_object_ref (settings);
  gtk_window_set_default_size (GTK_WINDOW (self),
                               odl_settings_get_int (settings, "window-width"),
                               odl_settings_get_int (settings, "window-height"));
  if (odl_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  // An empty window has an invitation and no panels.
  adw_flap_set_reveal_flap (self->sources_flap, FALSE);
  adw_flap_set_reveal_flap (self->filters_flap, FALSE);
  g_autofree char *engine = odl_settings_get_string (settings, "engine");
  OdlEngineRequest request;
  if (odl_engine_request (NULL, engine, &request, NULL))
    odl_session_set_engine_request (self->session, &request);
  odl_preferences_apply (settings, self->session, self->viewport);
  g_autofree char *folder = odl_settings_get_string (settings, "last-folder");
  if (*folder)
    odl_source_panel_set_folder (self->source_panel, folder);
  odl_main_window_update_actions (self);
  odl_main_window_add_rescue (self);
  return GTK_WIDGET (self);
}

void
odl_main_window_start_with (OdlMainWindow *self,
                            const char *engine,
                            bool wipe,
                            bool full_screen)
{
  if (engine)
    odl_session_set_engine (self->session, engine);
  odl_viewport_set_wipe (self->viewport, wipe);
  if (full_screen)
    odl_main_window_set_full_screen (self, true);
}

OdlSession *
odl_main_window_session (OdlMainWindow *self)
{
  return self->session;
}

OdlSettings *
odl_main_window_settings (OdlMainWindow *self)
{
  return self->settings;
}

OdlViewport *
odl_main_window_viewport (OdlMainWindow *self)
{
  return self->viewport;
}

OdlFilterPanel *
odl_main_window_filter_panel (OdlMainWindow *self)
{
  return self->filter_panel;
}
