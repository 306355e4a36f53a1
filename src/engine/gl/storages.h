// SPDX-License-Identifier: MIT
// Which textures hold a slot.
#pragma once

#include "engine/gl/variant.h"
#include "plan/plan.h"

#define ODL_GL_SLOT_TEXTURES 4
#define ODL_GL_SLOT_FRAMEBUFFERS 3

// How a slot is stored. Grey: a picture is R; half is RG (low, high), half as wide; bands
// are RGBA (LL, LH, HL, HH), half as wide and high. Colour: RGBA textures, one for each
// of those. Packed: texel (x, y) of a picture or half is RGBA, the samples (2 x, 2 y),
// (2 x + 1, 2 y), (2 x, 2 y + 1), (2 x + 1, 2 y + 1), where half has low at even x and
// high at odd x; bands as for grey; of colours each channel has such a texture.
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

// Whether the picture in `slot` is packed after step `before` − 1 (n_steps: in the end).
bool odl_gl_is_packed (const OdlPlan *plan, OdlGlVariant variant, int slot, int before);

// Of slots that have no textures in the end.
extern const OdlGlStorage odl_gl_no_storage;

// How a slot of the plan is stored in the end, if it does not lie in another one; packed
// halves mostly not at all.
const OdlGlStorage *
odl_gl_storage_of (const OdlPlan *plan, OdlGlVariant variant, int slot);

// How a packed half is stored while it lasts.
const OdlGlStorage *odl_gl_storage_of_half (const OdlPlan *plan, int slot);

// Whether somebody needs a texture of that storage.
bool odl_gl_storage_needs (const OdlPlan *plan,
                           const OdlGlStorage *storage,
                           int slot,
                           int texture);
