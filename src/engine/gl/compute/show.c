// SPDX-License-Identifier: MIT
#include "engine/gl/compute/show.h"

#define TARGET_BINDING 2 // of include/target.glsl

typedef struct {
  int planes; // of the store
  int precision;
  GLenum format;
  const char *name; // in GLSL
} ShowFormat;

// Formats that GLES 3.1 can write; it has no smaller one for a single channel.
static const ShowFormat show_formats[] = {
  { 1, 16, GL_R32F, "r32f" },       { 1, 32, GL_R32F, "r32f" },
  { 3, 16, GL_RGBA16F, "rgba16f" }, { 3, 32, GL_RGBA32F, "rgba32f" },
  { 4, 16, GL_RGBA16F, "rgba16f" }, { 4, 32, GL_RGBA32F, "rgba32f" },
};

bool
odl_gl_shown_init (OdlGlShown *shown,
                   const OdlGlDispatchParams *params,
                   int slot,
                   size_t *created,
                   GError **error)
{
  const OdlGlStore *store = odl_gl_stores_at (params->stores, slot);
  const OdlSlot *picture = &params->plan->slots[slot];
  const ShowFormat *format = show_formats;

  while (format->planes != store->planes || format->precision != store->precision)
    format++;
  *shown = (OdlGlShown){ .slot = slot, .format = format->format };
  if (!odl_gl_compile_show (params, slot, format->name, &shown->dispatch, error))
    return false;
  glGenTextures (1, &shown->texture);
  *created += 1;
  glActiveTexture (GL_TEXTURE0);
  glBindTexture (GL_TEXTURE_2D, shown->texture);
  glTexStorage2D (GL_TEXTURE_2D, 1, shown->format, picture->width, picture->height);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return true;
}

void
odl_gl_shown_clear (OdlGlShown *shown)
{
  glDeleteTextures (1, &shown->texture);
  *shown = (OdlGlShown){ 0 };
}

static void
dispatch_into (OdlGlShown *shown, const OdlGlDispatch *dispatch, size_t frame)
{
  glBindImageTexture (0, shown->texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, shown->format);
  odl_gl_dispatch (dispatch);
  glMemoryBarrier (GL_TEXTURE_FETCH_BARRIER_BIT);
  glBindImageTexture (0, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32F);
  shown->frame = frame;
}

void
odl_gl_shown_copy (OdlGlShown *shown, size_t frame)
{
  dispatch_into (shown, &shown->dispatch, frame);
}

int
odl_gl_shown_writer (const OdlPlan *plan, const GArray *dispatches)
{
  const int last = (int) dispatches->len - 1;
  const OdlGlDispatch *dispatch = &g_array_index (dispatches, OdlGlDispatch, last);
  const OdlGlPass *pass = dispatch->program != NULL ? dispatch->program->pass : NULL;

  // A work group makes one channel; texels have all of them. Of a volume it makes slices.
  return plan->geometry.depth <= 1 && plan->slots[plan->result].channels == 1
                 && plan->geometry.channels == 1
                 && plan->steps[dispatch->step].writes == plan->result
                 && (pass == &odl_gl_passes[ODL_GL_PASS_COMPUTE_INVERSE]
                     || pass == &odl_gl_passes[ODL_GL_PASS_COMPUTE_INVERSE_TWO]
                     || pass == &odl_gl_passes[ODL_GL_PASS_COMPUTE_BANK_INVERSE])
             ? last
             : -1;
}

bool
odl_gl_shown_write (OdlGlShown *shown,
                    OdlGlPrograms *programs,
                    const OdlGlDispatch *writer,
                    size_t frame,
                    GError **error)
{
  const OdlGlProgram *plain = writer->program;
  g_autofree char *defines
      = g_strconcat (plain->defines, "#define TARGET_IMAGE r32f\n", NULL);
  OdlGlDispatch dispatch = *writer;

  dispatch.buffers[TARGET_BINDING] = 0;
  dispatch.program = odl_gl_programs_get (
      programs, (OdlGlPassId) (plain->pass - odl_gl_passes), false, defines, error);
  if (dispatch.program == NULL)
    return false;
  dispatch_into (shown, &dispatch, frame);
  return true;
}
