// SPDX-License-Identifier: MIT
#include "engine/gl/compute/snakes.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/memory.h"
#include "engine/cpu/steps/steps.h"
#include "engine/gl/compute/read.h"

// Samples of a slot in planes one after the other.
static bool
alloc (const OdlSlot *slot, OdlCpuPicture *picture)
{
  *picture = (OdlCpuPicture){ .width = slot->width,
                              .height = slot->height,
                              .channels = slot->channels,
                              .pitch = (size_t) slot->width };
  const size_t factors[] = { (size_t) slot->width, (size_t) slot->height,
                             (size_t) slot->channels, sizeof (float) };
  size_t bytes;
  if (!odl_size_product (factors, G_N_ELEMENTS (factors), &bytes))
    return false;
  picture->samples = odl_aligned_alloc_unset (bytes, true);
  return picture->samples != NULL;
}

static bool
fetch (const OdlGlDispatchParams *params,
       int slot,
       const OdlCpuPicture *picture,
       GError **error)
{
  const size_t n = (size_t) picture->width * picture->height;
  const int channels = picture->channels;

  if (channels == 1)
    return odl_gl_compute_read (params, slot, picture->samples, error);
  g_autofree float *pixels = g_try_new (float, n *(size_t) channels);
  if (pixels == NULL || !odl_gl_compute_read (params, slot, pixels, error))
    return false;
  for (size_t i = 0; i < n; i++)
    for (int c = 0; c < channels; c++)
      picture->samples[(size_t) c * n + i] = pixels[i * (size_t) channels + (size_t) c];
  return true;
}

static bool
send (const OdlGlDispatchParams *params,
      int slot,
      const OdlCpuPicture *numbers,
      GError **error)
{
  const GLsizeiptr bytes = (GLsizeiptr) ((size_t) numbers->width * sizeof (float));
  GLuint staging;

  // Buffers on the GPU may be out of reach for anything but copies.
  odl_gl_forget_errors ();
  glGenBuffers (1, &staging);
  glBindBuffer (GL_COPY_READ_BUFFER, staging);
  glBufferData (GL_COPY_READ_BUFFER, bytes, numbers->samples, GL_STREAM_COPY);
  glBindBuffer (GL_COPY_WRITE_BUFFER, odl_gl_stores_at (params->stores, slot)->buffer);
  glCopyBufferSubData (GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, bytes);
  glBindBuffer (GL_COPY_READ_BUFFER, 0);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  glDeleteBuffers (1, &staging);
  return odl_gl_check (_ ("filtering"), error);
}

bool
odl_gl_run_snakes (const OdlGlDispatchParams *params, int index, GError **error)
{
  const OdlPlan *plan = params->plan;
  const OdlStep *step = &plan->steps[index];
  const OdlCpuMethod method
      = { .variant = odl_cpu_variant_choose ((const char *const[]){ NULL }) };
  const OdlCpuPast none = { 0 };
  g_autofree OdlCpuPicture *pictures = g_new0 (OdlCpuPicture, plan->n_slots);
  bool room = alloc (&plan->slots[step->writes], &pictures[step->writes]), ok = true;

  for (int r = 0; r < ODL_STEP_MOST_READS && room; r++)
    if (step->reads[r] != ODL_PLAN_NO_SLOT)
      room = alloc (&plan->slots[step->reads[r]], &pictures[step->reads[r]]);
  if (!room)
    g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                 _ ("there is not enough memory to read %d × %d pixels back"),
                 plan->geometry.width, plan->geometry.height);
  for (int r = 0; r < ODL_STEP_MOST_READS && room && ok; r++)
    if (step->reads[r] != ODL_PLAN_NO_SLOT)
      ok = fetch (params, step->reads[r], &pictures[step->reads[r]], error);
  if (room && ok) {
    odl_cpu_run_step (plan, step, &method, pictures, NULL, &none);
    ok = send (params, step->writes, &pictures[step->writes], error);
  }
  for (int i = 0; i < plan->n_slots; i++)
    odl_aligned_free (pictures[i].samples);
  return room && ok;
}
