// SPDX-License-Identifier: MIT
#include "engine/gl/compute_fetch.h"

#include "engine/gl/targets.h"

#define GROUP 256 // invocations, of fetch.comp
#define LOADS 4 // of an invocation, at once
#define MOST_GROUPS 12 // more take the GPU from the frame: measured on an H200
#define QUAD 16 // bytes

struct _OdlGlFetch {
  const OdlGlCaps *caps;
  OdlGlPrograms *programs;
  OdlEngineCounters *counters;
  OdlGlUpload *upload;
  const OdlGlProgram *program;
  OdlImage *wanted; // is to come with the next frame; NULL: none
  OdlImage *came; // lies in `target`, whole; NULL: none
  OdlGlFetched target;
  bool is_begun; // between begin and end
  int quads, done; // of the copy
};

OdlGlFetch *
odl_gl_fetch_new (const OdlGlCaps *caps,
                  OdlGlPrograms *programs,
                  OdlEngineCounters *counters,
                  OdlGlUpload *upload)
{
  OdlGlFetch *fetch = g_new0 (OdlGlFetch, 1);

  fetch->caps = caps;
  fetch->programs = programs;
  fetch->counters = counters;
  fetch->upload = upload;
  return fetch;
}

void
odl_gl_fetch_free (OdlGlFetch *fetch)
{
  if (fetch == NULL)
    return;
  glDeleteBuffers (1, &fetch->target.buffer);
  g_clear_pointer (&fetch->wanted, odl_image_unref);
  g_clear_pointer (&fetch->came, odl_image_unref);
  g_free (fetch);
}

void
odl_gl_fetch_want (OdlGlFetch *fetch, OdlImage *next)
{
  OdlImage *before = fetch->wanted;

  fetch->wanted = next != NULL ? odl_image_ref (next) : NULL;
  g_clear_pointer (&before, odl_image_unref);
}

static bool
ensure_target (OdlGlFetch *fetch, size_t size)
{
  OdlGlFetched *target = &fetch->target;

  if (target->buffer == 0)
    glGenBuffers (1, &target->buffer);
  if (target->size == size)
    return true;
  odl_gl_forget_errors ();
  glBindBuffer (GL_COPY_WRITE_BUFFER, target->buffer);
  glBufferData (GL_COPY_WRITE_BUFFER, (GLsizeiptr) size, NULL, GL_DYNAMIC_COPY);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  fetch->counters->allocations++;
  target->size = glGetError () == GL_NO_ERROR ? size : 0;
  return target->size > 0;
}

static bool
ensure_program (OdlGlFetch *fetch)
{
  if (fetch->program == NULL)
    fetch->program = odl_gl_programs_get (fetch->programs, ODL_GL_PASS_COMPUTE_FETCH,
                                          false, NULL, NULL);
  return fetch->program != NULL;
}

void
odl_gl_fetch_begin (OdlGlFetch *fetch)
{
  OdlGlSampleBuffer *samples = &fetch->target.samples;

  if (fetch->is_begun || fetch->wanted == NULL || fetch->wanted == fetch->came
      || !ensure_program (fetch))
    return;
  g_clear_pointer (&fetch->came, odl_image_unref);
  if (!odl_gl_upload_buffer (fetch->upload, fetch->wanted, samples, NULL))
    return;

  const size_t size = (samples->size + QUAD - 1) / QUAD * QUAD;
  const bool fits = samples->offset_bytes % QUAD == 0
                    && samples->offset_bytes + size < (size_t) fetch->caps->max_storage;
  fetch->is_begun = fits && ensure_target (fetch, size);
  if (!fetch->is_begun)
    odl_gl_upload_done (fetch->upload);
  fetch->target.info = *odl_image_info (fetch->wanted);
  fetch->quads = (int) (size / QUAD);
  fetch->done = 0;
}

bool
odl_gl_fetch_is_begun (const OdlGlFetch *fetch)
{
  return fetch->is_begun;
}

void
odl_gl_fetch_until (OdlGlFetch *fetch, double share)
{
  const int until = (int) (share * fetch->quads);

  if (!fetch->is_begun || until <= fetch->done)
    return;
  const OdlGlSampleBuffer *samples = &fetch->target.samples;
  const OdlGlUniforms uniforms = {
    .first = fetch->done,
    .n = until,
    .source_first = (int) (samples->offset_bytes / QUAD),
  };
  const int groups = (until - fetch->done + GROUP * LOADS - 1) / (GROUP * LOADS);

  glUseProgram (fetch->program->id);
  glBindBufferBase (GL_SHADER_STORAGE_BUFFER, 0, samples->buffer);
  glBindBufferBase (GL_SHADER_STORAGE_BUFFER, 1, fetch->target.buffer);
  odl_gl_set_uniforms (fetch->program, &uniforms);
  glDispatchCompute ((GLuint) MIN (groups, MOST_GROUPS), 1, 1);
  fetch->done = until;
}

void
odl_gl_fetch_end (OdlGlFetch *fetch)
{
  odl_gl_fetch_begin (fetch); // there may have been no dispatch to go with
  if (!fetch->is_begun)
    return;
  if (fetch->done < fetch->quads) {
    odl_gl_fetch_until (fetch, 1);
    glMemoryBarrier (GL_SHADER_STORAGE_BARRIER_BIT);
  }
  odl_gl_upload_done (fetch->upload);
  fetch->is_begun = false;
  fetch->came = g_steal_pointer (&fetch->wanted);
}

bool
odl_gl_fetch_swap (OdlGlFetch *fetch, const OdlImage *image, OdlGlFetched *present)
{
  if (fetch->came == NULL || image != fetch->came)
    return false;

  const OdlGlFetched came = fetch->target;
  fetch->target = *present;
  *present = came;
  g_clear_pointer (&fetch->came, odl_image_unref);
  fetch->counters->prefetched++;
  return true;
}
