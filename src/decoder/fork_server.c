// SPDX-License-Identifier: MIT
#include "decoder/fork_server.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool
receive (OdlMessage *message)
{
  const OdlDecoderStart *request = message->parts[0].iov_base;

  return odl_message_receive (ODL_HELPER_SOCKET_FD, message, 0) == sizeof *request
         && request->magic == ODL_DECODER_MAGIC && request->version == ODL_DECODER_VERSION
         && message->n_fds == ODL_DECODER_START_FDS;
}

// Moves the descriptors to their numbers, via copies with high numbers.
static bool
take_places (const int fds[ODL_DECODER_START_FDS])
{
  static const int places[ODL_DECODER_START_FDS]
      = { ODL_HELPER_FILE_FD, ODL_HELPER_SOCKET_FD, ODL_DECODER_PICTURE_FD,
          ODL_HELPER_LIFE_FD };
  int copies[ODL_DECODER_START_FDS];
  bool done = true;

  for (int i = 0; i < ODL_DECODER_START_FDS; i++)
    copies[i] = fcntl (fds[i], F_DUPFD_CLOEXEC, ODL_HELPER_LIFE_FD + 1);
  for (int fd = 3; fd <= ODL_HELPER_LIFE_FD; fd++)
    close (fd);
  for (int i = 0; i < ODL_DECODER_START_FDS; i++)
    done = done && dup2 (copies[i], places[i]) == places[i];
  close_range (ODL_HELPER_LIFE_FD + 1, ~0u, 0);
  return done;
}

bool
odl_decoder_fork_server_run (OdlDecoderStart *request)
{
  OdlMessage message
      = { .parts = { { request, sizeof *request } }, .n_fds = ODL_DECODER_START_FDS };

  while (receive (&message)) {
    // CLONE_PARENT: the parent of the fork server becomes the child's parent and waits
    // for it.
    const long pid = syscall (SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
      return take_places (message.fds);
    OdlDecoderForked born = { ODL_DECODER_MAGIC, ODL_DECODER_VERSION, (int32_t) pid };
    const OdlMessage answer = { .parts = { { &born, sizeof born } } };
    for (int i = 0; i < ODL_DECODER_START_FDS; i++)
      close (message.fds[i]);
    if (!odl_message_send (ODL_HELPER_SOCKET_FD, &answer, 0))
      return false;
  }
  return false;
}
