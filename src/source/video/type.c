// SPDX-License-Identifier: MIT
#include "source/video/type.h"

#include <glib.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "source/source_file.h"
#include "source/still.h"
#include "source/video/client.h"

// Signatures.
static const struct {
  size_t offset;
  const char *bytes;
  size_t n_bytes;
} signatures[] = {
  { 4, "ftyp", 4 }, // MP4, QuickTime
  { 4, "moov", 4 },
  { 4, "mdat", 4 },
  { 4, "wide", 4 },
  { 0, "\x1a\x45\xdf\xa3", 4 }, // Matroska, WebM
  { 8, "AVI ", 4 },
  { 0, "\x00\x00\x01\xba", 4 }, // MPEG program stream
  { 0, "\x00\x00\x01\xb3", 4 }, // MPEG video
  { 0, "OggS", 4 },
  { 0, "FLV\x01", 4 },
  { 0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", 8 }, // Windows Media
  { 0, "YUV4MPEG2 ", 10 },
};

// Still picture formats in the same container.
static const char *const still_brands[] = { "heic", "heix", "mif1", "miaf", "msf1" };

// A motion JPEG stream starts like a JPEG file, and JPEG files may contain a second
// picture (gain map, stereo), so only the name tells.
static const char *const jpeg_stream_names[] = { ".mjpeg", ".mjpg" };

static bool
is_transport_stream (const uint8_t *head, size_t n_head)
{
  return n_head > 376 && head[0] == 0x47 && head[188] == 0x47 && head[376] == 0x47;
}

static bool
is_jpeg_stream (const char *location, const uint8_t *head, size_t n_head)
{
  g_autofree char *name = g_ascii_strdown (location, -1);

  for (size_t i = 0; i < G_N_ELEMENTS (jpeg_stream_names); i++)
    if (g_str_has_suffix (name, jpeg_stream_names[i]))
      return n_head >= 3 && memcmp (head, "\xff\xd8\xff", 3) == 0;
  return false;
}

bool
odl_video_type_is_known (const char *location, const uint8_t *head, size_t n_head)
{
  if (g_strcmp0 (odl_still_format (head, n_head), "avif") == 0)
    return false;
  for (size_t i = 0; i < G_N_ELEMENTS (still_brands); i++)
    if (n_head >= 12 && memcmp (head + 4, "ftyp", 4) == 0
        && memcmp (head + 8, still_brands[i], 4) == 0)
      return false;
  for (size_t i = 0; i < G_N_ELEMENTS (signatures); i++)
    if (n_head >= signatures[i].offset + signatures[i].n_bytes
        && memcmp (head + signatures[i].offset, signatures[i].bytes,
                   signatures[i].n_bytes)
               == 0)
      return true;
  return is_transport_stream (head, n_head) || is_jpeg_stream (location, head, n_head);
}

bool
odl_video_type_is_recognised (const char *location, GCancellable *cancellable)
{
  OdlSourceFile file;

  if (!odl_source_file_open (location, &file, NULL))
    return false;
  const bool yes = odl_video_client_recognise (file.fd, cancellable);
  close (file.fd);
  return yes;
}

// The word of a header line that begins with `letter`, without it; NULL: there is none.
static char *
word_of (const char *line, char letter)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);

  for (int i = 1; words[0] != NULL && words[i] != NULL; i++)
    if (words[i][0] == letter)
      return g_strdup (words[i] + 1);
  return NULL;
}

bool
odl_video_type_is_understood (int fd, GError **error)
{
  static const char *const understood[]
      = { "420", "420jpeg", "420mpeg2", "420paldv", "422", "444", NULL };
  char head[ODL_SOURCE_HEAD_BYTES + 1] = "";
  const ssize_t n = pread (fd, head, ODL_SOURCE_HEAD_BYTES, 0);

  if (n <= 0 || !g_str_has_prefix (head, "YUV4MPEG2 "))
    return true;
  head[strcspn (head, "\n")] = '\0';
  g_autofree char *samples = word_of (head, 'C');
  if (samples == NULL || g_strv_contains (understood, samples))
    return true;
  g_autofree char *shown = g_utf8_make_valid (samples, -1);
  return odl_error_set (
      error, ODL_ERROR_UNSUPPORTED,
      _ ("its samples are of the kind “%.40s”; of Y4M only 4:2:0, 4:2:2 "
         "and 4:4:4 of 8 bits are read"),
      shown);
}
