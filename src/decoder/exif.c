// SPDX-License-Identifier: MIT
#include "decoder/exif.h"

#include <stdbool.h>
#include <string.h>

// Index: orientation − 1. `swap`: stored rows become displayed columns.
static const struct {
  bool swap, from_right, from_bottom;
} turns[8] = {
  { false, false, false }, { false, true, false }, { false, true, true },
  { false, false, true },  { true, false, false }, { true, true, false },
  { true, true, true },    { true, false, true },
};

OdlOrientation
odl_orientation (int orientation, uint32_t width, uint32_t height)
{
  int i = orientation >= 1 && orientation <= 8 ? orientation - 1 : 0;
  OdlOrientation result = {
    .width = turns[i].swap ? height : width,
    .height = turns[i].swap ? width : height,
  };
  ptrdiff_t right = turns[i].from_right ? -1 : 1;
  ptrdiff_t down = (turns[i].from_bottom ? -1 : 1) * (ptrdiff_t) result.width;

  result.step_x = turns[i].swap ? down : right;
  result.step_y = turns[i].swap ? right : down;
  if (turns[i].from_right)
    result.origin += (ptrdiff_t) result.width - 1;
  if (turns[i].from_bottom)
    result.origin += (ptrdiff_t) result.width * ((ptrdiff_t) result.height - 1);
  return result;
}

void
odl_orientation_put_row (const OdlOrientation *orientation,
                         const void *row,
                         uint32_t y,
                         uint32_t width,
                         size_t pixel_bytes,
                         void *picture)
{
  ptrdiff_t start = orientation->origin + (ptrdiff_t) y * orientation->step_y;
  ptrdiff_t step = orientation->step_x * (ptrdiff_t) pixel_bytes;
  uint8_t *to = (uint8_t *) picture + start * (ptrdiff_t) pixel_bytes;
  const uint8_t *from = row;

  if (orientation->step_x == 1) {
    memcpy (to, from, (size_t) width * pixel_bytes);
    return;
  }
  for (uint32_t x = 0; x < width; x++, to += step, from += pixel_bytes)
    memcpy (to, from, pixel_bytes);
}

#define TAG_ORIENTATION 0x0112

// Multi-Picture Format (CIPA DC-007), 5.2.3: the entries of all pictures of the file.
#define TAG_PICTURES 0xb002
#define PICTURE_BYTES 16

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

// A directory of TIFF, which Exif and the list of pictures of a JPEG file begin with.
typedef struct {
  const uint8_t *data;
  size_t size;
  bool big_endian;
  size_t first; // where its entries begin, 12 bytes each
  uint32_t n_entries;
} Directory;

static bool
open_directory (const uint8_t *data, size_t size, Directory *directory)
{
  if (size < 8 || (memcmp (data, "II*", 4) != 0 && memcmp (data, "MM\0*", 4) != 0))
    return false;
  const bool big_endian = data[0] == 'M';
  const uint32_t at = read_number (data + 4, 4, big_endian);
  if (at > size - 2)
    return false;
  *directory = (Directory){ data, size, big_endian, (size_t) at + 2,
                            read_number (data + at, 2, big_endian) };
  return true;
}

// The entry with that tag; NULL: there is none.
static const uint8_t *
find_entry (const Directory *directory, uint32_t tag)
{
  for (uint32_t i = 0; i < directory->n_entries; i++) {
    const size_t entry = directory->first + (size_t) i * 12;
    if (entry + 12 > directory->size)
      return NULL;
    if (read_number (directory->data + entry, 2, directory->big_endian) == tag)
      return directory->data + entry;
  }
  return NULL;
}

int
odl_exif_orientation (const uint8_t *data, size_t size)
{
  Directory directory;

  if (size >= 6 && memcmp (data, "Exif\0", 6) == 0) {
    data += 6;
    size -= 6;
  }
  if (!open_directory (data, size, &directory))
    return 0;
  const uint8_t *entry = find_entry (&directory, TAG_ORIENTATION);
  const uint32_t value = entry != NULL ? read_entry (entry, directory.big_endian) : 0;
  return value >= 1 && value <= 8 ? (int) value : 0;
}

int
odl_mpf_pictures (const uint8_t *data, size_t size)
{
  Directory directory;
  int n = 0;

  if (size < 4 || memcmp (data, "MPF", 4) != 0
      || !open_directory (data + 4, size - 4, &directory))
    return 0;
  const uint8_t *entry = find_entry (&directory, TAG_PICTURES);
  if (entry == NULL)
    return 0;
  const uint32_t bytes = read_number (entry + 4, 4, directory.big_endian);
  const uint32_t at = read_number (entry + 8, 4, directory.big_endian);
  if (at > directory.size || bytes > directory.size - at)
    return 0;
  for (uint32_t i = 0; i + PICTURE_BYTES <= bytes; i += PICTURE_BYTES) {
    const uint32_t kind = read_number (directory.data + at + i, 4, directory.big_endian);
    n += (kind & 0xff0000) != 0x010000;
  }
  return n;
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

bool
odl_png_is_animated (const uint8_t *data, size_t size)
{
  size_t length, other_length;
  const uint8_t *control = find_chunk (&png, data, size, "acTL", &length);
  const uint8_t *frame = find_chunk (&png, data, size, "fcTL", &other_length);
  const uint8_t *samples = find_chunk (&png, data, size, "IDAT", &other_length);

  if (control == NULL || length < 8 || samples == NULL || control > samples)
    return false;
  // A picture that no frame describes is none of the frames.
  const bool apart = frame == NULL || frame > samples;
  return read_number (control, 4, true) > (apart ? 0u : 1u);
}
