// SPDX-License-Identifier: MIT
// A pool of ordinary memory. Blocks that came back are lent again, so that a picture of
// the size of the last one touches no fresh pages.
#pragma once

#include "image/pool.h"

G_BEGIN_DECLS

// `huge_pages`: as odl_aligned_alloc_huge. Never lends in vain while there is memory; a
// few blocks that came back are kept. Any thread.
OdlImagePool *odl_memory_pool_new (bool huge_pages);

// Blocks that were allocated so far. Any thread.
size_t odl_memory_pool_made (OdlImagePool *pool);

G_END_DECLS
