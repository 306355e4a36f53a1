// SPDX-License-Identifier: MIT
// Runs code in a child process that enters a sandbox.
#pragma once

#include <errno.h>
#include <glib.h>
#include <seccomp.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Exit statuses of these children.
enum {
  ODL_TEST_HELD = 0,
  ODL_TEST_NOT_HELD,
  ODL_TEST_NO_WALL = 77, // not supported by the kernel
};

// Runs `func` in a child; returns its result, or 256 + the signal that killed it.
static inline int
odl_test_end_of (int (*run) (const void *data), const void *data)
{
  const pid_t pid = fork ();
  int status = 0;

  if (pid == 0)
    _exit (run (data));
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 256 + WTERMSIG (status);
}

// Denies the installation of system call filters, as a kernel without support or an
// outer sandbox would.
static inline bool
odl_test_refuse_filters (int error)
{
  scmp_filter_ctx context = seccomp_init (SCMP_ACT_ALLOW);
  const struct scmp_arg_cmp set = { 0, SCMP_CMP_EQ, PR_SET_SECCOMP, 0 };
  const uint32_t refused = SCMP_ACT_ERRNO (error);

  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const bool done
      = seccomp_rule_add (context, refused, SCMP_SYS (seccomp), 0) == 0
        && seccomp_rule_add_array (context, refused, SCMP_SYS (prctl), 1, &set) == 0
        && seccomp_load (context) == 0;
  seccomp_release (context);
  return done;
}

// Simulates a kernel without Landlock, so that only the system call filter is tested.
static inline bool
odl_test_refuse_landlock (void)
{
  scmp_filter_ctx context = seccomp_init (SCMP_ACT_ALLOW);

  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const bool done = seccomp_rule_add (context, SCMP_ACT_ERRNO (ENOSYS),
                                      SCMP_SYS (landlock_create_ruleset), 0)
                        == 0
                    && seccomp_load (context) == 0;
  seccomp_release (context);
  return done;
}
