// SPDX-License-Identifier: MIT
#include "engine/gl/compute/source.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/texture_stores.h"
#include "plan/flow.h"

// Of include/stored.glsl.
static const char *const type_defines[] = {
  [ODL_SAMPLE_U8] = "#define STORED 8\n",
  [ODL_SAMPLE_U16] = "#define STORED 16\n",
  [ODL_SAMPLE_S16] = "#define STORED 16\n#define SIGNED\n",
  [ODL_SAMPLE_F32] = "#define STORED 32\n#define FLOATING\n",
};

struct _OdlGlSource {
  const OdlGlCaps *caps;
  OdlGlPrograms *programs;
  OdlEngineCounters *counters;
  OdlGlUpload *upload;
  bool shares; // it belongs to somebody else
  // The last image's samples, in memory that is fast to read.
  GLuint buffer; // 0: none yet
  size_t size; // bytes of it, a multiple of 16
  OdlGlSampleBuffer samples; // content
  OdlImageInfo info; // description of the image; its pointers are stale
};

OdlGlSource *
odl_gl_source_new (const OdlGlCaps *caps,
                   OdlGlPrograms *programs,
                   OdlEngineCounters *counters,
                   OdlImagePool *const *pool,
                   OdlGlUpload *shared)
{
  OdlGlSource *source = g_new0 (OdlGlSource, 1);

  source->caps = caps;
  source->programs = programs;
  source->counters = counters;
  source->shares = shared != NULL;
  source->upload
      = shared != NULL ? shared : odl_gl_upload_new (caps, programs, counters, pool);
  return source;
}

void
odl_gl_source_free (OdlGlSource *source)
{
  if (source == NULL)
    return;
  glDeleteBuffers (1, &source->buffer);
  if (!source->shares)
    odl_gl_upload_free (source->upload);
  g_free (source);
}

// Leaves the buffer bound to GL_COPY_WRITE_BUFFER.
static bool
ensure_buffer (OdlGlSource *source, size_t size, GError **error)
{
  if (source->buffer == 0)
    glGenBuffers (1, &source->buffer);
  glBindBuffer (GL_COPY_WRITE_BUFFER, source->buffer);
  if (source->size == size)
    return true;
  odl_gl_forget_errors ();
  glBufferData (GL_COPY_WRITE_BUFFER, (GLsizeiptr) size, NULL, GL_DYNAMIC_COPY);
  source->counters->allocations++;
  source->size = size;
  if (odl_gl_check (_ ("preparing the filter"), error))
    return true;
  source->size = 0;
  return false;
}

bool
odl_gl_source_take (OdlGlSource *source, const OdlImage *image, GError **error)
{
  const OdlExtent *extent = &odl_image_info (image)->extent;
  OdlGlSampleBuffer *samples = &source->samples;

  if (!odl_gl_upload_buffer (source->upload, image, samples, error))
    return false;
  source->info = *odl_image_info (image);

  const size_t bytes = samples->size;
  const size_t size = (bytes + 15) / 16 * 16; // padded to whole words
  bool ok = size < (size_t) source->caps->max_storage;
  if (!ok)
    g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                 _ ("the image of %d × %d pixels exceeds what a compute shader of this "
                    "graphics driver (%s) can reach; choose the CPU engine"),
                 extent->x, extent->y, source->caps->renderer);
  ok = ok && ensure_buffer (source, size, error);
  if (ok) {
    glBindBuffer (GL_COPY_READ_BUFFER, samples->buffer);
    glCopyBufferSubData (GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER,
                         (GLintptr) samples->offset_bytes, 0, (GLsizeiptr) bytes);
    glBindBuffer (GL_COPY_READ_BUFFER, 0);
  }
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  odl_gl_upload_done (source->upload);
  return ok;
}

static char *
stored_defines (const OdlGlSource *source, const OdlPlan *plan)
{
  const OdlGlSampleBuffer *samples = &source->samples;
  g_autofree char *colour = odl_gl_planes_defines (&source->info);
  if (samples->ycbcr)
    return g_strconcat (type_defines[samples->type], colour, NULL);
  const bool padded = source->info.extent.x < plan->geometry.width
                      || source->info.extent.y < plan->geometry.height;
  const bool whole_quads
      = samples->channels == 1 && !padded
        && samples->row_stride_bytes % (4 * odl_sample_size (samples->type)) == 0;

  return g_strdup_printf ("%s#define STORED_CHANNELS %d\n%s", type_defines[samples->type],
                          samples->channels,
                          whole_quads ? "#define WHOLE_QUADS\n"
                          : padded    ? "#define PADDED\n"
                                      : "");
}

static void
bind (const OdlGlSource *source, OdlGlDispatch *dispatch)
{
  dispatch->buffers[0] = source->buffer;
  dispatch->uniforms.source_layout[0] = (int) source->samples.row_stride_bytes;
  dispatch->uniforms.source_layout[1] = 0;
  dispatch->uniforms.extent[0] = source->info.extent.x;
  dispatch->uniforms.extent[1] = source->info.extent.y;
  dispatch->uniforms.minimum = source->samples.minimum;
  dispatch->uniforms.scale = source->samples.scale;
  if (source->samples.ycbcr)
    odl_gl_planes_set (&source->samples.planes, &source->info, true, &dispatch->uniforms);
}

bool
odl_gl_source_is_ycbcr (const OdlGlSource *source)
{
  return source->samples.ycbcr;
}

bool
odl_gl_source_has_luma (const OdlGlSource *source, const OdlPlan *plan)
{
  const OdlYcbcr *ycbcr = &source->info.ycbcr;

  if (!source->samples.ycbcr || plan->n_steps < 2 || plan->steps[1].kind != ODL_STEP_LUMA
      || plan->steps[1].parameters.weights[0] != ycbcr->kr
      || plan->steps[1].parameters.weights[2] != ycbcr->kb)
    return false;
  // Red, green and blue must be read by LUMA and RECOMBINE only.
  for (int i = 2; i < plan->n_steps; i++)
    if (plan->steps[i].kind != ODL_STEP_RECOMBINE
        && odl_step_reads (&plan->steps[i], plan->source))
      return false;
  return true;
}

bool
odl_gl_source_join (const OdlGlSource *source,
                    const OdlPlan *plan,
                    OdlGlDispatch *dispatch,
                    GError **error)
{
  const bool is_luma = plan->steps[dispatch->step].kind == ODL_STEP_LUMA;
  g_autofree char *stored = stored_defines (source, plan);
  g_autofree char *defines
      = g_strconcat (dispatch->program->defines, stored,
                     is_luma ? "#define LUMA_ONLY\n" : "#define FILTERED\n", NULL);
  const GLuint after = dispatch->buffers[2], target = dispatch->buffers[is_luma ? 1 : 3];

  bind (source, dispatch);
  dispatch->buffers[1] = is_luma ? target : after;
  dispatch->buffers[2] = is_luma ? 0 : target;
  dispatch->buffers[3] = 0;
  dispatch->groups[2] = 1;
  dispatch->uniforms.bias = odl_gl_bias (plan->precision);
  dispatch->program = odl_gl_programs_get (source->programs, ODL_GL_PASS_COMPUTE_LOAD,
                                           false, defines, error);
  return dispatch->program != NULL;
}

bool
odl_gl_source_complete_load (const OdlGlSource *source,
                             const OdlGlDispatchParams *params,
                             OdlGlDispatch *dispatch,
                             GError **error)
{
  g_autofree char *defines = stored_defines (source, params->plan);

  bind (source, dispatch);
  dispatch->program = odl_gl_load_program (params, defines, error);
  return dispatch->program != NULL;
}

static bool
can_read_stored (const OdlGlDispatch *dispatch)
{
  const OdlGlPass *pass = dispatch->program != NULL ? dispatch->program->pass : NULL;

  return pass == &odl_gl_passes[ODL_GL_PASS_COMPUTE_FORWARD]
         || pass == &odl_gl_passes[ODL_GL_PASS_COMPUTE_FORWARD_TWO]
         || pass == &odl_gl_passes[ODL_GL_PASS_COMPUTE_BANK_FORWARD]
         || pass == &odl_gl_passes[ODL_GL_PASS_COMPUTE_DUAL_FORWARD];
}

int
odl_gl_source_reader (const OdlPlan *plan, const GArray *dispatches)
{
  int readers = 0, first = -1, end = -1; // steps of one dispatch

  for (int i = 0; i < plan->n_steps; i++)
    for (int r = 0; r < ODL_STEP_MOST_READS; r++)
      if (plan->steps[i].reads[r] == plan->source) {
        const int last = odl_steps_last_of_level (plan->steps, plan->n_steps, i);
        readers += first < 0 || last != end;
        first = first < 0 ? i : first;
        end = last;
      }
  // With alpha, which is shown with every frame, LOAD always runs; so it does with
  // volumes.
  if (readers != 1 || plan->geometry.depth > 1 || plan->geometry.channels == 4
      || (plan->steps[first].kind != ODL_STEP_FORWARD
          && plan->steps[first].kind != ODL_STEP_DUAL_FORWARD))
    return -1;
  for (guint i = 0; i < dispatches->len; i++) {
    const OdlGlDispatch *dispatch = &g_array_index (dispatches, OdlGlDispatch, i);
    if (dispatch->step > first)
      return can_read_stored (dispatch) ? (int) i : -1;
  }
  return -1;
}

bool
odl_gl_source_replace (const OdlGlSource *source,
                       const OdlPlan *plan,
                       OdlGlDispatch *dispatch,
                       GError **error)
{
  const OdlGlProgram *plain = dispatch->program;
  g_autofree char *stored = stored_defines (source, plan);
  g_autofree char *defines = g_strconcat (plain->defines, stored, NULL);

  bind (source, dispatch);
  dispatch->uniforms.bias = odl_gl_bias (plan->precision);
  dispatch->program = odl_gl_programs_get (source->programs,
                                           (OdlGlPassId) (plain->pass - odl_gl_passes),
                                           false, defines, error);
  return dispatch->program != NULL;
}
