// SPDX-License-Identifier: MIT
// The stored samples of a MetaImage as bytes at offsets, be they plain or one zlib
// stream.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct _OdlMetaData OdlMetaData;

typedef struct {
  int fd; // of the file; stays the caller's
  uint64_t offset; // where the samples begin in it
  bool compressed;
  uint64_t total_bytes; // that the samples should have, uncompressed
} OdlMetaDataParams;

// NULL: short of memory.
OdlMetaData *odl_meta_data_new (const OdlMetaDataParams *params);
void odl_meta_data_free (OdlMetaData *data);

// Up to `size` bytes from `offset` on; returns how many there are: fewer at the end, and
// where a compressed stream is damaged. Memory: of plain samples nothing, of a stream at
// most some 6 MB, for the states of the decompressor that it is taken up from again. Cost
// of going back or ahead in a stream: the greater of 1 MiB and 1/128 of it, once it was
// gone through; what was not is inflated first.
size_t odl_meta_data_read (OdlMetaData *data, uint64_t offset, void *to, size_t size);

// True when the last read reached the end of a stream whose checksum says that something
// in it is wrong.
bool odl_meta_data_is_spoiled (const OdlMetaData *data);

G_END_DECLS
