// SPDX-License-Identifier: MIT
// A fork server for helpers: a helper process that is loaded and initialised once and
// forks a sandboxed helper for each file. The fork is a child of this process. The
// fork server itself never reads any file's data.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "decoder/protocol.h"

G_BEGIN_DECLS

// Enables the fork server, where supported, until closed as often as opened. Any
// thread.
void odl_decoder_nursery_open (void);
void odl_decoder_nursery_close (void);

// Forks a helper with the descriptors `fds`, in the order of OdlDecoderBirth. False:
// no fork server, or it has failed; start the program instead.
bool odl_decoder_nursery_fork (const OdlDecoderBirth *birth,
                               const int fds[ODL_DECODER_BIRTH_FDS],
                               pid_t *pid);

G_END_DECLS
