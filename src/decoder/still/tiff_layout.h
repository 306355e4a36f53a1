// SPDX-License-Identifier: MIT
// How a TIFF file stores its samples, and how one sample goes into the picture.
#pragma once

#include <stdbool.h>
#include <tiffio.h>

#include "decoder/picture.h"

G_BEGIN_DECLS

typedef struct {
  uint32_t width;
  uint32_t height;
  int orientation;
  int bits; // per stored sample
  int format; // SAMPLEFORMAT_…
  int photometric; // PHOTOMETRIC_…
  int samples_per_pixel; // stored
  int used_samples; // of these, that go into the picture
  bool separate; // one plane per sample
  bool generic; // left to libtiff's conversion to RGB
  uint32_t tile_width;
  uint32_t tile_height;
  size_t tile_bytes; // 0: strips
  size_t row_bytes; // of a stored row, or of a row of a tile
  int channels; // of the picture
  OdlSampleType type;
  size_t pixel_bytes;
  bool verbatim; // stored pixels are the picture's
  bool wide_palette; // 16 significant bits
  const uint16_t *palette[3]; // borrowed from the TIFF
} OdlTiffLayout;

// ODL_ERROR_UNSUPPORTED, ODL_ERROR_CORRUPT.
bool odl_tiff_layout (TIFF *tiff, OdlTiffLayout *layout, GError **error);

// Writes stored sample number `index` of `row` as sample `channel` of `pixel`.
void odl_tiff_put_sample (const OdlTiffLayout *layout,
                          const uint8_t *row,
                          size_t index,
                          int channel,
                          uint8_t *pixel);

// Fills in what the tags say about the values, after the samples are in place.
void odl_tiff_describe (TIFF *tiff, const OdlTiffLayout *layout, OdlPicture *picture);

G_END_DECLS
