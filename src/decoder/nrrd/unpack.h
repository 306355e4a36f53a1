// SPDX-License-Identifier: MIT
// Unpacks the samples of an NRRD file whole: bzip2, text, hexadecimal digits. Untrusted.
#pragma once

#include "decoder/nrrd/header.h"

// What was packed, and what is wanted of it.
typedef struct {
  const uint8_t *from;
  size_t size;
  uint64_t wanted; // bytes
  size_t limit; // of memory
} OdlNrrdPacked;

typedef struct {
  uint8_t *bytes; // owned; NULL: none
  size_t n;
  bool is_damaged;
} OdlNrrdUnpacked;

// Memory grows with what comes out. ODL_ERROR_TOO_LARGE.
bool odl_nrrd_unpack (const OdlNrrdHeader *header,
                      const OdlNrrdPacked *packed,
                      OdlNrrdUnpacked *unpacked,
                      GError **error);

// ODL_ERROR_TOO_LARGE: unpacked samples would be more than `limit`.
bool odl_nrrd_set_too_large (size_t limit, GError **error);
