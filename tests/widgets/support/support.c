// SPDX-License-Identifier: MIT
#include "support.h"

#include <math.h>
#include <string.h>

#include "session/session_private.h"
#include "widgets/viewport/gpu_device.h"
#include "widgets/window/parts.h"
#include "../helpers/folder.h"

// What follows from something that is on screen, such as another canvas, comes within a
// cycle or two.
#define QUIET_CYCLES 3

void
need_display (int *argc, char ***argv)
{
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_setenv ("GSK_RENDERER", "cairo", FALSE);
  g_setenv ("GTK_A11Y", "test", TRUE);
  g_test_init (argc, argv, NULL);
  odl_gpu_device_prepare ();
  if (!gtk_init_check ()) {
    g_print ("1..0 # SKIP there is no display\n");
    exit (77);
  }
  adw_init ();
  // How far something has slid is a matter of the machine's speed.
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
}

void
fixture_set_up (Fixture *fixture, const void *data)
{
  g_autoptr (GError) error = NULL;
  fixture->folder = g_dir_make_tmp ("ondelette-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->application = odl_application_new ();
  g_application_set_flags (G_APPLICATION (fixture->application),
                           G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (fixture->application), NULL, &error);
  g_assert_no_error (error);
  fixture->settings = odl_settings_new ();
  odl_settings_set_boolean (fixture->settings, "remember-recent", FALSE);
  odl_settings_set_boolean (fixture->settings, "keep-measured", FALSE);
  odl_settings_set_string (fixture->settings, "number-unit", "file");
  // Files stay what they are; the tests of studies have them as people do.
  odl_settings_set_boolean (fixture->settings, "list-studies", FALSE);
  // A rasteriser in software needs its time for every pixel.
  odl_settings_set_int (fixture->settings, "window-width", 900);
  odl_settings_set_int (fixture->settings, "window-height", 560);
  fixture->window = ODL_MAIN_WINDOW (
      odl_main_window_new (GTK_APPLICATION (fixture->application), fixture->settings));
  fixture->session = odl_main_window_parts (fixture->window)->session;
  fixture->viewport = odl_main_window_parts (fixture->window)->viewport;
  fixture->engine = g_strdup (g_getenv ("ODL_TEST_ENGINE"));
  odl_main_window_start_with (fixture->window, fixture->engine, false, false);
  gtk_window_present (GTK_WINDOW (fixture->window));
}

void
fixture_set_up_in_shares (Fixture *fixture, const void *data)
{
  fixture_set_up (fixture, data);
  odl_settings_set_string (fixture->settings, "number-unit", "share");
  odl_window_tell (odl_main_window_parts (fixture->window), "preferences", NULL);
}

void
fixture_tear_down (Fixture *fixture, const void *data)
{
  // A test may have closed it.
  if (fixture->window)
    gtk_window_destroy (GTK_WINDOW (fixture->window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_clear_object (&fixture->settings);
  g_clear_object (&fixture->application);
  odl_test_remove_tree (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->engine);
}

static void
iterate (void)
{
  if (!g_main_context_iteration (NULL, FALSE))
    g_usleep (1000);
}

void
wait_until_at (Fixture *fixture,
               Condition condition,
               const void *data,
               const char *name,
               const char *place)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  bool holds;
  while (!(holds = condition (fixture, data)) && g_get_monotonic_time () < end)
    iterate ();
  if (holds)
    return;
  if (fixture->window)
    g_test_message (
        "there is %s, and the last message is “%s”",
        odl_session_info (fixture->session)->location,
        odl_messages_last (odl_main_window_parts (fixture->window)->messages));
  g_error ("%s: waited in vain for %s", place, name);
}

static bool
plays (Fixture *fixture)
{
  return odl_playback_is_moving (odl_session_playback (fixture->session))
         && odl_session_playing (fixture->session);
}

// Planes follow the cross-hair, their thickness and their turn a moment later.
static bool
shows_planes_asked_for (OdlSession *session, const OdlFrame *frame)
{
  const OdlVoxel voxel = odl_session_voxel (session);
  const OdlSlab slab = odl_session_slab (session);
  const OdlOblique oblique = odl_session_oblique (session);
  if (!frame->planes)
    return true;
  if (memcmp (voxel.at, frame->voxel.at, sizeof voxel.at) != 0
      || slab.kind != frame->slab.kind || slab.thickness != frame->slab.thickness
      || oblique.turned != frame->oblique.turned)
    return false;
  return !oblique.turned
         || (oblique.plane == frame->oblique.plane
             && memcmp (oblique.across, frame->oblique.across, sizeof oblique.across) == 0
             && memcmp (oblique.down, frame->oblique.down, sizeof oblique.down) == 0);
}

// Nothing that was asked for is still in the making.
static bool
is_current (Fixture *fixture, const void *data)
{
  OdlSession *session = fixture->session;
  const OdlFrame *frame = session->frame;
  if (odl_session_opening (session) || odl_session_is_reading (session))
    return false;
  if (!session->image)
    return true;
  if (!frame || frame->source_serial != session->source_serial
      || !odl_recipe_equal (&frame->recipe, odl_session_recipe (session)))
    return false;
  if (plays (fixture))
    return true;
  return !odl_playback_is_seeking (session->playback)
         && frame->arrival == session->arrival && shows_planes_asked_for (session, frame)
         && odl_engine_choice_equal ((OdlEngineChoice){ frame->engine, frame->variant },
                                     odl_session_choose_engine (session))
         && (frame->engine->needs_gl || !session->want_original || frame->original);
}

static void
count_cb (int *n)
{
  (*n)++;
}

static gboolean
raise_cb (void *flag)
{
  *(bool *) flag = true;
  return G_SOURCE_REMOVE;
}

void
run_cycles (Fixture *fixture, int n)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (fixture->window));
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  int done = 0;
  bool idle = plays (fixture);
  g_assert_nonnull (clock);
  gulong handler
      = g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (count_cb), &done);
  // One request a cycle: a request puts the clock's handling of events back in line,
  // ahead of its painting, so that one in every iteration can keep a cycle from ever
  // ending.
  for (int asked = -1; done < n && g_get_monotonic_time () < end; iterate ())
    if (asked != done) {
      asked = done;
      gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_PAINT);
    }
  g_signal_handler_disconnect (clock, handler);
  g_assert_cmpint (done, >=, n);
  // And all that was ready by then has had its turn.
  guint id = idle ? 0 : g_idle_add_full (G_PRIORITY_LOW, raise_cb, &idle, NULL);
  while (!idle && g_get_monotonic_time () < end)
    iterate ();
  if (!idle)
    g_source_remove (id);
}

void
settle (Fixture *fixture)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  bool quiet = false;
  while (!quiet && g_get_monotonic_time () < end) {
    wait_until (fixture, is_current, NULL);
    const OdlFrame *frame = odl_session_frame (fixture->session);
    const guint64 painted = odl_viewport_painted (fixture->viewport);
    run_cycles (fixture, QUIET_CYCLES);
    quiet
        = plays (fixture)
          || (is_current (fixture, NULL) && frame == odl_session_frame (fixture->session)
              && painted == odl_viewport_painted (fixture->viewport));
  }
  g_assert_true (quiet);
}

static bool
has_painted_more (Fixture *fixture, const void *goal)
{
  return odl_session_n_painted (fixture->session) >= *(const guint64 *) goal;
}

void
wait_for_frames (Fixture *fixture, int n)
{
  const guint64 goal = odl_session_n_painted (fixture->session) + (guint64) n;
  wait_until (fixture, has_painted_more, &goal);
}

void
let_pass (int milliseconds)
{
  const int64_t end = g_get_monotonic_time () + (int64_t) milliseconds * 1000;
  while (g_get_monotonic_time () < end)
    iterate ();
}

void
activate (Fixture *fixture, const char *name, const char *parameter)
{
  GVariant *value
      = parameter ? g_variant_parse (NULL, parameter, NULL, NULL, NULL) : NULL;
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window), name, value);
}

void
activate_and_settle (Fixture *fixture, const char *name, const char *parameter)
{
  activate (fixture, name, parameter);
  settle (fixture);
}

bool
has_toast (Fixture *fixture, const void *part)
{
  const char *toast
      = odl_messages_last (odl_main_window_parts (fixture->window)->messages);
  return toast && strstr (toast, part);
}

void
activate_with_text (Fixture *fixture, const char *name, const char *text)
{
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window), name,
                                  text ? g_variant_new_string (text) : NULL);
}

char *
write_png (Fixture *fixture, const char *name, int width, int height, bool colour)
{
  g_autoptr (GdkPixbuf) pixbuf
      = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);
  guchar *pixels = gdk_pixbuf_get_pixels (pixbuf);
  int stride = gdk_pixbuf_get_rowstride (pixbuf);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int c = 0; c < 3; c++) {
        double wave = sin (0.11 * x + (colour ? c : 0)) * cos (0.07 * y) * 90;
        int noise = (x * 7919 + y * 104729 + (colour ? c * 31 : 0)) % 41;
        pixels[y * stride + 3 * x + c] = (guchar) (110 + wave + noise);
      }
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GError) error = NULL;
  gdk_pixbuf_save (pixbuf, path, "png", &error, NULL);
  g_assert_no_error (error);
  return path;
}

static bool
is_open (Fixture *fixture, const void *path)
{
  OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && g_strcmp0 (odl_session_info (fixture->session)->location, path) == 0
         && odl_viewport_painted (fixture->viewport) > 0
         && !odl_session_opening (fixture->session);
}

void
open_and_wait (Fixture *fixture, const char *path)
{
  odl_main_window_open (fixture->window, path, NULL);
  wait_until (fixture, is_open, path);
  settle (fixture);
}

static bool
shows_recipe (Fixture *fixture, const void *recipe)
{
  OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && odl_recipe_equal (&frame->recipe, recipe);
}

void
set_filters (Fixture *fixture, const char *text)
{
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, text, NULL));
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  recipe = *odl_session_recipe (fixture->session); // measured where it waited for that
  wait_until (fixture, shows_recipe, &recipe);
  settle (fixture);
}

void
present (Fixture *fixture,
         const char *const *locations,
         const char *filters,
         double dwell_s)
{
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, filters, NULL));
  odl_show_begin (odl_main_window_parts (fixture->window)->show, locations, &recipe, 1,
                  dwell_s);
}

bool
has_location (Fixture *fixture, const void *location)
{
  return g_strcmp0 (odl_session_info (fixture->session)->location, location) == 0;
}

GdkPixbuf *
cli_process (Fixture *fixture, const char *path, const char *const *options)
{
  g_autofree char *out = g_build_filename (fixture->folder, "expected.png", NULL);
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_ptr_array_add (arguments, (void *) g_getenv ("ODL_CLI"));
  const char *const fixed[] = { "process", path, "-o", out };
  for (size_t i = 0; i < G_N_ELEMENTS (fixed); i++)
    g_ptr_array_add (arguments, (void *) fixed[i]);
  for (int i = 0; options[i]; i++)
    g_ptr_array_add (arguments, (void *) options[i]);
  g_ptr_array_add (arguments, NULL);
  g_autoptr (GError) error = NULL;
  g_unlink (out);
  g_autoptr (GSubprocess) process = g_subprocess_newv (
      (const char *const *) arguments->pdata, G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error);
  g_assert_no_error (error);
  g_subprocess_wait_check (process, NULL, &error);
  g_assert_no_error (error);
  GdkPixbuf *pixbuf = gdk_pixbuf_new_from_file (out, &error);
  g_assert_no_error (error);
  return pixbuf;
}

static int
difference_at (const guint8 *rgba, GdkPixbuf *expected, int x, int y)
{
  int n = gdk_pixbuf_get_n_channels (expected);
  const guchar *pixels = gdk_pixbuf_read_pixels (expected);
  const guchar *pixel
      = pixels + (size_t) y * gdk_pixbuf_get_rowstride (expected) + (size_t) x * n;
  int largest = 0;
  for (int c = 0; c < 3; c++)
    largest = MAX (largest, ABS (rgba[c] - pixel[n >= 3 ? c : 0]));
  return largest;
}

void
assert_canvas_shows (Fixture *fixture, GdkPixbuf *expected)
{
  int width, height;
  g_autoptr (GBytes) bytes = odl_viewport_grab (fixture->viewport, &width, &height);
  g_assert_nonnull (bytes);
  const guint8 *rgba = g_bytes_get_data (bytes, NULL);
  const OdlView *view = odl_viewport_view (fixture->viewport);
  g_assert_cmpfloat (view->zoom, ==, 1);
  g_assert_cmpint (view->image_width, ==, gdk_pixbuf_get_width (expected));
  int largest = 0;
  int compared = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      OdlPoint at
          = odl_view_to_image (view, width, height, (OdlPoint){ x + 0.5, y + 0.5 });
      int column = (int) floor (at.x);
      int row = (int) floor (at.y);
      if (column < 0 || row < 0 || column >= view->image_width
          || row >= view->image_height)
        continue;
      compared++;
      largest = MAX (largest, difference_at (rgba + 4 * ((size_t) y * width + x),
                                             expected, column, row));
    }
  g_test_message ("largest difference %d of 255 in %d pixels", largest, compared);
  g_assert_cmpint (compared, ==, view->image_width * view->image_height);
  g_assert_cmpint (largest, <=, 1);
}

double
canvas_mean (Fixture *fixture)
{
  int width, height;
  g_autoptr (GBytes) bytes = odl_viewport_grab (fixture->viewport, &width, &height);
  g_assert_nonnull (bytes);
  gsize size;
  const guint8 *rgba = g_bytes_get_data (bytes, &size);
  double sum = 0;
  for (gsize i = 0; i < size; i += 4)
    sum += rgba[i];
  return sum / (size / 4);
}

GtkWidget *
find_where (GtkWidget *root, WidgetMatches matches, const void *data)
{
  GtkWidget *found = matches (root, data) ? root : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child && !found;
       child = gtk_widget_get_next_sibling (child))
    found = find_where (child, matches, data);
  return found;
}

bool
is_label_with (GtkWidget *widget, const void *part)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), part);
}

static bool
says (GtkWidget *widget, const void *part)
{
  return is_label_with (widget, part) && gtk_widget_get_mapped (widget);
}

bool
has_label (GtkWidget *root, const char *part)
{
  return find_where (root, says, part) != NULL;
}

static bool
is_of_type (GtkWidget *widget, const void *type)
{
  return g_type_is_a (G_OBJECT_TYPE (widget), *(const GType *) type);
}

GtkWidget *
find_widget (GtkWidget *root, GType type)
{
  return find_where (root, is_of_type, &type);
}

typedef struct {
  GType type;
  int *n; // still to be passed
} Nth;

static bool
is_nth (GtkWidget *widget, const void *data)
{
  const Nth *nth = data;
  return g_type_is_a (G_OBJECT_TYPE (widget), nth->type) && (*nth->n)-- == 0;
}

GtkWidget *
find_nth (GtkWidget *root, GType type, int n)
{
  return find_where (root, is_nth, &(Nth){ type, &n });
}

static bool
has_data (GtkWidget *widget, const void *key)
{
  return g_object_get_data (G_OBJECT (widget), key) != NULL;
}

GtkWidget *
find_with (GtkWidget *root, const char *key)
{
  return find_where (root, has_data, key);
}

static bool
is_label_of_class (GtkWidget *widget, const void *css_class)
{
  return GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, css_class);
}

GtkLabel *
label_with_class (GtkWidget *root, const char *css_class)
{
  return (GtkLabel *) find_where (root, is_label_of_class, css_class);
}

Canvas
grab_canvas (Fixture *fixture)
{
  Canvas canvas = { 0 };
  run_cycles (fixture, 3);
  canvas.bytes = odl_viewport_grab (fixture->viewport, &canvas.width, &canvas.height);
  g_assert_nonnull (canvas.bytes);
  canvas.rgba = g_bytes_get_data (canvas.bytes, NULL);
  return canvas;
}

const OdlRecipe *
recipe_of (Fixture *fixture)
{
  return odl_session_recipe (fixture->session);
}

static OdlFilterChain *
chain_of (Fixture *fixture)
{
  return odl_filter_panel_chain (odl_main_window_parts (fixture->window)->filter_panel);
}

GtkWidget *
card_of (Fixture *fixture, int item)
{
  if (odl_filter_chain_selected (chain_of (fixture)) != item) {
    odl_filter_chain_select (chain_of (fixture), item);
    run_cycles (fixture, 2);
  }
  return odl_filter_chain_card (chain_of (fixture), item);
}

GtkWidget *
row_in_chain (Fixture *fixture, int item)
{
  return odl_filter_chain_row (chain_of (fixture), item);
}

GtkListView *
source_list (Fixture *fixture)
{
  GtkWidget *panel = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_SOURCE_PANEL);
  return GTK_LIST_VIEW (find_widget (panel, GTK_TYPE_LIST_VIEW));
}

char *
path_in (Fixture *fixture, const char *name)
{
  return g_build_filename (fixture->folder, name, NULL);
}

bool
is_on (Fixture *fixture, const void *action)
{
  g_autoptr (GVariant) state
      = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window), action);
  return g_variant_get_boolean (state);
}

AdwMessageDialog *
find_dialog (void)
{
  g_autoptr (GListModel) windows = g_object_ref (gtk_window_get_toplevels ());
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
    if (ADW_IS_MESSAGE_DIALOG (window) && gtk_widget_get_visible (GTK_WIDGET (window)))
      return ADW_MESSAGE_DIALOG (window); // GTK keeps it
  }
  return NULL;
}

bool
asks (Fixture *fixture, const void *data)
{
  return find_dialog () != NULL;
}

GtkEventController *
controller_of (GtkWidget *widget, GType type)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (widget);
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (all, i);
    if (g_type_is_a (G_OBJECT_TYPE (controller), type))
      return controller; // the widget keeps it
  }
  g_assert_not_reached ();
}
