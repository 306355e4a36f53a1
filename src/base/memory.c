// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

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

void
odl_advise_huge_pages (void *data, size_t size)
{
#if defined __linux__ && defined MADV_HUGEPAGE
  const uintptr_t page = (uintptr_t) 2 << 20;
  const uintptr_t first = ((uintptr_t) data + page - 1) / page * page;
  const uintptr_t end = ((uintptr_t) data + size) / page * page;

  if (end > first && madvise ((void *) first, end - first, MADV_HUGEPAGE) != 0)
    return; // this system has none
#else
  (void) data;
  (void) size;
#endif
}
