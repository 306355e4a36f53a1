// SPDX-License-Identifier: MIT
// A ring of buffers that the CPU writes and the GPU reads, mapped for as long as they
// exist: an OdlImagePool. Sources write their frames straight into it, in their own
// threads; engines upload such frames without a copy and fence them.
//
// A block is made when one was asked for in vain, and only in odl_gl_ring_tend: others
// have no GL. So the first frames of a source, and those that come while all blocks are
// out, lie in ordinary memory.
#pragma once

#include <epoxy/gl.h>

#include "engine/gl/platform/caps.h"
#include "image/pool.h"

typedef struct _OdlGlRing OdlGlRing;

// NULL without persistently mapped buffers (GL 4.4, GL_ARB_buffer_storage,
// GL_EXT_buffer_storage). GL current.
OdlGlRing *odl_gl_ring_new (const OdlGlCaps *caps);

// Borrowed: valid until odl_gl_ring_close; whoever keeps it longer takes a reference.
OdlImagePool *odl_gl_ring_pool (OdlGlRing *ring);

// Ends lending and deletes all buffers but those that are lent. Their memory stays valid
// until they come back: `last` (may be NULL) is called with `data` when none is out any
// more, in the thread that gave the last one back, or at once, and may then end the
// context (or the group of contexts that share its objects), not earlier. GL current.
void odl_gl_ring_close (OdlGlRing *ring, GDestroyNotify last, void *data);

// Takes back what the GPU has read and makes what was asked for in vain. Waits for
// nothing. `made` counts new buffers. GL current.
void odl_gl_ring_tend (OdlImagePool *pool, size_t *made);

// Where the samples of an image lie.
typedef struct {
  GLuint buffer;
  size_t offset_bytes; // of sample (0, 0)
} OdlGlRingPlace;

// False when `image` does not lie in `pool` (may be NULL). Any thread.
bool odl_gl_ring_find (OdlImagePool *pool, const OdlImage *image, OdlGlRingPlace *place);

// After the GPU was told to read `image`, which lies in a ring: its block is not lent
// again before it has. Small blocks share a fence, which comes when several were read or
// odl_gl_ring_tend finds few to lend. GL current.
void odl_gl_ring_fence (const OdlImage *image);

// For tests and diagnostics.
typedef struct {
  int blocks; // that exist
  int lent;
  int waiting; // given back, but the GPU may still read them
} OdlGlRingCounts;
OdlGlRingCounts odl_gl_ring_counts (OdlImagePool *pool);
