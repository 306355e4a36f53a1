// SPDX-License-Identifier: MIT
#include "video_decoder/exchange.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

bool
odl_video_take_order (OdlVideoOrder *order, int *fd)
{
  OdlMessage message = { .parts = { { order, sizeof *order } }, .n_fds = 1 };
  const size_t n = odl_message_receive (ODL_HELPER_SOCKET_FD, &message, 0);

  *fd = message.fds[0];
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
  struct pollfd look = { .fd = ODL_HELPER_SOCKET_FD, .events = POLLIN };

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
    // Each text gets an equal share of the limit.
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
  const OdlMessage message = { .parts = { { reply, sizeof *reply }, { text, n } } };
  return odl_message_send (ODL_HELPER_SOCKET_FD, &message, 0);
}
