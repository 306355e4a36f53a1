// SPDX-License-Identifier: MIT
#include "network/meta.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "network/title.h"

#define PREAMBLE 128
#define MOST_BYTES 1024

typedef struct {
  uint8_t bytes[MOST_BYTES];
  size_t n;
} Out;

static void
put (Out *out, const void *bytes, size_t n)
{
  memcpy (out->bytes + out->n, bytes, n);
  out->n += n;
}

static void
put_header (Out *out, unsigned element, const char *vr, size_t length)
{
  const uint8_t header[] = { 2,
                             0,
                             (uint8_t) element,
                             (uint8_t) (element >> 8),
                             (uint8_t) vr[0],
                             (uint8_t) vr[1],
                             (uint8_t) length,
                             (uint8_t) (length >> 8) };

  put (out, header, sizeof header);
}

static void
put_text (Out *out, unsigned element, const char *vr, const char *text, char padding)
{
  const size_t n = strlen (text);

  put_header (out, element, vr, n + n % 2);
  put (out, text, n);
  if (n % 2 != 0)
    put (out, &padding, 1);
}

uint64_t
odl_meta_write (int fd, const OdlCommand *asked, const char *syntax, int *code)
{
  // Version 1, with a length of 32 bits.
  static const uint8_t version[] = { 2, 0, 1, 0, 'O', 'B', 0, 0, 2, 0, 0, 0, 0, 1 };
  Out out = { .n = PREAMBLE };

  put (&out, "DICM", 4);
  put_header (&out, 0x0000, "UL", 4);
  const size_t length_at = out.n;
  put (&out, "\0\0\0", 4);
  put (&out, version, sizeof version);
  put_text (&out, 0x0002, "UI", asked->sop_class, '\0');
  put_text (&out, 0x0003, "UI", asked->instance, '\0');
  put_text (&out, 0x0010, "UI", syntax, '\0');
  put_text (&out, 0x0012, "UI", ODL_NETWORK_CLASS_UID, '\0');
  put_text (&out, 0x0013, "SH", ODL_NETWORK_VERSION_NAME, ' ');
  const size_t length = out.n - length_at - 4;
  for (int i = 0; i < 4; i++)
    out.bytes[length_at + i] = (uint8_t) (length >> 8 * i);

  const ssize_t n = fd >= 0 ? write (fd, out.bytes, out.n) : 0;
  if (n != (ssize_t) out.n)
    *code = fd < 0 || n < 0 ? (fd < 0 ? EBADF : errno) : ENOSPC;
  return out.n;
}
