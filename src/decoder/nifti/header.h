// SPDX-License-Identifier: MIT
// The header of NIfTI-1 and NIfTI-2 files (nifti1.h, nifti2.h of the NIfTI working
// group). Untrusted.
#pragma once

#include "decoder/metaimage/header.h"
#include "decoder/place.h"

// Enough for both versions.
#define ODL_NIFTI_HEADER_BYTES 540

typedef struct {
  int code;
  const char *name; // such as "INT16"
  OdlMetaSample sample;
  uint32_t channels; // 1, 3, 4
  size_t size; // bytes of a voxel
} OdlNiftiType;

typedef struct {
  int version; // 1, 2
  bool big_endian;
  bool is_pair; // the samples are in another file
  const OdlNiftiType *type;
  uint32_t n_volumes; // product of all axes beyond the third, but components if these
                      // are colours
  uint32_t n_components; // along the fifth axis, of vectors and the like
  uint32_t n_colours; // of these, shown as such; else 1
  uint64_t offset; // of the samples in their file
  double slope, intercept;
  double window[2]; // values to be shown black and white; equal: none
  double interval_s; // between volumes; 0: unknown
  OdlPlace place;
  bool is_placed; // false: `place` is a guess
  bool forms_differ; // sform and qform place it differently
  bool was_negative; // a spacing, of which the amount is taken
  double spacing_mm[3]; // of stored axes; 0: unknown
  const char *ignored[5]; // names of invalid fields
  int n_ignored;
} OdlNiftiHeader;

// Messages complete "Cannot open FILE: …". ODL_ERROR_CORRUPT, _UNSUPPORTED, _TOO_LARGE.
bool odl_nifti_header_read (OdlNiftiHeader *header,
                            const uint8_t *data,
                            size_t size,
                            GError **error);
