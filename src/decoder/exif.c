// SPDX-License-Identifier: MIT
#include "decoder/exif.h"

#include <stdbool.h>
#include <string.h>

#define TAG_ORIENTATION 0x0112

static uint32_t
read_number (const uint8_t *at, int n_bytes, bool big_endian)
{
  uint32_t value = 0;

  for (int i = 0; i < n_bytes; i++)
    value = value << 8 | at[big_endian ? i : n_bytes - 1 - i];
  return value;
}

// Numbers of one, two or four bytes; 0: of another type.
static uint32_t
read_entry (const uint8_t *entry, bool big_endian)
{
  static const int bytes[] = { [1] = 1, [3] = 2, [4] = 4 };
  const uint32_t type = read_number (entry + 2, 2, big_endian);

  return type < sizeof bytes / sizeof *bytes
             ? read_number (entry + 8, bytes[type], big_endian)
             : 0;
}

int
odl_exif_orientation (const uint8_t *data, size_t size)
{
  if (size >= 6 && memcmp (data, "Exif\0", 6) == 0) {
    data += 6;
    size -= 6;
  }
  if (size < 8 || (memcmp (data, "II*", 4) != 0 && memcmp (data, "MM\0*", 4) != 0))
    return 0;

  bool big_endian = data[0] == 'M';
  uint32_t directory = read_number (data + 4, 4, big_endian);
  if (directory > size - 2)
    return 0;

  uint32_t n_entries = read_number (data + directory, 2, big_endian);
  for (uint32_t i = 0; i < n_entries; i++) {
    size_t entry = directory + 2 + (size_t) i * 12;
    if (entry + 12 > size)
      return 0;
    if (read_number (data + entry, 2, big_endian) == TAG_ORIENTATION) {
      uint32_t value = read_entry (data + entry, big_endian);
      return value >= 1 && value <= 8 ? (int) value : 0;
    }
  }
  return 0;
}

// Chunks one after the other: PNG has their length before their name, most significant
// byte first, and a checksum behind them; RIFF has the name first, and even lengths.
typedef struct {
  size_t first; // where they begin in the file
  bool is_png;
} Chunks;

static const Chunks png = { 8, true }, webp = { 12, false };

// The content of the first chunk of that name, `length` bytes; NULL: there is none.
static const uint8_t *
find_chunk (const Chunks *chunks,
            const uint8_t *data,
            size_t size,
            const char *name,
            size_t *length)
{
  const int name_at = chunks->is_png ? 4 : 0;
  size_t at = chunks->first;

  while (at + 8 <= size) {
    *length = read_number (data + at + (chunks->is_png ? 0 : 4), 4, chunks->is_png);
    if (*length > size - at - 8)
      break;
    if (memcmp (data + at + name_at, name, 4) == 0)
      return data + at + 8;
    at += 8 + *length + (chunks->is_png ? 4 : *length % 2);
  }
  *length = 0;
  return NULL;
}

static int
orientation_in (const Chunks *chunks, const uint8_t *data, size_t size, const char *name)
{
  size_t length;
  const uint8_t *chunk = find_chunk (chunks, data, size, name, &length);
  const int found = chunk != NULL ? odl_exif_orientation (chunk, length) : 0;

  return found > 0 ? found : 1;
}

int
odl_exif_of_png (const uint8_t *data, size_t size)
{
  return orientation_in (&png, data, size, "eXIf");
}

int
odl_exif_of_webp (const uint8_t *data, size_t size)
{
  return orientation_in (&webp, data, size, "EXIF");
}

const uint8_t *
odl_webp_chunk (const uint8_t *data, size_t size, const char *name, size_t *length)
{
  return find_chunk (&webp, data, size, name, length);
}
