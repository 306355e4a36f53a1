// SPDX-License-Identifier: MIT
// Sample layout of a TIFF file, and conversion of single samples.
#pragma once

#include <stdbool.h>
#include <tiffio.h>

#include "decoder/picture.h"

typedef struct {
  uint32_t width;
  uint32_t height;
  int orientation;
  int bits; // per stored sample
  int format; // SAMPLEFORMAT_…
  int photometric; // PHOTOMETRIC_…
  int samples_per_pixel; // stored
  int colours; // the first of them: 1 or 3
  int opacity; // which of them it is, from 0; 0: there is none
  bool multiplied; // colours are multiplied by opacity
  bool separate; // one plane per sample
  int compression; // COMPRESSION_…
  bool generic; // converted to RGB by libtiff
  uint32_t tile_width;
  uint32_t tile_height;
  size_t tile_bytes; // 0: strips
  size_t row_bytes; // of a stored row, or of a tile's row
  int channels; // of the picture
  OdlSampleType type;
  OdlNumberType stored; // of samples that become floats; UNKNOWN: they become none
  OdlNumberType number; // of the file; beside the samples where they do not hold it
  size_t pixel_bytes; // of samples, or of these
  bool verbatim; // stored pixels are copied unchanged
  bool wide_palette; // 16 significant bits
  const uint16_t *palette[3]; // borrowed from the TIFF
} OdlTiffLayout;

// ODL_ERROR_UNSUPPORTED, ODL_ERROR_CORRUPT.
bool odl_tiff_layout (TIFF *tiff, OdlTiffLayout *layout, GError **error);

// Whether as many pages, packed as densely as can be, may lie in a file of `size` bytes;
// pictures of some MB always do.
bool
odl_tiff_layout_is_backed (const OdlTiffLayout *layout, uint32_t n_pages, size_t size);

// Makes a page have the samples of the first one. False: it has others.
bool odl_tiff_layout_follow (OdlTiffLayout *layout, const OdlTiffLayout *first);

// Sizes for pixels of samples, of whatever number.
void odl_tiff_layout_drop_numbers (OdlTiffLayout *layout);

// Whether sample number `sample` of each pixel is a colour or opacity.
bool odl_tiff_uses (const OdlTiffLayout *layout, int sample);

// Writes stored sample number `index` of `row`, which is number `sample` of its pixel, to
// `pixel`.
void odl_tiff_put_sample (const OdlTiffLayout *layout,
                          const uint8_t *row,
                          size_t index,
                          int sample,
                          uint8_t *pixel);

// The range that the tags say the samples have. False: none.
bool odl_tiff_declared_range (TIFF *tiff, double range[2]);

// Sets the value description from the tags; call it after the samples are complete.
// `declared` is the range of all pages, `found` the one that was found in them; NULL: it
// is not known.
void odl_tiff_describe (TIFF *tiff,
                        const OdlTiffLayout *layout,
                        const double *declared,
                        const OdlNumberRange *found,
                        OdlPicture *picture);
