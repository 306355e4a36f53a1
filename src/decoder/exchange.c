// SPDX-License-Identifier: MIT
#include "decoder/exchange.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "decoder/protocol.h"

// Replaces the previous frame's memory file, which is no longer needed, with the next
// one.
static void
take_picture (int fd)
{
  // It may already have this number.
  if (fd < 0 || fd == ODL_DECODER_PICTURE_FD)
    return;
  dup3 (fd, ODL_DECODER_PICTURE_FD, O_CLOEXEC);
  close (fd);
}

static bool
receive (OdlDecoderOrder *order, int *fd)
{
  OdlMessage message
      = { .parts = { { order, sizeof *order } }, .n_fds = ODL_DECODER_MAX_BROUGHT };
  const size_t n = odl_message_receive (ODL_HELPER_SOCKET_FD, &message, 0);
  int at = 0;

  if ((order->files & ODL_DECODER_BRINGS_PICTURE) != 0)
    take_picture (message.fds[at++]);
  *fd = (order->files & ODL_DECODER_BRINGS_FILE) != 0 ? message.fds[at] : -1;
  return n == sizeof *order && order->magic == ODL_DECODER_MAGIC
         && order->version == ODL_DECODER_VERSION;
}

bool
odl_decoder_file_size (int fd, uint64_t *size)
{
  struct stat status;

  // The C library's fstat uses a call that could name any file, which the sandbox
  // refuses.
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
send_request (const char *name)
{
  OdlDecoderReply reply = {
    .magic = ODL_DECODER_MAGIC,
    .version = ODL_DECODER_VERSION,
    .status = ODL_DECODER_WANTS_FILE,
    .text_bytes = (uint32_t) strlen (name) + 1,
  };
  const OdlMessage message
      = { .parts = { { &reply, sizeof reply }, { (char *) name, reply.text_bytes } } };

  return reply.text_bytes <= ODL_DECODER_MAX_NAME
         && odl_message_send (ODL_HELPER_SOCKET_FD, &message, 0);
}

int
odl_decoder_ask_file (const char *name, uint64_t *size, GError **error)
{
  OdlDecoderOrder order = { 0 };
  int fd = -1;

  if (send_request (name) && receive (&order, &fd) && fd >= 0
      && odl_decoder_file_size (fd, size))
    return fd;
  if (fd >= 0)
    close (fd);
  g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
               _ ("the file “%.200s” with its samples cannot be opened"), name);
  return -1;
}
