// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <time.h>
#include <unistd.h>

#include "base/debug.h"
#include "session/browse/studies.h"
#include "widgets/archive/queue_group.h"
#include "widgets/diagnostics.h"
#include "widgets/menus.h"
#include "widgets/windows/derived_window.h"
#include "widgets/windows/fusion_window.h"
#include "widgets/windows/segments_window.h"
#include "widgets/window/commands.h"
#include "widgets/window/parts.h"
#include "widgets/window/files/folder_offer.h"
#include "widgets/window/files/rescue.h"
#include "widgets/window/files/workspaces.h"
#include "widgets/window/layout/grid.h"

struct _OdlMainWindow {
  AdwApplicationWindow parent_instance;
  OdlWindowParts parts;
  OdlWindowState state;
  OdlRescue *rescue;
  OdlFolderOffer *folder_offer;
  OdlWorkspaces *workspaces;
  AdwWindowTitle *title;
  GtkWidget *opening; // spinner with a label
  GtkLabel *opening_label;
  GtkProgressBar *opening_bar; // of what is unpacked
  int n_annotations; // that were there when they changed last
  int title_mode; // where the title is cut: PangoEllipsizeMode
  guint opening_id; // shows the spinner, then how far the unpacking is
  int64_t n_frames; // number of frames known to the actions
  bool told_first_picture;
  bool ending; // closes without asking
};

G_DEFINE_FINAL_TYPE (OdlMainWindow, odl_main_window, ADW_TYPE_APPLICATION_WINDOW)

// A spinner for less than this would only flicker.
#define OPENING_DELAY_MS 250

// Of a title; what does not fit is cut. Up to that width of the window a longer one than
// the least would push the words of the views out of the header.
#define TITLE_CHARS 120
#define LEAST_TITLE_CHARS 32
#define LEAST_TITLE_WIDTH 1400
#define CHAR_WIDTH 9

// ---- opening -------------------------------------------------------------------------

static void
label_opening (OdlMainWindow *self)
{
  const OdlWindowParts *parts = &self->parts;
  const double unpacked = odl_session_unpacked (parts->session);
  g_autofree char *whole = odl_names_of_location (odl_names_of (parts->session),
                                                  odl_session_opening (parts->session));
  g_autofree char *name = odl_diagnostics_short_name (whole, 40);
  g_autofree char *text = odl_diagnostics_opening (name, unpacked);
  gtk_label_set_text (self->opening_label, text);
  gtk_widget_set_visible (GTK_WIDGET (self->opening_bar), unpacked >= 0);
  gtk_progress_bar_set_fraction (self->opening_bar, CLAMP (unpacked, 0, 1));
}

static gboolean
show_opening_cb (void *data)
{
  OdlMainWindow *self = data;
  label_opening (self);
  gtk_widget_set_visible (self->opening, !self->state.presenting);
  return G_SOURCE_CONTINUE;
}

static void
opening_cb (OdlMainWindow *self)
{
  const char *location = odl_session_opening (self->parts.session);
  g_clear_handle_id (&self->opening_id, g_source_remove);
  if (!location) {
    gtk_widget_set_visible (self->opening, FALSE);
    gtk_label_set_text (self->opening_label, "");
    return;
  }
  odl_screen_show_panels (self->parts.screen);
  label_opening (self);
  self->opening_id = g_timeout_add (OPENING_DELAY_MS, show_opening_cb, self);
}

static void
open_failed_cb (OdlMainWindow *self, const char *location, const GError *error)
{
  if (!odl_show_open_failed (self->parts.show, location, error)
      && !odl_last_camera_failed (self->parts.camera, location, error))
    odl_page_show (self->parts.page, ODL_FAILURE_FILE, location, error);
}

static char *
make_subtitle (const OdlWindowParts *parts)
{
  OdlFrame *frame = odl_session_frame (parts->session);
  const char *format = odl_session_info (parts->session)->format;
  if (odl_page_covers (parts->page))
    return g_strdup (odl_page_subtitle (parts->page));
  if (!frame)
    return g_strdup ("");
  const OdlGeometry *of = &frame->plan->geometry;
  const int slices = odl_session_info (parts->session)->n_slices;
  g_autofree char *depth = slices > 1 ? g_strdup_printf (" × %d", slices) : g_strdup ("");
  return g_strdup_printf ("%s · %d × %d%s", format ? format : "", of->width, of->height,
                          depth);
}

// The end of a file's name tells files of a folder apart, and what they are; of an
// examination the beginning says whose it is.
static void
set_title_label (GtkWidget *widget, int mode, int chars)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "title")) {
    gtk_label_set_ellipsize (GTK_LABEL (widget), (PangoEllipsizeMode) mode);
    gtk_label_set_max_width_chars (GTK_LABEL (widget), chars);
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    set_title_label (child, mode, chars);
}

static void
fit_title (OdlMainWindow *self)
{
  GtkWindow *window = GTK_WINDOW (self);
  int width, height;

  gtk_window_get_default_size (window, &width, &height);
  if (gtk_window_is_maximized (window) || gtk_window_is_fullscreen (window))
    width = gtk_widget_get_width (GTK_WIDGET (window));
  set_title_label (GTK_WIDGET (self->title), self->title_mode,
                   CLAMP (LEAST_TITLE_CHARS + (width - LEAST_TITLE_WIDTH) / CHAR_WIDTH,
                          LEAST_TITLE_CHARS, TITLE_CHARS));
}

static void
update_title (OdlMainWindow *self)
{
  const OdlWindowParts *parts = &self->parts;
  GtkWindow *window = GTK_WINDOW (self);
  AdwWindowTitle *widget = self->title;
  OdlNames *names = odl_names_of (parts->session);
  g_autofree char *failed = odl_page_title (parts->page);
  g_autofree char *source = odl_names_of_source (parts->session);
  g_autofree char *examination = odl_names_of_examination (parts->session);
  const char *name = failed ? failed : examination ? examination : source;
  if (!name) {
    gtk_window_set_title (window, "Ondelette");
    adw_window_title_set_title (widget, "Ondelette");
    adw_window_title_set_subtitle (widget, "");
    return;
  }
  g_autofree char *shown = odl_diagnostics_short_name (name, TITLE_CHARS);
  g_autofree char *title = g_strdup_printf (_ ("Ondelette — %s"), shown);
  // The title is only set when it changes, not with every frame.
  if (g_strcmp0 (gtk_window_get_title (window), title) != 0)
    gtk_window_set_title (window, title);
  self->title_mode
      = !failed && examination ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_MIDDLE;
  fit_title (self);
  adw_window_title_set_title (widget, shown);
  g_autofree char *subtitle = make_subtitle (parts);
  adw_window_title_set_subtitle (widget, subtitle);
  // Warnings about the file, and settings that were not applied, stay visible after the
  // message.
  const char *warning = odl_session_info (parts->session)->warning;
  g_autofree char *tip = warning ? odl_names_in_text (names, warning) : NULL;
  gtk_widget_set_tooltip_text (GTK_WIDGET (widget), tip);
}

static void
opened_cb (OdlMainWindow *self)
{
  const OdlWindowParts *parts = &self->parts;
  const bool presenting = parts->state->presenting;
  odl_messages_hush_source (parts->messages);
  odl_readout_reset_rate (parts->readout);
  odl_page_close (parts->page, false);
  odl_screen_opened (parts->screen);
  // One picture of a stack that is on its way is not what was opened.
  if (!presenting && !odl_session_opening (parts->session))
    odl_files_remember_source (parts->files, parts->session);
  odl_last_camera_opened (parts->camera);
  odl_window_update_presets (parts);
  const char *warning = odl_session_info (parts->session)->warning;
  // In a presentation only the picture is shown.
  if (warning && !presenting)
    odl_messages_say_of_source (parts->messages, warning);
  if (!presenting && !odl_session_opening (parts->session))
    odl_files_offer_recipe (parts);
  odl_window_update_actions (parts);
  if (!presenting && !odl_session_opening (parts->session))
    odl_window_begin_with_preset (parts, odl_layout_active (parts->layout));
  if (!presenting && !odl_session_opening (parts->session)
      && odl_source_panel_open_whole (parts->source_panel))
    odl_folder_offer_look (self->folder_offer);
  gtk_widget_grab_focus (GTK_WIDGET (parts->viewport));
  odl_show_opened (parts->show);
}

// Where it was offered since the others of a series cannot be seen, that is what it is
// opened for.
static void
open_folder (OdlMainWindow *self, const OdlWindowRequest *request)
{
  OdlSourcePanel *panel = self->parts.source_panel;
  g_autofree char *slice = odl_folder_offer_take (self->folder_offer);
  odl_source_panel_open_folder (panel, request->location, request->recipe);
  if (slice)
    odl_source_panel_await_slice (panel, slice);
}

static void
open_cb (OdlMainWindow *self, const OdlWindowRequest *request)
{
  const char *location = request->location;
  const OdlRecipe *recipe = request->recipe;

  odl_screen_show_panels (self->parts.screen);
  if (g_file_test (location, G_FILE_TEST_IS_DIR))
    open_folder (self, request);
  else if (odl_studies_is_table (location))
    odl_source_panel_open_studies (self->parts.source_panel, location, recipe);
  else {
    g_autofree char *resolved = odl_last_camera_resolve (self->parts.camera, location);
    odl_session_open (self->parts.session, resolved, recipe);
  }
}

// ---- what the session and the canvas tell --------------------------------------------

static void
message_cb (OdlMainWindow *self, const char *text)
{
  OdlSession *session = self->parts.session;
  GSignalInvocationHint *hint = session ? g_signal_get_invocation_hint (session) : NULL;
  if (hint && hint->detail == g_quark_from_static_string ("refused"))
    odl_messages_say_of_refusal (self->parts.messages, text);
  else
    odl_messages_say (self->parts.messages, text);
}

static void
recipe_cb (OdlMainWindow *self)
{
  odl_messages_hush_refusal (self->parts.messages);
  odl_window_update_actions (&self->parts);
}

static void
state_cb (OdlMainWindow *self, const char *text)
{
  odl_messages_say_of_state (self->parts.messages, text);
}

static void
frame_failed_cb (OdlMainWindow *self, const GError *error)
{
  const OdlWindowParts *parts = &self->parts;
  // Frames that were read ahead may be of a source that a page covers now.
  if (!odl_show_failed (parts->show, error) && !odl_page_covers (parts->page))
    odl_messages_say_of_frame (parts->messages, error->message,
                               odl_session_playing (parts->session));
}

// The camera was lost, or is there again.
static void
trouble_cb (OdlMainWindow *self)
{
  const OdlWindowParts *parts = &self->parts;
  const GError *trouble = odl_session_trouble (parts->session);
  if (trouble) {
    odl_readout_reset_rate (parts->readout);
    odl_readout_update (parts->readout);
  }
  if (trouble && odl_show_failed (parts->show, trouble))
    return;
  if (!trouble) {
    odl_show_recovered (parts->show);
    // A failure page about another camera stays.
    if (odl_page_tells_of_loss (parts->page))
      odl_page_close (parts->page, true);
  } else if (!odl_session_opening (parts->session) && !odl_page_covers (parts->page))
    // This camera is parked while another one is being opened.
    odl_page_show (parts->page, ODL_FAILURE_LOST,
                   odl_session_info (parts->session)->location, trouble);
}

// What belongs to a page in the place of the picture.
static void
page_cb (OdlMainWindow *self)
{
  update_title (self);
  odl_screen_update (self->parts.screen);
  odl_window_update_actions (&self->parts);
}

// In a pane that is not the active one.
static void
pane_opened_cb (OdlMainWindow *self, const OdlPane *pane)
{
  odl_files_remember_source (self->parts.files, pane->session);
  odl_window_begin_with_preset (&self->parts, pane);
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
  const OdlWindowParts *parts = &self->parts;
  if (!self->told_first_picture) {
    self->told_first_picture = true;
    tell_timing ("first picture");
    update_title (self);
    odl_readout_update (parts->readout);
  }
  odl_readout_painted (parts->readout);
  // The length of a stream may become known only while it plays.
  if (odl_playback_n_frames (parts->playback) != self->n_frames) {
    self->n_frames = odl_playback_n_frames (parts->playback);
    odl_window_update_actions (parts);
  }
}

static void
frame_ready_cb (OdlMainWindow *self)
{
  update_title (self);
  odl_readout_frame (self->parts.readout);
  odl_reference_show (self->parts.reference, odl_session_frame (self->parts.session));
}

static void
update_actions_cb (OdlMainWindow *self)
{
  odl_window_update_actions (&self->parts);
}

static void
viewport_changed_cb (OdlMainWindow *self)
{
  odl_window_update_actions (&self->parts);
  odl_readout_queue (self->parts.readout);
}

// How to draw has been understood where something was drawn. Another source that comes
// has other annotations, most often none, and is what was spoken of, maybe.
static void
annotated_cb (OdlMainWindow *self)
{
  const int n = odl_annotations_count (odl_session_annotations (self->parts.session));
  if (n > self->n_annotations)
    odl_messages_hush_state (self->parts.messages);
  self->n_annotations = n;
}

static void
playing_cb (OdlMainWindow *self)
{
  odl_readout_reset_rate (self->parts.readout);
  odl_readout_queue (self->parts.readout);
}

// Names are hidden wherever they stand, or shown again.
static void
names_cb (OdlMainWindow *self)
{
  const OdlWindowParts *parts = &self->parts;
  odl_messages_names_changed (parts->messages);
  odl_page_names_changed (parts->page);
  odl_show_names_changed (parts->show);
  odl_recording_names_changed (parts->recording);
  odl_files_fill_recent (parts->files);
  odl_readout_update (parts->readout);
  update_title (self);
  opening_cb (self);
}

// Another pane is active: all that is about one of them is about that now.
static void
pane_changed_cb (OdlMainWindow *self)
{
  const OdlWindowParts *parts = &self->parts;
  odl_source_panel_set_session (parts->source_panel, parts->session);
  odl_page_tell (parts->page);
  odl_readout_take_pane (parts->readout);
  odl_window_update_presets (parts);
  if (odl_session_frame (parts->session))
    odl_reference_show (parts->reference, odl_session_frame (parts->session));
  self->n_frames = odl_playback_n_frames (parts->playback);
  opening_cb (self);
}

// ---- life ----------------------------------------------------------------------------

static gboolean
start_canvas_cb (void *data)
{
  OdlMainWindow *self = data;
  if (odl_window_is_closed (&self->parts))
    return G_SOURCE_REMOVE;
  odl_layout_start (self->parts.layout);
  odl_files_fill_recent (self->parts.files);
  // What could not be sent before.
  odl_outgoing_look (odl_queue_outgoing (&self->parts));
  return G_SOURCE_REMOVE;
}

// GL is initialised after the window has appeared.
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
  OdlSettings *settings = self->parts.settings;
  int width, height;
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  odl_settings_set_int (settings, "window-width", width);
  odl_settings_set_int (settings, "window-height", height);
  odl_settings_set_boolean (settings, "window-maximized",
                            gtk_window_is_maximized (GTK_WINDOW (self)));
  if (!self->ending && odl_recording_asks_to_stop (self->parts.recording))
    return GDK_EVENT_STOP;
  odl_workspaces_close (self->workspaces);
  odl_lab_keep (self->parts.lab);
  // Must precede the destruction of the canvas.
  odl_recording_end (self->parts.recording);
  odl_rescue_stop (self->rescue);
  return GDK_EVENT_PROPAGATE;
}

static void
end_cb (OdlMainWindow *self)
{
  self->ending = true;
  gtk_window_close (GTK_WINDOW (self));
}

static void
odl_main_window_dispose (GObject *object)
{
  OdlMainWindow *self = ODL_MAIN_WINDOW (object);
  OdlWindowParts *parts = &self->parts;
  g_clear_handle_id (&self->opening_id, g_source_remove);
  odl_recording_end (parts->recording);
  odl_rescue_stop (self->rescue);
  odl_workspaces_stop (self->workspaces);
  odl_readout_stop (parts->readout);
  odl_show_stop (parts->show);
  odl_screen_stop (parts->screen);
  odl_lab_stop (parts->lab);
  g_clear_pointer (&parts->reference, odl_reference_free);
  odl_layout_stop (parts->layout);
  g_clear_object (&parts->settings);
  G_OBJECT_CLASS (odl_main_window_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  // The children that parts request from odl_window_child.
  static const char *const ids[] = {
    "whole",
    "toasts",
    "header_flap",
    "lab_paned",
    "lab_place",

    "sources_flap",
    "sources_edge",
    "filters_flap",
    "open_button",
    "planes",

    "views",
    "view_menu",
    "diagnostics",
    "line",

    "window_line",
    "status",
    "panes",
    "filter_panels",
    "recording",

    "recording_label",
    "exporting",
    "exporting_label",
    "exporting_bar",
    "filtering",
    "filtering_label",
    "filtering_bar",

    "transport_revealer",
    "transport",
    "show_box",
    "show_rate",

    "show_work",
    "show_name",
    "show_notice",
    "measures",

    "planes_menu",
    "primary_menu",
    "view_model",
    "measure_menu",
    "presets_menu",
    "measure_button",
    "colours_menu",
    "picture_menu",
    "picture_tools",
    "coefficients_long",
    "coefficients_short",
    "filtered_long",
    "filtered_short",
    "planes_options",
    "rendering_menu",
    "seeing_menu",
    "folder_offer",
    "folder_refusal",
  };
  for (size_t i = 0; i < G_N_ELEMENTS (ids); i++)
    gtk_widget_class_bind_template_child_full (widget_class, ids[i], FALSE, 0);
#define BIND(name, member) \
  gtk_widget_class_bind_template_child_full (widget_class, name, FALSE, \
                                             G_STRUCT_OFFSET (OdlMainWindow, member))
  BIND ("title", title);
  BIND ("opening", opening);
  BIND ("opening_label", opening_label);
  BIND ("opening_bar", opening_bar);
  BIND ("source_panel", parts.source_panel);
#undef BIND
}

static void
odl_main_window_class_init (OdlMainWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = odl_main_window_dispose;
  g_type_ensure (ODL_TYPE_FAILURE_PAGE);
  g_type_ensure (ODL_TYPE_PANE_GRID);
  g_type_ensure (ODL_TYPE_SOURCE_PANEL);
  g_type_ensure (ODL_TYPE_FILTER_PANEL);
  g_type_ensure (ODL_TYPE_VIEWPORT);
  g_type_ensure (ODL_TYPE_TRANSPORT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/ondelette/Ondelette/ui/window.ui");
  bind_children (widget_class);
  g_signal_new ("pane-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("told", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED,
                0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  gtk_widget_class_bind_template_callback (widget_class, mapped_cb);
  gtk_widget_class_bind_template_callback (widget_class, close_cb);
}

static void
odl_main_window_init (OdlMainWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  odl_commands_fill_menus (GTK_WIDGET (self));
}

static void
connect_signals (OdlMainWindow *self)
{
  const OdlWindowParts *parts = &self->parts;
  const struct {
    void *object;
    const char *signal;
    GCallback cb;
  } signals[] = {
    { parts->session, "message", G_CALLBACK (message_cb) },
    { parts->session, "frame-failed", G_CALLBACK (frame_failed_cb) },
    { parts->session, "open-failed", G_CALLBACK (open_failed_cb) },
    { parts->session, "opened", G_CALLBACK (opened_cb) },
    { parts->session, "trouble-changed", G_CALLBACK (trouble_cb) },
    { parts->session, "frame-ready", G_CALLBACK (frame_ready_cb) },
    { parts->session, "notify::opening", G_CALLBACK (opening_cb) },
    { parts->session, "notify::playing", G_CALLBACK (playing_cb) },
    { parts->session, "notify::recipe", G_CALLBACK (recipe_cb) },
    { parts->session, "planes-changed", G_CALLBACK (update_actions_cb) },
    { parts->session, "annotations-changed", G_CALLBACK (annotated_cb) },
    { parts->source_panel, "message", G_CALLBACK (message_cb) },
    { odl_names_of (parts->session), "changed", G_CALLBACK (names_cb) },
    { parts->window, "pane-changed", G_CALLBACK (pane_changed_cb) },
    { parts->window, "told::open", G_CALLBACK (open_cb) },
    { parts->window, "told::page", G_CALLBACK (page_cb) },
    { parts->window, "told::pane-opened", G_CALLBACK (pane_opened_cb) },
    { parts->window, "told::title", G_CALLBACK (update_title) },
    { parts->window, "notify::default-width", G_CALLBACK (fit_title) },
    { parts->window, "notify::maximized", G_CALLBACK (fit_title) },
    { parts->window, "told::end", G_CALLBACK (end_cb) },
    { parts->viewport, "message", G_CALLBACK (state_cb) },
    { parts->viewport, "failure", G_CALLBACK (message_cb) },
    { parts->viewport, "painted", G_CALLBACK (painted_cb) },
    { parts->viewport, "changed", G_CALLBACK (viewport_changed_cb) },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (signals); i++)
    odl_window_connect (parts, signals[i].object, signals[i].signal, signals[i].cb, self);
}

// Requires the session, the settings and the template.
static void
make_parts (OdlMainWindow *self)
{
  OdlWindowParts *parts = &self->parts;
  parts->messages = odl_messages_new (parts);
  parts->reference = odl_window_make_reference (parts);
  parts->files = odl_files_new (parts);
  parts->camera = odl_last_camera_new (parts);
  odl_page_add_actions (parts);
  parts->readout = odl_readout_new (parts);
  parts->recording = odl_recording_new (parts);
  parts->screen = odl_screen_new (parts);
  parts->lab = odl_lab_new (parts);
  parts->show = odl_show_new (parts);
  self->rescue = odl_rescue_new (parts);
  self->folder_offer = odl_folder_offer_new (parts);
  odl_window_add_picture_actions (parts);
  odl_window_add_menu_actions (parts);
  odl_window_add_measures (parts);
  odl_window_add_keys (parts);
  odl_window_add_volumes (parts);
  odl_window_add_volume_work (parts);
  odl_window_add_presentations (parts);
  odl_window_add_segments (parts);
  odl_segments_window_add_actions (parts);
  odl_fusion_window_add_actions (parts);
  odl_derived_window_add_actions (parts);
  odl_window_add_own_code (parts);
  odl_window_add_presets (parts);
  odl_window_add_views (parts);
  odl_window_add_library (parts);
  odl_window_add_compare (parts);
  odl_window_add_hanging (parts);
  odl_layout_add_actions (parts->layout);
  self->workspaces = odl_workspaces_new (parts);
  odl_commands_add_keys (GTK_WIDGET (self));
  odl_menus_leave (GTK_WIDGET (parts->window));
}

GtkWidget *
odl_main_window_new (GtkApplication *application, OdlSettings *settings)
{
  OdlMainWindow *self
      = g_object_new (ODL_TYPE_MAIN_WINDOW, "application", application, NULL);
  OdlWindowParts *parts = &self->parts;
  gtk_application_window_set_help_overlay (GTK_APPLICATION_WINDOW (self),
                                           odl_commands_shortcuts_window ());
  parts->window = self;
  parts->state = &self->state;
  g_object_set_data (G_OBJECT (self), ODL_WINDOW_PARTS, parts);
  parts->settings = g_object_ref (settings);
  odl_layout_new (parts);
  make_parts (self);
  odl_source_panel_set_up (parts->source_panel, parts->session, settings);
  connect_signals (self);
  gtk_window_set_default_size (GTK_WINDOW (self),
                               odl_settings_get_int (settings, "window-width"),
                               odl_settings_get_int (settings, "window-height"));
  if (odl_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  g_autofree char *folder = odl_settings_get_string (settings, "last-folder");
  if (*folder)
    odl_source_panel_set_folder (parts->source_panel, folder);
  odl_window_update_actions (parts);
  return GTK_WIDGET (self);
}

void
odl_main_window_start_with (OdlMainWindow *self,
                            const char *engine,
                            bool wipe,
                            bool full_screen)
{
  if (engine)
    odl_session_set_engine (self->parts.session, engine);
  odl_viewport_set_wipe (self->parts.viewport, wipe);
  if (full_screen)
    odl_screen_set_full (self->parts.screen, true);
}
