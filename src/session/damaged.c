// SPDX-License-Identifier: MIT
#include "session/damaged.h"

#include <glib/gi18n-lib.h>

#include "config.h"

OdlImage *
odl_damaged_image (const OdlImage *like)
{
  OdlImageInfo info = *odl_image_info (like);
  void *samples;

  // Zero is the darkest value of most images; where it is not, it is still plainly none
  // of the picture.
  info.mark = _ ("damaged frame");
  return odl_image_alloc (&info, &samples, NULL);
}
