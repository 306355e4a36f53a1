// SPDX-License-Identifier: MIT
// A pool of ordinary memory. Returned blocks are reused, so that consecutive pictures
// of one size touch no new pages.
#pragma once

#include "image/pool.h"

// `huge_pages`: as odl_aligned_alloc_huge. A block is always available while memory
// lasts; a few returned blocks are kept. Any thread.
OdlImagePool *odl_memory_pool_new (bool huge_pages);

// Number of blocks allocated so far. Any thread.
size_t odl_memory_pool_made (OdlImagePool *pool);
