// SPDX-License-Identifier: MIT
#include "engine/gl/compute/observe.h"

#include <string.h>

#include "plan/flow.h"

#define ON_THE_WAY 3 // frames whose numbers may be

struct _OdlGlObserver {
  size_t bytes;
  GLuint buffers[ON_THE_WAY];
  GLsync fences[ON_THE_WAY]; // NULL: nothing is being read back
  int next; // index of the entry to be filled next, and of the oldest
};

OdlGlObserver *
odl_gl_observer_new (const OdlPlan *plan)
{
  OdlGlObserver *self = g_new0 (OdlGlObserver, 1);

  self->bytes = (size_t) odl_plan_count_observed (plan) * sizeof (float);
  glGenBuffers (ON_THE_WAY, self->buffers);
  for (int i = 0; i < ON_THE_WAY; i++) {
    glBindBuffer (GL_COPY_WRITE_BUFFER, self->buffers[i]);
    glBufferData (GL_COPY_WRITE_BUFFER, (GLsizeiptr) self->bytes, NULL, GL_STREAM_READ);
  }
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  return self;
}

void
odl_gl_observer_free (OdlGlObserver *self)
{
  if (self == NULL)
    return;
  for (int i = 0; i < ON_THE_WAY; i++)
    if (self->fences[i] != NULL)
      glDeleteSync (self->fences[i]);
  glDeleteBuffers (ON_THE_WAY, self->buffers);
  g_free (self);
}

static int
count_waiting (const OdlGlObserver *self)
{
  int n = 0;

  for (int i = 0; i < ON_THE_WAY; i++)
    n += self->fences[i] != NULL;
  return n;
}

int
odl_gl_observer_send (OdlGlObserver *self, const OdlPlan *plan, const OdlGlStores *stores)
{
  const int place = self->next;

  if (self->fences[place] != NULL)
    glDeleteSync (self->fences[place]);
  glMemoryBarrier (GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer (GL_COPY_WRITE_BUFFER, self->buffers[place]);
  for (int i = 0; i < plan->n_slots; i++) {
    if (!plan->slots[i].observed)
      continue;
    glBindBuffer (GL_COPY_READ_BUFFER, odl_gl_stores_at (stores, i)->buffer);
    glCopyBufferSubData (
        GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0,
        (GLintptr) ((size_t) odl_plan_observed_at (plan, i) * sizeof (float)),
        (GLsizeiptr) ((size_t) plan->slots[i].width * sizeof (float)));
  }
  glBindBuffer (GL_COPY_READ_BUFFER, 0);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  self->fences[place] = glFenceSync (GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  self->next = (place + 1) % ON_THE_WAY;
  return count_waiting (self);
}

static bool
take_place (OdlGlObserver *self, int place, float *numbers)
{
  const GLenum state
      = glClientWaitSync (self->fences[place], GL_SYNC_FLUSH_COMMANDS_BIT, 0);

  if (state != GL_ALREADY_SIGNALED && state != GL_CONDITION_SATISFIED)
    return false;
  glDeleteSync (self->fences[place]);
  self->fences[place] = NULL;
  glBindBuffer (GL_COPY_READ_BUFFER, self->buffers[place]);
  const void *mapped = glMapBufferRange (GL_COPY_READ_BUFFER, 0, (GLsizeiptr) self->bytes,
                                         GL_MAP_READ_BIT);
  if (mapped != NULL) {
    memcpy (numbers, mapped, self->bytes);
    glUnmapBuffer (GL_COPY_READ_BUFFER);
  }
  glBindBuffer (GL_COPY_READ_BUFFER, 0);
  return mapped != NULL;
}

bool
odl_gl_observer_take (OdlGlObserver *self, float *numbers, int *waiting)
{
  bool taken = false;

  for (int i = 0; i < ON_THE_WAY; i++) {
    const int place = (self->next + i) % ON_THE_WAY;
    if (self->fences[place] != NULL && take_place (self, place, numbers))
      taken = true;
  }
  *waiting = count_waiting (self);
  return taken;
}
