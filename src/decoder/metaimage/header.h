// SPDX-License-Identifier: MIT
// The text at the head of a MetaImage (MetaIO's documentation, "MetaImage"), with the
// fields that PlusLib adds for sequences of ultrasound frames. Nothing in it is trusted.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

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
  uint32_t n_frames; // along all axes beyond the second
  uint32_t channels; // 1, 3, 4
  const OdlMetaType *type;
  size_t frame_bytes; // as stored
  bool big_endian;
  bool compressed; // one zlib stream for each file
  // What must be mirrored so that x points to the marked side of the transducer and y
  // away from it (PlusLib's orientation MF).
  bool flip_x;
  bool flip_y;
  double spacing_mm[3]; // 0: not said
  bool spacing_is_nonsense; // what is written there is zero, negative or no number
  bool is_sequence; // a field tells of single frames
  bool is_volume; // there are three axes, and nothing says that the third one is time
  bool has_range;
  double range[2]; // declared smallest and largest value
  uint64_t skip_bytes; // before the samples of a file
  bool at_end; // the samples are the last bytes of the file
  size_t local_offset; // of the samples, which follow the header; 0: they lie in files
  GPtrArray *files; // their plain names
  uint32_t frames_per_file;
  GArray *stamps_s; // double for each frame, or shorter; NaN: none
  GHashTable *invalid; // set of numbers of frames that the recorder calls invalid
  char orientation[8]; // as written; "" when not
  char dimensions[128];
} OdlMetaHeader;

// Reads the head of `data`. Messages complete "Cannot open FILE: …". ODL_ERROR_CORRUPT,
// _UNSUPPORTED, _TOO_LARGE. Clear it in any case.
bool odl_meta_header_read (OdlMetaHeader *header,
                           const uint8_t *data,
                           size_t size,
                           GError **error);
void odl_meta_header_clear (OdlMetaHeader *header);

G_END_DECLS
