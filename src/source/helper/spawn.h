// SPDX-License-Identifier: MIT
// Starts the program of a helper with the descriptors that it expects.
#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

// A descriptor of the caller's and the number by which the helper knows it, at most
// ODL_HELPER_LIFE_FD.
typedef struct {
  int given_fd;
  int number;
} OdlHelperGift;

// Starts argv[0] with copies of these descriptors and no others. Returns an errno, 0 for
// success.
int odl_helper_spawn (const OdlHelperGift *gifts,
                      size_t n_gifts,
                      char *const *argv,
                      pid_t *pid);

G_END_DECLS
