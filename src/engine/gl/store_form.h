// SPDX-License-Identifier: MIT
// The form of a store: which textures hold a slot, and what a texel holds.
#pragma once

#include "engine/gl/variant.h"
#include "plan/plan.h"

#define ODL_GL_STORE_TEXTURES 4
#define ODL_GL_STORE_FRAMEBUFFERS 3

// Grey: a picture is R; a half is RG (low, high), half as wide; bands are RGBA (LL, LH,
// HL, HH), half as wide and high. Colour: RGBA textures, one for each of those. Packed:
// texel (x, y) of a picture or half is RGBA, the samples (2 x, 2 y), (2 x + 1, 2 y),
// (2 x, 2 y + 1), (2 x + 1, 2 y + 1), where a half has low coefficients at even x and
// high ones at odd x; bands as for grey; in colour each channel has a texture of its own.
typedef struct {
  int components; // 1, 2, 4
  int divide_x, divide_y; // of the slot's size, rounded up
} OdlGlLayer;

typedef struct {
  OdlSlotKind kind;
  int channels; // of the slot
  int n_textures; // 0: none; the slot is computed when it is read back
  // Of colour bands: LL, LH, HL, HH; packed: of the channels.
  OdlGlLayer layers[ODL_GL_STORE_TEXTURES];
  struct {
    int first, count; // textures that the framebuffer holds; count 0: there is none
  } framebuffers[ODL_GL_STORE_FRAMEBUFFERS];
} OdlGlStoreForm;

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

// The form of slots without a store of their own.
extern const OdlGlStoreForm odl_gl_no_store;

// The form in which a slot is stored at the end of a frame, unless another store holds
// it. Most packed halves are transient and have none.
const OdlGlStoreForm *
odl_gl_store_form_of (const OdlPlan *plan, OdlGlVariant variant, int slot);

// The form of a transient packed half.
const OdlGlStoreForm *odl_gl_store_form_of_half (const OdlPlan *plan, int slot);

// Whether a step of the plan needs a texture of that form.
bool odl_gl_store_form_needs (const OdlPlan *plan,
                              const OdlGlStoreForm *form,
                              int slot,
                              int texture);
