// SPDX-License-Identifier: MIT
// What the header of an NRRD file says: axes in the order of the file (the first one
// changes fastest), what each is, and where the samples are. Untrusted.
#pragma once

#include "decoder/metaimage/header.h"
#include "decoder/nrrd/lines.h"
#include "decoder/place.h"
#include "image/beams.h"

#define ODL_NRRD_MAX_AXES 16

// What an axis is, by its kind.
typedef enum {
  ODL_NRRD_UNKNOWN, // nothing is said
  ODL_NRRD_SPACE,
  ODL_NRRD_COLOUR, // red, green, blue, and how opaque it is
  ODL_NRRD_VECTOR, // of any meaning; three or four bytes are a colour
  ODL_NRRD_COMPONENT, // several numbers of one place
  ODL_NRRD_LIST,
  ODL_NRRD_TIME,
} OdlNrrdKind;

typedef enum {
  ODL_NRRD_RAW,
  ODL_NRRD_TEXT,
  ODL_NRRD_HEX,
  ODL_NRRD_GZIP,
  ODL_NRRD_BZIP2,
} OdlNrrdEncoding;

typedef struct {
  uint64_t size;
  uint64_t stride; // samples from one index to the next
  OdlNrrdKind kind;
  bool has_direction;
  double direction[4]; // a vector of the space; 0 where it has fewer numbers
  double spacing; // NaN: not given
  double least, most; // axis mins and axis maxs; NaN: not given
  bool is_node; // samples lie on the ends of the axis; else half a step inside
  char unit[24];
  char label[64];
} OdlNrrdAxis;

typedef struct {
  OdlNrrdLines lines;
  const OdlMetaType *type;
  OdlNrrdEncoding encoding;
  bool big_endian;
  int n_axes;
  OdlNrrdAxis axes[ODL_NRRD_MAX_AXES];
  uint64_t n_samples; // of all axes
  uint64_t line_skip;
  int64_t byte_skip; // −1 and below: from the end

  // The layout.
  int channel_axis; // −1: none
  uint32_t channels; // 1, 3, 4
  int space_axes[3]; // that the place's axes are; −1: none
  uint64_t stride[3]; // of the place's axes
  int loops[ODL_NRRD_MAX_AXES]; // axes of which each index is a picture or volume,
                                // fastest
  int n_loops; // first
  int sequence; // the axis among them that is a list or time; −1: none
  uint32_t n_items; // product of the loops
  bool shows_components; // one after the other

  // Where it lies.
  OdlPlace place; // of its three axes; those of one index are last
  bool is_placed; // in a patient
  char space[48]; // name; "": none
  double origin[3]; // of a space that names no patient, in mm
  bool has_origin;
  double spacing_mm[3]; // of the place's axes; 0: unknown
  double aspect; // of a pixel, where its size is unknown; 0: unknown, too
  const char *ignored[8]; // fields that are invalid
  int n_ignored;
  bool was_negative; // a spacing
  char odd_unit[24]; // which is no length; "": none
  char orientation[8]; // of ultrasound, as written; "": none
  OdlBeams beams; // of ultrasound, before it is a picture
  int complex_axis; // of IQ: an axis of two, whose second ones are shown at the right of
                    // the first ones; −1: none
} OdlNrrdHeader;

// Parses the header at the start of `data`, which must outlive it. Messages complete
// "Cannot open FILE: …". ODL_ERROR_CORRUPT, _UNSUPPORTED, _TOO_LARGE. Clear it in any
// case.
bool odl_nrrd_header_read (OdlNrrdHeader *header,
                           const uint8_t *data,
                           size_t size,
                           GError **error);
void odl_nrrd_header_clear (OdlNrrdHeader *header);

// The words of a value, which are between blanks, in quotation marks or in brackets.
// Transfer full.
GStrv odl_nrrd_words (const char *value);
