// SPDX-License-Identifier: MIT
// The program where there is no display, and its command line.
#include <gio/gio.h>
#include <string.h>

static int
run (const char *const *arguments, char **output)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_subprocess_launcher_unsetenv (launcher, "DISPLAY");
  g_subprocess_launcher_unsetenv (launcher, "WAYLAND_DISPLAY");
  g_subprocess_launcher_setenv (launcher, "XDG_RUNTIME_DIR", "/nonexistent", TRUE);
  g_autoptr (GSubprocess) process
      = g_subprocess_launcher_spawnv (launcher, arguments, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, output, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  return g_subprocess_get_exit_status (process);
}

static void
test_says_so (void)
{
  const char *arguments[] = { g_getenv ("ODL_PROGRAM"), "phantom:64x64", NULL };
  g_autofree char *output = NULL;
  g_assert_cmpint (run (arguments, &output), ==, 1);
  g_test_message ("%s", output);
  g_assert_nonnull (strstr (output, "ondelette-cli"));
}

static void
test_helps_without_display (void)
{
  static const char *const questions[] = { "--help", "--version" };
  for (size_t i = 0; i < G_N_ELEMENTS (questions); i++) {
    const char *arguments[] = { g_getenv ("ODL_PROGRAM"), questions[i], NULL };
    g_autofree char *output = NULL;
    g_assert_cmpint (run (arguments, &output), ==, 0);
    g_assert_nonnull (strstr (output, "ondelette"));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/no-display/the-program-says-so-and-ends", test_says_so);
  g_test_add_func ("/no-display/help-and-version-need-none", test_helps_without_display);
  return g_test_run ();
}
