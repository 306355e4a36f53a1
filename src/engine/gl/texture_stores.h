// SPDX-License-Identifier: MIT
// The textures and framebuffers that hold the slots of a plan: gl-fragment has a store
// for each slot, gl-lookup a few that slots share.
#pragma once

#include "engine/gl/platform/caps.h"
#include "engine/gl/platform/pass.h"
#include "engine/gl/store_form.h"

typedef struct {
  const OdlGlStoreForm *form;
  int precision; // of the textures
  int width, height; // of the slot
  int rows; // packed halves: rows of texels that are stored at a time
  GLuint textures[ODL_GL_STORE_TEXTURES];
  GLuint framebuffers[ODL_GL_STORE_FRAMEBUFFERS];
} OdlGlTextureStore;

// Size of one texture.
static inline int
odl_gl_store_texture_width (const OdlGlTextureStore *store, int texture)
{
  const int divide = store->form->layers[texture].divide_x;

  return (store->width + divide - 1) / divide;
}

static inline int
odl_gl_store_texture_height (const OdlGlTextureStore *store, int texture)
{
  const int divide = store->form->layers[texture].divide_y;

  return (store->height + divide - 1) / divide;
}

typedef struct {
  double texels;
  double floats; // texels count as many as they have channels
} OdlGlTexels;

// Adds what a draw call of `area` fragments into one of the store's framebuffers writes.
void odl_gl_store_add_texels (const OdlGlTextureStore *store,
                              GLuint framebuffer,
                              double area,
                              OdlGlTexels *sum);

// Width and height of the textures of a framebuffer. A store without form (gl-lookup) has
// one texture of its own size.
void odl_gl_store_framebuffer_size (const OdlGlTextureStore *store,
                                    int framebuffer,
                                    int size[2]);

typedef struct _OdlGlTextureStores OdlGlTextureStores;

typedef struct {
  const OdlGlCaps *caps;
  const OdlPlan *plan;
  OdlGlVariant variant;
  int strips_from; // samples of pictures from which on packed synthesis goes in strips
} OdlGlTextureStoresParams;

// Textures and framebuffers for all slots of a plan in one variant. Textures of
// `previous` (may be NULL) are taken over where they fit; `previous` stays usable until
// odl_gl_texture_stores_commit. `created` counts new textures. ODL_ERROR_TOO_LARGE beyond
// the texture limit, ODL_ERROR_GPU where the driver cannot draw into such textures or has
// no memory; then `previous` is as before. GL current.
OdlGlTextureStores *odl_gl_texture_stores_new (const OdlGlTextureStoresParams *params,
                                               OdlGlTextureStores *previous,
                                               size_t *created,
                                               GError **error);

// Frees `previous` but for what `stores` took over from it. GL current.
void odl_gl_texture_stores_commit (OdlGlTextureStores *stores,
                                   OdlGlTextureStores *previous);

// Frees `stores` and gives `previous` (may be NULL) back what it lent. GL current.
void odl_gl_texture_stores_rollback (OdlGlTextureStores *stores,
                                     OdlGlTextureStores *previous);

// Frees everything; what was taken over and not committed stays with its first owner. GL
// current.
void odl_gl_texture_stores_free (OdlGlTextureStores *stores);

const OdlGlTextureStore *odl_gl_texture_stores_at (const OdlGlTextureStores *stores,
                                                   int slot);
size_t odl_gl_texture_stores_bytes (const OdlGlTextureStores *stores);

// The store that a step of the plan writes, and the one of its r-th read. Packed halves
// and coarser results are transient: they last until the next level has read them, lie
// where halves.h says, and their slots have no store of their own.
const OdlGlTextureStore *odl_gl_texture_stores_written (const OdlGlTextureStores *stores,
                                                        const OdlPlan *plan,
                                                        int step);
const OdlGlTextureStore *odl_gl_texture_stores_read (const OdlGlTextureStores *stores,
                                                     const OdlPlan *plan,
                                                     int step,
                                                     int r);

// Whether what a step wrote is transient. False for step −1.
bool odl_gl_texture_stores_is_transient (const OdlGlTextureStores *stores, int step);

// Bytes of a texture of the store.
size_t odl_gl_store_texture_bytes (const OdlGlTextureStore *store, int texture);

// The bias of a plan of `precision`: 16-bit plans work on scaled values − 0.5, since half
// floats are twice as fine below 0.5 as above. It is missing from pictures, LL bands and
// low halves. All steps are linear with a DC gain of 1 on these and of 0 on details (but
// for THRESHOLD, which sees details only), so that only LOAD and readers of results add
// it.
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

// Reads the lower left part of the bound read framebuffer as four floats a texel, when
// all draws into it are done. GL current.
void odl_gl_read_texels (int width, int height, float *texels);

// The precision of textures for a slot: what it states, or that of the plan where the
// context cannot draw into single floats.
int odl_gl_slot_precision (const OdlGlCaps *caps, const OdlPlan *plan, int slot);

// ODL_ERROR_TOO_LARGE, worded for people, when a side exceeds what the context can hold.
bool odl_gl_check_size (const OdlGlCaps *caps, int width, int height, GError **error);

// The same for the picture of a plan, and ODL_ERROR_GPU when the context cannot draw into
// floats of its precision.
bool odl_gl_check_plan (const OdlGlCaps *caps, const OdlPlan *plan, GError **error);

// Sets the error that there was no memory for the textures of `store`.
void odl_gl_set_memory_error (const OdlGlTextureStore *store, GError **error);
