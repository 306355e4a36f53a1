// SPDX-License-Identifier: MIT
// Textures and framebuffers of a plan's slots.
#pragma once

#include "engine/gl/platform/caps.h"
#include "engine/gl/platform/pass.h"
#include "engine/gl/storages.h"

typedef struct {
  const OdlGlStorage *storage;
  int precision; // of the textures
  int width, height; // of the slot
  int rows; // of texels, which a packed half has of these at a time
  GLuint textures[ODL_GL_SLOT_TEXTURES];
  GLuint framebuffers[ODL_GL_SLOT_FRAMEBUFFERS];
} OdlGlSlot;

// Size of one texture.
static inline int
odl_gl_slot_texture_width (const OdlGlSlot *slot, int texture)
{
  const int divide = slot->storage->layers[texture].divide_x;

  return (slot->width + divide - 1) / divide;
}

static inline int
odl_gl_slot_texture_height (const OdlGlSlot *slot, int texture)
{
  const int divide = slot->storage->layers[texture].divide_y;

  return (slot->height + divide - 1) / divide;
}

typedef struct {
  double texels;
  double floats; // texels count as many as they have channels
} OdlGlTexels;

// Adds what drawing `area` fragments into one of the slot's framebuffers writes.
void odl_gl_slot_add_texels (const OdlGlSlot *slot,
                             GLuint framebuffer,
                             double area,
                             OdlGlTexels *sum);

// Width and height of what a framebuffer of the slot holds. Slots that an engine made on
// its own have no storage and one texture of their size.
void odl_gl_slot_framebuffer_size (const OdlGlSlot *slot, int framebuffer, int size[2]);

typedef struct _OdlGlTargets OdlGlTargets;

typedef struct {
  const OdlGlCaps *caps;
  const OdlPlan *plan;
  OdlGlVariant variant;
  int strips_from; // samples of pictures from which on packed synthesis goes in strips
} OdlGlTargetsParams;

// Textures and framebuffers for all slots of a plan in one variant. Textures of
// `previous` (may be NULL) are taken over where they fit; `previous` stays usable until
// odl_gl_targets_commit. `created` counts new textures. ODL_ERROR_TOO_LARGE beyond the
// texture limit, ODL_ERROR_GPU where the driver has no such targets or no memory; then
// `previous` is as before. GL current.
OdlGlTargets *odl_gl_targets_new (const OdlGlTargetsParams *params,
                                  OdlGlTargets *previous,
                                  size_t *created,
                                  GError **error);

// Frees `previous` but for what `targets` took over from it. GL current.
void odl_gl_targets_commit (OdlGlTargets *targets, OdlGlTargets *previous);

// Frees `targets` and gives `previous` (may be NULL) back what it lent. GL current.
void odl_gl_targets_rollback (OdlGlTargets *targets, OdlGlTargets *previous);

// Frees everything; what was taken over and not committed stays with its first owner. GL
// current.
void odl_gl_targets_free (OdlGlTargets *targets);

const OdlGlSlot *odl_gl_targets_slot (const OdlGlTargets *targets, int slot);
size_t odl_gl_targets_count (const OdlGlTargets *targets); // textures
size_t odl_gl_targets_bytes (const OdlGlTargets *targets);

// The slot that a step of the plan writes, and that it reads. Packed halves and coarser
// results last until the next level has read them: they lie where halves.h says, and in
// the end their slots have no storage.
const OdlGlSlot *
odl_gl_targets_written (const OdlGlTargets *targets, const OdlPlan *plan, int step);
const OdlGlSlot *
odl_gl_targets_read (const OdlGlTargets *targets, const OdlPlan *plan, int step, int r);

// Whether what a step wrote is one of these.
bool odl_gl_targets_is_passing (const OdlGlTargets *targets, int step);

// Bytes of a texture of the slot.
size_t odl_gl_slot_texture_bytes (const OdlGlSlot *slot, int texture);

// What the pictures, LL bands and low halves of a plan of `precision` lack: half floats
// are twice as fine below 0.5 as above, so 16-bit plans work on scaled values − 0.5. All
// steps are linear with a DC gain of 1 on these and 0 on details (but for THRESHOLD,
// which sees details only): nothing but LOAD and who looks at results needs to know.
static inline float
odl_gl_bias (int precision)
{
  return precision == 16 ? 0.5f : 0.0f;
}

// A texture of `components` (1, 2, 4) floats of `precision` bits, not filtered; 0 when
// the driver reports an error. GL current.
GLuint odl_gl_texture_new (int components, int precision, int width, int height);

// A framebuffer that holds `count` textures; 0 when the driver cannot draw into them. GL
// current.
GLuint odl_gl_framebuffer_new (const GLuint *textures, int count);

// ODL_ERROR_TOO_LARGE, worded for people, when a side exceeds what the context can hold.
bool odl_gl_check_size (const OdlGlCaps *caps, int width, int height, GError **error);

// The same for the picture of a plan, and ODL_ERROR_GPU when the context cannot draw into
// floats of its precision.
bool odl_gl_check_plan (const OdlGlCaps *caps, const OdlPlan *plan, GError **error);

// Says that there was no memory for the textures of `slot`.
void odl_gl_set_memory_error (const OdlGlSlot *slot, GError **error);
