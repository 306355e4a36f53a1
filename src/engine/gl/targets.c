// SPDX-License-Identifier: MIT
#include "engine/gl/targets.h"

#include "config.h"
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/compute_steps.h"

static const OdlGlStorage flat_storages[] = {
  { ODL_SLOT_PICTURE, 1, 1, { { 1, 1, 1 } }, { { 0, 1 } } },
  { ODL_SLOT_PICTURE, 3, 1, { { 4, 1, 1 } }, { { 0, 1 } } },
  { ODL_SLOT_HALF, 1, 1, { { 2, 2, 1 } }, { { 0, 1 } } },
  { ODL_SLOT_HALF, 3, 2, { { 4, 2, 1 }, { 4, 2, 1 } }, { { 0, 2 } } },
  { ODL_SLOT_BANDS, 1, 1, { { 4, 2, 2 } }, { { 0, 1 } } },
  { ODL_SLOT_BANDS,
    3,
    4,
    { { 4, 2, 2 }, { 4, 2, 2 }, { 4, 2, 2 }, { 4, 2, 2 } },
    {
        [ODL_GL_BANDS_LOW] = { 0, 2 },
        [ODL_GL_BANDS_HIGH] = { 2, 2 },
        [ODL_GL_BANDS_DETAILS] = { 1, 3 },
    } },
};

// Storages of packed slots, [1] of colours. Of a picture both forms: textures that nobody
// needs are left out.
static const OdlGlStorage packed_pictures[2] = {
  { ODL_SLOT_PICTURE,
    1,
    2,
    { { 1, 1, 1 }, { 4, 2, 2 } },
    { [ODL_GL_PICTURE_FLAT] = { 0, 1 }, [ODL_GL_PICTURE_PACKED] = { 1, 1 } } },
  { ODL_SLOT_PICTURE,
    3,
    4,
    { { 4, 1, 1 }, { 4, 2, 2 }, { 4, 2, 2 }, { 4, 2, 2 } },
    { [ODL_GL_PICTURE_FLAT] = { 0, 1 }, [ODL_GL_PICTURE_PACKED] = { 1, 3 } } },
};
static const OdlGlStorage packed_halves[2] = {
  { ODL_SLOT_HALF, 1, 1, { { 4, 2, 2 } }, { { 0, 1 } } },
  { ODL_SLOT_HALF, 3, 3, { { 4, 2, 2 }, { 4, 2, 2 }, { 4, 2, 2 } }, { { 0, 3 } } },
};
static const OdlGlStorage packed_bands[2] = {
  { ODL_SLOT_BANDS, 1, 1, { { 4, 2, 2 } }, { { 0, 1 } } },
  { ODL_SLOT_BANDS, 3, 3, { { 4, 2, 2 }, { 4, 2, 2 }, { 4, 2, 2 } }, { { 0, 3 } } },
};
static const OdlGlStorage no_storage = { ODL_SLOT_BANDS, 1, 0, { { 0 } }, { { 0 } } };

typedef struct {
  int components;
  GLenum format; // of client data, which there is none of
  GLenum internal_16;
  GLenum internal_32;
} Format;

static const Format formats[] = {
  { 1, GL_RED, GL_R16F, GL_R32F },
  { 2, GL_RG, GL_RG16F, GL_RG32F },
  { 4, GL_RGBA, GL_RGBA16F, GL_RGBA32F },
};

void
odl_gl_slot_framebuffer_size (const OdlGlSlot *slot, int framebuffer, int size[2])
{
  if (slot->storage == NULL) {
    size[0] = slot->width;
    size[1] = slot->height;
    return;
  }
  const int texture = slot->storage->framebuffers[framebuffer].first;
  size[0] = odl_gl_slot_texture_width (slot, texture);
  size[1] = odl_gl_slot_texture_height (slot, texture);
}

void
odl_gl_slot_add_texels (const OdlGlSlot *slot,
                        GLuint framebuffer,
                        double area,
                        OdlGlTexels *sum)
{
  for (int f = 0; f < ODL_GL_SLOT_FRAMEBUFFERS; f++) {
    if (slot->framebuffers[f] != framebuffer)
      continue;
    const int first = slot->storage->framebuffers[f].first;
    for (int i = first; i < first + slot->storage->framebuffers[f].count; i++) {
      sum->texels += area;
      sum->floats += area * slot->storage->layers[i].components;
    }
  }
}

typedef struct {
  GLuint id;
  int components, precision, width, height;
  bool borrowed; // still owned by the previous set
  bool lent; // taken over by the next set
} Texture;

struct _OdlGlTargets {
  GArray *textures; // Texture
  int n_slots;
  OdlGlSlot *slots;
};

bool
odl_gl_check_size (const OdlGlCaps *caps, int width, int height, GError **error)
{
  if (width <= caps->max_side && height <= caps->max_side)
    return true;
  g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
               _ ("the image of %d × %d pixels exceeds the texture limit of %d pixels a "
                  "side of this graphics driver (%s); choose the CPU engine"),
               width, height, caps->max_side, caps->renderer);
  return false;
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

bool
odl_gl_is_packed (const OdlPlan *plan, OdlGlVariant variant, int slot, int before)
{
  const int writer = odl_gl_last_writer (plan, slot, before);

  return variant == ODL_GL_PACKED && writer >= 0
         && plan->steps[writer].kind == ODL_STEP_INVERSE
         && plan->steps[writer].axis == ODL_AXIS_X;
}

static bool
reads (const OdlStep *step, int slot)
{
  return step->reads[0] == slot || step->reads[1] == slot || step->reads[2] == slot;
}

// Whether `step` reads the picture flat: steps of transforms do not, and a filtered luma
// is put back as synthesis left it.
static bool
reads_flat (const OdlPlan *plan, int index, int slot)
{
  const OdlStep *step = &plan->steps[index];

  if (step->wavelet != NULL || !reads (step, slot))
    return false;
  return step->kind != ODL_STEP_RECOMBINE || step->reads[0] == slot
         || step->reads[1] == slot
         || !odl_gl_is_packed (plan, ODL_GL_PACKED, slot, index);
}

// Which textures of a packed picture somebody writes or, since the other steps know flat
// ones only, reads.
static bool
picture_needs (const OdlPlan *plan, int slot, int texture)
{
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    const bool inverse = step->kind == ODL_STEP_INVERSE;
    if (step->writes == slot && inverse == (texture >= ODL_GL_PICTURE_PACKED))
      return true;
    if (texture == ODL_GL_PICTURE_FLAT && reads_flat (plan, i, slot))
      return true;
  }
  return false;
}

// Bands that nothing but thresholds write which synthesis does have none.
static bool
needs_storage (const OdlPlan *plan, int slot)
{
  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].writes == slot && !odl_gl_is_fused_threshold (plan, i))
      return true;
  return false;
}

static const OdlGlStorage *
packed_storage_of (const OdlPlan *plan, int slot)
{
  const int colour = plan->slots[slot].channels == 3;

  switch (plan->slots[slot].kind) {
  case ODL_SLOT_PICTURE:
    return &packed_pictures[colour];
  case ODL_SLOT_HALF:
    return &packed_halves[colour];
  case ODL_SLOT_BANDS:
    break;
  }
  return needs_storage (plan, slot) ? &packed_bands[colour] : &no_storage;
}

static const OdlGlStorage *
storage_of (const OdlPlan *plan, OdlGlVariant variant, int slot)
{
  const OdlSlot *wanted = &plan->slots[slot];

  if (variant == ODL_GL_PACKED)
    return packed_storage_of (plan, slot);
  for (size_t i = 0; i < G_N_ELEMENTS (flat_storages); i++)
    if (flat_storages[i].kind == wanted->kind
        && flat_storages[i].channels == wanted->channels)
      return &flat_storages[i];
  g_assert_not_reached ();
}

// Sharpening multiplies rounding errors (amount 1 by up to 17) and makes values as large:
// what it reads and writes, and what that was made of, is in single precision in 16-bit
// plans too.
static int
precision_of_slot (const OdlGlCaps *caps, const OdlPlan *plan, int slot)
{
  if (plan->precision != 16 || !caps->float_targets)
    return plan->precision;
  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].kind == ODL_STEP_SHARPEN
        && (slot == plan->source || slot == plan->steps[i].reads[0]
            || slot == plan->steps[i].writes))
      return 32;
  return 16;
}

// Takes a texture over from the previous set, or makes one; 0 on failure.
static GLuint
obtain_texture (OdlGlTargets *targets,
                OdlGlTargets *previous,
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
    g_array_append_val (targets->textures, texture);
    return texture.id;
  }

  texture.id = odl_gl_texture_new (wanted->components, wanted->precision, wanted->width,
                                   wanted->height);
  if (texture.id != 0) {
    *created += 1;
    g_array_append_val (targets->textures, texture);
  }
  return texture.id;
}

void
odl_gl_set_memory_error (const OdlGlSlot *slot, GError **error)
{
  g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
               _ ("the graphics driver gave no %d-bit float texture of %d × %d pixels to "
                  "draw into: its memory may be full; choose the CPU engine"),
               slot->precision, slot->width, slot->height);
}

// What all slots of a set have in common while it is made.
typedef struct {
  const OdlPlan *plan;
  OdlGlTargets *targets;
  OdlGlTargets *previous;
  GLuint stencil;
  size_t *created;
} Maker;

static bool
make_textures (const Maker *m, int index, OdlGlSlot *slot)
{
  const OdlGlStorage *storage = slot->storage;
  const bool both_forms
      = storage == &packed_pictures[0] || storage == &packed_pictures[1];

  for (int i = 0; i < storage->n_textures; i++) {
    const Texture wanted = { .components = storage->layers[i].components,
                             .precision = slot->precision,
                             .width = odl_gl_slot_texture_width (slot, i),
                             .height = odl_gl_slot_texture_height (slot, i) };
    if (both_forms && !picture_needs (m->plan, index, i))
      continue;
    slot->textures[i] = obtain_texture (m->targets, m->previous, &wanted, m->created);
    if (slot->textures[i] == 0)
      return false;
  }
  return true;
}

static bool
attach_stencil (GLuint framebuffer, GLuint stencil)
{
  glBindFramebuffer (GL_DRAW_FRAMEBUFFER, framebuffer);
  glFramebufferRenderbuffer (GL_DRAW_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT,
                             GL_RENDERBUFFER, stencil);
  return glCheckFramebufferStatus (GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static bool
make_framebuffers (const Maker *m, OdlGlSlot *slot)
{
  const OdlGlStorage *storage = slot->storage;
  const GLuint stencil = storage->kind != ODL_SLOT_BANDS ? m->stencil : 0;

  for (int i = 0; i < ODL_GL_SLOT_FRAMEBUFFERS; i++) {
    const GLuint *textures = slot->textures + storage->framebuffers[i].first;
    if (storage->framebuffers[i].count == 0 || textures[0] == 0)
      continue;
    slot->framebuffers[i]
        = odl_gl_framebuffer_new (textures, storage->framebuffers[i].count);
    if (slot->framebuffers[i] == 0
        || (stencil != 0 && !attach_stencil (slot->framebuffers[i], stencil)))
      return false;
  }
  return true;
}

static bool
make_slot (const Maker *m, int index, OdlGlSlot *slot, GError **error)
{
  if (make_textures (m, index, slot) && make_framebuffers (m, slot))
    return true;
  odl_gl_set_memory_error (slot, error);
  return false;
}

bool
odl_gl_check_plan (const OdlGlCaps *caps, const OdlPlan *plan, GError **error)
{
  if (!odl_gl_check_size (caps, plan->geometry.width, plan->geometry.height, error))
    return false;
  if (plan->precision == 16 || caps->float_targets)
    return true;
  g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
               _ ("%s draws into half floats only; choose 16-bit precision for 8-bit "
                  "images, or the CPU engine"),
               caps->renderer);
  return false;
}

OdlGlTargets *
odl_gl_targets_new (const OdlGlCaps *caps,
                    const OdlPlan *plan,
                    OdlGlVariant variant,
                    GLuint stencil,
                    OdlGlTargets *previous,
                    size_t *created,
                    GError **error)
{
  if (!odl_gl_check_plan (caps, plan, error))
    return NULL;

  OdlGlTargets *targets = g_new0 (OdlGlTargets, 1);
  targets->textures = g_array_new (FALSE, FALSE, sizeof (Texture));
  targets->n_slots = plan->n_slots;
  targets->slots = g_new0 (OdlGlSlot, plan->n_slots);

  const Maker maker = { plan, targets, previous, stencil, created };
  for (int i = 0; i < plan->n_slots; i++) {
    OdlGlSlot *slot = &targets->slots[i];
    slot->storage = storage_of (plan, variant, i);
    slot->width = plan->slots[i].width;
    slot->height = plan->slots[i].height;
    slot->precision = precision_of_slot (caps, plan, i);
    if (make_slot (&maker, i, slot, error))
      continue;
    odl_gl_targets_rollback (targets, previous);
    return NULL;
  }
  return targets;
}

void
odl_gl_targets_commit (OdlGlTargets *targets, OdlGlTargets *previous)
{
  for (guint i = 0; i < targets->textures->len; i++)
    g_array_index (targets->textures, Texture, i).borrowed = false;
  if (previous == NULL)
    return;
  for (guint i = 0; i < previous->textures->len; i++) {
    Texture *texture = &g_array_index (previous->textures, Texture, i);
    texture->borrowed = texture->lent;
  }
  odl_gl_targets_free (previous);
}

void
odl_gl_targets_rollback (OdlGlTargets *targets, OdlGlTargets *previous)
{
  odl_gl_targets_free (targets);
  for (guint i = 0; previous != NULL && i < previous->textures->len; i++)
    g_array_index (previous->textures, Texture, i).lent = false;
}

void
odl_gl_targets_free (OdlGlTargets *targets)
{
  if (targets == NULL)
    return;
  for (int i = 0; i < targets->n_slots; i++)
    glDeleteFramebuffers (ODL_GL_SLOT_FRAMEBUFFERS, targets->slots[i].framebuffers);
  for (guint i = 0; i < targets->textures->len; i++) {
    const Texture *texture = &g_array_index (targets->textures, Texture, i);
    if (!texture->borrowed)
      glDeleteTextures (1, &texture->id);
  }
  g_array_unref (targets->textures);
  g_free (targets->slots);
  g_free (targets);
}

const OdlGlSlot *
odl_gl_targets_slot (const OdlGlTargets *targets, int slot)
{
  return &targets->slots[slot];
}

size_t
odl_gl_targets_count (const OdlGlTargets *targets)
{
  return targets->textures->len;
}
