// SPDX-License-Identifier: MIT
#include "decoder/room.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "decoder/exchange.h"
#include "decoder/protocol.h"

bool
odl_room_borrow (OdlRoom *room, uint64_t expected)
{
  g_autofree char *name = g_strdup_printf (ODL_DECODER_ROOM "%" PRIu64, expected);
  uint64_t size = 0;

  *room = (OdlRoom){ .fd = odl_decoder_ask_file (name, &size, NULL) };
  return room->fd >= 0;
}

bool
odl_room_add (OdlRoom *room, const void *bytes, size_t n, GError **error)
{
  for (size_t done = 0; done < n;) {
    const ssize_t written = pwrite (room->fd, (const uint8_t *) bytes + done, n - done,
                                    (off_t) (room->n + done));
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      g_autofree char *there = g_format_size (room->n + done);
      g_set_error (error, ODL_ERROR, ODL_ERROR_IO,
                   _ ("its unpacked samples find no place after %s of them (%s): they go "
                      "into the cache folder; make room there, or write it with "
                      "“encoding: raw”"),
                   there, g_strerror (errno));
      return false;
    }
    done += (size_t) written;
  }
  room->n += n;
  return true;
}

void *
odl_room_take (OdlRoom *room, size_t *n)
{
  void *mapped = room->n > 0
                     ? mmap (NULL, (size_t) room->n, PROT_READ, MAP_SHARED, room->fd, 0)
                     : MAP_FAILED;

  *n = (size_t) room->n;
  close (room->fd);
  room->fd = -1;
  return mapped != MAP_FAILED ? mapped : NULL;
}
