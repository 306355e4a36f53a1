// SPDX-License-Identifier: MIT
// The inside of YCbCr images, for image.c and samples.c alone.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

// ODL_ERROR_CORRUPT for a description that makes no sense. An image that is not YCbCr is
// fine.
bool odl_ycbcr_check (const OdlImageInfo *info, GError **error);

// That of planes 1 and 2.
OdlSampleType odl_ycbcr_chroma_type (const OdlImageInfo *info);

// Row `y` of red (0), green (1) or blue (2).
void odl_ycbcr_channel_row (const OdlImageInfo *info, int channel, int y, float *row);

G_END_DECLS
