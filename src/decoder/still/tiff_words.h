// SPDX-License-Identifier: MIT
// What the description of a TIFF file says of its pages, in the words of ImageJ, of
// tifffile or of OME.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

// Units and axes, as descriptions of TIFF files write them.

// Channels, slices and times.
enum { ODL_TIFF_C, ODL_TIFF_Z, ODL_TIFF_T, ODL_TIFF_N_AXES };

// Millimetres and seconds of a unit; 0: it is none that is known.
double odl_tiff_length_mm (const char *unit);
double odl_tiff_time_s (const char *unit);

typedef struct {
  const char *by; // who wrote it, for people; NULL: nobody that is known
  uint64_t images; // of ImageJ, which keeps those of large files behind the first one,
                   // without directories; 0: not said
  bool has_axes; // it says how pages are arranged: the next two
  uint64_t extent[ODL_TIFF_N_AXES]; // at least 1
  int order[ODL_TIFF_N_AXES]; // axes, that which changes from page to page first
  char unit[32]; // of lengths, as it is written
  double unit_mm; // 0: it is no length that is known
  double spacing; // from slice to slice, in that unit; 0: not said
  double size_mm[3]; // of pixels, and from slice to slice; 0: not said
  double interval_s; // from time to time; 0: not said
  double rate; // pictures a second that somebody watched them with; 0: not said
  char value_unit[32]; // of what is stored × slope + intercept
  double slope, intercept;
  double window[2]; // stored values that are black and white; equal: not said
  GArray *pages; // uint32_t: those of the planes in that order, which may lack some;
                 // NULL: one after the other
  GArray *stamps_s; // double, of times from the first on; NULL: not said
  GArray *files; // uint32_t: which of the next ones has each of these pages; may lack
                 // some, and then it is this file; NULL: all are in this file
  GPtrArray *names; // char *: those of the files of a set, the first one NULL: this file
  bool has_others; // pages of other files belong to these, which are not known
  char *elsewhere; // file beside this one that has the words of OME in its place; NULL:
                   // none has
  char *uuid; // by which these words name this file; NULL: not said
} OdlTiffWords;

// Takes what is valid; all else is as if it were not said. `description` of a file of
// `n_pages` may be NULL.
void odl_tiff_words_read (OdlTiffWords *words, const char *description, uint32_t n_pages);

// Reads the `n` bytes of the file that these words say has them (`elsewhere`), which is
// cleared. False: they say nothing.
bool odl_tiff_words_read_elsewhere (OdlTiffWords *words,
                                    const uint8_t *data,
                                    size_t n,
                                    uint32_t n_pages);

void odl_tiff_words_clear (OdlTiffWords *words);
