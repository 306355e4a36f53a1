// SPDX-License-Identifier: MIT
#include "network/message.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES 131072 // that is read from files at once

static bool
invalid (OdlNetworkEnd *end)
{
  *end = ODL_NETWORK_INVALID;
  return false;
}

// ---- Commands ----

bool
odl_message_read_command (OdlAssociation *association,
                          OdlCommand *command,
                          uint8_t *context,
                          OdlNetworkEnd *end)
{
  uint8_t bytes[ODL_COMMAND_MAX_READ];
  OdlFragment part = { 0 };
  size_t n = 0;

  while (!part.is_last) {
    if (!odl_association_read (association, &part, end))
      return false;
    if (!part.is_command || part.n > sizeof bytes - n
        || (n > 0 && part.context != *context))
      return invalid (end);
    *context = part.context;
    memcpy (bytes + n, part.bytes, part.n);
    n += part.n;
  }
  return odl_command_parse (bytes, n, command) || invalid (end);
}

bool
odl_message_write_command (OdlAssociation *association,
                           uint8_t context,
                           const OdlCommand *command,
                           OdlNetworkEnd *end)
{
  uint8_t bytes[ODL_COMMAND_MAX_BYTES];
  const OdlFragment part
      = { context, true, true, bytes, odl_command_build (command, bytes) };

  return odl_association_write (association, &part, end);
}

// ---- Data sets ----

static int
append (int fd, const uint8_t *bytes, size_t n)
{
  while (n > 0) {
    const ssize_t some = write (fd, bytes, n);
    if (some < 0 && errno != EINTR)
      return errno;
    if (some > 0) {
      bytes += some;
      n -= (size_t) some;
    }
  }
  return 0;
}

bool
odl_message_read_data (OdlAssociation *association,
                       uint8_t context,
                       int fd,
                       uint64_t most,
                       int *code,
                       OdlNetworkEnd *end)
{
  OdlFragment part = { 0 };
  uint64_t n = 0;

  while (!part.is_last) {
    if (!odl_association_read (association, &part, end))
      return false;
    if (part.is_command || part.context != context)
      return invalid (end);
    n += part.n;
    if (*code == 0 && n > most)
      *code = EFBIG;
    if (*code == 0 && fd >= 0)
      *code = append (fd, part.bytes, part.n);
  }
  return true;
}

// False: *code.
static bool
read_block (int fd, uint64_t offset, uint8_t *bytes, size_t n, int *code)
{
  while (n > 0) {
    const ssize_t some = pread (fd, bytes, n, (off_t) offset);
    if (some < 0 && errno == EINTR)
      continue;
    if (some <= 0) {
      *code = some < 0 ? errno : EIO;
      return false;
    }
    bytes += some;
    offset += (uint64_t) some;
    n -= (size_t) some;
  }
  return true;
}

bool
odl_message_write_data (OdlAssociation *association,
                        uint8_t context,
                        int fd,
                        uint64_t offset,
                        int *code,
                        OdlNetworkEnd *end)
{
  const off_t size = lseek (fd, 0, SEEK_END);
  size_t room = MIN (odl_association_room (association), (size_t) BLOCK_BYTES);
  uint8_t bytes[BLOCK_BYTES];

  room -= room % 2; // fragments are even
  if (size < 0 || (uint64_t) size <= offset) {
    *code = size < 0 ? errno : EIO;
    return false;
  }
  for (uint64_t left = (uint64_t) size - offset; left > 0;) {
    const size_t n = (size_t) MIN (left, (uint64_t) room);
    if (!read_block (fd, offset, bytes, n, code))
      return false;
    // A deflated data set of an odd length is padded (PS3.5 A.5).
    const size_t padded = n + n % 2;
    if (padded > n)
      bytes[n] = 0;
    left -= n;
    offset += n;
    const OdlFragment part = { context, false, left == 0, bytes, padded };
    if (!odl_association_write (association, &part, end))
      return false;
  }
  return true;
}
