// SPDX-License-Identifier: MIT
#include "archive/alike.h"

#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "network/protocol.h"
#include "source/dicom/dicom.h"

#define PREAMBLE 132 // bytes before the first element (PS3.10 7.1)
#define HEAD_BYTES 1024 // in which the meta information stands that we write
#define LENGTH_BYTES 12 // of its first element, the group length

// Transfer Syntax UID (0002,0010), as meta information has it: explicit little endian.
static const char syntax_head[] = { 0x02, 0x00, 0x10, 0x00, 'U', 'I' };

// False: it does not say.
static bool
read_syntax (int fd, char syntax[ODL_NETWORK_UID])
{
  guint8 head[HEAD_BYTES];
  const ssize_t n = pread (fd, head, sizeof head, 0);
  const guint8 *at = n > PREAMBLE ? memmem (head + PREAMBLE, (size_t) n - PREAMBLE,
                                            syntax_head, sizeof syntax_head)
                                  : NULL;

  if (at == NULL || head + n - at < (ssize_t) sizeof syntax_head + 2)
    return false;
  at += sizeof syntax_head;
  const gsize size = at[0] | (gsize) at[1] << 8;
  at += 2;
  if (size == 0 || size >= ODL_NETWORK_UID || (gsize) (head + n - at) < size)
    return false;
  memcpy (syntax, at, size);
  syntax[size] = '\0';
  return true;
}

// Its data set without compression; NULL: it cannot be had.
static GBytes *
plain_data (const char *path)
{
  g_autoptr (GBytes) whole = odl_plain_file (path, false, NULL);
  gsize n = 0;
  const guint8 *bytes = whole != NULL ? g_bytes_get_data (whole, &n) : NULL;

  if (n < PREAMBLE + LENGTH_BYTES)
    return NULL;
  const guint8 *length = bytes + PREAMBLE + LENGTH_BYTES - 4;
  const gsize meta = length[0] | (gsize) length[1] << 8 | (gsize) length[2] << 16
                     | (gsize) length[3] << 24;
  const gsize begin = PREAMBLE + LENGTH_BYTES + meta;
  return begin < n ? g_bytes_new_from_bytes (whole, begin, n - begin) : NULL;
}

bool
odl_is_alike (int fd, const char *path)
{
  char ours[ODL_NETWORK_UID], theirs[ODL_NETWORK_UID];
  const int other = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  const bool differ = other >= 0 && read_syntax (fd, ours) && read_syntax (other, theirs)
                      && strcmp (ours, theirs) != 0;

  if (other >= 0)
    close (other);
  if (!differ)
    return false;
  g_autofree char *descriptor = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (GBytes) one = plain_data (descriptor);
  g_autoptr (GBytes) another = one != NULL ? plain_data (path) : NULL;
  return another != NULL && g_bytes_equal (one, another);
}
