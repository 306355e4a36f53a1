// SPDX-License-Identifier: MIT
#include "network/walk.h"

#include <string.h>
#include <unistd.h>

#define MAX_DEPTH 64
// What is unpacked of a deflated data set before it is given up: what we look for stands
// at its beginning.
#define MAX_UNPACKED ((uint64_t) 64 << 20)

#define ITEM ODL_TAG (0xfffe, 0xe000)
#define ITEM_END ODL_TAG (0xfffe, 0xe00d)
#define SEQUENCE_END ODL_TAG (0xfffe, 0xe0dd)

// ---- Bytes ----

static size_t
fill (OdlWalk *self, uint8_t *to)
{
  const ssize_t n = pread (self->fd, to, ODL_WALK_BUFFER, (off_t) self->offset);

  if (n <= 0)
    return 0;
  self->offset += (uint64_t) n;
  return (size_t) n;
}

static bool
unpack (OdlWalk *self)
{
  z_stream *packed = &self->packed;

  packed->next_out = self->buffer;
  packed->avail_out = ODL_WALK_BUFFER;
  while (packed->avail_out == ODL_WALK_BUFFER) {
    if (packed->avail_in == 0) {
      packed->next_in = self->input;
      packed->avail_in = (uInt) fill (self, self->input);
      if (packed->avail_in == 0)
        return false;
    }
    const int result = inflate (packed, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END)
      return false;
    if (result == Z_STREAM_END && packed->avail_out == ODL_WALK_BUFFER)
      return false;
  }
  self->at = 0;
  self->n = ODL_WALK_BUFFER - packed->avail_out;
  self->unpacked += self->n;
  return self->unpacked <= MAX_UNPACKED;
}

static bool
refill (OdlWalk *self)
{
  if (self->deflated)
    return unpack (self);
  self->at = 0;
  self->n = fill (self, self->buffer);
  return self->n > 0;
}

static bool
take (OdlWalk *self, uint8_t *to, size_t n)
{
  while (n > 0) {
    if (self->at == self->n && !refill (self))
      return false;
    const size_t some = n < self->n - self->at ? n : self->n - self->at;
    memcpy (to, self->buffer + self->at, some);
    self->at += some;
    to += some;
    n -= some;
  }
  return true;
}

static bool
skip_bytes (OdlWalk *self, uint64_t n)
{
  while (n > 0) {
    const size_t here = self->n - self->at;
    if (n <= here) {
      self->at += (size_t) n;
      return true;
    }
    n -= here;
    self->at = self->n;
    if (!self->deflated) {
      self->offset += n;
      return true;
    }
    if (!refill (self))
      return false;
  }
  return true;
}

// ---- Elements ----

static uint32_t
number (const OdlWalk *self, const uint8_t *bytes, int n)
{
  uint32_t value = 0;

  for (int i = 0; i < n; i++)
    value |= (uint32_t) bytes[i] << 8 * (self->big_endian ? n - 1 - i : i);
  return value;
}

// Those whose length has 32 bits (PS3.5 7.1.2).
static bool
is_long (const uint8_t *vr)
{
  static const char names[][3]
      = { "OB", "OD", "OF", "OL", "OV", "OW", "SQ", "SV", "UC", "UN", "UR", "UT", "UV" };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (memcmp (names[i], vr, 2) == 0)
      return true;
  return false;
}

bool
odl_walk_next (OdlWalk *self, bool implicit, OdlElement *element)
{
  uint8_t bytes[8];

  if (!take (self, bytes, 8))
    return false;
  element->tag = ODL_TAG (number (self, bytes, 2), number (self, bytes + 2, 2));
  element->implicit_inside = implicit;
  element->length = number (self, bytes + 4, 4);
  if (implicit || element->tag >> 16 == 0xfffe)
    return true;
  element->length = number (self, bytes + 6, 2);
  if (!is_long (bytes + 4))
    return true;
  element->implicit_inside = memcmp (bytes + 4, "UN", 2) == 0;
  if (!take (self, bytes, 4))
    return false;
  element->length = number (self, bytes, 4);
  return true;
}

typedef struct {
  bool is_item; // else a sequence
  bool implicit;
} Level;

// Passes over what is inside of an element of undefined length.
static bool
skip_inside (OdlWalk *self, bool implicit)
{
  Level levels[MAX_DEPTH] = { { .implicit = implicit } };
  int depth = 1;

  while (depth > 0) {
    const Level level = levels[depth - 1];
    const uint32_t end = level.is_item ? ITEM_END : SEQUENCE_END;
    OdlElement element;
    if (!odl_walk_next (self, level.implicit, &element))
      return false;
    if (element.tag == end) {
      depth--;
      continue;
    }
    if (element.tag >> 16 == 0xfffe && (level.is_item || element.tag != ITEM))
      return false;
    if (!level.is_item && element.tag != ITEM)
      return false;
    if (element.length != ODL_WALK_UNDEFINED) {
      if (!skip_bytes (self, element.length))
        return false;
      continue;
    }
    if (depth == MAX_DEPTH)
      return false;
    levels[depth++]
        = (Level){ .is_item = !level.is_item,
                   .implicit = level.is_item ? element.implicit_inside : level.implicit };
  }
  return true;
}

bool
odl_walk_skip (OdlWalk *self, const OdlElement *element)
{
  return element->length != ODL_WALK_UNDEFINED
             ? skip_bytes (self, element->length)
             : skip_inside (self, element->implicit_inside);
}

bool
odl_walk_read_text (OdlWalk *self,
                    const OdlElement *element,
                    char *text,
                    size_t size,
                    bool whole)
{
  const uint32_t length = element->length;
  const size_t some = length < size - 1 ? length : size - 1;

  if (length == ODL_WALK_UNDEFINED || (whole && length > some)
      || !take (self, (uint8_t *) text, some) || !skip_bytes (self, length - some))
    return false;
  text[some] = '\0';
  for (size_t n = strlen (text); n > 0 && text[n - 1] == ' '; n--)
    text[n - 1] = '\0';
  return true;
}

// ---- The walk ----

bool
odl_walk_begin (OdlWalk *self, int fd, uint64_t offset, const OdlDicomSyntax *syntax)
{
  self->fd = fd;
  self->offset = offset;
  self->at = self->n = 0;
  self->deflated = syntax->deflated;
  self->big_endian = syntax->big_endian;
  self->unpacked = 0;
  self->packed = (z_stream){ 0 };
  return !self->deflated || inflateInit2 (&self->packed, -MAX_WBITS) == Z_OK;
}

void
odl_walk_end (OdlWalk *self)
{
  if (self->deflated)
    inflateEnd (&self->packed);
}

uint64_t
odl_walk_tell (const OdlWalk *self)
{
  return self->offset - (self->n - self->at);
}
