// SPDX-License-Identifier: MIT
#include "engine/gl/targets.h"

#include <string.h>

#include "config.h"
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/fragment/halves.h"
#include "plan/flow.h"

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
  int n_steps;
  OdlGlSlot *passing; // what steps write for the next ones; storage NULL: the slot has it
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

// Sharpening multiplies rounding errors (amount 1 by up to 17) and makes values as large:
// what it reads and writes, and what that was made of, is in single precision in 16-bit
// plans too.
static int
precision_of_slot (const OdlGlCaps *caps, const OdlPlan *plan, int slot)
{
  if (plan->precision != 16 || !caps->float_targets)
    return plan->precision;
  for (int i = 0; i < plan->n_steps; i++)
    if (odl_step_row (plan->steps[i].kind)->amplifies
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
  const OdlGlTargetsParams *params;
  const OdlPlan *plan;
  OdlGlTargets *targets;
  OdlGlTargets *previous;
  GArray *rooms; // OdlGlSlot: halves with textures of their own
  size_t *created;
} Maker;

static bool
make_textures (const Maker *m, int index, OdlGlSlot *slot)
{
  const OdlGlStorage *storage = slot->storage;

  for (int i = 0; i < storage->n_textures; i++) {
    const Texture wanted = { .components = storage->layers[i].components,
                             .precision = slot->precision,
                             .width = odl_gl_slot_texture_width (slot, i),
                             .height = odl_gl_slot_texture_height (slot, i) };
    if (!odl_gl_storage_needs (m->plan, storage, index, i))
      continue;
    slot->textures[i] = obtain_texture (m->targets, m->previous, &wanted, m->created);
    if (slot->textures[i] == 0)
      return false;
  }
  return true;
}

static bool
make_framebuffers (OdlGlSlot *slot)
{
  const OdlGlStorage *storage = slot->storage;

  for (int i = 0; i < ODL_GL_SLOT_FRAMEBUFFERS; i++) {
    const GLuint *textures = slot->textures + storage->framebuffers[i].first;
    if (storage->framebuffers[i].count == 0 || textures[0] == 0)
      continue;
    slot->framebuffers[i]
        = odl_gl_framebuffer_new (textures, storage->framebuffers[i].count);
    if (slot->framebuffers[i] == 0)
      return false;
  }
  return true;
}

static bool
make_slot (const Maker *m, int index, OdlGlSlot *slot, GError **error)
{
  if (make_textures (m, index, slot) && make_framebuffers (slot))
    return true;
  odl_gl_set_memory_error (slot, error);
  return false;
}

// The slot in whose textures the coarser result that `step` writes lies; ODL_PLAN_NO_SLOT
// for others.
static int
alias_slot (const Maker *m, int step)
{
  const OdlGlCaps *caps = m->params->caps;
  const int host = m->params->variant == ODL_GL_PACKED
                       ? odl_gl_alias_slot (m->plan, step, m->params->strips_from)
                       : ODL_PLAN_NO_SLOT;

  return host != ODL_PLAN_NO_SLOT
                 && precision_of_slot (caps, m->plan, host)
                        == precision_of_slot (caps, m->plan, m->plan->steps[step].writes)
             ? host
             : ODL_PLAN_NO_SLOT;
}

// Whether all that is written to a slot lies in others.
static bool
lies_elsewhere (const Maker *m, int slot)
{
  for (int i = 0; i < m->plan->n_steps; i++)
    if (m->plan->steps[i].writes == slot && alias_slot (m, i) == ODL_PLAN_NO_SLOT)
      return false;
  return true;
}

static bool
make_coarser (const Maker *m, int step, OdlGlSlot *coarser)
{
  const int slot = m->plan->steps[step].writes;
  const OdlGlSlot *stored = &m->targets->slots[slot];
  const OdlGlSlot *host = &m->targets->slots[alias_slot (m, step)];

  *coarser = (OdlGlSlot){
    .storage = odl_gl_storage_of (m->plan, m->params->variant, slot),
    .precision = stored->precision,
    .width = stored->width,
    .height = stored->height,
  };
  for (int i = ODL_GL_PICTURE_PACKED; i < coarser->storage->n_textures; i++)
    coarser->textures[i] = host->textures[i];
  return make_framebuffers (coarser);
}

// The packed textures of a slot that half of a picture fits into; NULL: it has none.
static const GLuint *
packed_textures (const OdlSlot *slot, const OdlGlSlot *stored)
{
  const int first = slot->kind == ODL_SLOT_PICTURE ? ODL_GL_PICTURE_PACKED : 0;

  return slot->kind != ODL_SLOT_HALF && stored->textures[first] != 0
             ? stored->textures + first
             : NULL;
}

// Whether the pass that writes a half, or the next one, has its other end in a slot.
static bool
is_busy (const Maker *m, int step, int slot)
{
  const int before = odl_plan_last_writer (m->plan, m->plan->steps[step].reads[0], step);

  return alias_slot (m, before) == slot || alias_slot (m, step + 1) == slot;
}

static const GLuint *
room_in_slot (const Maker *m, int step, const OdlGlSlot *half)
{
  for (int i = 0; i < m->plan->n_slots; i++) {
    const OdlGlSlot *stored = &m->targets->slots[i];
    if (!is_busy (m, step, i) && m->plan->slots[i].channels == half->storage->channels
        && stored->precision == half->precision && stored->width >= half->width
        && stored->height >= half->height
        && packed_textures (&m->plan->slots[i], stored) != NULL
        && odl_gl_is_scratch (m->plan, i, step))
      return packed_textures (&m->plan->slots[i], stored);
  }
  return NULL;
}

static const GLuint *
room_of_half (const Maker *m, const OdlGlSlot *half)
{
  for (guint i = 0; i < m->rooms->len; i++) {
    const OdlGlSlot *room = &g_array_index (m->rooms, OdlGlSlot, i);
    if (room->storage == half->storage && room->precision == half->precision
        && room->width >= half->width && room->rows >= half->rows)
      return room->textures;
  }
  return NULL;
}

static bool
make_room (const Maker *m, OdlGlSlot *half)
{
  for (int i = 0; i < half->storage->n_textures; i++) {
    const Texture wanted = { .components = half->storage->layers[i].components,
                             .precision = half->precision,
                             .width = odl_gl_slot_texture_width (half, i),
                             .height = half->rows };
    half->textures[i] = obtain_texture (m->targets, m->previous, &wanted, m->created);
    if (half->textures[i] == 0)
      return false;
  }
  g_array_append_val (m->rooms, *half);
  return true;
}

// In a slot that is yet to be written, or where another half was, or as strips in a place
// of its own.
static bool
make_half (const Maker *m, int step, OdlGlSlot *half)
{
  const int slot = m->plan->steps[step].writes;

  *half = m->targets->slots[slot];
  half->storage = odl_gl_storage_of_half (m->plan, slot);
  half->rows = odl_gl_slot_texture_height (half, 0);
  const GLuint *room = room_in_slot (m, step, half);
  if (room == NULL)
    room = room_of_half (m, half);
  if (room == NULL) {
    half->rows = odl_gl_strip_rows (m->plan, step, m->params->strips_from, half->rows);
    room = room_of_half (m, half);
  }
  if (room != NULL)
    memcpy (half->textures, room, half->storage->n_textures * sizeof *room);
  else if (!make_room (m, half))
    return false;
  return make_framebuffers (half);
}

static bool
make_passing (const Maker *m, int step, GError **error)
{
  OdlGlSlot *slot = &m->targets->slots[m->plan->steps[step].writes];
  OdlGlSlot *passing = &m->targets->passing[step];
  bool ok = true;

  if (alias_slot (m, step) != ODL_PLAN_NO_SLOT)
    ok = make_coarser (m, step, passing);
  else if (odl_step_writes_half (&m->plan->steps[step]) && slot->storage->n_textures == 0)
    ok = make_half (m, step, passing);
  if (!ok)
    odl_gl_set_memory_error (slot, error);
  return ok;
}

// Finest levels first, so that the others find room in what these have.
static bool
make_all_passing (const Maker *m, GError **error)
{
  if (m->params->variant != ODL_GL_PACKED)
    return true;
  for (int level = 1; level <= ODL_MAX_LEVELS; level++)
    for (int i = 0; i < m->plan->n_steps; i++)
      if (m->plan->steps[i].level == level && !make_passing (m, i, error))
        return false;
  return true;
}

static bool
make_slots (const Maker *m, GError **error)
{
  for (int i = 0; i < m->plan->n_slots; i++) {
    OdlGlSlot *slot = &m->targets->slots[i];
    slot->storage = lies_elsewhere (m, i)
                        ? &odl_gl_no_storage
                        : odl_gl_storage_of (m->plan, m->params->variant, i);
    slot->width = m->plan->slots[i].width;
    slot->height = m->plan->slots[i].height;
    slot->precision = precision_of_slot (m->params->caps, m->plan, i);
    if (!make_slot (m, i, slot, error))
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
  g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
               _ ("%s draws into half floats only; choose 16-bit precision for 8-bit "
                  "images, or the CPU engine"),
               caps->renderer);
  return false;
}

OdlGlTargets *
odl_gl_targets_new (const OdlGlTargetsParams *params,
                    OdlGlTargets *previous,
                    size_t *created,
                    GError **error)
{
  const OdlPlan *plan = params->plan;

  if (!odl_gl_check_plan (params->caps, plan, error))
    return NULL;

  OdlGlTargets *targets = g_new0 (OdlGlTargets, 1);
  targets->textures = g_array_new (FALSE, FALSE, sizeof (Texture));
  targets->n_slots = plan->n_slots;
  targets->slots = g_new0 (OdlGlSlot, plan->n_slots);
  targets->n_steps = plan->n_steps;
  targets->passing = g_new0 (OdlGlSlot, plan->n_steps);

  g_autoptr (GArray) rooms = g_array_new (FALSE, FALSE, sizeof (OdlGlSlot));
  const Maker maker = { params, plan, targets, previous, rooms, created };
  if (make_slots (&maker, error) && make_all_passing (&maker, error))
    return targets;
  odl_gl_targets_rollback (targets, previous);
  return NULL;
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
  for (int i = 0; i < targets->n_steps; i++)
    glDeleteFramebuffers (ODL_GL_SLOT_FRAMEBUFFERS, targets->passing[i].framebuffers);
  for (guint i = 0; i < targets->textures->len; i++) {
    const Texture *texture = &g_array_index (targets->textures, Texture, i);
    if (!texture->borrowed)
      glDeleteTextures (1, &texture->id);
  }
  g_array_unref (targets->textures);
  g_free (targets->passing);
  g_free (targets->slots);
  g_free (targets);
}

const OdlGlSlot *
odl_gl_targets_slot (const OdlGlTargets *targets, int slot)
{
  return &targets->slots[slot];
}

bool
odl_gl_targets_is_passing (const OdlGlTargets *targets, int step)
{
  return step >= 0 && targets->passing[step].storage != NULL;
}

const OdlGlSlot *
odl_gl_targets_written (const OdlGlTargets *targets, const OdlPlan *plan, int step)
{
  const OdlGlSlot *passing = &targets->passing[step];

  return passing->storage != NULL ? passing : &targets->slots[plan->steps[step].writes];
}

const OdlGlSlot *
odl_gl_targets_read (const OdlGlTargets *targets, const OdlPlan *plan, int step, int r)
{
  const int writer = odl_plan_last_writer (plan, plan->steps[step].reads[r], step);

  return odl_gl_targets_written (targets, plan, writer);
}

static size_t
texture_bytes (int components, int precision, int width, int height)
{
  return (size_t) components * (size_t) precision / 8 * (size_t) width * (size_t) height;
}

size_t
odl_gl_slot_texture_bytes (const OdlGlSlot *slot, int texture)
{
  return texture_bytes (slot->storage->layers[texture].components, slot->precision,
                        odl_gl_slot_texture_width (slot, texture),
                        odl_gl_slot_texture_height (slot, texture));
}

size_t
odl_gl_targets_bytes (const OdlGlTargets *targets)
{
  size_t bytes = 0;

  for (guint i = 0; i < targets->textures->len; i++) {
    const Texture *t = &g_array_index (targets->textures, Texture, i);
    bytes += texture_bytes (t->components, t->precision, t->width, t->height);
  }
  return bytes;
}

size_t
odl_gl_targets_count (const OdlGlTargets *targets)
{
  return targets->textures->len;
}
