// SPDX-License-Identifier: MIT
#include "camera_support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define SERVER_PATIENCE_US (300 * G_USEC_PER_SEC)

void
need_cameras (void)
{
  g_autofree char *socket
      = g_build_filename (g_get_user_runtime_dir (), "pipewire-0", NULL);

  const char *provider = g_getenv ("ODL_CAMERA_PROVIDER");
  if (!g_file_test (socket, G_FILE_TEST_EXISTS) || provider == NULL) {
    g_print ("1..0 # SKIP to be run by tests/helpers/pipewire.sh\n");
    exit (77);
  }
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) check
      = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, provider, "--check", NULL);
  g_assert_no_error (error);
  g_subprocess_wait (check, NULL, NULL);
  if (g_subprocess_get_if_exited (check) && g_subprocess_get_exit_status (check) == 77) {
    g_print ("1..0 # SKIP gstreamer1.0-pipewire is not installed: no pipewiresink\n");
    exit (77);
  }
}

static GPtrArray *plugged; // the cameras that are in, of camera_plug alone

void
cameras_restart (void)
{
  for (guint i = 0; plugged != NULL && i < plugged->len; i++)
    g_subprocess_send_signal (((Camera *) plugged->pdata[i])->process, SIGUSR1);
}

void
camera_plug (Camera *camera, const char *name, const char *shown, const char *pipeline)
{
  g_autoptr (GError) error = NULL;
  char line[16] = { 0 };

  // What PipeWire's plugin complains about on the camera's side is not what is tested.
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_subprocess_launcher_unsetenv (launcher, "G_DEBUG");
  g_subprocess_launcher_unsetenv (launcher, "PIPEWIRE_REMOTE");
  camera->deaths = 0;
  camera->process = g_subprocess_launcher_spawn (
      launcher, &error, g_getenv ("ODL_CAMERA_PROVIDER"), name, shown, pipeline, NULL);
  g_assert_no_error (error);
  GInputStream *output = g_subprocess_get_stdout_pipe (camera->process);
  g_assert_true (g_input_stream_read_all (output, line, 6, NULL, NULL, NULL));
  g_assert_cmpstr (line, ==, "ready\n");
  if (plugged == NULL)
    plugged = g_ptr_array_new ();
  g_ptr_array_add (plugged, camera);
}

void
camera_plug_flexible (Camera *camera, const char *name, const char *shown)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *command
      = g_strdup_printf ("create-node spa-node-factory factory.name=videotestsrc "
                         "library.name=videotestsrc/libspa-videotestsrc node.name=%s "
                         "node.description=\"%s\" media.class=Video/Source\n",
                         name, shown);

  // The node lives as long as the program that asked for it, which lives until its input
  // ends; setsid gives it a process group.
  camera->deaths = 0;
  camera->process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE
                                          | G_SUBPROCESS_FLAGS_STDOUT_SILENCE,
                                      &error, "setsid", "pw-cli", NULL);
  g_assert_no_error (error);
  GOutputStream *input = g_subprocess_get_stdin_pipe (camera->process);
  g_assert_true (
      g_output_stream_write_all (input, command, strlen (command), NULL, NULL, &error));
  g_assert_true (g_output_stream_flush (input, NULL, &error));
}

// The camera's process group: the program and the child that sends the pictures.
static void
send_signal (Camera *camera, int number)
{
  const char *id = g_subprocess_get_identifier (camera->process);

  if (id != NULL)
    kill (-(pid_t) g_ascii_strtoll (id, NULL, 10), number);
}

void
camera_freeze (Camera *camera)
{
  send_signal (camera, SIGSTOP);
}

void
camera_thaw (Camera *camera)
{
  send_signal (camera, SIGCONT);
}

void
camera_unplug (Camera *camera)
{
  if (camera->process == NULL)
    return;
  if (plugged != NULL)
    g_ptr_array_remove (plugged, camera);
  send_signal (camera, SIGKILL);
  g_subprocess_wait (camera->process, NULL, NULL);
  g_clear_object (&camera->process);
}

int
camera_deaths (Camera *camera)
{
  GPollableInputStream *output
      = G_POLLABLE_INPUT_STREAM (g_subprocess_get_stdout_pipe (camera->process));
  char text[64];
  gssize n;

  while ((n = g_pollable_input_stream_read_nonblocking (output, text, sizeof text, NULL,
                                                        NULL))
         > 0)
    for (gssize i = 0; i < n; i++)
      camera->deaths += text[i] == '\n';
  return camera->deaths;
}

// ---- The servers ----

#define SERVERS "ODL_PIPEWIRE_SERVERS"

static bool
is_running (pid_t id)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int) id);
  g_autofree char *text = NULL;

  // Who was killed and has not been waited for by its parent yet runs no more.
  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, ") Z") == NULL;
}

void
servers_kill (void)
{
  g_auto (GStrv) ids = g_strsplit (g_getenv (SERVERS), " ", -1);

  for (size_t i = 0; ids[i] != NULL; i++)
    kill ((pid_t) g_ascii_strtoll (ids[i], NULL, 10), SIGKILL);
  for (size_t i = 0; ids[i] != NULL; i++)
    while (is_running ((pid_t) g_ascii_strtoll (ids[i], NULL, 10)))
      g_usleep (10000);
}

void
servers_freeze_manager (bool freeze)
{
  g_auto (GStrv) ids = g_strsplit (g_getenv (SERVERS), " ", -1);

  g_assert_cmpuint (g_strv_length (ids), ==, 2);
  kill ((pid_t) g_ascii_strtoll (ids[1], NULL, 10), freeze ? SIGSTOP : SIGCONT);
}

static GSubprocess *
start_server (const char *program)
{
  g_autoptr (GError) error = NULL;

  // They end with this test, however that ends.
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_subprocess_launcher_unsetenv (launcher, "G_DEBUG");
  g_subprocess_launcher_unsetenv (launcher, "PIPEWIRE_REMOTE");
  GSubprocess *server = g_subprocess_launcher_spawn (
      launcher, &error, "setpriv", "--pdeathsig", "KILL", program, NULL);
  g_assert_no_error (error);
  return server;
}

static bool
answers (void)
{
  g_autoptr (GSubprocess) asker = g_subprocess_new (
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL, "env",
      "-u", "PIPEWIRE_REMOTE", "timeout", "-k", "1", "5", "pw-cli", "info", "0", NULL);

  return asker != NULL && g_subprocess_wait_check (asker, NULL, NULL);
}

void
servers_start (void)
{
  const int64_t end = g_get_monotonic_time () + SERVER_PATIENCE_US;
  g_autoptr (GSubprocess) pipewire = start_server ("pipewire");

  while (!answers ()) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    g_usleep (100000);
  }
  g_autoptr (GSubprocess) manager = start_server ("wireplumber");
  g_autofree char *ids = g_strdup_printf ("%s %s", g_subprocess_get_identifier (pipewire),
                                          g_subprocess_get_identifier (manager));
  g_setenv (SERVERS, ids, TRUE);
}
