// SPDX-License-Identifier: MIT
// Starts a helper program with the descriptors it expects.
#pragma once

#include <glib.h>
#include <sys/types.h>

// A descriptor of the caller and its number in the helper, at most ODL_HELPER_LIFE_FD.
typedef struct {
  int given_fd;
  int number;
} OdlHelperFd;

// Starts argv[0] with duplicates of these descriptors and no others. Returns an errno,
// 0 for success.
int
odl_helper_spawn (const OdlHelperFd *fds, size_t n_fds, char *const *argv, pid_t *pid);
