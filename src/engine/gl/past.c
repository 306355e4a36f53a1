// SPDX-License-Identifier: MIT
#include "engine/gl/past.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/compute/bm3d.h"
#include "engine/gl/compute/steps.h"
#include "engine/gl/platform/device_buffer.h"

typedef struct {
  GLuint textures[ODL_PLAN_MAX_FRAMES];
  GLuint framebuffers[ODL_PLAN_MAX_FRAMES];
} Kept;

struct _OdlGlPast {
  int n_steps;
  int *frames; // of each step
  Kept *kept;
  size_t *created;
};

OdlGlPast *
odl_gl_past_new (const OdlPlan *plan, size_t *created)
{
  OdlGlPast *past = g_new0 (OdlGlPast, 1);

  past->n_steps = plan->n_steps;
  past->frames = g_new0 (int, plan->n_steps);
  past->kept = g_new0 (Kept, plan->n_steps);
  past->created = created;
  for (int i = 0; i < plan->n_steps; i++)
    past->frames[i] = plan->steps[i].frames;
  return past;
}

void
odl_gl_past_free (OdlGlPast *past)
{
  if (past == NULL)
    return;
  for (int i = 0; i < past->n_steps; i++) {
    glDeleteFramebuffers (ODL_PLAN_MAX_FRAMES, past->kept[i].framebuffers);
    glDeleteTextures (ODL_PLAN_MAX_FRAMES, past->kept[i].textures);
  }
  g_free (past->frames);
  g_free (past->kept);
  g_free (past);
}

bool
odl_gl_past_add (OdlGlPast *past,
                 int step,
                 const OdlGlTextureStore *target,
                 GError **error)
{
  const int components = target->form != NULL ? target->form->layers[0].components : 4;
  Kept *kept = &past->kept[step];

  for (int i = 0; i < past->frames[step]; i++) {
    kept->textures[i] = odl_gl_texture_new (components, target->precision, target->width,
                                            target->height);
    if (kept->textures[i] != 0) {
      const GLuint both[] = { kept->textures[i], target->textures[0] };
      *past->created += 1;
      kept->framebuffers[i] = odl_gl_framebuffer_new (both, 2);
    }
    if (kept->framebuffers[i] == 0) {
      odl_gl_set_memory_error (target, error);
      return false;
    }
  }
  return true;
}

void
odl_gl_past_turn (const OdlGlPast *past,
                  const OdlEngine *engine,
                  const OdlPlan *plan,
                  int step,
                  OdlGlDraw *draw)
{
  const OdlStep *own = &plan->steps[step];
  const int earlier = odl_engine_earlier (engine, own);

  if (own->frames == 0)
    return;
  odl_gl_past_uniforms (engine, own, &draw->uniforms);
  draw->framebuffer = past->kept[step].framebuffers[odl_engine_place (engine, own, 0)];
  // Frames that do not exist yet are not read.
  for (int back = 1; back < own->frames; back++)
    draw->textures[back]
        = back <= earlier
              ? past->kept[step].textures[odl_engine_place (engine, own, back)]
              : draw->textures[0];
}

void
odl_gl_past_uniforms (const OdlEngine *engine,
                      const OdlStep *step,
                      OdlGlUniforms *uniforms)
{
  if (step->frames == 0)
    return;
  uniforms->earlier = odl_engine_earlier (engine, step);
  uniforms->place = odl_engine_place (engine, step, 0);
}

// ---- buffers -------------------------------------------------------------------------

static void
delete_buffer (void *buffer)
{
  glDeleteBuffers (1, buffer);
}

static size_t
buffer_bytes (const OdlGlCaps *caps,
              const OdlPlan *plan,
              const OdlGlStores *stores,
              int step)
{
  const OdlStep *own = &plan->steps[step];
  const OdlGlStore *store = odl_gl_stores_at (stores, own->writes);

  return (size_t) own->frames * odl_gl_store_bytes (store) + odl_gl_measure_bytes (own)
         + odl_gl_kernel_bytes (caps, plan, step) + odl_gl_bm3d_bytes (caps, plan, step);
}

// `written`: by the CPU.
static bool
fill_buffer (GLuint *buffer,
             const OdlGlCaps *caps,
             const OdlPlan *plan,
             size_t bytes,
             bool written,
             GError **error)
{
  if ((double) bytes >= caps->max_storage)
    return odl_error_set (
        error, ODL_ERROR_TOO_LARGE,
        _ ("what a filter over time keeps of images of %d × %d pixels exceeds what a "
           "compute shader of this graphics driver (%s) can reach; choose fewer frames "
           "or the engine “gl-fragment”"),
        plan->geometry.width, plan->geometry.height, caps->renderer);
  odl_gl_forget_errors ();
  if (written) {
    glGenBuffers (1, buffer);
    glBindBuffer (GL_COPY_WRITE_BUFFER, *buffer);
    glBufferData (GL_COPY_WRITE_BUFFER, (GLsizeiptr) bytes, NULL, GL_DYNAMIC_DRAW);
    glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  } else {
    *buffer = odl_gl_device_buffer_new (caps, bytes);
  }
  return odl_gl_check (_ ("preparing the filter"), error);
}

// Sparse buffers, which there are in desktop GL alone, take no glBufferSubData; GLES has
// no glClearBufferData.
static bool
clear_buffer (GLuint buffer, size_t bytes, GError **error)
{
  g_autofree void *zeros = g_malloc0 (bytes);

  odl_gl_forget_errors ();
  glBindBuffer (GL_COPY_WRITE_BUFFER, buffer);
  if (epoxy_is_desktop_gl ())
    glClearBufferData (GL_COPY_WRITE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT,
                       NULL);
  else
    glBufferSubData (GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr) bytes, zeros);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  return odl_gl_check (_ ("preparing the filter"), error);
}

GArray *
odl_gl_past_buffers_new (const OdlGlCaps *caps,
                         const OdlPlan *plan,
                         const OdlGlStores *stores,
                         size_t *created,
                         GError **error)
{
  g_autoptr (GArray) buffers = g_array_new (FALSE, TRUE, sizeof (GLuint));

  g_array_set_clear_func (buffers, delete_buffer);
  g_array_set_size (buffers, (guint) plan->n_steps);
  for (int i = 0; i < plan->n_steps; i++) {
    const size_t bytes = buffer_bytes (caps, plan, stores, i);
    if (bytes == 0)
      continue;
    GLuint *buffer = &g_array_index (buffers, GLuint, i);
    const bool written = odl_gl_kernel_bytes (caps, plan, i) > 0;
    if (!fill_buffer (buffer, caps, plan, bytes, written, error))
      return NULL;
    if (odl_gl_measure_bytes (&plan->steps[i]) > 0
        && !clear_buffer (*buffer, bytes, error))
      return NULL;
    *created += 1;
  }
  return g_steal_pointer (&buffers);
}
