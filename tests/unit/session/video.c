// SPDX-License-Identifier: MIT
// Videos through the session: a size that changes while playing gets a plan of its own,
// a torn end is told and plays on, another source takes over at any moment.
#include <gst/gst.h>
#include <string.h>

#include "../source/support.h"
#include "../source/video_maker.h"
#include "base/error.h"
#include "session/session.h"
#include "source/gst_frame.h"

#define TIMEOUT_US (600 * G_USEC_PER_SEC)
#define ENCODER "x264enc key-int-max=10 ! h264parse ! mpegtsmux"

static char *folder;

typedef struct {
  OdlSession *session;
  int opened, failed, frames;
  int small, large; // frames of either width
  char *words;
} Watch;

static void
opened_cb (OdlSession *session, Watch *watch)
{
  watch->opened++;
}

static void
failed_cb (OdlSession *session, const GError *error, Watch *watch)
{
  watch->failed++;
  g_free (watch->words);
  watch->words = g_strdup (error->message);
}

static void
frame_cb (OdlSession *session, Watch *watch)
{
  const OdlFrame *frame = odl_session_frame (session);
  const int width = odl_image_info (frame->input)->extent.x;

  watch->frames++;
  watch->small += width == 64;
  watch->large += width == 130;
  // What is shown was computed for this very size.
  g_assert_cmpint (frame->plan->geometry.width, ==, width);
  if (frame->result)
    g_assert_cmpint (odl_image_info (frame->result)->extent.x, ==, width);
}

static void
watch_init (Watch *watch, const char *path)
{
  OdlRecipe recipe;

  *watch = (Watch){ .session = odl_session_new () };
  g_signal_connect (watch->session, "opened", G_CALLBACK (opened_cb), watch);
  g_signal_connect (watch->session, "frame-failed", G_CALLBACK (failed_cb), watch);
  g_signal_connect (watch->session, "frame-ready", G_CALLBACK (frame_cb), watch);
  odl_session_set_canvas (watch->session, ODL_GL_NONE, 0, true);
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, "shrinkage:levels=2", NULL));
  odl_session_open (watch->session, path, &recipe);
}

static void
watch_clear (Watch *watch)
{
  g_assert_finalize_object (watch->session);
  g_free (watch->words);
}

static void
wait_for (const int *number, int wanted)
{
  const int64_t end = g_get_monotonic_time () + TIMEOUT_US;

  while (*number < wanted && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  g_assert_cmpint (*number, >=, wanted);
}

static char *
read_whole (const char *path, gsize *size)
{
  char *bytes = NULL;

  g_assert_true (g_file_get_contents (path, &bytes, size, NULL));
  return bytes;
}

static void
test_size_changes (void)
{
  g_autofree char *one = odl_test_make_moving (folder, "one.ts", ENCODER, 64, 48, 20);
  g_autofree char *two = odl_test_make_moving (folder, "two.ts", ENCODER, 130, 98, 20);
  gsize n_first = 0, n_second = 0;
  Watch watch;

  if (one == NULL || two == NULL)
    return;
  g_autofree char *first = read_whole (one, &n_first);
  g_autofree char *second = read_whole (two, &n_second);
  g_autofree char *both = g_malloc (n_first + n_second);
  memcpy (both, first, n_first);
  memcpy (both + n_first, second, n_second);
  g_autofree char *path = odl_test_write (folder, "both.ts", both, n_first + n_second);
  watch_init (&watch, path);
  wait_for (&watch.large, 5);
  wait_for (&watch.small, 1);
  // Around once more: the end was learnt, and the first size comes back.
  const int before = watch.small;
  wait_for (&watch.small, before + 3);
  g_assert_cmpint (watch.failed, ==, 0);
  watch_clear (&watch);
}

static void
test_torn (void)
{
  g_autofree char *path = odl_test_make_moving (
      folder, "whole.webm", "vp8enc deadline=1 ! webmmux", 64, 48, 150);
  gsize size = 0;
  Watch watch;

  if (path == NULL)
    return;
  g_autofree char *bytes = read_whole (path, &size);
  g_autofree char *half = odl_test_write (folder, "half.webm", bytes, size / 3);
  watch_init (&watch, half);
  wait_for (&watch.failed, 1);
  g_assert_nonnull (strstr (watch.words, "half.webm"));
  const int before = watch.frames;
  wait_for (&watch.frames, before + 70);
  g_assert_cmpint (watch.failed, ==, 1);
  watch_clear (&watch);
}

static void
test_switching (void)
{
  g_autofree char *path = odl_test_make_moving (
      folder, "switch.webm", "vp8enc deadline=1 ! webmmux", 64, 48, 100);
  int fds = 0;
  Watch watch;

  if (path == NULL)
    return;
  watch_init (&watch, path);
  for (int i = 0; i < 24; i++) {
    const int before = watch.opened;
    odl_session_open (watch.session, i % 2 ? path : "phantom:64x48", NULL);
    wait_for (&watch.opened, before + 1);
    wait_for (&watch.frames, watch.frames + 1 + i % 4);
    if (i == 8)
      fds = odl_test_count_fds ();
  }
  // Two may be closing still.
  const int64_t end = g_get_monotonic_time () + TIMEOUT_US;
  while (odl_test_count_fds () > fds + 12 && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  g_test_message ("descriptors %d → %d", fds, odl_test_count_fds ());
  g_assert_cmpint (odl_test_count_fds (), <=, fds + 12);
  watch_clear (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_true (odl_gst_start (NULL));
  folder = odl_test_folder ();
  g_test_add_func ("/session/a-size-that-changes-plays-on", test_size_changes);
  g_test_add_func ("/session/a-torn-end-is-told-once", test_torn);
  g_test_add_func ("/session/another-source-at-any-moment", test_switching);
  int result = g_test_run ();
  odl_test_remove_folder (folder);
  g_free (folder);
  return result;
}
