// SPDX-License-Identifier: MIT
// The numbers of a file as they are, of pictures that nothing was done to.
#pragma once

#include "image/image.h"
#include "image/number.h"

// Stored numbers that stand where nothing was recorded; both ends are among them.
typedef struct {
  bool used;
  double first, last;
} OdlPadding;

static inline bool
odl_padding_holds (const OdlPadding *padding, double stored)
{
  return padding->used && stored >= padding->first && stored <= padding->last;
}

// Those of 32 and 64 bits do not fit the samples of an image, and floats without a value
// are replaced in these.
typedef struct {
  OdlNumberType type; // in the file
  OdlNumberType held; // in the planes; holds all numbers of `type` that are there
  OdlPlane planes[ODL_IMAGE_MAX_CHANNELS];
  OdlPadding padding; // of the file; counts in no measure, window and noise
} OdlNumbers;

// The numbers of `image`: those that were given to it, else its samples. Not for YCbCr
// images. Any thread.
OdlNumbers odl_image_numbers (const OdlImage *image);

// Gives numbers to an image that nobody else knows yet. Planes without data: the samples
// hold them. They live as long as the samples, and odl_image_with_info keeps them.
void odl_image_set_numbers (OdlImage *image, const OdlNumbers *numbers);

// The padding of `from` is that of `image`, which nobody else knows yet.
void odl_image_share_padding (OdlImage *image, const OdlImage *from);

// `count` numbers of one row from column `from` on. Any thread.
void odl_image_numbers_span (const OdlImage *image,
                             int channel,
                             int from,
                             int count,
                             int y,
                             int z,
                             double *numbers);

// odl_image_alloc_unset with room for numbers of `type` beside the samples, at *numbers,
// in the same order; undefined, both. UNKNOWN: none. Any thread.
OdlImage *odl_image_alloc_numbers (const OdlImageInfo *info,
                                   OdlNumberType type,
                                   void **samples,
                                   void **numbers,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
