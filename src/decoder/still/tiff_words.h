// SPDX-License-Identifier: MIT
// What the description of a TIFF file says of its pages, in the words of ImageJ or of
// tifffile.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Channels, slices and times.
enum { ODL_TIFF_C, ODL_TIFF_Z, ODL_TIFF_T, ODL_TIFF_N_AXES };

typedef struct {
  const char *by; // who wrote it, for people; NULL: nobody that is known
  bool has_axes; // it says how pages are arranged: the next two
  uint64_t extent[ODL_TIFF_N_AXES]; // at least 1
  int order[ODL_TIFF_N_AXES]; // axes, that which changes from page to page first
  char unit[32]; // of lengths, as it is written
  double unit_mm; // 0: it is no length that is known
  double spacing; // from slice to slice, in that unit; 0: not said
  double interval_s; // from time to time; 0: not said
  double rate; // pictures a second that somebody watched them with; 0: not said
  char value_unit[32]; // of what is stored × slope + intercept
  double slope, intercept;
  double window[2]; // stored values that are black and white; equal: not said
} OdlTiffWords;

// Takes what is valid; all else is as if it were not said. `description` may be NULL.
void odl_tiff_words_read (OdlTiffWords *words, const char *description);
