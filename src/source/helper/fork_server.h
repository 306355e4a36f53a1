// SPDX-License-Identifier: MIT
// A fork server for helpers: a helper process that is loaded and initialised once and
// forks a sandboxed helper for each file. The fork is a child of this process. The
// fork server itself never reads any file's data.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "decoder/protocol.h"
#include "source/helper/process.h"

// Description of the helper program, forked or not.
extern const OdlHelperKind odl_decoder_kind;

// Enables the fork server, where supported, until closed as often as opened. Any
// thread.
void odl_fork_server_open (void);
void odl_fork_server_close (void);

// Forks a helper with the descriptors `fds`, in the order of OdlDecoderStart. False:
// no fork server, or it has failed; start the program instead.
bool odl_fork_server_fork (const OdlDecoderStart *request,
                           const int fds[ODL_DECODER_START_FDS],
                           pid_t *pid);
