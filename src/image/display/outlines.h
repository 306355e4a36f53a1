// SPDX-License-Identifier: MIT
// OdlOutlines: parts of a picture that have names and colours, such as the segments of a
// segmentation, as lines about them. Places are image coordinates: (0, 0) is the outer
// corner of the first sample. Immutable once shared, counted by reference.
#pragma once

#include <glib.h>
#include <stdint.h>

#include "image/display/view.h"

#define ODL_OUTLINES_MOST_POINTS 1048576u

// Points first … first + n − 1; a single one is a dot.
typedef struct {
  guint first, n;
  bool closed;
} OdlOutlinesLine;

// What an odd number of its closed lines surrounds is inside: holes are lines, too.
typedef struct {
  char *name; // UTF-8, never markup; "": none
  double colour[3]; // sRGB, 0 … 1
  guint first, n; // of its lines
} OdlOutlinesArea;

// A picture below the lines, such as another volume in colours: a sample of it for each
// sample of what is shown.
typedef struct {
  OdlPoint corner; // where its first sample's outer corner lies
  int width, height;
  uint32_t *argb; // row by row, 0xAARRGGBB, colours multiplied by their alpha
} OdlOutlinesPicture;

typedef struct {
  gatomicrefcount ref_count;
  GArray *pictures; // OdlOutlinesPicture
  GArray *points; // OdlPoint
  GArray *lines; // OdlOutlinesLine
  GArray *areas; // OdlOutlinesArea
  bool is_cut; // there were more than ODL_OUTLINES_MOST_POINTS, and the rest is left out
} OdlOutlines;

OdlOutlines *odl_outlines_new (void);
OdlOutlines *odl_outlines_ref (OdlOutlines *outlines);
void odl_outlines_unref (OdlOutlines *outlines); // accepts NULL

// Lines that are added then belong to this area; `name` is copied.
void odl_outlines_begin (OdlOutlines *outlines, const char *name, const double colour[3]);

void odl_outlines_add_line (OdlOutlines *outlines,
                            const OdlPoint *points,
                            guint n,
                            bool closed);

// Lines about the samples of `mask` that are not 0, along their edges; width × height of
// them, row by row, the first one's corner at `corner`. Samples that meet in a corner
// alone are apart.
void odl_outlines_add_mask (OdlOutlines *outlines,
                            const uint8_t *mask,
                            int width,
                            int height,
                            OdlPoint corner);

// Takes `argb`, width × height of them, for g_free.
void odl_outlines_take_picture (OdlOutlines *outlines,
                                uint32_t *argb,
                                int width,
                                int height,
                                OdlPoint corner);

// Whether there is no line and no picture.
bool odl_outlines_is_empty (const OdlOutlines *outlines);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlOutlines, odl_outlines_unref)
