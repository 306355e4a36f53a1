// SPDX-License-Identifier: MIT
// How the pages of a TIFF file belong together: what follows each other in time, what
// lies beside each other, and where and when they do.
#pragma once

#include <tiffio.h>

#include "decoder/picture.h"
#include "decoder/still/tiff_pages.h"
#include "decoder/still/tiff_words.h"

// What is asked for; BY_ITSELF: what the description says, else a sequence where all
// pages are alike.
typedef enum {
  ODL_TIFF_BY_ITSELF,
  ODL_TIFF_FIRST, // the first page alone
  ODL_TIFF_SEQUENCE, // one after the other
  ODL_TIFF_STACK, // the slices of a volume
} OdlTiffWay;

typedef struct {
  OdlTiffPages pages;
  OdlTiffWords words;
  uint32_t n_pages;
  uint64_t block_at, block_bytes; // samples of the first page, where those of the others
                                  // follow without directories; 0: they have some
  uint32_t n_frames; // that are shown
  uint32_t n_slices; // of each volume; 0: they are no slices
  uint32_t extent[ODL_TIFF_N_AXES];
  uint64_t stride[ODL_TIFF_N_AXES]; // pages to the next one along an axis
  bool contradicts; // the description has other numbers than the file has pages
  bool is_listed; // it is arranged as the description says
  bool lacks_words; // those of OME are in another file, which says nothing
  bool is_ours; // this program wrote it
  double spacing_mm[3]; // 0: not known
} OdlTiffStack;

// Arranges pages, whose places are known, by the fields of the first one.
// `size` is that of the file. ODL_ERROR_CORRUPT: they are not alike, and not the first
// one alone is asked for.
bool odl_tiff_stack_arrange (OdlTiffStack *stack,
                             TIFF *first,
                             size_t size,
                             OdlTiffWay way,
                             GError **error);

void odl_tiff_stack_clear (OdlTiffStack *stack);

// Where a page lies: its directory, and how many bytes its samples are farther on than
// that says. In another file of the set (> 0) the number of the page is known alone.
typedef struct {
  uint64_t directory, shift;
  uint32_t file, page;
} OdlTiffPlace;

// Place of the page that is this frame, from 0. Channels come one after the other, in
// each of them times, in each of these slices.
OdlTiffPlace odl_tiff_stack_place (const OdlTiffStack *stack, uint32_t frame);

// Sets numbers of frames, sizes, times and units of an allocated picture, whose format is
// known.
void
odl_tiff_stack_describe (const OdlTiffStack *stack, OdlTiffWay way, OdlPicture *picture);

// The other files of an OME-TIFF set, of which one at a time is mapped. The parent opens
// them, beside the one that is shown.

typedef struct {
  const GPtrArray *names; // char *, plain; the first is that of the file itself, NULL
  guint open; // index of the mapped one; 0: none
  const uint8_t *data;
  size_t size;
  OdlTiffPages pages; // of that one
} OdlTiffSet;

// Finds the directory of a page of the file `index`, from 1, and sets where that file
// lies, until the next call. ODL_ERROR_CORRUPT and errors of the parent.
bool odl_tiff_set_find (OdlTiffSet *set,
                        guint index,
                        uint32_t page,
                        OdlDecoderInput *where,
                        uint64_t *directory,
                        GError **error);

void odl_tiff_set_clear (OdlTiffSet *set);
