// SPDX-License-Identifier: MIT
// The order in which small pictures are made.
#include "session/browse/thumbnailer.h"

#include "source/source.h"

#define STILLS 20
#define VIDEOS 3

typedef struct {
  GMainLoop *loop;
  GPtrArray *order;
} Heard;

static void
heard_cb (const char *location, OdlImage *image, const GError *error, void *data)
{
  Heard *heard = data;

  g_ptr_array_add (heard->order, g_strdup (location));
  if (heard->order->len == STILLS + VIDEOS)
    g_main_loop_quit (heard->loop);
}

// Videos are requested last, and newest come first, but not before files that are cheap.
static void
test_videos_last (void)
{
  Heard heard = { .loop = g_main_loop_new (NULL, FALSE),
                  .order = g_ptr_array_new_with_free_func (g_free) };
  g_autoptr (OdlThumbnailer) thumbnailer = odl_thumbnailer_new (64, heard_cb, &heard);

  for (int i = 0; i < STILLS; i++) {
    g_autofree char *name = g_strdup_printf ("phantom:64x64,seed=%d", i + 1);
    odl_thumbnailer_request (thumbnailer, name);
  }
  for (int i = 0; i < VIDEOS; i++) {
    g_autofree char *name = g_strdup_printf ("/nonexistent/%d.MP4", i);
    odl_thumbnailer_request (thumbnailer, name);
  }
  g_main_loop_run (heard.loop);
  for (guint i = 0; i < heard.order->len; i++) {
    const char *location = g_ptr_array_index (heard.order, i);
    g_test_message ("%s", location);
    g_assert_cmpint (odl_source_looks_like_video (location), ==, i >= STILLS);
  }
  g_ptr_array_unref (heard.order);
  g_main_loop_unref (heard.loop);
}

// Those that came while the system allowed no thread are made with the next one.
static void
test_later_with_a_thread (void)
{
  Heard heard = { .loop = g_main_loop_new (NULL, FALSE),
                  .order = g_ptr_array_new_with_free_func (g_free) };
  g_autoptr (OdlThumbnailer) thumbnailer = odl_thumbnailer_new (64, heard_cb, &heard);

  g_setenv ("ODL_FAULT", "thread/new", TRUE);
  for (int i = 0; i < STILLS + VIDEOS; i++) {
    if (i == STILLS + VIDEOS - 1)
      g_unsetenv ("ODL_FAULT");
    g_autofree char *name = g_strdup_printf ("phantom:64x64,seed=%d", i + 1);
    odl_thumbnailer_request (thumbnailer, name);
  }
  g_main_loop_run (heard.loop);
  g_ptr_array_unref (heard.order);
  g_main_loop_unref (heard.loop);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/thumbnailer/videos-come-last", test_videos_last);
  g_test_add_func ("/thumbnailer/later-with-a-thread", test_later_with_a_thread);
  return g_test_run ();
}
