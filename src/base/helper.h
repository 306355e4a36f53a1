// SPDX-License-Identifier: MIT
// Shared by helper processes and the program that starts them: descriptor numbers,
// command line words, and messages that carry descriptors.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/uio.h>

G_BEGIN_DECLS

// Descriptors that a helper starts with: the input file; a SOCK_SEQPACKET socket to the
// parent; and the read end of a pipe whose write end only the parent holds, so that the
// helper notices the parent's exit. ODL_HELPER_LIFE_FD is the highest number allowed;
// see decoder/sandbox.c.
#define ODL_HELPER_FILE_FD 3
#define ODL_HELPER_SOCKET_FD 4
#define ODL_HELPER_LIFE_FD 15

// Command line argument: whether the helper may run where the kernel refuses the system
// call filter.
#define ODL_HELPER_SANDBOX_REQUIRED "required"
#define ODL_HELPER_SANDBOX_OPTIONAL "optional"

// Most descriptors per message.
#define ODL_MESSAGE_MAX_FDS 4

typedef struct {
  struct iovec parts[2]; // the second one may be empty
  int fds[ODL_MESSAGE_MAX_FDS];
  int n_fds; // descriptors to send; for receiving, in: capacity, out: number received
} OdlMessage;

// Sends a message with duplicates of its descriptors; `flags` as for sendmsg. False if
// the peer has closed its end or, with MSG_DONTWAIT, its queue is full.
bool odl_message_send (int socket_fd, const OdlMessage *message, int flags);

// Receives a message; bytes beyond the parts are discarded. The caller owns received
// descriptors; surplus ones are closed, and unused entries of `fds` are −1. Returns the
// number of bytes; 0 if the peer has closed its end or, with MSG_DONTWAIT, no message is
// queued.
size_t odl_message_receive (int socket_fd, OdlMessage *message, int flags);

// Sets ODL_ERROR_UNSUPPORTED: the kernel refused the sandbox.
void odl_helper_set_refused (GError **error);

G_END_DECLS
