// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/decoder_nursery.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "source/decoder_spawn.h"

// One that does not answer for so long is given up.
#define PATIENCE_S 20

typedef struct {
  GMutex mutex;
  int users;
  bool useless; // it was tried; until the last user goes
  pid_t pid; // 0: none runs
  int socket_fd;
  int life_fd;
} Nursery;

// The only one.
static Nursery *
get (void)
{
  static Nursery nursery = { 0 };

  return &nursery;
}

static void
end (Nursery *nursery)
{
  if (nursery->pid == 0)
    return;
  close (nursery->socket_fd);
  close (nursery->life_fd);
  kill (nursery->pid, SIGKILL);
  while (waitpid (nursery->pid, NULL, 0) < 0 && errno == EINTR)
    ;
  nursery->pid = 0;
}

void
odl_decoder_nursery_open (void)
{
  Nursery *nursery = get ();

  g_mutex_lock (&nursery->mutex);
  nursery->users++;
  g_mutex_unlock (&nursery->mutex);
}

void
odl_decoder_nursery_close (void)
{
  Nursery *nursery = get ();

  g_mutex_lock (&nursery->mutex);
  if (--nursery->users == 0) {
    end (nursery);
    nursery->useless = false;
  }
  g_mutex_unlock (&nursery->mutex);
}

static bool
start (Nursery *nursery)
{
  const struct timeval patience = { PATIENCE_S, 0 };
  g_autofree char *program = odl_decoder_program ();
  char *argv[] = { program, (char *) ODL_DECODER_NURSERY, NULL };
  int sockets[2], life[2];

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0)
    return false;
  if (pipe2 (life, O_CLOEXEC) < 0) {
    close (sockets[0]);
    close (sockets[1]);
    return false;
  }
  setsockopt (sockets[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt (sockets[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const OdlDecoderGift gifts[] = {
    { sockets[1], ODL_DECODER_SOCKET_FD },
    { life[0], ODL_DECODER_LIFE_FD },
  };
  const bool started
      = odl_decoder_spawn (gifts, G_N_ELEMENTS (gifts), argv, &nursery->pid) == 0;
  close (sockets[1]);
  close (life[0]);
  nursery->socket_fd = sockets[0];
  nursery->life_fd = life[1];
  if (!started) {
    nursery->pid = 0;
    close (sockets[0]);
    close (life[1]);
  }
  return started;
}

static bool
ask (const Nursery *nursery, const OdlDecoderBirth *birth, const int *fds, pid_t *pid)
{
  OdlDecoderBorn born = { 0 };
  struct iovec part = { (void *) birth, sizeof *birth };
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (sizeof (int) * ODL_DECODER_BIRTH_FDS)];
  } control = { 0 };
  struct msghdr message = { .msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = &control,
                            .msg_controllen = sizeof control };
  ssize_t n;

  control.header = (struct cmsghdr){ CMSG_LEN (sizeof (int) * ODL_DECODER_BIRTH_FDS),
                                     SOL_SOCKET, SCM_RIGHTS };
  memcpy (CMSG_DATA (&control.header), fds, sizeof (int) * ODL_DECODER_BIRTH_FDS);
  if (sendmsg (nursery->socket_fd, &message, MSG_NOSIGNAL) != sizeof *birth)
    return false;
  do
    n = recv (nursery->socket_fd, &born, sizeof born, 0);
  while (n < 0 && errno == EINTR);
  *pid = born.pid;
  return n == sizeof born && born.magic == ODL_DECODER_MAGIC
         && born.version == ODL_DECODER_VERSION && born.pid > 0;
}

bool
odl_decoder_nursery_fork (const OdlDecoderBirth *birth,
                          const int fds[ODL_DECODER_BIRTH_FDS],
                          pid_t *pid)
{
  Nursery *nursery = get ();
  bool done = false;

  g_mutex_lock (&nursery->mutex);
  if (nursery->users > 0 && !nursery->useless) {
    done = (nursery->pid != 0 || start (nursery)) && ask (nursery, birth, fds, pid);
    if (!done) {
      end (nursery);
      nursery->useless = true;
    }
  }
  g_mutex_unlock (&nursery->mutex);
  return done;
}
