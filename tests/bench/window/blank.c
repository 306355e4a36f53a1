// SPDX-License-Identifier: MIT
// What a window drawn through OpenGL takes by itself, whatever is in it: an empty one as
// large as the program's, painted 60 times a second. One line of JSON. Beside it stands
// what playing in the real window takes (play.c); the rest is ours.
//
// usage: odl-blank [SECONDS]
#include <epoxy/gl.h>
#include <gtk/gtk.h>
#include <stdlib.h>

#include "load.h"
#include "widgets/viewport/gpu_device.h"

#define WIDTH 1280
#define HEIGHT 800
#define RATE 60
#define WARM_UP_S 2

static int n_painted;

static gboolean
render_cb (GtkGLArea *area, GdkGLContext *context, void *data)
{
  n_painted++;
  glClearColor ((float) (n_painted % RATE) / RATE, 0, 0, 1);
  glClear (GL_COLOR_BUFFER_BIT);
  return TRUE;
}

static gboolean
tick_cb (void *area)
{
  gtk_gl_area_queue_render (area);
  return G_SOURCE_CONTINUE;
}

static void
run (double seconds)
{
  const int64_t end = g_get_monotonic_time () + (int64_t) (seconds * 1e6);

  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
}

int
main (int argc, char **argv)
{
  const double wanted = argc > 1 ? MAX (g_ascii_strtod (argv[1], NULL), 1) : 10;
  OdlLoad before, after;

  odl_gpu_device_prepare ();
  if (!gtk_init_check ()) {
    g_printerr ("there is no display\n");
    return 77;
  }
  GtkWidget *window = gtk_window_new ();
  GtkWidget *area = gtk_gl_area_new ();
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  gtk_gl_area_set_auto_render (GTK_GL_AREA (area), FALSE);
  g_signal_connect (area, "render", G_CALLBACK (render_cb), NULL);
  gtk_window_set_child (GTK_WINDOW (window), area);
  gtk_window_present (GTK_WINDOW (window));
  g_timeout_add (1000 / RATE, tick_cb, area);
  run (WARM_UP_S);
  odl_load_read (&before);
  const int first = n_painted;
  const int64_t begin_us = g_get_monotonic_time ();
  run (wanted);
  const double seconds = (double) (g_get_monotonic_time () - begin_us) / 1e6;
  odl_load_read (&after);
  g_print ("{\"seconds\": %.2f, \"fps\": %.2f, \"cpu_percent\": %.1f}\n", seconds,
           (n_painted - first) / seconds,
           100 * (after.cpu_seconds - before.cpu_seconds) / seconds);
  odl_load_clear (&before);
  odl_load_clear (&after);
  gtk_window_destroy (GTK_WINDOW (window));
  return n_painted > first ? 0 : EXIT_FAILURE;
}
