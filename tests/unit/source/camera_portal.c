// SPDX-License-Identifier: MIT
// The camera as a program in a sandbox has it: by the desktop's portal, which a script
// plays (tests/helpers/fake_portal.py), on a real bus and with a real PipeWire.
#include <string.h>

#include "base/error.h"
#include "camera_reading.h"
#include "camera_support.h"
#include "source/source.h"

// Starts the portal and returns once it has its name.
static GSubprocess *
start_portal (const char *answer)
{
  g_autoptr (GError) error = NULL;
  char line[16] = { 0 };
  GSubprocess *portal
      = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "/usr/bin/python3",
                          g_getenv ("ODL_FAKE_PORTAL"), answer, NULL);
  g_assert_no_error (error);
  GInputStream *output = g_subprocess_get_stdout_pipe (portal);
  g_assert_true (g_input_stream_read_all (output, line, 6, NULL, NULL, NULL));
  g_assert_cmpstr (line, ==, "ready\n");
  return portal;
}

static void
stop_portal (GSubprocess *portal)
{
  g_subprocess_force_exit (portal);
  g_subprocess_wait (portal, NULL, NULL);
  g_object_unref (portal);
}

static void
assert_fails (const char *answer, int code)
{
  GSubprocess *portal = start_portal (answer);
  g_autoptr (GError) error = NULL;
  const int64_t start = g_get_monotonic_time ();

  g_assert_null (odl_source_open ("webcam", NULL, &error));
  g_test_message ("%s: %s", answer, error->message);
  g_assert_error (error, ODL_ERROR, code);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 7 * G_USEC_PER_SEC);
  stop_portal (portal);
}

static void
test_granted (void)
{
  Camera red = { 0 };
  GSubprocess *portal = start_portal ("grant");

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  g_autoptr (OdlSource) source = open_camera ("webcam");
  for (int i = 0; i < 10; i++) {
    g_autoptr (OdlImage) image = read_frame (source);
    g_autofree float *row = g_new (float, 320);
    odl_image_scaled_row (image, 0, 120, 0, 0, row);
    g_assert_cmpfloat_with_epsilon (row[160], 1, 0.02);
    odl_image_scaled_row (image, 1, 120, 0, 0, row);
    g_assert_cmpfloat_with_epsilon (row[160], 0, 0.02);
  }
  camera_unplug (&red);
  stop_portal (portal);
}

static void
test_refused (void)
{
  assert_fails ("refuse", ODL_ERROR_DENIED);
}

static void
test_forbidden (void)
{
  assert_fails ("forbid", ODL_ERROR_DENIED);
}

static void
test_none (void)
{
  assert_fails ("none", ODL_ERROR_NO_DEVICE);
}

static void
test_no_portal (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (odl_source_open ("webcam", NULL, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
}

static void *
cancel_soon (void *cancellable)
{
  g_usleep (500000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

// Nobody answers; the question is taken back when the program gives up.
static void
test_cancelled (void)
{
  GSubprocess *portal = start_portal ("silent");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  const int64_t start = g_get_monotonic_time ();
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  char line[16] = { 0 };

  g_assert_null (odl_source_open ("webcam", cancellable, &error));
  g_thread_join (thread);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 4 * G_USEC_PER_SEC);
  GInputStream *output = g_subprocess_get_stdout_pipe (portal);
  g_assert_true (g_input_stream_read_all (output, line, 7, NULL, NULL, NULL));
  g_assert_cmpstr (line, ==, "closed\n");
  stop_portal (portal);
}

static void *
kill_soon (void *portal)
{
  g_usleep (500000);
  g_subprocess_force_exit (portal);
  return NULL;
}

static void
test_portal_dies (void)
{
  GSubprocess *portal = start_portal ("silent");
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("kill", kill_soon, portal);

  g_assert_null (odl_source_open ("webcam", NULL, &error));
  g_thread_join (thread);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_DENIED);
  stop_portal (portal);
}

int
main (int argc, char **argv)
{
  g_setenv ("ODL_DEBUG", "sandbox", TRUE);
  g_test_init (&argc, &argv, NULL);
  need_cameras ();
  g_test_add_func ("/portal/granted, pictures come", test_granted);
  g_test_add_func ("/portal/a person says no", test_refused);
  g_test_add_func ("/portal/the settings say no", test_forbidden);
  g_test_add_func ("/portal/it knows of no camera", test_none);
  g_test_add_func ("/portal/there is none", test_no_portal);
  g_test_add_func ("/portal/a question is taken back", test_cancelled);
  g_test_add_func ("/portal/it dies while it asks", test_portal_dies);
  return g_test_run ();
}
