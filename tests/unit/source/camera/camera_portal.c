// SPDX-License-Identifier: MIT
// The camera as a program in a sandbox has it: by the desktop's portal, which a script
// plays (tests/helpers/fake_portal.py), on a real bus and with a real PipeWire.
#include <string.h>

#include "../../../helpers/bar.h"
#include "base/error.h"
#include "camera_reading.h"
#include "camera_support.h"
#include "source/source.h"

// A refusal, and the end of a question that was taken back.
#define REFUSAL_US (7 * G_USEC_PER_SEC)
#define CANCEL_US (2 * G_USEC_PER_SEC)

// Waits until the portal says `expected`.
static void
wait_for_word (GSubprocess *portal, const char *expected)
{
  GInputStream *output = g_subprocess_get_stdout_pipe (portal);
  char line[16] = { 0 };

  g_assert_true (
      g_input_stream_read_all (output, line, strlen (expected), NULL, NULL, NULL));
  g_assert_cmpstr (line, ==, expected);
}

// Starts the portal and returns once it has its name.
static GSubprocess *
start_portal (const char *answer)
{
  g_autoptr (GError) error = NULL;
  GSubprocess *portal
      = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "/usr/bin/python3",
                          g_getenv ("ODL_FAKE_PORTAL"), answer, NULL);
  g_assert_no_error (error);
  wait_for_word (portal, "ready\n");
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
  odl_test_took (answer, g_get_monotonic_time () - start, REFUSAL_US);
  stop_portal (portal);
}

// From the question to the answer "late", and until a camera is said to be busy that does
// not answer from then on.
#define LATE_US (4 * G_USEC_PER_SEC)
#define BUSY_US (LATE_US + 3 * G_USEC_PER_SEC)

// The time that a person takes for the answer is not the camera's. It is not connected
// while the session manager stands still.
static void
test_late (void)
{
  Camera red = { 0 };
  GSubprocess *portal = start_portal ("late");
  g_autoptr (GError) error = NULL;

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  // It is listed before the answer.
  g_usleep (G_USEC_PER_SEC);
  servers_freeze_manager (true);
  const int64_t start = g_get_monotonic_time ();
  g_assert_null (odl_source_open ("webcam", NULL, &error));
  const int64_t took_us = g_get_monotonic_time () - start;
  servers_freeze_manager (false);
  g_test_message ("%s", error->message);
  if (g_error_matches (error, ODL_ERROR, ODL_ERROR_BUSY))
    g_assert_cmpint (took_us, >=, BUSY_US);
  camera_unplug (&red);
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
    assert_colour (image, 1, 0, 0);
  }
  camera_unplug (&red);
  stop_portal (portal);
}

static void
test_two (void)
{
  Camera red = { 0 }, green = { 0 };
  GSubprocess *portal = start_portal ("grant");
  g_autoptr (GError) error = NULL;

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  camera_plug (&green, "green-camera", "Green Camera", GREEN_640);
  g_autoptr (OdlSource) second = open_camera ("webcam:green-camera");
  g_autoptr (OdlSource) first = open_camera ("webcam:red cam");
  g_autoptr (OdlImage) image = read_frame (second);
  assert_colour (image, 0, 1, 0);
  g_assert_cmpint (odl_image_info (image)->extent.x, ==, 640);
  g_assert_cmpstr (second->info.name, ==, "Green Camera");
  g_assert_nonnull (strstr (odl_source_detail (second, "offers"), "640 × 480, 30 fps"));
  g_assert_null (second->info.warning);
  g_autoptr (OdlImage) other = read_frame (first);
  assert_colour (other, 1, 0, 0);

  g_assert_null (odl_source_open ("webcam:blue", NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_NO_DEVICE);
  g_assert_nonnull (strstr (error->message, "“Green Camera”"));
  g_autoptr (OdlSource) third = open_camera ("webcam:red-camera,size=800x600");
  g_assert_nonnull (third->info.warning);
  camera_unplug (&red);
  camera_unplug (&green);
  stop_portal (portal);
}

// What is gone is not in use by somebody else, in a sandbox neither.
static void
test_unplugged (void)
{
  Camera red = { 0 };
  GSubprocess *portal = start_portal ("grant");

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  g_autoptr (OdlSource) source = open_camera ("webcam");
  for (int round = 0; round < 2; round++) {
    g_autoptr (GError) error = NULL;
    wait_for_pictures (source);
    camera_unplug (&red);
    wait_for_code (source, ODL_ERROR_NO_DEVICE);
    // So it stays as long as it is away, whoever asks.
    for (int i = 0; i < 5; i++) {
      g_autoptr (GError) again = NULL;
      g_assert_null (odl_source_read_frame (source, 0, NULL, &again));
      g_assert_error (again, ODL_ERROR, ODL_ERROR_NO_DEVICE);
    }
    g_assert_null (odl_source_open ("webcam:red-camera", NULL, &error));
    g_test_message ("%s", error->message);
    g_assert_error (error, ODL_ERROR, ODL_ERROR_NO_DEVICE);
    camera_plug (&red, "red-camera", "Red Camera", RED_320);
    wait_for_pictures (source);
  }
  g_autoptr (OdlSource) anew = open_camera ("webcam:red-camera");
  wait_for_pictures (anew);
  camera_unplug (&red);
  stop_portal (portal);
}

// The portal is asked for another connection.
static void
test_restarted (void)
{
  Camera red = { 0 };
  GSubprocess *portal = start_portal ("grant");

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  g_autoptr (OdlSource) source = open_camera ("webcam");
  wait_for_pictures (source);
  servers_kill ();
  camera_unplug (&red);
  // The portal has no connection to hand out.
  wait_for_code (source, ODL_ERROR_UNSUPPORTED);
  servers_start ();
  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  g_autoptr (OdlImage) image = read_frame (source);
  assert_colour (image, 1, 0, 0);
  camera_unplug (&red);
  stop_portal (portal);
}

static void
test_unplug_leaks (void)
{
  GSubprocess *portal = start_portal ("grant");

  assert_nothing_leaks (use_and_unplug, NULL);
  stop_portal (portal);
}

static void
test_refused (void)
{
  assert_fails ("refuse", ODL_ERROR_DENIED);
}

static void
be_refused (void *data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (odl_source_open ("webcam", NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_DENIED);
}

static void
test_refusal_leaks (void)
{
  GSubprocess *portal = start_portal ("refuse");

  assert_nothing_leaks (be_refused, NULL);
  stop_portal (portal);
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

typedef struct {
  GSubprocess *portal;
  GCancellable *cancellable;
  int64_t at_us; // when it was cancelled
} Cancel;

static void *
cancel_once_asked (void *data)
{
  Cancel *cancel = data;

  wait_for_word (cancel->portal, "asked\n");
  cancel->at_us = g_get_monotonic_time ();
  g_cancellable_cancel (cancel->cancellable);
  return NULL;
}

// Nobody answers; the question is taken back when the program gives up.
static void
test_cancelled (void)
{
  GSubprocess *portal = start_portal ("silent");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Cancel cancel = { portal, cancellable, 0 };
  GThread *thread = g_thread_new ("cancel", cancel_once_asked, &cancel);

  g_assert_null (odl_source_open ("webcam", cancellable, &error));
  g_thread_join (thread);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CANCELLED);
  odl_test_took ("taking a question back", g_get_monotonic_time () - cancel.at_us,
                 CANCEL_US);
  wait_for_word (portal, "closed\n");
  stop_portal (portal);
}

static void *
kill_once_asked (void *portal)
{
  wait_for_word (portal, "asked\n");
  g_subprocess_force_exit (portal);
  return NULL;
}

static void
test_portal_dies (void)
{
  GSubprocess *portal = start_portal ("silent");
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("kill", kill_once_asked, portal);

  g_assert_null (odl_source_open ("webcam", NULL, &error));
  g_thread_join (thread);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_DENIED);
  stop_portal (portal);
}

int
main (int argc, char **argv)
{
  g_setenv ("ODL_DEBUG", "sandbox", TRUE);
  // What the portal hands out is the only way to the server.
  g_setenv ("PIPEWIRE_REMOTE", "nowhere", TRUE);
  g_test_init (&argc, &argv, NULL);
  need_cameras ();
  g_test_add_func ("/portal/a person says no", test_refused);
  g_test_add_func ("/portal/a refusal leaves nothing open", test_refusal_leaks);
  g_test_add_func ("/portal/the settings say no", test_forbidden);
  g_test_add_func ("/portal/it knows of no camera", test_none);
  g_test_add_func ("/portal/there is none", test_no_portal);
  g_test_add_func ("/portal/a question is taken back", test_cancelled);
  g_test_add_func ("/portal/it dies while it asks", test_portal_dies);
  // From here on it has said yes, and is not asked again.
  g_test_add_func ("/portal/a person may think before saying yes", test_late);
  g_test_add_func ("/portal/granted, pictures come", test_granted);
  g_test_add_func ("/portal/two are told apart by name", test_two);
  g_test_add_func ("/portal/one comes back with the server", test_restarted);
  g_test_add_func ("/portal/an unplugged one comes back", test_unplugged);
  g_test_add_func ("/portal/unplugging leaves nothing open", test_unplug_leaks);
  return g_test_run ();
}
