// SPDX-License-Identifier: MIT
#include "decoder/nifti/gunzip.h"

#include <glib/gi18n-lib.h>
#include <zlib.h>

#include "base/error.h"

#define FIRST_BYTES ((size_t) 64 << 10)
#define BLOCK_BYTES ((size_t) 1 << 20)
#define GZIP_HEADER (15 + 16)

struct _OdlGunzip {
  z_stream stream;
  const uint8_t *packed;
  size_t packed_size;
  size_t taken; // bytes of `packed` given to zlib
  uint8_t *data;
  size_t size, room;
  bool ended;
  bool damaged;
};

bool
odl_gunzip_begins (const uint8_t *data, size_t size)
{
  return size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

OdlGunzip *
odl_gunzip_new (const uint8_t *packed, size_t size)
{
  OdlGunzip *gunzip = g_new0 (OdlGunzip, 1);

  gunzip->packed = packed;
  gunzip->packed_size = size;
  if (inflateInit2 (&gunzip->stream, GZIP_HEADER) == Z_OK)
    return gunzip;
  g_free (gunzip);
  return NULL;
}

void
odl_gunzip_free (OdlGunzip *gunzip)
{
  if (gunzip == NULL)
    return;
  inflateEnd (&gunzip->stream);
  g_free (gunzip->data);
  g_free (gunzip);
}

// Unpacks up to `size` bytes; returns their number.
static size_t
unpack (OdlGunzip *gunzip, uint8_t *to, size_t size)
{
  z_stream *stream = &gunzip->stream;
  const uInt room = (uInt) MIN (size, (size_t) 1 << 30);

  stream->next_out = to;
  stream->avail_out = room;
  while (stream->avail_out > 0 && !gunzip->ended) {
    if (stream->avail_in == 0) {
      const size_t n = MIN (gunzip->packed_size - gunzip->taken, (size_t) 1 << 30);
      stream->next_in = (uint8_t *) gunzip->packed + gunzip->taken;
      stream->avail_in = (uInt) n;
      gunzip->taken += n;
    }
    const int result = inflate (stream, Z_NO_FLUSH);
    if (result == Z_OK)
      continue;
    // Some programs pack blocks into a stream each, one after the other.
    if (result == Z_STREAM_END && odl_gunzip_begins (stream->next_in, stream->avail_in)
        && inflateReset (stream) == Z_OK)
      continue;
    gunzip->ended = true;
    gunzip->damaged = result != Z_STREAM_END;
  }
  return room - stream->avail_out;
}

static bool
grow (OdlGunzip *gunzip, size_t limit)
{
  const size_t room = MIN (MAX (2 * gunzip->room, FIRST_BYTES), limit);
  uint8_t *data = room > gunzip->room ? g_try_realloc (gunzip->data, room) : NULL;

  if (data == NULL)
    return false;
  gunzip->data = data;
  gunzip->room = room;
  return true;
}

static bool
set_too_large (uint64_t limit, GError **error)
{
  g_autofree char *most = g_format_size (limit);

  return odl_error_set (
      error, ODL_ERROR_TOO_LARGE,
      _ ("it unpacks to more than %s, which is more memory than a file of this size "
         "may take; unpack it with gunzip and open the result"),
      most);
}

bool
odl_gunzip_fill (OdlGunzip *gunzip, uint64_t wanted, size_t limit, GError **error)
{
  while (gunzip->size < wanted && !gunzip->ended) {
    if (gunzip->size == gunzip->room && !grow (gunzip, limit))
      return set_too_large (limit, error);
    gunzip->size += unpack (gunzip, gunzip->data + gunzip->size,
                            (size_t) MIN (gunzip->room, wanted) - gunzip->size);
  }
  return true;
}

bool
odl_gunzip_pass (OdlGunzip *gunzip, const OdlGunzipPass *pass, GError **error)
{
  g_autofree uint8_t *block = g_malloc (BLOCK_BYTES);
  uint64_t done = 0;

  while (done < pass->wanted && !gunzip->ended) {
    const size_t n
        = unpack (gunzip, block, (size_t) MIN (BLOCK_BYTES, pass->wanted - done));
    if (n > pass->limit - done)
      return set_too_large (pass->limit, error);
    if (n > 0 && !pass->take (pass->data, block, n, error))
      return false;
    done += n;
  }
  return true;
}

const uint8_t *
odl_gunzip_data (const OdlGunzip *gunzip, size_t *size)
{
  *size = gunzip->size;
  return gunzip->data;
}

uint8_t *
odl_gunzip_steal (OdlGunzip *gunzip)
{
  return g_steal_pointer (&gunzip->data);
}

bool
odl_gunzip_is_damaged (OdlGunzip *gunzip)
{
  uint8_t next;

  // The checksum follows the last byte.
  if (!gunzip->ended)
    unpack (gunzip, &next, 1);
  gunzip->ended = true;
  return gunzip->damaged;
}
