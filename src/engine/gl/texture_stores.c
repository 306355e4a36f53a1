// SPDX-License-Identifier: MIT
#include "engine/gl/texture_stores.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/fragment/halves.h"
#include "plan/flow.h"
#include "plan/group.h"

typedef struct {
  int components;
  GLenum format; // no client data
  GLenum internal_16;
  GLenum internal_32;
} Format;

static const Format formats[] = {
  { 1, GL_RED, GL_R16F, GL_R32F },
  { 2, GL_RG, GL_RG16F, GL_RG32F },
  { 4, GL_RGBA, GL_RGBA16F, GL_RGBA32F },
};

void
odl_gl_store_framebuffer_size (const OdlGlTextureStore *store,
                               int framebuffer,
                               int size[2])
{
  if (store->form == NULL) {
    size[0] = store->width;
    size[1] = store->height;
    return;
  }
  const int texture = store->form->framebuffers[framebuffer].first;
  size[0] = odl_gl_store_texture_width (store, texture);
  size[1] = odl_gl_store_texture_height (store, texture);
}

void
odl_gl_store_add_texels (const OdlGlTextureStore *store,
                         GLuint framebuffer,
                         double area,
                         OdlGlTexels *sum)
{
  for (int f = 0; f < ODL_GL_STORE_FRAMEBUFFERS; f++) {
    if (store->framebuffers[f] != framebuffer)
      continue;
    const int first = store->form->framebuffers[f].first;
    for (int i = first; i < first + store->form->framebuffers[f].count; i++) {
      sum->texels += area;
      sum->floats += area * store->form->layers[i].components;
    }
  }
}

typedef struct {
  GLuint id;
  int components, precision, width, height;
  bool borrowed; // still owned by the previous set
  bool lent; // taken over by the next set
} Texture;

struct _OdlGlTextureStores {
  GArray *textures; // Texture
  int n_slots;
  OdlGlTextureStore *slots;
  int n_steps;
  OdlGlTextureStore *transient; // outputs of steps; form NULL: as the slot's
};

int
odl_gl_slot_precision (const OdlGlCaps *caps, const OdlPlan *plan, int slot)
{
  return caps->float_targets ? plan->slots[slot].precision : plan->precision;
}

bool
odl_gl_check_size (const OdlGlCaps *caps, int width, int height, GError **error)
{
  if (width <= caps->max_side && height <= caps->max_side)
    return true;
  return odl_error_set (
      error, ODL_ERROR_TOO_LARGE,
      _ ("the image of %d × %d pixels exceeds the texture limit of %d pixels a side of "
         "this graphics driver (%s); choose the CPU engine"),
      width, height, caps->max_side, caps->renderer);
}

GLuint
odl_gl_texture_new (int components, int precision, int width, int height)
{
  const Format *format = formats;
  GLuint texture = 0;

  while (format->components != components)
    format++;
  glGenTextures (1, &texture);
  glActiveTexture (GL_TEXTURE0);
  glBindTexture (GL_TEXTURE_2D, texture);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  odl_gl_forget_errors ();
  glTexImage2D (GL_TEXTURE_2D, 0,
                (GLint) (precision == 16 ? format->internal_16 : format->internal_32),
                width, height, 0, format->format, GL_FLOAT, NULL);
  if (glGetError () != GL_NO_ERROR) {
    glDeleteTextures (1, &texture);
    return 0;
  }
  return texture;
}

GLuint
odl_gl_framebuffer_new (const GLuint *textures, int count)
{
  static const GLenum buffers[] = { GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                                    GL_COLOR_ATTACHMENT2, GL_COLOR_ATTACHMENT3 };
  GLuint framebuffer = 0;

  glGenFramebuffers (1, &framebuffer);
  glBindFramebuffer (GL_DRAW_FRAMEBUFFER, framebuffer);
  for (int i = 0; i < count; i++)
    glFramebufferTexture2D (GL_DRAW_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D, textures[i],
                            0);
  glDrawBuffers (count, buffers);
  if (glCheckFramebufferStatus (GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    glDeleteFramebuffers (1, &framebuffer);
    return 0;
  }
  return framebuffer;
}

// llvmpipe (Mesa 22.3) waits before it reads only where the first pending pass that uses
// the texture draws into it: after a pass that samples a texture and a later one that
// draws into it, glReadPixels returns what was there before.
void
odl_gl_read_texels (int width, int height, float *texels)
{
  glFinish ();
  // GLES reads RGBA floats from any float framebuffer.
  glReadPixels (0, 0, width, height, GL_RGBA, GL_FLOAT, texels);
}

// Takes a texture over from the previous set, or makes one; 0 on failure.
static GLuint
obtain_texture (OdlGlTextureStores *stores,
                OdlGlTextureStores *previous,
                const Texture *wanted,
                size_t *created)
{
  Texture texture = *wanted;

  for (guint i = 0; previous != NULL && i < previous->textures->len; i++) {
    Texture *old = &g_array_index (previous->textures, Texture, i);
    if (old->lent || old->components != wanted->components
        || old->precision != wanted->precision || old->width != wanted->width
        || old->height != wanted->height)
      continue;
    old->lent = true;
    texture.id = old->id;
    texture.borrowed = true;
    g_array_append_val (stores->textures, texture);
    return texture.id;
  }

  texture.id = odl_gl_texture_new (wanted->components, wanted->precision, wanted->width,
                                   wanted->height);
  if (texture.id != 0) {
    *created += 1;
    g_array_append_val (stores->textures, texture);
  }
  return texture.id;
}

void
odl_gl_set_memory_error (const OdlGlTextureStore *store, GError **error)
{
  g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
               _ ("the graphics driver gave no %d-bit float texture of %d × %d pixels to "
                  "draw into: its memory may be full; choose the CPU engine"),
               store->precision, store->width, store->height);
}

// The state shared by all stores of a set while they are made.
typedef struct {
  const OdlGlTextureStoresParams *params;
  const OdlPlan *plan;
  OdlGlTextureStores *stores;
  OdlGlTextureStores *previous;
  GArray *scratch; // OdlGlTextureStore: halves with textures of their own
  size_t *created;
} Maker;

static int
precision_of (const Maker *m, int slot)
{
  return odl_gl_slot_precision (m->params->caps, m->plan, slot);
}

static bool
make_textures (const Maker *m, int index, OdlGlTextureStore *store)
{
  const OdlGlStoreForm *form = store->form;

  for (int i = 0; i < form->n_textures; i++) {
    const Texture wanted = { .components = form->layers[i].components,
                             .precision = store->precision,
                             .width = odl_gl_store_texture_width (store, i),
                             .height = odl_gl_store_texture_height (store, i) };
    if (!odl_gl_store_form_needs (m->plan, form, index, i))
      continue;
    store->textures[i] = obtain_texture (m->stores, m->previous, &wanted, m->created);
    if (store->textures[i] == 0)
      return false;
  }
  return true;
}

static bool
make_framebuffers (OdlGlTextureStore *store)
{
  const OdlGlStoreForm *form = store->form;

  for (int i = 0; i < ODL_GL_STORE_FRAMEBUFFERS; i++) {
    const GLuint *textures = store->textures + form->framebuffers[i].first;
    if (form->framebuffers[i].count == 0 || textures[0] == 0)
      continue;
    store->framebuffers[i]
        = odl_gl_framebuffer_new (textures, form->framebuffers[i].count);
    if (store->framebuffers[i] == 0)
      return false;
  }
  return true;
}

static bool
make_store (const Maker *m, int index, OdlGlTextureStore *store, GError **error)
{
  if (make_textures (m, index, store) && make_framebuffers (store))
    return true;
  odl_gl_set_memory_error (store, error);
  return false;
}

// The slot whose textures hold the coarser result that `step` writes; ODL_PLAN_NO_SLOT
// for other steps.
static int
alias_slot (const Maker *m, int step)
{
  const int host = m->params->variant == ODL_GL_PACKED
                       ? odl_gl_alias_slot (m->plan, step, m->params->strips_from)
                       : ODL_PLAN_NO_SLOT;

  return host != ODL_PLAN_NO_SLOT
                 && precision_of (m, host)
                        == precision_of (m, m->plan->steps[step].writes)
             ? host
             : ODL_PLAN_NO_SLOT;
}

// Whether everything that is written to a slot lies in the stores of others.
static bool
is_aliased (const Maker *m, int slot)
{
  for (int i = 0; i < m->plan->n_steps; i++)
    if (m->plan->steps[i].writes == slot && alias_slot (m, i) == ODL_PLAN_NO_SLOT)
      return false;
  return true;
}

static bool
make_coarser (const Maker *m, int step, OdlGlTextureStore *coarser)
{
  const int slot = m->plan->steps[step].writes;
  const OdlGlTextureStore *stored = &m->stores->slots[slot];
  const OdlGlTextureStore *host = &m->stores->slots[alias_slot (m, step)];

  *coarser = (OdlGlTextureStore){
    .form = odl_gl_store_form_of (m->plan, m->params->variant, slot),
    .precision = stored->precision,
    .width = stored->width,
    .height = stored->height,
  };
  for (int i = ODL_GL_PICTURE_PACKED; i < coarser->form->n_textures; i++)
    coarser->textures[i] = host->textures[i];
  return make_framebuffers (coarser);
}

// The packed textures of a store that half of a picture fits into; NULL: it has none.
static const GLuint *
packed_textures (const OdlSlot *slot, const OdlGlTextureStore *stored)
{
  const int first = slot->kind == ODL_SLOT_PICTURE ? ODL_GL_PICTURE_PACKED : 0;

  return slot->kind != ODL_SLOT_HALF && stored->textures[first] != 0
             ? stored->textures + first
             : NULL;
}

// Whether the pass that writes a half, or the next one, reads or writes the slot as well.
static bool
is_busy (const Maker *m, int step, int slot)
{
  const int before = odl_plan_last_writer (m->plan, m->plan->steps[step].reads[0], step);
  const int next = odl_plan_group_reader (m->plan, step);

  return alias_slot (m, before) == slot || alias_slot (m, next) == slot;
}

static const GLuint *
scratch_in_store (const Maker *m, int step, const OdlGlTextureStore *half)
{
  for (int i = 0; i < m->plan->n_slots; i++) {
    const OdlGlTextureStore *stored = &m->stores->slots[i];
    if (!is_busy (m, step, i) && m->plan->slots[i].channels == half->form->channels
        && stored->precision == half->precision && stored->width >= half->width
        && stored->height >= half->height
        && packed_textures (&m->plan->slots[i], stored) != NULL
        && odl_gl_is_scratch (m->plan, i, step))
      return packed_textures (&m->plan->slots[i], stored);
  }
  return NULL;
}

static const GLuint *
scratch_of_half (const Maker *m, const OdlGlTextureStore *half)
{
  for (guint i = 0; i < m->scratch->len; i++) {
    const OdlGlTextureStore *spare = &g_array_index (m->scratch, OdlGlTextureStore, i);
    if (spare->form == half->form && spare->precision == half->precision
        && spare->width >= half->width && spare->rows >= half->rows)
      return spare->textures;
  }
  return NULL;
}

static bool
make_scratch (const Maker *m, OdlGlTextureStore *half)
{
  for (int i = 0; i < half->form->n_textures; i++) {
    const Texture wanted = { .components = half->form->layers[i].components,
                             .precision = half->precision,
                             .width = odl_gl_store_texture_width (half, i),
                             .height = half->rows };
    half->textures[i] = obtain_texture (m->stores, m->previous, &wanted, m->created);
    if (half->textures[i] == 0)
      return false;
  }
  g_array_append_val (m->scratch, *half);
  return true;
}

// Places a half in the store of a slot that is yet to be written, where another half was,
// or as strips in textures of its own.
static bool
make_half (const Maker *m, int step, OdlGlTextureStore *half)
{
  const int slot = m->plan->steps[step].writes;

  *half = m->stores->slots[slot];
  half->form = odl_gl_store_form_of_half (m->plan, slot);
  half->rows = odl_gl_store_texture_height (half, 0);
  const GLuint *spare = scratch_in_store (m, step, half);
  if (spare == NULL)
    spare = scratch_of_half (m, half);
  if (spare == NULL) {
    half->rows = odl_gl_strip_rows (m->plan, step, m->params->strips_from, half->rows);
    spare = scratch_of_half (m, half);
  }
  if (spare != NULL)
    memcpy (half->textures, spare, half->form->n_textures * sizeof *spare);
  else if (!make_scratch (m, half))
    return false;
  return make_framebuffers (half);
}

static bool
make_transient (const Maker *m, int step, GError **error)
{
  OdlGlTextureStore *store = &m->stores->slots[m->plan->steps[step].writes];
  OdlGlTextureStore *transient = &m->stores->transient[step];
  bool ok = true;

  if (alias_slot (m, step) != ODL_PLAN_NO_SLOT)
    ok = make_coarser (m, step, transient);
  else if (odl_step_writes_half (&m->plan->steps[step]) && store->form->n_textures == 0)
    ok = make_half (m, step, transient);
  if (!ok)
    odl_gl_set_memory_error (store, error);
  return ok;
}

// Finest levels first, so that coarser ones can use their textures.
static bool
make_all_transient (const Maker *m, GError **error)
{
  if (m->params->variant != ODL_GL_PACKED)
    return true;
  for (int level = 1; level <= ODL_MAX_LEVELS; level++)
    for (int i = 0; i < m->plan->n_steps; i++)
      if (m->plan->steps[i].level == level && !make_transient (m, i, error))
        return false;
  return true;
}

static bool
make_stores (const Maker *m, GError **error)
{
  for (int i = 0; i < m->plan->n_slots; i++) {
    OdlGlTextureStore *store = &m->stores->slots[i];
    store->form = is_aliased (m, i)
                      ? &odl_gl_no_store
                      : odl_gl_store_form_of (m->plan, m->params->variant, i);
    store->width = m->plan->slots[i].width;
    store->height = m->plan->slots[i].height;
    store->precision = precision_of (m, i);
    if (!make_store (m, i, store, error))
      return false;
  }
  return true;
}

bool
odl_gl_check_plan (const OdlGlCaps *caps, const OdlPlan *plan, GError **error)
{
  if (!odl_gl_check_size (caps, plan->geometry.width, plan->geometry.height, error))
    return false;
  if (plan->precision == 16 || caps->float_targets)
    return true;
  return odl_error_set (error, ODL_ERROR_GPU,
                        _ ("%s draws into half floats only; choose 16-bit precision for "
                           "8-bit images, or the CPU engine"),
                        caps->renderer);
}

OdlGlTextureStores *
odl_gl_texture_stores_new (const OdlGlTextureStoresParams *params,
                           OdlGlTextureStores *previous,
                           size_t *created,
                           GError **error)
{
  const OdlPlan *plan = params->plan;

  if (!odl_gl_check_plan (params->caps, plan, error))
    return NULL;

  OdlGlTextureStores *stores = g_new0 (OdlGlTextureStores, 1);
  stores->textures = g_array_new (FALSE, FALSE, sizeof (Texture));
  stores->n_slots = plan->n_slots;
  stores->slots = g_new0 (OdlGlTextureStore, plan->n_slots);
  stores->n_steps = plan->n_steps;
  stores->transient = g_new0 (OdlGlTextureStore, plan->n_steps);

  g_autoptr (GArray) scratch = g_array_new (FALSE, FALSE, sizeof (OdlGlTextureStore));
  const Maker maker = { params, plan, stores, previous, scratch, created };
  if (make_stores (&maker, error) && make_all_transient (&maker, error))
    return stores;
  odl_gl_texture_stores_rollback (stores, previous);
  return NULL;
}

void
odl_gl_texture_stores_commit (OdlGlTextureStores *stores, OdlGlTextureStores *previous)
{
  for (guint i = 0; i < stores->textures->len; i++)
    g_array_index (stores->textures, Texture, i).borrowed = false;
  if (previous == NULL)
    return;
  for (guint i = 0; i < previous->textures->len; i++) {
    Texture *texture = &g_array_index (previous->textures, Texture, i);
    texture->borrowed = texture->lent;
  }
  odl_gl_texture_stores_free (previous);
}

void
odl_gl_texture_stores_rollback (OdlGlTextureStores *stores, OdlGlTextureStores *previous)
{
  odl_gl_texture_stores_free (stores);
  for (guint i = 0; previous != NULL && i < previous->textures->len; i++)
    g_array_index (previous->textures, Texture, i).lent = false;
}

void
odl_gl_texture_stores_free (OdlGlTextureStores *stores)
{
  if (stores == NULL)
    return;
  for (int i = 0; i < stores->n_slots; i++)
    glDeleteFramebuffers (ODL_GL_STORE_FRAMEBUFFERS, stores->slots[i].framebuffers);
  for (int i = 0; i < stores->n_steps; i++)
    glDeleteFramebuffers (ODL_GL_STORE_FRAMEBUFFERS, stores->transient[i].framebuffers);
  for (guint i = 0; i < stores->textures->len; i++) {
    const Texture *texture = &g_array_index (stores->textures, Texture, i);
    if (!texture->borrowed)
      glDeleteTextures (1, &texture->id);
  }
  g_array_unref (stores->textures);
  g_free (stores->transient);
  g_free (stores->slots);
  g_free (stores);
}

const OdlGlTextureStore *
odl_gl_texture_stores_at (const OdlGlTextureStores *stores, int slot)
{
  return &stores->slots[slot];
}

bool
odl_gl_texture_stores_is_transient (const OdlGlTextureStores *stores, int step)
{
  return step >= 0 && stores->transient[step].form != NULL;
}

const OdlGlTextureStore *
odl_gl_texture_stores_written (const OdlGlTextureStores *stores,
                               const OdlPlan *plan,
                               int step)
{
  const OdlGlTextureStore *transient = &stores->transient[step];

  return transient->form != NULL ? transient : &stores->slots[plan->steps[step].writes];
}

const OdlGlTextureStore *
odl_gl_texture_stores_read (const OdlGlTextureStores *stores,
                            const OdlPlan *plan,
                            int step,
                            int r)
{
  const int writer = odl_plan_last_writer (plan, plan->steps[step].reads[r], step);

  return odl_gl_texture_stores_written (stores, plan, writer);
}

static size_t
texture_bytes (int components, int precision, int width, int height)
{
  return (size_t) components * (size_t) precision / 8 * (size_t) width * (size_t) height;
}

size_t
odl_gl_store_texture_bytes (const OdlGlTextureStore *store, int texture)
{
  return texture_bytes (store->form->layers[texture].components, store->precision,
                        odl_gl_store_texture_width (store, texture),
                        odl_gl_store_texture_height (store, texture));
}

size_t
odl_gl_texture_stores_bytes (const OdlGlTextureStores *stores)
{
  size_t bytes = 0;

  for (guint i = 0; i < stores->textures->len; i++) {
    const Texture *t = &g_array_index (stores->textures, Texture, i);
    bytes += texture_bytes (t->components, t->precision, t->width, t->height);
  }
  return bytes;
}
