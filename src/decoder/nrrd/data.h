// SPDX-License-Identifier: MIT
// The samples of an NRRD file as stored bytes, wherever they are: in the file itself or
// in one or several beside it, plain or packed. Each file holds as many.
#pragma once

#include "decoder/nrrd/header.h"
#include "decoder/picture.h"

typedef struct _OdlNrrdData OdlNrrdData;

// `header` must outlive it, as must the mapped file of `input`. Opens the first file.
// `by_region`: samples are read where they lie (odl_nrrd_data_at), which unpacks all;
// else one after the other. ODL_ERROR_CORRUPT, _UNSUPPORTED, _TOO_LARGE.
OdlNrrdData *odl_nrrd_data_new (const OdlNrrdHeader *header,
                                const OdlDecoderInput *input,
                                bool by_region,
                                GError **error);
void odl_nrrd_data_free (OdlNrrdData *data);

// Number of bytes that can be there, as far as is known without unpacking.
uint64_t odl_nrrd_data_most (const OdlNrrdData *data);

// Bytes that are kept in memory because they were packed.
size_t odl_nrrd_data_kept (const OdlNrrdData *data);

// Opens all files that hold bytes from `offset` to before `end`. Errors as above.
bool
odl_nrrd_data_open (OdlNrrdData *data, uint64_t offset, uint64_t end, GError **error);

// Bytes from `offset` on, of one file: up to `*n`, which then says how many. They lie in
// the mapped file, else in `room`. NULL: there are none, as behind the end, and where
// packed bytes are damaged.
const uint8_t *
odl_nrrd_data_piece (OdlNrrdData *data, uint64_t offset, void *room, size_t *n);

// The bytes from `offset` on, as many as `n` tells, of those that are read by region;
// NULL: there are none.
const uint8_t *odl_nrrd_data_at (OdlNrrdData *data, uint64_t offset, size_t *n);

// Whether what was read last was packed and is damaged.
bool odl_nrrd_data_is_damaged (const OdlNrrdData *data);
