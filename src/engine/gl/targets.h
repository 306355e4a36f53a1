// SPDX-License-Identifier: MIT
// Textures and framebuffers of a plan's slots.
#pragma once

#include "engine/gl/caps.h"
#include "engine/gl/pass.h"
#include "engine/gl/variant.h"
#include "plan/plan.h"

#define ODL_GL_SLOT_TEXTURES 4
#define ODL_GL_SLOT_FRAMEBUFFERS 3

// How a slot is stored. Grey: a picture is R; half is RG (low, high), half as wide; bands
// are RGBA (LL, LH, HL, HH), half as wide and high. Colour: RGBA textures, one for each
// of those. Packed: texel (x, y) of a picture or half is RGBA, the samples (2 x, 2 y), (2
// x
// + 1, 2 y), (2 x, 2 y + 1), (2 x + 1, 2 y + 1), where half has low at even x and high at
// odd x; bands as for grey; of colours each channel has such a texture.
typedef struct {
  int components; // 1, 2, 4
  int divide_x, divide_y; // of the slot's size, rounded up
} OdlGlLayer;

typedef struct {
  OdlSlotKind kind;
  int channels; // of the slot
  int n_textures; // 0: none, the slot is computed when somebody asks for it
  // Of colour bands: LL, LH, HL, HH; packed: of the channels.
  OdlGlLayer layers[ODL_GL_SLOT_TEXTURES];
  struct {
    int first, count; // textures that the framebuffer holds; count 0: no such one
  } framebuffers[ODL_GL_SLOT_FRAMEBUFFERS];
} OdlGlStorage;

// Framebuffers of colour bands.
#define ODL_GL_BANDS_LOW 0 // LL and LH: from the low half
#define ODL_GL_BANDS_HIGH 1 // HL and HH: from the high half
#define ODL_GL_BANDS_DETAILS 2 // LH, HL and HH

// Textures (packed: the first of one for each channel) and framebuffers of packed slots.
// A picture may have both forms: which of them its content is in depends on the step that
// wrote it last.
#define ODL_GL_PICTURE_FLAT 0
#define ODL_GL_PICTURE_PACKED 1

typedef struct {
  const OdlGlStorage *storage;
  int precision; // of the textures
  int width, height; // of the slot
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

// Textures and framebuffers for all slots of `plan` in one variant. Textures of
// `previous` (may be NULL) are taken over where they fit; `previous` stays usable until
// odl_gl_targets_commit. `created` counts new textures. ODL_ERROR_TOO_LARGE beyond the
// texture limit, ODL_ERROR_GPU where the driver has no such targets or no memory; then
// `previous` is as before. `stencil`, a renderbuffer or 0, is attached to what synthesis
// draws into. GL current.
OdlGlTargets *odl_gl_targets_new (const OdlGlCaps *caps,
                                  const OdlPlan *plan,
                                  OdlGlVariant variant,
                                  GLuint stencil,
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

// Whether the picture in `slot` is packed after step `before` − 1 (n_steps: in the end).
bool odl_gl_is_packed (const OdlPlan *plan, OdlGlVariant variant, int slot, int before);

// ODL_ERROR_TOO_LARGE, worded for people, when a side exceeds what the context can hold.
bool odl_gl_check_size (const OdlGlCaps *caps, int width, int height, GError **error);

// The same for the picture of a plan, and ODL_ERROR_GPU when the context cannot draw into
// floats of its precision.
bool odl_gl_check_plan (const OdlGlCaps *caps, const OdlPlan *plan, GError **error);

// Says that there was no memory for the textures of `slot`.
void odl_gl_set_memory_error (const OdlGlSlot *slot, GError **error);
