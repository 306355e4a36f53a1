// SPDX-License-Identifier: MIT
// Plays a source in the real window and says what it took: frames, drops, processor time
// by thread, latency, memory; what drew the canvas, how large it is, how often it was
// drawn and for how long the main thread draws the window. A rendered view can be turned
// meanwhile, and so enlarged that the canvas has nothing else.
//
// usage: odl-play [OPTION…] LOCATION, see --help
#include <stdio.h>
#include <stdlib.h>

#include "load.h"
#include "real_window.h"
#include "widgets/viewport/gl_area.h"

#define WARM_UP_S 3
#define IDLE_S 1.5
#define GRABS 60
#define ACTION_S 0.3

typedef struct {
  double seconds;
  char *engine, *filter, *size, *rendering, *picture;
  char **actions;
  gboolean luma, turn, fill, rest, present, redraw;
} Options;

typedef struct {
  RealWindow real;
  GArray *latencies_us; // int64_t
  GArray *drawing_us; // int64_t, of the window
  int64_t drawing_since_us;
  guint64 drawn; // canvases with GL
  guint64 painted; // when counting began
  guint64 dropped;
  int64_t since_us;
  gsize idle_bytes; // resident, before there is a source
  OdlLoad before;
} Run;

static void
painted_cb (Run *run)
{
  int64_t latency_us = odl_viewport_latency_us (run->real.viewport);

  if (run->since_us > 0)
    g_array_append_val (run->latencies_us, latency_us);
}

static void
before_cb (Run *run)
{
  run->drawing_since_us = g_get_monotonic_time ();
}

static void
after_cb (Run *run)
{
  const int64_t took_us = g_get_monotonic_time () - run->drawing_since_us;

  if (run->since_us > 0)
    g_array_append_val (run->drawing_us, took_us);
}

static gboolean
render_cb (Run *run)
{
  run->drawn++;
  return FALSE;
}

// Has the drawing of window and canvas counted.
static void
watch_drawing (Run *run)
{
  GtkWidget *window = GTK_WIDGET (run->real.window);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (run->real.viewport));

  g_signal_connect_swapped (clock, "before-paint", G_CALLBACK (before_cb), run);
  g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (after_cb), run);
  for (; child != NULL; child = gtk_widget_get_next_sibling (child))
    if (ODL_IS_GL_AREA (child))
      g_signal_connect_swapped (child, "render", G_CALLBACK (render_cb), run);
}

// The rendered view lies above, at the right of the planes.
static void
look_at_rendering (Run *run, const Options *options)
{
  OdlViewport *viewport = run->real.viewport;

  if (options->rendering != NULL)
    odl_viewport_set_rendering (viewport, options->rendering);
  if (options->turn)
    odl_viewport_set_turns (viewport, true);
  if (!options->fill)
    return;
  const OdlView *view = odl_viewport_view (viewport);
  const int width = gtk_widget_get_width (GTK_WIDGET (viewport));
  const int height = gtk_widget_get_height (GTK_WIDGET (viewport));
  const double before = odl_viewport_zoom (viewport);
  const double zoom = 2.0 * MAX (width, height) / view->image_width;
  odl_viewport_zoom_by (viewport, zoom / before);
  odl_viewport_pan (viewport, -zoom * view->image_width / 4,
                    zoom * view->image_height / 4);
}

static gboolean
redraw_cb (GtkWidget *area, GdkFrameClock *clock, void *data)
{
  gtk_gl_area_queue_render (GTK_GL_AREA (area));
  return G_SOURCE_CONTINUE;
}

// The canvas is drawn in every cycle of the screen, as if something had changed.
static void
redraw_always (Run *run)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (run->real.viewport));

  for (; child != NULL; child = gtk_widget_get_next_sibling (child))
    if (ODL_IS_GL_AREA (child))
      gtk_widget_add_tick_callback (child, redraw_cb, NULL, NULL);
}

// Actions as in menus, such as “wipe” and “slab::mean”.
static void
act (Run *run, char **actions)
{
  for (int i = 0; actions != NULL && actions[i] != NULL; i++) {
    g_autofree char *name = NULL;
    g_autoptr (GVariant) target = NULL;
    g_autoptr (GError) error = NULL;
    if (!g_action_parse_detailed_name (actions[i], &name, &target, &error)
        || !g_action_group_has_action (G_ACTION_GROUP (run->real.window), name))
      g_printerr ("%s: %s\n", actions[i],
                  error != NULL ? error->message : "there is no such action");
    else
      g_action_group_activate_action (G_ACTION_GROUP (run->real.window), name, target);
    real_window_run (ACTION_S);
  }
}

// Milliseconds in which the canvas is drawn and read back, in its own context, without
// the window: the rendered view is turned a little each time.
static double
time_grabs (Run *run)
{
  const int64_t begin_us = g_get_monotonic_time ();

  for (int i = 0; i < GRABS; i++) {
    int width, height;
    g_autoptr (GBytes) bytes = odl_viewport_grab (run->real.viewport, &width, &height);
    if (bytes == NULL)
      return 0;
  }
  return (double) (g_get_monotonic_time () - begin_us) / 1e3 / GRABS;
}

static void
save_picture (Run *run, const char *path)
{
  int width, height;
  g_autoptr (GBytes) bytes = odl_viewport_grab (run->real.viewport, &width, &height);

  g_return_if_fail (bytes != NULL);
  g_autoptr (GdkTexture) texture = gdk_memory_texture_new (
      width, height, GDK_MEMORY_R8G8B8A8, bytes, (gsize) width * 4);
  if (!gdk_texture_save_to_png (texture, path))
    g_printerr ("%s cannot be written\n", path);
}

static int
compare (const void *a, const void *b)
{
  int64_t left = *(const int64_t *) a, right = *(const int64_t *) b;

  return left < right ? -1 : left > right;
}

static double
percentile_ms (GArray *latencies, double part)
{
  if (latencies->len == 0)
    return 0;
  guint at = (guint) (part * (latencies->len - 1) + 0.5);
  return (double) g_array_index (latencies, int64_t, at) / 1e3;
}

static void
begin (Run *run)
{
  odl_load_read (&run->before);
  run->painted = odl_session_n_painted (run->real.session);
  run->dropped = odl_session_dropped (run->real.session);
  run->drawn = 0;
  run->since_us = g_get_monotonic_time ();
}

static void
report_drawing (Run *run, double seconds)
{
  const GtkWidget *viewport = GTK_WIDGET (run->real.viewport);

  g_array_sort (run->drawing_us, compare);
  g_print ("\"renderer\": \"%s\", \"canvas_size\": [%d, %d], \"drawn_fps\": %.2f, "
           "\"window_fps\": %.2f, \"drawing_ms\": [%.1f, %.1f, %.1f], ",
           odl_viewport_renderer (run->real.viewport),
           gtk_widget_get_width ((GtkWidget *) viewport),
           gtk_widget_get_height ((GtkWidget *) viewport), (double) run->drawn / seconds,
           run->drawing_us->len / seconds, percentile_ms (run->drawing_us, 0.5),
           percentile_ms (run->drawing_us, 0.95), percentile_ms (run->drawing_us, 1));
}

// One line of JSON.
static void
report (Run *run, const char *location)
{
  OdlLoad after;

  odl_load_read (&after);
  const double seconds = (double) (g_get_monotonic_time () - run->since_us) / 1e6;
  const guint64 painted = odl_session_n_painted (run->real.session) - run->painted;
  OdlFrame *frame = odl_session_frame (run->real.session);
  g_array_sort (run->latencies_us, compare);
  g_print ("{");
  report_drawing (run, seconds);
  if (run->drawn > 0)
    g_print ("\"grab_ms\": %.2f, ", time_grabs (run));
  g_print (
      "\"location\": \"%s\", \"engine\": \"%s\", \"canvas\": \"%s\", "
      "\"seconds\": %.2f, \"painted\": %" G_GUINT64_FORMAT
      ", \"fps\": %.2f, \"dropped\": %" G_GUINT64_FORMAT
      ", \"cpu_percent\": %.1f, \"latency_ms\": [%.1f, %.1f, %.1f], "
      "\"resident_mb\": %.1f, \"idle_mb\": %.1f, \"cached_mb\": %.1f, "
      "\"heap_mb\": %.1f, \"threads\": {",
      location, frame != NULL ? frame->engine->name : "",
      odl_viewport_uses_gl (run->real.viewport) ? "gl" : "soft", seconds, painted,
      (double) painted / seconds, odl_session_dropped (run->real.session) - run->dropped,
      100 * (after.cpu_seconds - run->before.cpu_seconds) / seconds,
      percentile_ms (run->latencies_us, 0.5), percentile_ms (run->latencies_us, 0.95),
      percentile_ms (run->latencies_us, 1), (double) after.resident_bytes / 1e6,
      (double) run->idle_bytes / 1e6,
      (double) odl_playback_stats (odl_session_playback (run->real.session)).cached_bytes
          / 1e6,
      (double) after.heap_bytes / 1e6);
  bool first = true;
  for (guint i = 0; i < after.by_name->len; i++) {
    const OdlThreadLoad *load = &g_array_index (after.by_name, OdlThreadLoad, i);
    const double percent
        = 100 * (load->seconds - odl_load_of (&run->before, load->name)) / seconds;
    if (percent >= 0.1)
      g_print ("%s\"%s\": %.1f", first ? "" : ", ", load->name, percent);
    first = first && percent < 0.1;
  }
  g_print ("}}\n");
  odl_load_clear (&after);
  odl_load_clear (&run->before);
}

// What the window takes by itself.
static void
look_at_idle (Run *run)
{
  OdlLoad load;

  real_window_run (IDLE_S);
  odl_load_read (&load);
  run->idle_bytes = load.resident_bytes;
  odl_load_clear (&load);
}

static bool
parse (int *argc, char ***argv, Options *options)
{
  const GOptionEntry entries[] = {
    { "seconds", 0, 0, G_OPTION_ARG_DOUBLE, &options->seconds, "to measure", "N" },
    { "engine", 0, 0, G_OPTION_ARG_STRING, &options->engine, "default: auto", "NAME" },
    { "filter", 0, 0, G_OPTION_ARG_STRING, &options->filter, "filters, as text", "TEXT" },
    { "luma", 0, 0, G_OPTION_ARG_NONE, &options->luma, "filter the luma only", NULL },
    { "size", 0, 0, G_OPTION_ARG_STRING, &options->size, "of the window", "WxH" },
    { "rendering", 0, 0, G_OPTION_ARG_STRING, &options->rendering,
      "the rendered view, by its name", "NAME" },
    { "turn", 0, 0, G_OPTION_ARG_NONE, &options->turn, "the rendered view", NULL },
    { "fill", 0, 0, G_OPTION_ARG_NONE, &options->fill, "the canvas with it", NULL },
    { "present", 0, 0, G_OPTION_ARG_NONE, &options->present, "the canvas alone", NULL },
    { "rest", 0, 0, G_OPTION_ARG_NONE, &options->rest, "do not play", NULL },
    { "redraw", 0, 0, G_OPTION_ARG_NONE, &options->redraw,
      "the canvas in every cycle, whatever it shows", NULL },
    { "do", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->actions,
      "an action of the window, as menus name it", "ACTION" },
    { "picture", 0, 0, G_OPTION_ARG_FILENAME, &options->picture,
      "the canvas at the end, as PNG", "FILE" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("LOCATION");
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (g_option_context_parse (context, argc, argv, &error) && *argc == 2)
    return true;
  g_printerr ("%s\n", error != NULL ? error->message : "name one source");
  return false;
}

int
main (int argc, char **argv)
{
  Options options = { .seconds = 60 };
  int width = 0, height = 0;
  g_autoptr (GError) error = NULL;

  if (!parse (&argc, &argv, &options))
    return 2;
  if (options.size != NULL && sscanf (options.size, "%dx%d", &width, &height) != 2) {
    g_printerr ("--size=%s: width, x, height\n", options.size);
    return 2;
  }
  if (!real_window_begin ()) {
    g_printerr ("there is no display\n");
    return 77;
  }

  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  if (options.filter != NULL && !odl_recipe_parse (&recipe, options.filter, &error)) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  recipe.colour = options.luma ? ODL_COLOUR_LUMA : recipe.colour;
  Run run = { .latencies_us = g_array_new (FALSE, FALSE, sizeof (int64_t)),
              .drawing_us = g_array_new (FALSE, FALSE, sizeof (int64_t)) };
  real_window_open (&run.real, options.engine, width, height);
  look_at_idle (&run);
  odl_main_window_open (run.real.window, argv[1], &recipe);
  g_signal_connect_swapped (run.real.viewport, "painted", G_CALLBACK (painted_cb), &run);

  real_window_run (WARM_UP_S);
  if (options.present)
    g_action_group_activate_action (G_ACTION_GROUP (run.real.window), "present", NULL);
  look_at_rendering (&run, &options);
  act (&run, options.actions);
  if (options.redraw)
    redraw_always (&run);
  if (odl_playback_is_moving (odl_session_playback (run.real.session))
      && odl_session_playing (run.real.session) == options.rest)
    odl_session_set_playing (run.real.session, !options.rest);
  watch_drawing (&run);
  if (options.rendering != NULL)
    real_window_run (WARM_UP_S);
  begin (&run);
  real_window_run (options.seconds);
  report (&run, argv[1]);
  if (options.picture != NULL)
    save_picture (&run, options.picture);
  real_window_close (&run.real);
  g_array_unref (run.latencies_us);
  g_array_unref (run.drawing_us);
  return 0;
}
