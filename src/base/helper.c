// SPDX-License-Identifier: MIT
#include "base/helper.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <linux/futex.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

// Room for the descriptors of a message.
typedef union {
  struct cmsghdr header;
  char bytes[CMSG_SPACE (sizeof (int) * ODL_MESSAGE_MAX_FDS)];
} Control;

// By a futex that nobody wakes: the sandbox of a helper has no other way to sleep.
static void
wait_a_moment (void)
{
  static const uint32_t never = 0;
  const struct timespec moment = { .tv_nsec = 1000000 };

  syscall (SYS_futex, &never, FUTEX_WAIT_PRIVATE, 0, &moment, NULL, 0);
}

bool
odl_message_send (int socket_fd, const OdlMessage *message, int flags)
{
  const size_t fds_bytes = sizeof (int) * (size_t) message->n_fds;
  Control control = { 0 };
  struct msghdr out = { .msg_iov = (struct iovec *) message->parts,
                        .msg_iovlen = G_N_ELEMENTS (message->parts) };
  ssize_t n;

  if (message->n_fds > 0) {
    out.msg_control = &control;
    out.msg_controllen = CMSG_SPACE (fds_bytes);
    control.header = (struct cmsghdr){ CMSG_LEN (fds_bytes), SOL_SOCKET, SCM_RIGHTS };
    memcpy (CMSG_DATA (&control.header), message->fds, fds_bytes);
  }
  // Of all of a user's processes together, no more descriptors may be on their way than
  // the sender may have open, which in a helper are few: others are taken meanwhile.
  while ((n = sendmsg (socket_fd, &out, flags | MSG_NOSIGNAL)) < 0
         && (errno == EINTR || errno == ETOOMANYREFS))
    if (errno == ETOOMANYREFS)
      wait_a_moment ();
  return n >= 0;
}

static void
take_descriptors (struct msghdr *from, OdlMessage *message)
{
  const int most = message->n_fds;

  message->n_fds = 0;
  for (struct cmsghdr *part = CMSG_FIRSTHDR (from); part != NULL;
       part = CMSG_NXTHDR (from, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
      continue;
    const size_t n = (part->cmsg_len - CMSG_LEN (0)) / sizeof (int);
    for (size_t i = 0; i < n; i++) {
      int fd;
      memcpy (&fd, CMSG_DATA (part) + i * sizeof fd, sizeof fd);
      if (message->n_fds < most)
        message->fds[message->n_fds++] = fd;
      else
        close (fd);
    }
  }
}

size_t
odl_message_receive (int socket_fd, OdlMessage *message, int flags)
{
  Control control;
  struct msghdr in = { .msg_iov = message->parts,
                       .msg_iovlen = G_N_ELEMENTS (message->parts),
                       .msg_control = &control,
                       .msg_controllen = sizeof control };
  ssize_t n;

  for (size_t i = 0; i < G_N_ELEMENTS (message->fds); i++)
    message->fds[i] = -1;
  do
    n = recvmsg (socket_fd, &in, flags | MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  if (n <= 0)
    message->n_fds = 0;
  if (n >= 0)
    take_descriptors (&in, message);
  return n > 0 ? (size_t) n : 0;
}

void
odl_helper_set_refused (GError **error)
{
  g_set_error_literal (
      error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
      _ ("this system refuses the sandbox (seccomp) that keeps a damaged or hostile file "
         "from doing harm. To open it all the same, allow files without a sandbox in the "
         "preferences, or set ODL_SANDBOX=optional"));
}
