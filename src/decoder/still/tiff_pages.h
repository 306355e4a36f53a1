// SPDX-License-Identifier: MIT
// The pages of a TIFF file: its list of directories, read from the file itself, so that a
// page can be found without all those before it.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

// A page in a reduced size: a level of a pyramid.
typedef struct {
  uint32_t page; // from 0
  uint32_t width, height;
  uint64_t place; // of its directory
} OdlTiffReduced;

typedef struct {
  GArray *places; // uint64_t: where the directory of each page lies; may be empty
  uint32_t unlike; // the first page, from 0, that has another size or type than the first
                   // one; 0: all are alike
  bool ends_early; // the list leads beyond the end of the file
  uint32_t width, height; // of the first page
  GArray *reduced; // OdlTiffReduced, page by page
} OdlTiffPages;

// Walks through the list once, which takes no more steps than the file has bytes for.
// Pictures of reduced size and masks are no pages, unless there is nothing else; those of
// the shape and the samples of the page before them are its levels, and so are tiled ones
// behind the only page that nothing marks, and those in a list of the page's own
// (SubIFDs). `only_first`: the list is not looked at from the second page on. A file
// whose beginning is damaged has no pages. ODL_ERROR_CORRUPT: the list leads in a circle,
// or directories lie over each other; ODL_ERROR_TOO_LARGE: there are more than
// ODL_DECODER_MAX_FRAMES.
bool odl_tiff_pages_find (OdlTiffPages *pages,
                          const uint8_t *data,
                          size_t size,
                          bool only_first,
                          GError **error);

void odl_tiff_pages_clear (OdlTiffPages *pages);

// Writes to `header`, which holds the first `n` bytes of the file, that the list begins
// at `place`.
void odl_tiff_pages_begin_at (uint8_t *header, size_t n, uint64_t place);

// Bytes of the header that say where the list begins.
#define ODL_TIFF_HEADER_BYTES 16u
