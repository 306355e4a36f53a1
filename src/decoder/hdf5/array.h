// SPDX-License-Identifier: MIT
// An array (a dataset) of an HDF5 file: its sides, its type of number, and a part of its
// numbers, in native byte order.
#pragma once

#include "decoder/hdf5/file.h"
#include "decoder/metaimage/header.h"

#define ODL_H5_MAX_SIDES 32

typedef struct {
  hid_t set, type; // of the file; negative: none
  int n_sides; // at least 1: a single number has one side of 1
  uint64_t sides[ODL_H5_MAX_SIDES]; // the last one's index changes fastest
  OdlMetaSample sample;
  bool is_bool; // of which 0 and 1 are stored
  bool is_complex; // two floats of type `sample`
  bool by_columns; // MATLAB wrote it, whose first index changes fastest: it is last here
  size_t chunk_bytes; // 0: not in chunks
} OdlH5Array;

// Opens one that can be read: numbers, in the file itself, packed in ways that are built
// in. `memory`: most for a chunk. ODL_ERROR_UNSUPPORTED, _CORRUPT, _TOO_LARGE. Close it
// in any case.
bool odl_h5_array_open (OdlH5Array *array,
                        const OdlH5File *file,
                        const char *path,
                        size_t memory,
                        GError **error);
void odl_h5_array_close (OdlH5Array *array);

// Sets ODL_ERROR_CORRUPT: there is less than it says. Returns false.
bool odl_h5_array_refuse_size (GError **error);

// Sides and type for people: "10×20 float". Transfer full; NULL: it is no array.
char *odl_h5_array_describe (const OdlH5File *file, const char *path);

// Bytes of a number as it is read; complex ones have two.
size_t odl_h5_array_number_bytes (const OdlH5Array *array);

// Reads a block of numbers, all of which lie within the sides. False: damaged.
bool odl_h5_array_read (const OdlH5Array *array,
                        const uint64_t *start,
                        const uint64_t *count,
                        void *to);

// Keeps up to so many bytes of unpacked chunks between reads. The array is opened anew.
bool odl_h5_array_keep (OdlH5Array *array,
                        const OdlH5File *file,
                        const char *path,
                        size_t bytes);

// All numbers of a small array; returns how many there are. 0: there is none, it cannot
// be read, or has more than `most`.
size_t odl_h5_array_numbers (const OdlH5File *file,
                             const char *path,
                             double *numbers,
                             size_t most);
