// SPDX-License-Identifier: MIT
// From the stored samples of a MetaImage to those of a picture.
#pragma once

#include "decoder/metaimage/header.h"
#include "decoder/picture.h"

G_BEGIN_DECLS

// Of the picture: 8 and 16 bits stay integers, a signed byte becomes 16 bits, all else
// floats.
OdlSampleType odl_meta_picture_type (OdlMetaSample sample);
size_t odl_meta_sample_size (OdlMetaSample sample);

// `n` samples in the byte order of `header`, at any address.
void odl_meta_convert (const OdlMetaHeader *header, const void *from, size_t n, void *to);

// Mirrors the picture as `header` asks for.
void odl_meta_mirror (const OdlMetaHeader *header, OdlPicture *picture);

// Says that a signed byte has its values and not those of 16 bits.
void odl_meta_narrow (OdlMetaSample sample, OdlPicture *picture);

G_END_DECLS
