// SPDX-License-Identifier: MIT
// Converts stored MetaImage samples.
#pragma once

#include "decoder/metaimage/header.h"
#include "decoder/picture.h"

// Sample type of the picture: 8 and 16 bits stay integers, signed bytes become 16
// bits, all others floats.
OdlSampleType odl_meta_picture_type (OdlMetaSample sample);
size_t odl_meta_sample_size (OdlMetaSample sample);

// Whether stored samples are those of the picture, and have no numbers beside them, so
// that they can be read into it.
bool odl_meta_is_kept (OdlMetaSample sample, bool big_endian, const OdlPicture *picture);

// Converts `n` stored samples, at any alignment.
void odl_meta_convert (OdlMetaSample sample,
                       bool big_endian,
                       const void *from,
                       size_t n,
                       void *to);

// Extends `range` by `n` stored samples; `values` is room for as many.
void odl_meta_measure (OdlMetaSample sample,
                       bool big_endian,
                       const void *from,
                       size_t n,
                       float *values,
                       OdlNumberRange *range);

// The samples from number `at` of the picture on, which must be allocated, and the
// numbers beside them if there are any: converts `n` stored ones.
void odl_meta_put (OdlMetaSample sample,
                   bool big_endian,
                   const void *from,
                   size_t n,
                   size_t at,
                   OdlPicture *picture);

// The type of its numbers.
OdlNumberType odl_meta_number_type (OdlMetaSample sample);

// Mirrors the picture according to `header`.
void odl_meta_mirror (const OdlMetaHeader *header, OdlPicture *picture);

// Limits the range of signed bytes to their own instead of that of 16 bits.
void odl_meta_limit_range (OdlMetaSample sample, OdlPicture *picture);
