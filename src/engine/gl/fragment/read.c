// SPDX-License-Identifier: MIT
#include "engine/gl/fragment/read.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/parallel.h"
#include "plan/flow.h"
#include "plan/group.h"

// Where a component of a texture lies in the Mallat picture of its slot.
typedef struct {
  bool right, below;
} BandPlace;

static const BandPlace band_places[]
    = { { false, false }, { false, true }, { true, false }, { true, true } };
static const BandPlace half_places[] = { { false, false }, { true, false } };

typedef struct {
  const OdlSlot *slot;
  const float *texels; // RGBA
  int texture_width;
  float bias; // to be added where it is missing
  int biased_width, biased_height; // of the part at the top left that lacks it
  int channel, channels; // of these, held by the current texture
  float *out; // slot->width × slot->height × slot->channels
} Scatter;

// Copies `channels` components from `component` on to the band at `place`.
static void
scatter_band (const Scatter *s, int component, BandPlace place)
{
  const OdlSlot *slot = s->slot;
  const bool halved_x = slot->kind != ODL_SLOT_PICTURE;
  const bool halved_y = slot->kind == ODL_SLOT_BANDS;
  const int low_x = halved_x ? odl_low_count (slot->width) : slot->width;
  const int low_y = halved_y ? odl_low_count (slot->height) : slot->height;
  const int x0 = place.right ? low_x : 0;
  const int y0 = place.below ? low_y : 0;
  const int width = place.right ? slot->width - low_x : low_x;
  const int height = place.below ? slot->height - low_y : low_y;

  ODL_PARALLEL_FOR
  for (int y = 0; y < height; y++) {
    const float *from = s->texels + (size_t) 4 * y * s->texture_width + component;
    float *to
        = s->out + ((size_t) (y + y0) * slot->width + x0) * slot->channels + s->channel;
    const int biased = y + y0 < s->biased_height ? s->biased_width - x0 : 0;
    for (int x = 0; x < width; x++, from += 4, to += slot->channels)
      for (int c = 0; c < s->channels; c++)
        to[c] = x < biased ? from[c] + s->bias : from[c];
  }
}

// Copies pictures and halves of 2 × 2 samples a texel, whose columns are even and odd
// samples, or low and high coefficients.
static void
scatter_blocks (const Scatter *s)
{
  const OdlSlot *slot = s->slot;
  const bool halved = slot->kind == ODL_SLOT_HALF;

  for (int y = 0; y < slot->height; y++)
    for (int x = 0; x < slot->width; x++) {
      const float *texel
          = s->texels + (size_t) 4 * (y / 2) * s->texture_width + x / 2 * 4;
      const int to = !halved      ? x
                     : x % 2 == 0 ? x / 2
                                  : odl_low_count (slot->width) + x / 2;
      const bool biased = to < s->biased_width && y < s->biased_height;
      s->out[((size_t) y * slot->width + to) * slot->channels + s->channel]
          = texel[y % 2 * 2 + x % 2] + (biased ? s->bias : 0);
    }
}

static void
scatter (const Scatter *s, int texture, bool blocks)
{
  const OdlSlot *slot = s->slot;
  const BandPlace *places = slot->kind == ODL_SLOT_BANDS ? band_places : half_places;
  const int n_bands = slot->kind == ODL_SLOT_BANDS  ? 4
                      : slot->kind == ODL_SLOT_HALF ? 2
                                                    : 1;

  if (blocks)
    scatter_blocks (s);
  else if (s->channels == 3)
    scatter_band (s, 0, places[texture]);
  else
    for (int band = 0; band < n_bands; band++)
      scatter_band (s, band, places[band]);
}

// The part of a slot, at the top left, whose values lack the bias.
static Scatter
scatter_for (const OdlPlan *plan, int index, float *out)
{
  const OdlSlot *slot = &plan->slots[index];
  const bool is_layout = index == plan->result && plan->details.levels > 0;

  return (Scatter){
    .slot = slot,
    .bias = odl_gl_bias (plan->precision),
    .biased_width = is_layout                        ? plan->details.width
                    : slot->details                  ? 0
                    : slot->kind == ODL_SLOT_PICTURE ? slot->width
                                                     : odl_low_count (slot->width),
    .biased_height = is_layout                      ? plan->details.height
                     : slot->kind == ODL_SLOT_BANDS ? odl_low_count (slot->height)
                                                    : slot->height,
    .out = out,
  };
}

static bool
read_texture (const OdlGlReadParams *params,
              GLuint texture,
              int width,
              int height,
              float *texels,
              GError **error)
{
  glBindFramebuffer (GL_READ_FRAMEBUFFER, params->framebuffer);
  glFramebufferTexture2D (GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                          texture, 0);
  odl_gl_read_texels (width, height, texels);
  glFramebufferTexture2D (GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
  return odl_gl_check (_ ("reading the picture back"), error);
}

// Which textures of a slot hold it: from the first on, one after the other.
typedef struct {
  int first, count;
  bool blocks;
  bool by_channel; // each has one
} Textures;

static Textures
textures_of (const OdlGlReadParams *params)
{
  const OdlSlot *slot = &params->plan->slots[params->slot];
  const bool bands = slot->kind == ODL_SLOT_BANDS, half = slot->kind == ODL_SLOT_HALF;
  const int n = slot->channels;

  if (params->variant == ODL_GL_PACKED && (bands || half))
    return (Textures){ 0, n, half, true };
  if (odl_gl_is_packed (params->plan, params->variant, params->slot, params->before))
    return (Textures){ ODL_GL_PICTURE_PACKED, n, true, true };
  return (Textures){ 0, n == 1 || !(bands || half) ? 1 : bands ? 4 : 2, false, n == 1 };
}

// The channels of the i-th texture.
static void
turn_to_texture (Scatter *s, const Textures *textures, int i)
{
  s->channel = textures->by_channel ? i : 0;
  s->channels = textures->by_channel ? 1 : s->slot->channels;
}

static bool
read_stored (const OdlGlReadParams *params,
             const OdlGlTextureStore *stored,
             Scatter *s,
             float *texels,
             GError **error)
{
  const Textures textures = textures_of (params);

  for (int i = 0; i < textures.count; i++) {
    const int texture = textures.first + i;
    s->texture_width = odl_gl_store_texture_width (stored, texture);
    if (!read_texture (params, stored->textures[texture], s->texture_width,
                       odl_gl_store_texture_height (stored, texture), texels, error))
      return false;
    turn_to_texture (s, &textures, i);
    scatter (s, i, textures.blocks);
  }
  return true;
}

// Draws what `step` wrote into a target of its own, however many strips it was. Along y
// LL comes from `below`, along x all does; NULL: from where it lies.
static void
draw_again (const OdlGlReadParams *params,
            int step,
            const OdlGlTextureStore *below,
            const OdlGlTextureStore *target)
{
  const OdlStep *own = &params->plan->steps[step];
  const OdlGlTextureStore *written
      = odl_gl_texture_stores_written (params->stores, params->plan, step);
  const bool half = odl_step_writes_half (own);
  const int channels = params->plan->slots[own->writes].channels;
  const int f = half ? 0 : ODL_GL_PICTURE_PACKED;
  const int last
      = half ? odl_plan_group_reader (params->plan, step) : step; // may have the calls
  const int end = params->steps[last].first + params->steps[last].count;

  for (int i = params->steps[step].first; i < end; i++) {
    OdlGlDraw draw = g_array_index (params->draws, OdlGlDraw, i);
    if (draw.framebuffer != written->framebuffers[f])
      continue;
    draw.framebuffer = target->framebuffers[f];
    if (half)
      draw.viewport[1] += draw.uniforms.shift;
    draw.uniforms.shift = 0;
    if (below != NULL)
      memcpy (draw.textures + (half ? channels : 0),
              below->textures + (half ? ODL_GL_PICTURE_PACKED : 0),
              channels * sizeof *draw.textures);
    odl_gl_draw (&draw);
  }
}

static void
clear_again (OdlGlTextureStore *again)
{
  glDeleteFramebuffers (ODL_GL_STORE_FRAMEBUFFERS, again->framebuffers);
  glDeleteTextures (ODL_GL_STORE_TEXTURES, again->textures);
}

// A target like the one that `step` wrote.
static bool
make_target (const OdlGlReadParams *params,
             int step,
             OdlGlTextureStore *target,
             GError **error)
{
  const OdlGlTextureStore *written
      = odl_gl_texture_stores_written (params->stores, params->plan, step);
  const int f = written->form->kind == ODL_SLOT_PICTURE ? ODL_GL_PICTURE_PACKED : 0;
  const int first = written->form->framebuffers[f].first;
  const int count = written->form->framebuffers[f].count;
  bool ok = true;

  *target = (OdlGlTextureStore){
    .form = written->form,
    .precision = written->precision,
    .width = written->width,
    .height = written->height,
  };
  for (int i = first; i < first + count; i++) {
    target->textures[i] = odl_gl_texture_new (4, target->precision,
                                              odl_gl_store_texture_width (target, i),
                                              odl_gl_store_texture_height (target, i));
    ok = ok && target->textures[i] != 0;
  }
  if (ok)
    target->framebuffers[f] = odl_gl_framebuffer_new (target->textures + first, count);
  ok = target->framebuffers[f] != 0;
  if (!ok)
    odl_gl_set_memory_error (written, error);
  return ok;
}

// Draws the output of `step` again, after its inputs if these no longer exist. The caller
// clears `again`, also after an error.
static bool
make_again (const OdlGlReadParams *params,
            int step,
            OdlGlTextureStore *again,
            GError **error)
{
  const OdlPlan *plan = params->plan;
  const int before = odl_plan_last_writer (plan, plan->steps[step].reads[0], step);
  const bool is_gone = odl_gl_texture_stores_is_transient (params->stores, before);
  OdlGlTextureStore below = { 0 };
  bool ok = (!is_gone || make_again (params, before, &below, error))
            && make_target (params, step, again, error);

  if (ok)
    draw_again (params, step, is_gone ? &below : NULL, again);
  clear_again (&below);
  return ok;
}

// A transient half or coarser result, which is only valid until the next level has read
// it.
static bool
read_transient (const OdlGlReadParams *params, Scatter *s, float *texels, GError **error)
{
  const int writer = odl_plan_last_writer (params->plan, params->slot, params->before);
  OdlGlTextureStore again = { 0 };
  const bool ok = make_again (params, writer, &again, error)
                  && read_stored (params, &again, s, texels, error);

  clear_again (&again);
  return ok;
}

// The last run's parameters of a step that is fused into another one.
static const OdlGlUniforms *
parameters_of (const OdlGlReadParams *params, int step)
{
  for (int i = 0; i < params->plan->n_steps; i++)
    if (params->steps[i].parameters == step)
      return &g_array_index (params->draws, OdlGlDraw, params->steps[i].first).uniforms;
  return NULL;
}

// Shrinks one channel's bands again and stores them.
static bool
read_shrunk_channel (const OdlGlReadParams *params,
                     OdlGlDraw *draw,
                     Scatter *s,
                     float *texels,
                     GError **error)
{
  const OdlGlTextureStore *bands
      = odl_gl_texture_stores_at (params->stores, params->slot);
  const int width = draw->viewport[2], height = draw->viewport[3];
  GLuint texture = odl_gl_texture_new (4, bands->precision, width, height);

  draw->framebuffer = texture != 0 ? odl_gl_framebuffer_new (&texture, 1) : 0;
  bool ok = draw->framebuffer != 0;
  if (ok) {
    odl_gl_draw (draw);
    s->texture_width = width;
    ok = read_texture (params, texture, width, height, texels, error);
    scatter (s, 0, false);
  } else {
    odl_gl_set_memory_error (bands, error);
  }
  glDeleteFramebuffers (1, &draw->framebuffer);
  glDeleteTextures (1, &texture);
  return ok;
}

// Bands that synthesis shrinks while it reads them.
static bool
read_shrunk (const OdlGlReadParams *params, Scatter *s, float *texels, GError **error)
{
  const int writer = odl_plan_last_writer (params->plan, params->slot, params->before);
  const OdlGlTextureStore *bands
      = odl_gl_texture_stores_at (params->stores, params->plan->steps[writer].reads[0]);
  const OdlGlUniforms *uniforms = parameters_of (params, writer);
  const Textures textures = { 0, s->slot->channels, false, true };
  OdlGlDraw draw = {
    .program
    = odl_gl_programs_get (params->programs, ODL_GL_PASS_THRESHOLD, false,
                           bands->precision == 16 ? "#define HALF_TARGET\n" : "", error),
    .viewport = { 0, 0, odl_gl_store_texture_width (bands, 0),
                  odl_gl_store_texture_height (bands, 0) },
    .vertices = 3,
  };

  g_assert (uniforms != NULL);
  if (draw.program == NULL)
    return false;
  memcpy (draw.uniforms.thresholds, uniforms->thresholds,
          sizeof draw.uniforms.thresholds);
  draw.uniforms.hard = uniforms->hard;
  for (int i = 0; i < textures.count; i++) {
    draw.textures[0] = bands->textures[i];
    turn_to_texture (s, &textures, i);
    if (!read_shrunk_channel (params, &draw, s, texels, error))
      return false;
  }
  return true;
}

bool
odl_gl_read_slot (const OdlGlReadParams *params, float *out, GError **error)
{
  const OdlSlot *slot = &params->plan->slots[params->slot];
  const OdlGlTextureStore *stored
      = odl_gl_texture_stores_at (params->stores, params->slot);
  g_autofree float *own = params->texels == NULL
                              ? g_try_new (float, (size_t) 4 * slot->width * slot->height)
                              : NULL;
  float *texels = params->texels != NULL ? params->texels : own;
  Scatter s = scatter_for (params->plan, params->slot, out);

  if (texels == NULL)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("there is not enough memory to read %d × %d pixels back"),
                          slot->width, slot->height);
  s.texels = texels;
  odl_gl_forget_errors ();
  if (odl_gl_texture_stores_is_transient (
          params->stores,
          odl_plan_last_writer (params->plan, params->slot, params->before)))
    return read_transient (params, &s, texels, error);
  return stored->form->n_textures > 0 ? read_stored (params, stored, &s, texels, error)
                                      : read_shrunk (params, &s, texels, error);
}
