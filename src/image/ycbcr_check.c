// SPDX-License-Identifier: MIT
#include "image/ycbcr.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"

OdlSampleType
odl_ycbcr_chroma_type (const OdlImageInfo *info)
{
  return info->type == ODL_SAMPLE_F32 ? info->ycbcr.chroma_type : info->type;
}

bool
odl_ycbcr_check (const OdlImageInfo *info, GError **error)
{
  const OdlYcbcr *y = &info->ycbcr;
  const double numbers[] = { y->kr, y->kb, y->luma_offset, y->chroma_offset };
  const OdlSampleType chroma = odl_ycbcr_chroma_type (info);
  bool right = info->channels == 3 && info->type != ODL_SAMPLE_S16
               && (chroma == ODL_SAMPLE_U8 || chroma == ODL_SAMPLE_U16) && y->shift_x >= 0
               && y->shift_x <= 2 && y->shift_y >= 0 && y->shift_y <= 2 && y->kr > 0
               && y->kb > 0 && y->kr + y->kb < 1 && y->luma_range > 0
               && y->chroma_range > 0 && info->extent.z == 1 && info->extent.t == 1;

  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
    right = right && isfinite (numbers[i]);
  if (!y->used || right)
    return true;
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("the image's colour description is invalid"));
}
