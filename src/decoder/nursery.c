// SPDX-License-Identifier: MIT
#include "decoder/nursery.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool
receive (OdlDecoderBirth *birth, int fds[ODL_DECODER_BIRTH_FDS])
{
  struct iovec part = { birth, sizeof *birth };
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (sizeof (int) * ODL_DECODER_BIRTH_FDS)];
  } control = { 0 };
  struct msghdr message = { .msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = &control,
                            .msg_controllen = sizeof control };
  const size_t size = sizeof (int) * ODL_DECODER_BIRTH_FDS;
  ssize_t n;

  do
    n = recvmsg (ODL_DECODER_SOCKET_FD, &message, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  const struct cmsghdr *rights = CMSG_FIRSTHDR (&message);
  if (n != sizeof *birth || birth->magic != ODL_DECODER_MAGIC
      || birth->version != ODL_DECODER_VERSION || rights == NULL
      || rights->cmsg_len != CMSG_LEN (size))
    return false;
  memcpy (fds, CMSG_DATA (rights), size);
  return true;
}

// Every descriptor gets its number, out of the way of the others first.
static bool
take_places (const int fds[ODL_DECODER_BIRTH_FDS])
{
  static const int places[ODL_DECODER_BIRTH_FDS]
      = { ODL_DECODER_FILE_FD, ODL_DECODER_SOCKET_FD, ODL_DECODER_PICTURE_FD,
          ODL_DECODER_LIFE_FD };
  int copies[ODL_DECODER_BIRTH_FDS];
  bool done = true;

  for (int i = 0; i < ODL_DECODER_BIRTH_FDS; i++)
    copies[i] = fcntl (fds[i], F_DUPFD_CLOEXEC, ODL_DECODER_LIFE_FD + 1);
  for (int fd = 3; fd <= ODL_DECODER_LIFE_FD; fd++)
    close (fd);
  for (int i = 0; i < ODL_DECODER_BIRTH_FDS; i++)
    done = done && dup2 (copies[i], places[i]) == places[i];
  close_range (ODL_DECODER_LIFE_FD + 1, ~0u, 0);
  return done;
}

bool
odl_nursery_run (OdlDecoderBirth *birth)
{
  int fds[ODL_DECODER_BIRTH_FDS];

  while (receive (birth, fds)) {
    // A child of the parent, which waits for it as for one that it started.
    const long pid = syscall (SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
      return take_places (fds);
    OdlDecoderBorn born = { ODL_DECODER_MAGIC, ODL_DECODER_VERSION, (int32_t) pid };
    for (int i = 0; i < ODL_DECODER_BIRTH_FDS; i++)
      close (fds[i]);
    if (send (ODL_DECODER_SOCKET_FD, &born, sizeof born, MSG_NOSIGNAL) != sizeof born)
      return false;
  }
  return false;
}
