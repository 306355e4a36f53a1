// SPDX-License-Identifier: MIT
// Starts the program of the helper with the descriptors that it expects.
#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

// Where the program of the helper is: ODL_DECODER, the build tree (so that nothing need
// be installed to run), or the installed place. Transfer full.
char *odl_decoder_program (void);

// A descriptor of the caller's and the number by which the helper knows it, at most
// ODL_DECODER_LIFE_FD.
typedef struct {
  int given_fd;
  int number;
} OdlDecoderGift;

// Starts argv[0] with copies of these descriptors and no others. Returns an errno, 0 for
// success.
int odl_decoder_spawn (const OdlDecoderGift *gifts,
                       size_t n_gifts,
                       char *const *argv,
                       pid_t *pid);

G_END_DECLS
