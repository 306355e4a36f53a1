// SPDX-License-Identifier: MIT
// What is tried in a child of the test, behind walls that it cannot leave again.
#pragma once

#include <errno.h>
#include <glib.h>
#include <seccomp.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// What such children end with.
enum {
  ODL_TEST_HELD = 0,
  ODL_TEST_NOT_HELD,
  ODL_TEST_NO_WALL = 77, // the kernel does not have it
};

// Runs in a child; what it returned, or 256 and the signal that ended it.
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

// From now on denies what makes a filter of system calls, by the word of a kernel that
// lacks it, or of an outer sandbox.
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

// From now on the kernel has no Landlock, as older ones: what holds then, the filter of
// system calls holds.
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
