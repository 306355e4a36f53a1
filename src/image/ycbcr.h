// SPDX-License-Identifier: MIT
// YCbCr internals, for image.c and samples.c only.
#pragma once

#include "image/image.h"

// ODL_ERROR_CORRUPT for an inconsistent description. Accepts images that are not
// YCbCr.
bool odl_ycbcr_check (const OdlImageInfo *info, GError **error);

// Sample type of planes 1 and 2.
OdlSampleType odl_ycbcr_chroma_type (const OdlImageInfo *info);

// Row `y` of red (0), green (1) or blue (2).
void odl_ycbcr_channel_row (const OdlImageInfo *info, int channel, int y, float *row);
