// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool
odl_size_product (const size_t *factors, size_t n, size_t *product)
{
  size_t result = 1;

  for (size_t i = 0; i < n; i++)
    if (__builtin_mul_overflow (result, factors[i], &result))
      return false;
  *product = result;
  return true;
}

void *
odl_aligned_alloc (size_t size)
{
  if (size > SIZE_MAX - ODL_ALIGNMENT)
    return NULL;

  size_t rounded = (size + ODL_ALIGNMENT - 1) / ODL_ALIGNMENT * ODL_ALIGNMENT;
  void *data = aligned_alloc (ODL_ALIGNMENT, MAX (rounded, ODL_ALIGNMENT));
  if (data != NULL)
    memset (data, 0, rounded);
  return data;
}

void
odl_aligned_free (void *data)
{
  free (data);
}
