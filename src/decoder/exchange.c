// SPDX-License-Identifier: MIT
#include "config.h"

#include "decoder/exchange.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "decoder/protocol.h"
#include "decoder/sandbox.h"

// Takes the first descriptor that came with `message`, closes any other.
static int
take_descriptor (struct msghdr *message)
{
  int taken = -1;

  for (struct cmsghdr *part = CMSG_FIRSTHDR (message); part != NULL;
       part = CMSG_NXTHDR (message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
      continue;
    int fd;
    memcpy (&fd, CMSG_DATA (part), sizeof fd);
    if (taken < 0)
      taken = fd;
    else
      close (fd);
  }
  return taken;
}

static bool
receive (OdlDecoderOrder *order, int *fd)
{
  struct iovec part = { order, sizeof *order };
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (sizeof (int))];
  } control = { 0 };
  struct msghdr message = {
    .msg_iov = &part,
    .msg_iovlen = 1,
    .msg_control = &control,
    .msg_controllen = sizeof control,
  };
  ssize_t n;

  do
    n = recvmsg (ODL_DECODER_SOCKET_FD, &message, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  *fd = n > 0 ? take_descriptor (&message) : -1;
  if (n != sizeof *order || order->magic != ODL_DECODER_MAGIC
      || order->version != ODL_DECODER_VERSION)
    return false;
  odl_sandbox_renew_time (order->cpu_seconds);
  return true;
}

bool
odl_decoder_take_order (uint32_t *frame, int *fd)
{
  OdlDecoderOrder order = { 0 };
  const bool sane = receive (&order, fd);

  if (!sane && *fd >= 0)
    close (*fd);
  *frame = order.frame;
  return sane;
}

static bool
send_wish (const char *name)
{
  OdlDecoderReply reply = {
    .magic = ODL_DECODER_MAGIC,
    .version = ODL_DECODER_VERSION,
    .status = ODL_DECODER_WANTS_FILE,
    .text_bytes = (uint32_t) strlen (name) + 1,
  };
  struct iovec parts[] = {
    { &reply, sizeof reply },
    { (char *) name, reply.text_bytes },
  };
  struct msghdr message = { .msg_iov = parts, .msg_iovlen = G_N_ELEMENTS (parts) };

  return reply.text_bytes <= ODL_DECODER_MAX_NAME
         && sendmsg (ODL_DECODER_SOCKET_FD, &message, MSG_NOSIGNAL) >= 0;
}

int
odl_decoder_ask_file (const char *name, uint64_t *size, GError **error)
{
  OdlDecoderOrder order = { 0 };
  struct stat status;
  int fd = -1;

  if (send_wish (name) && receive (&order, &fd) && fd >= 0 && fstat (fd, &status) == 0
      && S_ISREG (status.st_mode)) {
    *size = (uint64_t) status.st_size;
    return fd;
  }
  if (fd >= 0)
    close (fd);
  g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
               _ ("the file “%.200s” with its samples cannot be opened"), name);
  return -1;
}
