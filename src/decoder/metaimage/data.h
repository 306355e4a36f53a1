// SPDX-License-Identifier: MIT
// Random access to the stored samples of a MetaImage, uncompressed, in a zlib stream, or
// as text.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "decoder/metaimage/header.h"

typedef struct _OdlMetaData OdlMetaData;

typedef struct {
  int fd; // of the file; borrowed
  uint64_t offset; // of the samples in the file
  bool compressed;
  const OdlMetaType *text; // of numbers that are written as text; NULL: they are not
  uint64_t file_bytes; // size of the file
  uint64_t total_bytes; // expected size of the samples, uncompressed
} OdlMetaDataParams;

// NULL: out of memory.
OdlMetaData *odl_meta_data_new (const OdlMetaDataParams *params);
void odl_meta_data_free (OdlMetaData *data);

// Bytes of the numbers that are there as text; they are all read at once.
uint64_t odl_meta_data_text_bytes (const OdlMetaData *data);

// Reads up to `size` bytes from `offset` on; returns the number read, less at the end
// and where a compressed stream is damaged. For streams it keeps decompressor states
// at intervals (at most about 6 MB), so that seeking inflates at most the greater of 1
// MiB and 1/128 of the stream once it was read completely; unread parts are inflated
// first.
size_t odl_meta_data_read (OdlMetaData *data, uint64_t offset, void *to, size_t size);

// True if the last read reached the end of a stream whose checksum is wrong.
bool odl_meta_data_is_damaged (const OdlMetaData *data);
