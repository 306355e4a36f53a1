// SPDX-License-Identifier: MIT
// The storage buffers that hold the slots of a plan, for compute shaders.
#pragma once

#include <epoxy/gl.h>

#include "engine/gl/platform/caps.h"
#include "plan/plan.h"

// The buffer of a slot: rows of whole quads (four samples), slice after slice of a
// volume, channel after channel, so that a channel's slices lie there as one tall
// picture. Bands of a channel: LL, HL, LH, HH one below the other, each with as many rows
// as LL.
typedef struct {
  GLuint buffer; // 0: the slot is passed on in registers
  int precision; // bits of a sample
  int pitch; // quads of a row
  int plane; // quads of a slice of a channel
  int planes; // channels, and alpha in the slot that LOAD writes
  int slices; // of each; 1 for pictures
} OdlGlStore;

// Where shaders find its samples.
static inline void
odl_gl_set_layout (int layout[2], const OdlGlStore *store)
{
  layout[0] = store->pitch;
  layout[1] = store->plane;
}

typedef struct _OdlGlStores OdlGlStores;

// Buffers for those slots of `plan` that `stored` marks. `created` counts them.
// ODL_ERROR_TOO_LARGE beyond what a shader can reach, ODL_ERROR_GPU without memory. GL
// current.
OdlGlStores *odl_gl_stores_new (const OdlGlCaps *caps,
                                const OdlPlan *plan,
                                const bool *stored,
                                size_t *created,
                                GError **error);
void odl_gl_stores_free (OdlGlStores *stores); // GL current; NULL is fine

const OdlGlStore *odl_gl_stores_at (const OdlGlStores *stores, int slot);

// A buffer of at least `bytes` that the CPU may map, to read slots back; it is kept,
// since drivers take longer to make one than to fill it. GL current.
GLuint odl_gl_stores_staging (OdlGlStores *stores, size_t bytes);

// Bytes of a slot's samples.
size_t odl_gl_store_bytes (const OdlGlStore *store);

// Lines of #define for the precision of what a dispatch reads (NULL: something else) and
// writes. Transfer full.
char *odl_gl_precision_defines (const OdlGlCaps *caps,
                                const OdlGlStore *source,
                                int target_precision);
