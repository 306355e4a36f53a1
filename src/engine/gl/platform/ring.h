// SPDX-License-Identifier: MIT
// A ring of buffers that the CPU writes and the GPU reads, mapped for as long as they
// exist: an OdlImagePool. Sources write their frames straight into it, in their own
// threads; engines upload such frames without a copy and fence them.
//
// Blocks are made only in odl_gl_ring_tend, after a request that found none: sources have
// no GL. So the first frames of a source, and frames that arrive while all blocks are
// lent, lie in ordinary memory.
#pragma once

#include <epoxy/gl.h>

#include "engine/gl/platform/caps.h"
#include "image/pool.h"

typedef struct _OdlGlRing OdlGlRing;

// NULL without persistently mapped buffers (GL 4.4, GL_ARB_buffer_storage,
// GL_EXT_buffer_storage). GL current.
OdlGlRing *odl_gl_ring_new (const OdlGlCaps *caps);

// Borrowed: valid until odl_gl_ring_close; take a reference to keep it longer.
OdlImagePool *odl_gl_ring_pool (OdlGlRing *ring);

// Stops lending and deletes all buffers that are not lent. The memory of lent ones stays
// valid until they are returned; the context (or the group of contexts that share its
// objects) must exist until then. NULL: does nothing. GL current.
void odl_gl_ring_close (OdlGlRing *ring);

// Takes back blocks that the GPU has read, and makes blocks that were requested when none
// was free. Never waits. `made` counts new buffers. GL current.
void odl_gl_ring_tend (OdlImagePool *pool, size_t *made);

// Where the samples of an image lie.
typedef struct {
  GLuint buffer;
  size_t offset_bytes; // of sample (0, 0)
} OdlGlRingPlace;

// False when `image` does not lie in `pool` (may be NULL). Any thread.
bool odl_gl_ring_find (OdlImagePool *pool, const OdlImage *image, OdlGlRingPlace *place);

// Call after the commands that read `image`, which lies in a ring: its block is lent
// again only when the GPU has executed them. Small blocks share a fence, which is issued
// after several reads or when odl_gl_ring_tend finds few blocks to lend. GL current.
void odl_gl_ring_fence (const OdlImage *image);

// For tests and diagnostics.
typedef struct {
  int blocks; // that exist
  int lent;
  int waiting; // given back, but the GPU may still read them
} OdlGlRingCounts;
OdlGlRingCounts odl_gl_ring_counts (OdlImagePool *pool);
