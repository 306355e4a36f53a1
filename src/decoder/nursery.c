// SPDX-License-Identifier: MIT
#include "decoder/nursery.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool
receive (OdlMessage *message)
{
  const OdlDecoderBirth *birth = message->parts[0].iov_base;

  return odl_message_receive (ODL_HELPER_SOCKET_FD, message, 0) == sizeof *birth
         && birth->magic == ODL_DECODER_MAGIC && birth->version == ODL_DECODER_VERSION
         && message->n_fds == ODL_DECODER_BIRTH_FDS;
}

// Every descriptor gets its number, out of the way of the others first.
static bool
take_places (const int fds[ODL_DECODER_BIRTH_FDS])
{
  static const int places[ODL_DECODER_BIRTH_FDS]
      = { ODL_HELPER_FILE_FD, ODL_HELPER_SOCKET_FD, ODL_DECODER_PICTURE_FD,
          ODL_HELPER_LIFE_FD };
  int copies[ODL_DECODER_BIRTH_FDS];
  bool done = true;

  for (int i = 0; i < ODL_DECODER_BIRTH_FDS; i++)
    copies[i] = fcntl (fds[i], F_DUPFD_CLOEXEC, ODL_HELPER_LIFE_FD + 1);
  for (int fd = 3; fd <= ODL_HELPER_LIFE_FD; fd++)
    close (fd);
  for (int i = 0; i < ODL_DECODER_BIRTH_FDS; i++)
    done = done && dup2 (copies[i], places[i]) == places[i];
  close_range (ODL_HELPER_LIFE_FD + 1, ~0u, 0);
  return done;
}

bool
odl_nursery_run (OdlDecoderBirth *birth)
{
  OdlMessage message
      = { .parts = { { birth, sizeof *birth } }, .n_fds = ODL_DECODER_BIRTH_FDS };

  while (receive (&message)) {
    // A child of the parent, which waits for it as for one that it started.
    const long pid = syscall (SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
      return take_places (message.fds);
    OdlDecoderBorn born = { ODL_DECODER_MAGIC, ODL_DECODER_VERSION, (int32_t) pid };
    const OdlMessage answer = { .parts = { { &born, sizeof born } } };
    for (int i = 0; i < ODL_DECODER_BIRTH_FDS; i++)
      close (message.fds[i]);
    if (!odl_message_send (ODL_HELPER_SOCKET_FD, &answer, 0))
      return false;
  }
  return false;
}
