// SPDX-License-Identifier: MIT
// A helper that is loaded and set up once and forks another one for each file: what is
// forked is a child of this process, walled in as if it had been started alone. The one
// that forks never sees a byte of a file.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "decoder/protocol.h"

G_BEGIN_DECLS

// From now on helpers are forked where that can be done, until it was closed as often as
// it was opened. Any thread.
void odl_decoder_nursery_open (void);
void odl_decoder_nursery_close (void);

// Has a helper forked that gets the descriptors of `fds`, in the order of
// OdlDecoderBirth. False: there is no nursery, or it is of no use any more; start the
// program.
bool odl_decoder_nursery_fork (const OdlDecoderBirth *birth,
                               const int fds[ODL_DECODER_BIRTH_FDS],
                               pid_t *pid);

G_END_DECLS
