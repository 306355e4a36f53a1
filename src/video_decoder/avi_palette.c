// SPDX-License-Identifier: MIT
#include "video_decoder/avi_palette.h"

#include <string.h>
#include <unistd.h>

// Chunks looked at on one level.
#define MAX_CHUNKS 100

// The fields of BITMAPINFOHEADER, at whose begin its size stands; the palette follows.
#define HEADER_BYTES 40

// From one place in the file to another.
typedef struct {
  guint64 start, end;
} Range;

static bool
read_at (int fd, guint64 offset, guint8 *to, size_t bytes)
{
  return pread (fd, to, bytes, (off_t) offset) == (ssize_t) bytes;
}

static guint32
number (const guint8 *at)
{
  return at[0] | (guint32) at[1] << 8 | (guint32) at[2] << 16 | (guint32) at[3] << 24;
}

// What the chunk `name` holds, the `skip` first ones left out; of lists, which are named
// by the four letters behind their size, what follows these.
static bool
find_chunk (int fd, Range in, const char *name, bool is_list, int skip, Range *found)
{
  guint64 at = in.start;

  for (int i = 0; i < MAX_CHUNKS && at + 8 <= in.end; i++) {
    guint8 head[12] = { 0 };
    if (!read_at (fd, at, head, is_list ? 12 : 8))
      return false;
    const guint64 size = number (head + 4);
    const guint8 *letters = is_list ? head + 8 : head;
    if (memcmp (letters, name, 4) == 0 && (!is_list || memcmp (head, "LIST", 4) == 0)
        && skip-- == 0) {
      *found = (Range){ at + (is_list ? 12 : 8), MIN (at + 8 + size, in.end) };
      return found->start <= found->end;
    }
    at += 8 + size + size % 2;
  }
  return false;
}

static bool
is_video (int fd, Range stream)
{
  guint8 kind[4];
  Range header;

  return find_chunk (fd, stream, "strh", false, 0, &header)
         && read_at (fd, header.start, kind, 4) && memcmp (kind, "vids", 4) == 0;
}

bool
odl_avi_palette_read (int fd, guint8 colours[ODL_AVI_PALETTE_BYTES])
{
  guint8 head[HEADER_BYTES];
  Range lists, stream, format;

  memset (colours, 0, ODL_AVI_PALETTE_BYTES);
  if (!read_at (fd, 0, head, 12) || memcmp (head, "RIFF", 4) != 0
      || memcmp (head + 8, "AVI ", 4) != 0
      || !find_chunk (fd, (Range){ 12, G_MAXUINT32 }, "hdrl", true, 0, &lists))
    return false;
  for (int i = 0; find_chunk (fd, lists, "strl", true, i, &stream); i++) {
    if (!is_video (fd, stream))
      continue;
    if (!find_chunk (fd, stream, "strf", false, 0, &format)
        || format.end - format.start < HEADER_BYTES
        || !read_at (fd, format.start, head, HEADER_BYTES) || number (head) < HEADER_BYTES
        || number (head) >= format.end - format.start)
      return false;
    const guint64 bytes = format.end - format.start - number (head);
    return read_at (fd, format.start + number (head), colours,
                    MIN (bytes, ODL_AVI_PALETTE_BYTES));
  }
  return false;
}
