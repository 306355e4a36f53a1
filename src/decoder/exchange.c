// SPDX-License-Identifier: MIT
#include "config.h"

#include "decoder/exchange.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "decoder/protocol.h"

// Takes the first descriptors that came with `message`, up to ODL_DECODER_MAX_BROUGHT;
// the others are −1.
static void
take_descriptors (struct msghdr *message, int *taken)
{
  int n = 0;

  for (struct cmsghdr *part = CMSG_FIRSTHDR (message); part != NULL;
       part = CMSG_NXTHDR (message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
      continue;
    const size_t n_here = (part->cmsg_len - CMSG_LEN (0)) / sizeof (int);
    for (size_t i = 0; i < n_here && n < ODL_DECODER_MAX_BROUGHT; i++)
      memcpy (&taken[n++], CMSG_DATA (part) + i * sizeof (int), sizeof (int));
  }
  while (n < ODL_DECODER_MAX_BROUGHT)
    taken[n++] = -1;
}

// The memory file of the next frame takes the place of the last one, which was sent or is
// of no use any more.
static void
take_picture (int fd)
{
  // Its number may be the one that became free.
  if (fd < 0 || fd == ODL_DECODER_PICTURE_FD)
    return;
  dup3 (fd, ODL_DECODER_PICTURE_FD, O_CLOEXEC);
  close (fd);
}

static bool
receive (OdlDecoderOrder *order, int *fd)
{
  struct iovec part = { order, sizeof *order };
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (sizeof (int) * ODL_DECODER_MAX_BROUGHT)];
  } control = { 0 };
  int brought[ODL_DECODER_MAX_BROUGHT] = { -1, -1 };
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
  if (n > 0)
    take_descriptors (&message, brought);
  int at = 0;
  if ((order->files & ODL_DECODER_BRINGS_PICTURE) != 0)
    take_picture (brought[at++]);
  *fd = (order->files & ODL_DECODER_BRINGS_FILE) != 0 ? brought[at] : -1;
  return n == sizeof *order && order->magic == ODL_DECODER_MAGIC
         && order->version == ODL_DECODER_VERSION;
}

bool
odl_decoder_file_size (int fd, uint64_t *size)
{
  struct stat status;

  // The C library asks by a call that could name any file, which the sandbox refuses.
  if (syscall (SYS_fstat, fd, &status) != 0 || !S_ISREG (status.st_mode))
    return false;
  *size = (uint64_t) status.st_size;
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
  int fd = -1;

  if (send_wish (name) && receive (&order, &fd) && fd >= 0
      && odl_decoder_file_size (fd, size))
    return fd;
  if (fd >= 0)
    close (fd);
  g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
               _ ("the file “%.200s” with its samples cannot be opened"), name);
  return -1;
}
