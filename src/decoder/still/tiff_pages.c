// SPDX-License-Identifier: MIT
// TIFF 6.0, section 2, and BigTIFF, whose counts and places have 8 bytes.
#include "decoder/still/tiff_pages.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/mman.h>
#include <tiff.h>

#include "base/error.h"
#include "decoder/protocol.h"

#define BIG_VERSION 43u
#define NOT_A_PAGE (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)

typedef struct {
  const uint8_t *data;
  size_t size;
  bool big_endian;
  bool is_big; // BigTIFF
} File;

// What pages must have in common.
typedef struct {
  uint64_t width, height, bits, samples, format, photometric, orientation, extra;
} Kind;

typedef struct {
  Kind kind;
  bool is_page;
  uint64_t bytes; // of the directory
  uint64_t next; // place of the one after it; 0: there is none
} Directory;

static uint64_t
number_at (const File *file, uint64_t at, int n_bytes)
{
  uint64_t value = 0;

  for (int i = 0; i < n_bytes; i++)
    value = value << 8
            | file->data[at + (uint64_t) (file->big_endian ? i : n_bytes - 1 - i)];
  return value;
}

static bool
is_there (const File *file, uint64_t at, uint64_t n_bytes)
{
  return n_bytes <= file->size && at <= file->size - n_bytes;
}

// The first number of an entry, which stands there or elsewhere in the file; 0: it is no
// whole number, or beyond the end.
static uint64_t
value_of (const File *file, uint64_t entry)
{
  static const int bytes[] = { [TIFF_BYTE] = 1,  [TIFF_SHORT] = 2, [TIFF_LONG] = 4,
                               [TIFF_LONG8] = 8, [TIFF_IFD] = 4,   [TIFF_IFD8] = 8 };
  const int word = file->is_big ? 8 : 4;
  const uint64_t type = number_at (file, entry + 2, 2);
  const uint64_t count = number_at (file, entry + 4, word);
  const uint64_t held = entry + 4 + (uint64_t) word;
  const int size = type < G_N_ELEMENTS (bytes) ? bytes[type] : 0;

  if (size == 0 || count == 0)
    return 0;
  if (count <= (uint64_t) (word / size))
    return number_at (file, held, size);
  const uint64_t at = number_at (file, held, word);
  return is_there (file, at, (uint64_t) size) ? number_at (file, at, size) : 0;
}

static void
note_entry (const File *file, uint64_t entry, Directory *directory)
{
  Kind *kind = &directory->kind;
  const uint64_t tag = number_at (file, entry, 2);

  switch (tag) {
  case TIFFTAG_SUBFILETYPE:
    directory->is_page = (value_of (file, entry) & NOT_A_PAGE) == 0;
    break;
  case TIFFTAG_OSUBFILETYPE:
    directory->is_page = value_of (file, entry) != OFILETYPE_REDUCEDIMAGE;
    break;
  case TIFFTAG_IMAGEWIDTH:
    kind->width = value_of (file, entry);
    break;
  case TIFFTAG_IMAGELENGTH:
    kind->height = value_of (file, entry);
    break;
  case TIFFTAG_BITSPERSAMPLE:
    kind->bits = value_of (file, entry);
    break;
  case TIFFTAG_PHOTOMETRIC:
    kind->photometric = value_of (file, entry);
    break;
  case TIFFTAG_ORIENTATION:
    kind->orientation = value_of (file, entry);
    break;
  case TIFFTAG_SAMPLESPERPIXEL:
    kind->samples = value_of (file, entry);
    break;
  case TIFFTAG_EXTRASAMPLES:
    kind->extra = value_of (file, entry) + 1;
    break;
  case TIFFTAG_SAMPLEFORMAT:
    kind->format = value_of (file, entry);
    break;
  default:
    break;
  }
}

// False: it is not all there.
static bool
read_directory (const File *file, uint64_t place, Directory *directory)
{
  const uint64_t word = file->is_big ? 8 : 4, head = file->is_big ? 8 : 2;
  const uint64_t entry = 4 + 2 * word;

  // What a directory does not say is so (TIFF 6.0, section 8).
  *directory = (Directory){ .kind = { .bits = 1,
                                      .samples = 1,
                                      .format = SAMPLEFORMAT_UINT,
                                      .orientation = ORIENTATION_TOPLEFT },
                            .is_page = true };
  if (!is_there (file, place, head))
    return false;
  const uint64_t n = number_at (file, place, (int) head);
  if (n > file->size / entry || !is_there (file, place + head, n * entry))
    return false;
  for (uint64_t i = 0; i < n; i++)
    note_entry (file, place + head + i * entry, directory);
  directory->bytes = head + n * entry;
  // Some writers leave out where the list goes on when it does not.
  const uint64_t after = place + directory->bytes;
  directory->next
      = is_there (file, after, word) ? number_at (file, after, (int) word) : 0;
  return true;
}

static bool
open_file (File *file, const uint8_t *data, size_t size, uint64_t *first)
{
  *file = (File){ .data = data, .size = size };
  if (size < ODL_TIFF_HEADER_BYTES || (data[0] != 'I' && data[0] != 'M'))
    return false;
  file->big_endian = data[0] == 'M';
  file->is_big = number_at (file, 2, 2) == BIG_VERSION;
  *first = file->is_big ? number_at (file, 8, 8) : number_at (file, 4, 4);
  return true;
}

void
odl_tiff_pages_begin_at (uint8_t *header, size_t n, uint64_t place)
{
  File file;
  uint64_t first;

  if (!open_file (&file, header, n, &first))
    return;
  const int word = file.is_big ? 8 : 4;
  for (int i = 0; i < word; i++)
    header[word + (file.big_endian ? word - 1 - i : i)] = (uint8_t) (place >> 8 * i);
}

static bool
refuse_circle (GError **error)
{
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("its list of pages leads in a circle, or they lie over each "
                           "other; --pages=first takes the first one alone"));
}

static bool
walk (OdlTiffPages *pages,
      const uint8_t *data,
      size_t size,
      bool only_first,
      GError **error)
{
  File file;
  Directory directory;
  Kind first_kind = { 0 };
  uint64_t first = 0, bytes = 0, passed = 0;
  uint32_t n = 0, next_mark = 1;

  *pages = (OdlTiffPages){ .places = g_array_new (FALSE, FALSE, sizeof (uint64_t)) };
  if (!open_file (&file, data, size, &first))
    return true;
  for (uint64_t at = first; at != 0; at = directory.next) {
    if (!read_directory (&file, at, &directory)) {
      pages->ends_early = n > 0;
      break;
    }
    // Marks lie further and further apart (Brent 1980), so that one lies in every circle
    // and is farther from the next one than the circle is long.
    bytes += directory.bytes;
    if (at == passed || bytes > size)
      return refuse_circle (error);
    if (++n == next_mark) {
      passed = at;
      next_mark *= 2;
    }
    if (n > ODL_DECODER_MAX_FRAMES)
      return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                            _ ("it has more than %u pages, which is too many"),
                            ODL_DECODER_MAX_FRAMES);
    if (!directory.is_page && !only_first)
      continue;
    if (pages->places->len == 0)
      first_kind = directory.kind;
    else if (pages->unlike == 0
             && memcmp (&first_kind, &directory.kind, sizeof first_kind) != 0)
      pages->unlike = pages->places->len;
    g_array_append_val (pages->places, at);
    if (only_first)
      break;
  }
  if (pages->places->len == 0 && n > 0)
    g_array_append_val (pages->places, first);
  return true;
}

bool
odl_tiff_pages_find (OdlTiffPages *pages,
                     const uint8_t *data,
                     size_t size,
                     bool only_first,
                     GError **error)
{
  // Between directories lie the samples, which a disk would read ahead. Of data that are
  // no mapped file nothing changes.
  madvise ((void *) data, size, MADV_RANDOM);
  const bool done = walk (pages, data, size, only_first, error);
  madvise ((void *) data, size, MADV_NORMAL);
  return done;
}

void
odl_tiff_pages_clear (OdlTiffPages *pages)
{
  g_clear_pointer (&pages->places, g_array_unref);
}
