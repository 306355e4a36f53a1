// SPDX-License-Identifier: MIT
#include "video_decoder/exchange.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

bool
odl_video_take_order (OdlVideoOrder *order, int *fd)
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
    n = recvmsg (ODL_VIDEO_SOCKET_FD, &message, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  *fd = n > 0 ? take_descriptor (&message) : -1;
  if (n == sizeof *order && order->magic == ODL_VIDEO_MAGIC
      && order->version == ODL_VIDEO_VERSION && order->kind < ODL_VIDEO_N_ORDERS)
    return true;
  if (*fd >= 0)
    close (*fd);
  return false;
}

bool
odl_video_is_wanted (void)
{
  struct pollfd look = { .fd = ODL_VIDEO_SOCKET_FD, .events = POLLIN };

  return poll (&look, 1, 0) > 0;
}

bool
odl_video_answer (OdlVideoReply *reply, const OdlVideoTexts *texts)
{
  char text[ODL_VIDEO_MAX_TEXT];
  size_t n = 0;

  for (int i = 0; i < ODL_VIDEO_N_TEXTS; i++) {
    const char *from = texts != NULL && texts->texts[i] != NULL ? texts->texts[i] : "";
    g_autofree char *valid = g_utf8_make_valid (from, -1);
    // A part each, so that none is left out.
    char *cut = g_utf8_substring (
        valid, 0,
        MIN (g_utf8_strlen (valid, -1), (long) (sizeof text / ODL_VIDEO_N_TEXTS / 5)));
    const size_t bytes = strlen (cut) + 1;
    memcpy (text + n, cut, bytes);
    n += bytes;
    g_free (cut);
  }
  reply->magic = ODL_VIDEO_MAGIC;
  reply->version = ODL_VIDEO_VERSION;
  reply->text_bytes = (uint32_t) n;
  struct iovec parts[] = { { reply, sizeof *reply }, { text, n } };
  struct msghdr message = { .msg_iov = parts, .msg_iovlen = G_N_ELEMENTS (parts) };
  return sendmsg (ODL_VIDEO_SOCKET_FD, &message, MSG_NOSIGNAL) >= 0;
}
