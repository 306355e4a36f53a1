// SPDX-License-Identifier: MIT
// What helper processes and the program that starts them have in common: the numbers of
// descriptors, words of the command line, and messages that bring descriptors.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/uio.h>

G_BEGIN_DECLS

// By these numbers a helper knows its input, a SOCK_SEQPACKET socket to the program, and
// the reading end of a pipe whose other end the program alone has: the helper is ended
// with that. The last one is the last of all; see decoder/sandbox.c.
#define ODL_HELPER_FILE_FD 3
#define ODL_HELPER_SOCKET_FD 4
#define ODL_HELPER_LIFE_FD 15

// An argument: whether the helper may go on where the kernel refuses to filter system
// calls.
#define ODL_HELPER_SANDBOX_REQUIRED "required"
#define ODL_HELPER_SANDBOX_OPTIONAL "optional"

// That one message can bring.
#define ODL_MESSAGE_MAX_FDS 4

typedef struct {
  struct iovec parts[2]; // the second one may be empty
  int fds[ODL_MESSAGE_MAX_FDS];
  int n_fds; // that are sent; or that are taken at most, and then those that were
} OdlMessage;

// Sends a message, with copies of its descriptors; `flags` are those of sendmsg. False:
// nobody is there, or with MSG_DONTWAIT does not listen.
bool odl_message_send (int socket_fd, const OdlMessage *message, int flags);

// Receives a message; what is longer than its parts is lost. Descriptors that are taken
// become the caller's; further ones are closed, and the rest of `fds` is −1. Bytes; 0:
// nobody is there any more, or with MSG_DONTWAIT nothing.
size_t odl_message_receive (int socket_fd, OdlMessage *message, int flags);

// That the kernel refused what keeps a file from doing harm: ODL_ERROR_UNSUPPORTED.
void odl_helper_set_refused (GError **error);

G_END_DECLS
