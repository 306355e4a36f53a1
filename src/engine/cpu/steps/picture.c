// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/steps.h"

#include "base/memory.h"

bool
odl_cpu_picture_alloc (OdlCpuPicture *picture, bool huge_pages)
{
  const size_t factors[]
      = { picture->pitch, picture->height, odl_cpu_planes (picture), sizeof (float) };
  size_t size;

  picture->samples = NULL;
  if (odl_size_product (factors, G_N_ELEMENTS (factors), &size))
    picture->samples
        = huge_pages ? odl_aligned_alloc_huge (size) : odl_aligned_alloc (size);
  return picture->samples != NULL;
}
