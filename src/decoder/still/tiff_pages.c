// SPDX-License-Identifier: MIT
// TIFF 6.0, section 2, and BigTIFF, whose counts and places have 8 bytes.
#include "decoder/still/tiff_pages.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/mman.h>
#include <tiff.h>

#include "base/error.h"
#include "decoder/protocol.h"
#include "image/image.h"

#define BIG_VERSION 43u
#define MOST_LEVELS 64u // of a page
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
  bool is_page, is_reduced, is_tiled;
  uint64_t levels; // entry that lists where directories of levels lie; 0: there is none
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

// A number of an entry, from 0, which stands there or elsewhere in the file; 0: it is no
// whole number, or beyond the end.
static uint64_t
value_at (const File *file, uint64_t entry, uint64_t index)
{
  static const int bytes[] = { [TIFF_BYTE] = 1,  [TIFF_SHORT] = 2, [TIFF_LONG] = 4,
                               [TIFF_LONG8] = 8, [TIFF_IFD] = 4,   [TIFF_IFD8] = 8 };
  const int word = file->is_big ? 8 : 4;
  const uint64_t type = number_at (file, entry + 2, 2);
  const uint64_t count = number_at (file, entry + 4, word);
  const uint64_t held = entry + 4 + (uint64_t) word;
  const int size = type < G_N_ELEMENTS (bytes) ? bytes[type] : 0;

  if (size == 0 || index >= count)
    return 0;
  if (count <= (uint64_t) (word / size))
    return number_at (file, held + index * (uint64_t) size, size);
  const uint64_t first = number_at (file, held, word);
  if (!is_there (file, first, 1) || index > file->size / (uint64_t) size)
    return 0;
  const uint64_t at = first + index * (uint64_t) size;
  return is_there (file, at, (uint64_t) size) ? number_at (file, at, size) : 0;
}

static uint64_t
value_of (const File *file, uint64_t entry)
{
  return value_at (file, entry, 0);
}

static void
note_entry (const File *file, uint64_t entry, Directory *directory)
{
  Kind *kind = &directory->kind;
  const uint64_t tag = number_at (file, entry, 2);

  switch (tag) {
  case TIFFTAG_SUBFILETYPE:
    directory->is_page = (value_of (file, entry) & NOT_A_PAGE) == 0;
    directory->is_reduced
        = (value_of (file, entry) & NOT_A_PAGE) == FILETYPE_REDUCEDIMAGE;
    break;
  case TIFFTAG_OSUBFILETYPE:
    directory->is_reduced = value_of (file, entry) == OFILETYPE_REDUCEDIMAGE;
    directory->is_page = !directory->is_reduced;
    break;
  case TIFFTAG_TILEWIDTH:
    directory->is_tiled = true;
    break;
  case TIFFTAG_SUBIFD:
    directory->levels = entry;
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

// ---- Levels --------------------------------------------------------------------------

// Whether it has the samples of a page, and its shape, but for rounding, in a smaller
// size.
static bool
is_level (const Directory *directory, const Directory *page)
{
  Kind small = directory->kind, whole = page->kind;
  const uint64_t a = small.width * whole.height, b = small.height * whole.width;

  if (whole.width > ODL_IMAGE_MAX_SIDE || whole.height > ODL_IMAGE_MAX_SIDE
      || small.width == 0 || small.height == 0 || small.width >= whole.width
      || small.height >= whole.height
      || MAX (a, b) - MIN (a, b) > 2 * (whole.width + whole.height))
    return false;
  small.width = small.height = whole.width = whole.height = 0;
  return memcmp (&small, &whole, sizeof small) == 0;
}

static void
add_level (OdlTiffPages *pages, const Directory *directory, uint64_t place)
{
  const OdlTiffReduced level = { pages->places->len - 1, (uint32_t) directory->kind.width,
                                 (uint32_t) directory->kind.height, place };

  g_array_append_val (pages->reduced, level);
}

// Those of a page's own list. *budget: bytes of directories that may still be read for
// this, since many pages can name the same ones.
static void
add_listed_levels (OdlTiffPages *pages,
                   const File *file,
                   const Directory *page,
                   uint64_t *budget)
{
  for (uint64_t i = 0; i < MOST_LEVELS && page->levels > 0; i++) {
    const uint64_t place = value_at (file, page->levels, i);
    Directory directory;
    if (place == 0 || !read_directory (file, place, &directory)
        || directory.bytes > *budget)
      return;
    *budget -= directory.bytes;
    if (is_level (&directory, page))
      add_level (pages, &directory, place);
  }
}

// ---- The list ------------------------------------------------------------------------

static bool
refuse_circle (GError **error)
{
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("its list of pages leads in a circle, or they lie over each "
                           "other; --pages=first takes the first one alone"));
}

typedef struct {
  OdlTiffPages *pages;
  File file;
  Directory first, last; // pages
  uint64_t budget; // bytes of directories of levels
  bool only_first;
} Walk;

// False: the list need not be followed any more.
static bool
take_directory (Walk *walk, const Directory *directory, uint64_t place)
{
  OdlTiffPages *pages = walk->pages;
  const guint n = pages->places->len;

  if (n > 0
      && (directory->is_reduced
          || (directory->is_page && directory->is_tiled && walk->first.is_tiled
              && n == 1))
      && is_level (directory, &walk->last)) {
    add_level (pages, directory, place);
    return true;
  }
  if (walk->only_first && n > 0)
    return !directory->is_page;
  if (!directory->is_page && !walk->only_first)
    return true;
  if (n == 0)
    walk->first = *directory;
  else if (pages->unlike == 0
           && memcmp (&walk->first.kind, &directory->kind, sizeof directory->kind) != 0)
    pages->unlike = n;
  walk->last = *directory;
  g_array_append_val (pages->places, place);
  add_listed_levels (pages, &walk->file, directory, &walk->budget);
  return true;
}

static bool
walk_list (Walk *walk, uint64_t first, GError **error)
{
  OdlTiffPages *pages = walk->pages;
  Directory directory;
  uint64_t bytes = 0, passed = 0;
  uint32_t n = 0, next_mark = 1;

  for (uint64_t at = first; at != 0; at = directory.next) {
    if (!read_directory (&walk->file, at, &directory)) {
      pages->ends_early = n > 0 && !walk->only_first;
      break;
    }
    // Marks lie further and further apart (Brent 1980), so that one lies in every circle
    // and is farther from the next one than the circle is long.
    bytes += directory.bytes;
    if (at == passed || bytes > walk->file.size)
      return walk->only_first || refuse_circle (error);
    if (++n == next_mark) {
      passed = at;
      next_mark *= 2;
    }
    if (n > ODL_DECODER_MAX_FRAMES)
      return walk->only_first
             || odl_error_set (error, ODL_ERROR_TOO_LARGE,
                               _ ("it has more than %u pages, which is too many"),
                               ODL_DECODER_MAX_FRAMES);
    if (!take_directory (walk, &directory, at))
      break;
  }
  if (pages->places->len == 0 && n > 0)
    g_array_append_val (pages->places, first);
  return true;
}

static bool
walk (OdlTiffPages *pages,
      const uint8_t *data,
      size_t size,
      bool only_first,
      GError **error)
{
  Walk walk = { .pages = pages, .only_first = only_first, .budget = size };
  uint64_t first = 0;

  *pages
      = (OdlTiffPages){ .places = g_array_new (FALSE, FALSE, sizeof (uint64_t)),
                        .reduced = g_array_new (FALSE, FALSE, sizeof (OdlTiffReduced)) };
  if (!open_file (&walk.file, data, size, &first))
    return true;
  const bool done = walk_list (&walk, first, error);
  pages->width = (uint32_t) MIN (walk.first.kind.width, G_MAXUINT32);
  pages->height = (uint32_t) MIN (walk.first.kind.height, G_MAXUINT32);
  return done;
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
  g_clear_pointer (&pages->reduced, g_array_unref);
}
