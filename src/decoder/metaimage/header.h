// SPDX-License-Identifier: MIT
// The text header of a MetaImage (MetaIO's documentation, "MetaImage"), with PlusLib's
// fields for ultrasound sequences. Untrusted.
#pragma once

#include "decoder/place.h"
#include "image/beams.h"

typedef enum {
  ODL_META_U8,
  ODL_META_S8,
  ODL_META_U16,
  ODL_META_S16,
  ODL_META_U32,
  ODL_META_S32,
  ODL_META_U64,
  ODL_META_S64,
  ODL_META_F32,
  ODL_META_F64,
} OdlMetaSample;

typedef struct {
  const char *name; // such as "MET_UCHAR"
  OdlMetaSample sample;
  size_t size; // bytes
} OdlMetaType;

#define ODL_META_MAX_DIMENSIONS 10

typedef struct {
  uint32_t width;
  uint32_t height;
  uint32_t n_frames; // product of all axes beyond the second
  uint32_t channels; // 1, 3, 4
  const OdlMetaType *type;
  size_t frame_bytes; // as stored
  bool big_endian;
  bool compressed; // one zlib stream per file
  bool is_text; // numbers with white space between them
  // Axes to mirror, where they are not exchanged.
  bool flip_x;
  bool flip_y;
  double spacing_mm[3]; // 0: unknown
  const char *spacing_field; // which says it
  double interval_s; // between volumes, as this program writes it; 0: unknown
  bool spacing_is_nonsense; // the given spacing is zero, endless or not a number
  bool spacing_was_negative; // of which the amount is taken
  bool is_sequence; // a field describes individual frames
  uint32_t n_slices; // of each volume: extent of the third axis, unless it is known to be
                     // time; 0: no volume
  OdlPlace place; // of a volume or a slice
  bool is_placed; // the header says how it lies; false: axes are as they are stored
  bool is_turned; // as the transducer was held, which says nothing of the body
  bool orientation_is_odd; // it is none
  bool place_differs; // from AnatomicalOrientation
  const char *ignored; // name of an invalid field that should say it; NULL: none
  bool has_range;
  double range[2]; // declared smallest and largest value
  uint64_t skip_bytes; // before the samples of a file
  bool at_end; // the samples are at the end of the file
  size_t local_offset; // of the samples after the header; 0: they are in other files
  GPtrArray *files; // plain names of data files
  uint32_t frames_per_file;
  GArray *stamps_s; // double per frame, or fewer; NaN: none
  GHashTable *invalid; // set of frame numbers flagged as invalid by the recorder
  char orientation[8]; // as written; "" if absent
  char dimensions[128];
  OdlBeams beams; // of ultrasound, before it is a picture
  bool beams_are_odd; // they are none
} OdlMetaHeader;

// Parses the header at the start of `data`. Messages complete "Cannot open FILE: …".
// ODL_ERROR_CORRUPT, _UNSUPPORTED, _TOO_LARGE. Clear it in any case.
bool odl_meta_header_read (OdlMetaHeader *header,
                           const uint8_t *data,
                           size_t size,
                           GError **error);

// Calls `tell` for each key before the samples, as they stand there.
void odl_meta_header_walk (const uint8_t *data,
                           size_t size,
                           void (*tell) (const char *key, const char *value, void *data),
                           void *tell_data);
void odl_meta_header_clear (OdlMetaHeader *header);
