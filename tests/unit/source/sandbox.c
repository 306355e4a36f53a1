// SPDX-License-Identifier: MIT
// Files are not decoded where the kernel refuses the sandbox, unless that is allowed; and
// no helper outlives the program.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#include "../../helpers/inside.h"
#include "base/error.h"
#include "source/helper/fork_server.h"
#include "source/helper/sandbox.h"
#include "support.h"

// 1 × 1, black.
static const unsigned char bmp[] = {
  'B', 'M', 58, 0, 0, 0, 0, 0, 0,  0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0,
  0,   0,   1,  0, 0, 0, 1, 0, 24, 0, 0,  0, 0, 0, 4,  0, 0, 0, 0, 0,
  0,   0,   0,  0, 0, 0, 0, 0, 0,  0, 0,  0, 0, 0, 0,  0, 0, 0,
};

static void
assert_refused (const char *path)
{
  g_autofree char *message = odl_test_refusal (path);

  odl_test_contains (path, message, "seccomp");
  odl_test_contains (path, message, "ODL_SANDBOX=optional");
  odl_test_contains (path, message, "preferences");
}

static void
assert_opens (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (source);
}

static void
test_refused (void)
{
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *path = odl_test_write (folder, "one.bmp", bmp, sizeof bmp);

  if (!g_test_subprocess ()) {
    g_test_trap_subprocess (NULL, 0, 0);
    g_test_trap_assert_passed ();
    odl_test_remove_folder (folder);
    return;
  }
  g_unsetenv ("ODL_SANDBOX");
  assert_opens (path);
  g_assert_true (odl_test_refuse_filters (EINVAL));
  assert_refused (path);
  // The setting, and the variable that wins over it.
  odl_sandbox_set_optional (true);
  assert_opens (path);
  g_setenv ("ODL_SANDBOX", "required", TRUE);
  assert_refused (path);
  odl_sandbox_set_optional (false);
  g_setenv ("ODL_SANDBOX", "optional", TRUE);
  assert_opens (path);
  g_setenv ("ODL_SANDBOX", "", TRUE);
  assert_refused (path);
  odl_test_remove_folder (folder);
}

// The end of a child, which may take a minute on a busy machine; 0: it lives on.
static int
signal_that_ended (pid_t pid)
{
  int status = 0;

  for (int i = 0; i < 6000; i++) {
    if (waitpid (pid, &status, WNOHANG) == pid)
      return WIFSIGNALED (status) ? WTERMSIG (status) : -1;
    g_usleep (10000);
  }
  kill (pid, SIGKILL);
  return 0;
}

// A helper that is stopped can neither hear that its parent is gone nor end itself. With
// a fork_server there is one that forks, too, and the other one is forked by it.
static void
check_no_orphans (bool fork_server)
{
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *pattern = g_build_filename (folder, "img%d.bmp", NULL);
  const int n = fork_server ? 2 : 1;
  pid_t helpers[2] = { 0 };
  int told[2];
  char word;

  g_free (odl_test_write (folder, "img0.bmp", bmp, sizeof bmp));
  g_free (odl_test_write (folder, "img1.bmp", bmp, sizeof bmp));
  prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  g_assert_no_errno (pipe (told));
  pid_t parent = fork ();
  if (parent == 0) {
    if (fork_server)
      odl_fork_server_open ();
    OdlSource *source = odl_source_open (pattern, NULL, NULL);
    if (source == NULL || write (told[1], "", 1) != 1)
      _exit (1);
    for (;;)
      pause ();
  }
  close (told[1]);
  g_assert_cmpint (read (told[0], &word, 1), ==, 1);
  close (told[0]);
  g_assert_cmpint (odl_test_children (parent, helpers, n), ==, n);
  for (int i = 0; i < n; i++)
    g_assert_no_errno (kill (helpers[i], SIGSTOP));
  g_assert_no_errno (kill (parent, SIGKILL));
  g_assert_cmpint (waitpid (parent, NULL, 0), ==, parent);
  for (int i = 0; i < n; i++)
    g_assert_cmpint (signal_that_ended (helpers[i]), ==, SIGKILL);
  odl_test_remove_folder (folder);
}

static void
test_no_orphans (void)
{
  check_no_orphans (false);
}

static void
test_no_forked_orphans (void)
{
  check_no_orphans (true);
}

static bool
says (pid_t pid, const char *line)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", pid);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, line) != NULL;
}

// A forked helper is a child of this process, in the same sandbox.
static void
test_forked (void)
{
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *pattern = g_build_filename (folder, "img%d.bmp", NULL);
  pid_t pids[3];
  int sandboxed = 0;

  g_free (odl_test_write (folder, "img0.bmp", bmp, sizeof bmp));
  g_free (odl_test_write (folder, "img1.bmp", bmp, sizeof bmp));
  odl_fork_server_open ();
  OdlSource *source = odl_source_open (pattern, NULL, NULL);
  g_assert_nonnull (source);
  g_assert_cmpint (odl_test_children (getpid (), pids, 3), ==, 2);
  for (int i = 0; i < 2; i++) {
    const pid_t pid = pids[i];
    sandboxed += says (pid, "Seccomp:\t2") ? 1 : 0;
    g_assert_true (says (pid, "NoNewPrivs:\t1"));
    g_assert_true (says (pid, "CapEff:\t0000000000000000"));
    g_assert_true (says (pid, "CapBnd:\t0000000000000000") || geteuid () != 0);
  }
  g_assert_cmpint (sandboxed, ==, 1);
  odl_source_unref (source);
  odl_fork_server_close ();
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
  odl_test_remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sandbox/a-refusal-decodes-nothing", test_refused);
  g_test_add_func ("/sandbox/no-helper-outlives-the-program", test_no_orphans);
  g_test_add_func ("/sandbox/no-forked-helper-outlives-the-program",
                   test_no_forked_orphans);
  g_test_add_func ("/sandbox/forked-helpers-are-sandboxed", test_forked);
  return g_test_run ();
}
