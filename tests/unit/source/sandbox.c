// SPDX-License-Identifier: MIT
// Files are not decoded where the kernel refuses the sandbox, unless that is allowed; and
// no helper outlives the program.
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "source/decoder_nursery.h"
#include "source/sandbox_wish.h"
#include "support.h"

// 1 × 1, black.
static const unsigned char bmp[] = {
  'B', 'M', 58, 0, 0, 0, 0, 0, 0,  0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0,
  0,   0,   1,  0, 0, 0, 1, 0, 24, 0, 0,  0, 0, 0, 4,  0, 0, 0, 0, 0,
  0,   0,   0,  0, 0, 0, 0, 0, 0,  0, 0,  0, 0, 0, 0,  0, 0, 0,
};

static void
refuse_filters (int error)
{
  scmp_filter_ctx context = seccomp_init (SCMP_ACT_ALLOW);
  struct scmp_arg_cmp set = { 0, SCMP_CMP_EQ, PR_SET_SECCOMP, 0 };

  g_assert_cmpint (
      seccomp_rule_add (context, SCMP_ACT_ERRNO (error), SCMP_SYS (seccomp), 0), ==, 0);
  g_assert_cmpint (
      seccomp_rule_add_array (context, SCMP_ACT_ERRNO (error), SCMP_SYS (prctl), 1, &set),
      ==, 0);
  g_assert_cmpint (seccomp_load (context), ==, 0);
  seccomp_release (context);
}

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
  refuse_filters (EINVAL);
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

// The only child of a process; 0: it has none yet.
static pid_t
child_of (pid_t parent)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task/%d/children", parent, parent);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? atoi (text) : 0;
}

// A helper that is stopped can neither hear that its parent is gone nor end itself.
static void
test_no_orphans (void)
{
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *pattern = g_build_filename (folder, "img%d.bmp", NULL);
  int told[2], status = 0;
  char word;

  g_free (odl_test_write (folder, "img0.bmp", bmp, sizeof bmp));
  g_free (odl_test_write (folder, "img1.bmp", bmp, sizeof bmp));
  prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  g_assert_no_errno (pipe (told));
  pid_t parent = fork ();
  if (parent == 0) {
    OdlSource *source = odl_source_open (pattern, NULL, NULL);
    if (source == NULL || write (told[1], "", 1) != 1)
      _exit (1);
    for (;;)
      pause ();
  }
  close (told[1]);
  g_assert_cmpint (read (told[0], &word, 1), ==, 1);
  close (told[0]);
  pid_t helper = child_of (parent);
  g_assert_cmpint (helper, >, 0);
  g_assert_no_errno (kill (helper, SIGSTOP));
  g_assert_no_errno (kill (parent, SIGKILL));
  g_assert_cmpint (waitpid (parent, &status, 0), ==, parent);
  g_assert_cmpint (waitpid (helper, &status, 0), ==, helper);
  g_assert_true (WIFSIGNALED (status));
  g_assert_cmpint (WTERMSIG (status), ==, SIGKILL);
  odl_test_remove_folder (folder);
}

static bool
says (pid_t pid, const char *line)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", pid);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, line) != NULL;
}

// What a warm helper forks is a child of this process, behind the same walls.
static void
test_forked (void)
{
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *pattern = g_build_filename (folder, "img%d.bmp", NULL);
  g_autofree char *children
      = g_strdup_printf ("/proc/%d/task/%d/children", getpid (), gettid ());
  g_autofree char *text = NULL;
  int n = 0, walled = 0;

  g_free (odl_test_write (folder, "img0.bmp", bmp, sizeof bmp));
  g_free (odl_test_write (folder, "img1.bmp", bmp, sizeof bmp));
  odl_decoder_nursery_open ();
  OdlSource *source = odl_source_open (pattern, NULL, NULL);
  g_assert_nonnull (source);
  g_assert_true (g_file_get_contents (children, &text, NULL, NULL));
  g_auto (GStrv) pids = g_strsplit (g_strstrip (text), " ", -1);
  for (; pids[n] != NULL; n++) {
    const pid_t pid = atoi (pids[n]);
    walled += says (pid, "Seccomp:\t2") ? 1 : 0;
    g_assert_true (says (pid, "NoNewPrivs:\t1"));
    g_assert_true (says (pid, "CapEff:\t0000000000000000"));
    g_assert_true (says (pid, "CapBnd:\t0000000000000000") || geteuid () != 0);
  }
  g_assert_cmpint (n, ==, 2);
  g_assert_cmpint (walled, ==, 1);
  odl_source_unref (source);
  odl_decoder_nursery_close ();
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
  odl_test_remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sandbox/a-refusal-decodes-nothing", test_refused);
  g_test_add_func ("/sandbox/no-helper-outlives-the-program", test_no_orphans);
  g_test_add_func ("/sandbox/forked-helpers-are-walled-in", test_forked);
  return g_test_run ();
}
