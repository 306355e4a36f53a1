// SPDX-License-Identifier: MIT
#include "camera_support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

void
need_cameras (void)
{
  g_autofree char *socket
      = g_build_filename (g_get_user_runtime_dir (), "pipewire-0", NULL);

  if (g_file_test (socket, G_FILE_TEST_EXISTS) && g_getenv ("ODL_CAMERA_PROVIDER"))
    return;
  g_print ("1..0 # SKIP to be run by tests/helpers/pipewire.sh\n");
  exit (77);
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
  camera->process = g_subprocess_launcher_spawn (
      launcher, &error, g_getenv ("ODL_CAMERA_PROVIDER"), name, shown, pipeline, NULL);
  g_assert_no_error (error);
  GInputStream *output = g_subprocess_get_stdout_pipe (camera->process);
  g_assert_true (g_input_stream_read_all (output, line, 6, NULL, NULL, NULL));
  g_assert_cmpstr (line, ==, "ready\n");
}

void
camera_freeze (Camera *camera)
{
  g_subprocess_send_signal (camera->process, SIGSTOP);
}

void
camera_thaw (Camera *camera)
{
  g_subprocess_send_signal (camera->process, SIGCONT);
}

void
camera_unplug (Camera *camera)
{
  if (camera->process == NULL)
    return;
  g_subprocess_send_signal (camera->process, SIGKILL);
  g_subprocess_wait (camera->process, NULL, NULL);
  g_clear_object (&camera->process);
}
