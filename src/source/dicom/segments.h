// SPDX-License-Identifier: MIT
// OdlSegments: what somebody outlined in pictures, as DICOM keeps it: segmentations
// (SEG), whose masks are held as bits, and structure sets (RTSTRUCT). Read in the
// decoder. Immutable; any thread.
#pragma once

#include "image/display/outlines.h"
#include "image/volume/planes.h"
#include "source/source.h"

// Of the masks of all frames. Larger ones are refused.
#define ODL_SEGMENTS_MOST_BYTES ((uint64_t) 512 << 20)

typedef struct _OdlSegments OdlSegments;

// Reads a file. Transfer full. Blocks. Errors name the file: ODL_ERROR_UNSUPPORTED: it is
// neither; ODL_ERROR_TOO_LARGE; any of ODL_ERROR.
OdlSegments *
odl_segments_read (const char *path, GCancellable *cancellable, GError **error);
OdlSegments *odl_segments_ref (OdlSegments *segments);
void odl_segments_unref (OdlSegments *segments); // accepts NULL

int odl_segments_count (const OdlSegments *segments);
const char *odl_segments_name (const OdlSegments *segments, int segment); // "": none
// sRGB, 0 … 1; one of ours where the file has none.
void odl_segments_colour (const OdlSegments *segments, int segment, double colour[3]);
const char *odl_segments_path (const OdlSegments *segments); // of the file
// Whether it is a structure set, not a segmentation.
bool odl_segments_are_structures (const OdlSegments *segments);

// A picture or a plane through a volume: what it is of, and where it lies.
typedef struct {
  int width, height; // samples
  bool is_placed; // the next four are known
  double corner[3]; // outer corner of the first sample, mm, LPS
  double across[3], down[3]; // from sample to sample
  double step_mm; // to the next slice; 0: unknown
  const char *frame_of_reference; // NULL: none is named
  const char *instance; // SOP Instance UID of a picture as it came; NULL: none
  int64_t frame; // of that file, from 0
} OdlSegmentsPlane;

// Where frame `frame` of a source lies, of which `info` describes the picture.
void odl_segments_plane_of (const OdlSource *source,
                            int64_t frame,
                            const OdlImageInfo *info,
                            OdlSegmentsPlane *plane);

// Where a plane of the volume of slices of a source lies; `volume` describes that. False:
// nobody knows.
bool odl_segments_plane_through (const OdlSource *source,
                                 const OdlImageInfo *volume,
                                 OdlPlaneKind kind,
                                 const OdlPlanesLook *look,
                                 OdlSegmentsPlane *plane);

// Whether it is about that: in one frame of reference, or about that very picture.
bool odl_segments_fit (const OdlSegments *segments, const OdlSegmentsPlane *plane);

// Adds the areas of the segments that lie on a plane. `hidden`: 1 for each segment that
// is not wanted; NULL: all are. Fractional segments are where at least half is. Contours
// that lie beside each other's planes count as thick as these are apart. `shift` is added
// to all points.
void odl_segments_draw (const OdlSegments *segments,
                        const OdlSegmentsPlane *plane,
                        const uint8_t *hidden,
                        OdlPoint shift,
                        OdlOutlines *outlines);

// Whether the first bytes of a file say that it is one.
bool odl_segments_is_in (const uint8_t *head, size_t n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlSegments, odl_segments_unref)
