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

int
odl_exif_orientation (const uint8_t *data, size_t size)
{
  if (size < 14 || memcmp (data, "Exif\0", 6) != 0)
    return 0;
  data += 6;
  size -= 6;

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
      uint32_t value = read_number (data + entry + 8, 2, big_endian);
      return value >= 1 && value <= 8 ? (int) value : 0;
    }
  }
  return 0;
}
