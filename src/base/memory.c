// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/mman.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
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

#define HUGE_PAGE ((size_t) 2 << 20)
#define WORTH_A_HUGE_PAGE ((size_t) 256 << 10)
#define WORTH_NO_TOUCH ((size_t) 32 << 20)

// madvise must precede the first write, which allocates the pages.
static void *
alloc_unset (size_t size, size_t alignment, bool huge)
{
  if (size > SIZE_MAX - alignment)
    return NULL;

  size_t rounded = MAX ((size + alignment - 1) / alignment * alignment, alignment);
  void *data = aligned_alloc (alignment, rounded);
  if (data == NULL)
    return NULL;
#if defined __linux__ && defined MADV_HUGEPAGE
  if (huge && madvise (data, rounded, MADV_HUGEPAGE) != 0)
    huge = false; // no huge pages on this system
#endif
  return data;
}

// Pages that the kernel takes back read as zeros, and take no memory until they are
// written: much of a volume's working set never is.
static void
set_to_zero (char *data, size_t size)
{
#if defined __linux__ && defined MADV_DONTNEED
  const size_t page = (size_t) sysconf (_SC_PAGESIZE);
  const size_t before = (page - (uintptr_t) data % page) % page;
  const size_t pages = size >= WORTH_NO_TOUCH ? (size - before) / page * page : 0;

  if (pages > 0 && madvise (data + before, pages, MADV_DONTNEED) == 0) {
    memset (data, 0, before);
    memset (data + before + pages, 0, size - before - pages);
    return;
  }
#endif
  memset (data, 0, size);
}

static void *
alloc_zeroed (size_t size, size_t alignment, bool huge)
{
  void *data = alloc_unset (size, alignment, huge);

  if (data != NULL)
    set_to_zero (data, size);
  return data;
}

void *
odl_aligned_alloc (size_t size)
{
  return alloc_zeroed (size, ODL_ALIGNMENT, false);
}

void *
odl_aligned_alloc_huge (size_t size)
{
  return size < WORTH_A_HUGE_PAGE ? odl_aligned_alloc (size)
                                  : alloc_zeroed (size, HUGE_PAGE, true);
}

void *
odl_aligned_alloc_unset (size_t size, bool huge)
{
  const bool worth = huge && size >= WORTH_A_HUGE_PAGE;

  return alloc_unset (size, worth ? HUGE_PAGE : ODL_ALIGNMENT, worth);
}

void
odl_aligned_free (void *data)
{
  free (data);
}

void
odl_memory_share_heaps (void)
{
#ifdef __GLIBC__
  mallopt (M_ARENA_MAX, 2);
#endif
}

void
odl_memory_give_back (void)
{
#ifdef __GLIBC__
  malloc_trim (0);
#endif
}

static long
ask_cache_size (int level)
{
#if defined _SC_LEVEL1_DCACHE_SIZE && defined _SC_LEVEL3_CACHE_SIZE
  return sysconf (level == 1   ? _SC_LEVEL1_DCACHE_SIZE
                  : level == 2 ? _SC_LEVEL2_CACHE_SIZE
                               : _SC_LEVEL3_CACHE_SIZE);
#else
  return -1;
#endif
}

size_t
odl_cache_size (int level)
{
  static const size_t usual[]
      = { (size_t) 32 << 10, (size_t) 1 << 20, (size_t) 16 << 20 };

  g_return_val_if_fail (level >= 1 && level <= 3, 0);

  const long size = ask_cache_size (level);
  return size > 0 ? (size_t) size : usual[level - 1];
}
