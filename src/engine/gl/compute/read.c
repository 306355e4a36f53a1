// SPDX-License-Identifier: MIT
#include "engine/gl/compute/read.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/parallel.h"
#include "engine/gl/steps.h"
#include "engine/gl/texture_stores.h"
#include "plan/flow.h"
#include "plan/numbers.h"

// Of shaders/part.comp.
#define PART_GROUP 256
#define PART_EACH 4
#define PART_ROW 16384 // work groups

// Samples of a slot as they came from the GPU.
typedef struct {
  const OdlSlot *slot;
  const void *data;
  int precision; // bits
  int pitch, plane; // samples
  int slice; // samples of one
  int z; // the slice that is read
  int biased_depth; // slices that lack the bias
  float bias; // to be added where it is missing
  int biased_width, biased_height; // of the part at the top left that lacks it
  bool shrinks, hard; // details are to be shrunk
  float thresholds[ODL_DETAIL_OCTANTS];
} Samples;

static float
half_to_float (uint16_t half)
{
  const int exponent = half >> 10 & 31;
  const int mantissa = half & 1023;
  const float magnitude = exponent == 0 ? ldexpf ((float) mantissa, -24)
                          : exponent == 31
                              ? (mantissa != 0 ? NAN : INFINITY)
                              : ldexpf ((float) (1024 + mantissa), exponent - 25);

  return half & 0x8000 ? -magnitude : magnitude;
}

static float
sample_at (const Samples *s, size_t index)
{
  return s->precision == 16 ? half_to_float (((const uint16_t *) s->data)[index])
                            : ((const float *) s->data)[index];
}

static float
shrunk (const Samples *s, int octant, float detail)
{
  const float excess = fabsf (detail) - s->thresholds[MAX (octant - 1, 0)];

  if (excess <= 0)
    return 0;
  return s->hard ? detail : copysignf (excess, detail);
}

// Where sample (x, y) of the slot's picture lies in its channel.
static size_t
place_of (const Samples *s, int x, int y)
{
  const int low_x = odl_low_count (s->slot->width);
  const int low_y = odl_low_count (s->slot->height);

  if (s->slot->kind == ODL_SLOT_HALF) // columns alternate
    return (size_t) y * s->pitch + (x < low_x ? 2 * x : 2 * (x - low_x) + 1);
  if (s->slot->kind == ODL_SLOT_BANDS || s->slot->kind == ODL_SLOT_OCTANTS) {
    const int band = (x >= low_x ? 1 : 0) + (y >= low_y ? 2 : 0);
    const size_t row = (size_t) band * low_y + (y >= low_y ? y - low_y : y);
    return row * s->pitch + (x >= low_x ? x - low_x : x);
  }
  return (size_t) y * s->pitch + x;
}

static void
scatter_row (const Samples *s, int y, float *out)
{
  const OdlSlot *slot = s->slot;

  for (int x = 0; x < slot->width; x++) {
    const size_t place = (size_t) s->z * s->slice + place_of (s, x, y);
    const bool biased
        = x < s->biased_width && y < s->biased_height && s->z < s->biased_depth;
    const int octant = odl_octant_at (slot, x, y, s->z);
    for (int c = 0; c < slot->channels; c++) {
      const float value = sample_at (s, place + (size_t) c * s->plane);
      *out++ = biased ? value + s->bias : s->shrinks ? shrunk (s, octant, value) : value;
    }
  }
}

// A row of a picture in 32 bits: the same samples, without asking where each one lies.
static void
interleave_row (const Samples *s, int y, float *out)
{
  const int channels = s->slot->channels;

  for (int c = 0; c < channels; c++) {
    const float *from = (const float *) s->data + (size_t) c * s->plane
                        + (size_t) s->z * s->slice + (size_t) y * s->pitch;
    const int biased = y < s->biased_height ? s->biased_width : 0;
    for (int x = 0; x < biased; x++)
      out[x * channels + c] = from[x] + s->bias;
    for (int x = biased; x < s->slot->width; x++)
      out[x * channels + c] = from[x];
  }
}

static void
scatter (const Samples *s, float *out)
{
  const OdlSlot *slot = s->slot;
  const size_t row = (size_t) slot->width * slot->channels;
  const bool plain = slot->kind == ODL_SLOT_PICTURE && s->precision == 32 && !s->shrinks;
  const int depth = MAX (slot->depth, 1);

  ODL_PARALLEL_FOR
  for (int i = 0; i < depth * slot->height; i++) {
    Samples slice = *s;
    slice.z = i / slot->height;
    if (slice.z >= s->biased_depth)
      slice.biased_height = 0;
    (plain ? interleave_row : scatter_row) (&slice, i % slot->height,
                                            out + (size_t) i * row);
  }
}

typedef void (*UseFunction) (const void *bytes, void *data);

// Copies `bytes` of a buffer through one that the CPU may map, for `use`.
static bool
map_copy (const OdlGlDispatchParams *params,
          GLuint buffer,
          size_t bytes,
          UseFunction use,
          void *data,
          GError **error)
{
  odl_gl_forget_errors ();
  glMemoryBarrier (GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer (GL_COPY_READ_BUFFER, buffer);
  glBindBuffer (GL_COPY_WRITE_BUFFER, odl_gl_stores_staging (params->stores, bytes));
  glCopyBufferSubData (GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0,
                       (GLsizeiptr) bytes);
  const void *mapped
      = glMapBufferRange (GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr) bytes, GL_MAP_READ_BIT);
  if (mapped != NULL) {
    use (mapped, data);
    glUnmapBuffer (GL_COPY_WRITE_BUFFER);
  }
  glBindBuffer (GL_COPY_READ_BUFFER, 0);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  return odl_gl_check (_ ("reading the picture back"), error);
}

typedef struct {
  Samples *samples;
  float *out;
} Scattered;

static void
use_samples (const void *bytes, void *data)
{
  const Scattered *scattered = data;

  scattered->samples->data = bytes;
  scatter (scattered->samples, scattered->out);
}

static bool
read_buffer (const OdlGlDispatchParams *params,
             Samples *s,
             GLuint buffer,
             size_t bytes,
             float *out,
             GError **error)
{
  Scattered scattered = { s, out };

  return map_copy (params, buffer, bytes, use_samples, &scattered, error);
}

static bool
read_half (const OdlGlDispatchParams *params,
           int writer,
           Samples *s,
           float *out,
           GError **error)
{
  OdlGlDispatch dispatch;
  GLuint scratch;

  if (!odl_gl_compile_half (params, writer, &dispatch, error))
    return false;
  s->precision = 32;
  s->pitch = 4 * dispatch.uniforms.target_layout[0];
  s->slice = 4 * dispatch.uniforms.target_layout[1];
  s->plane = s->slice * MAX (s->slot->depth, 1);

  const size_t bytes = (size_t) s->plane * s->slot->channels * sizeof (float);
  glGenBuffers (1, &scratch);
  glBindBuffer (GL_COPY_WRITE_BUFFER, scratch);
  glBufferData (GL_COPY_WRITE_BUFFER, (GLsizeiptr) bytes, NULL, GL_STREAM_COPY);
  dispatch.buffers[2] = scratch;
  odl_gl_step_parameters (&params->plan->steps[dispatch.parameters], &dispatch.uniforms);
  odl_gl_dispatch (&dispatch);
  bool ok = read_buffer (params, s, scratch, bytes, out, error);
  glBindBufferBase (GL_SHADER_STORAGE_BUFFER, 2, 0);
  glDeleteBuffers (1, &scratch);
  return ok;
}

static bool
holds_samples (const OdlSlot *slot)
{
  return slot->kind != ODL_SLOT_MASK && slot->kind != ODL_SLOT_NUMBERS;
}

// Thresholds of step `step`, including measured ones.
static bool
read_thresholds (const OdlGlDispatchParams *params, int step, float *out, GError **error)
{
  const OdlStep *own = &params->plan->steps[step];
  const int slot = odl_step_numbers (own);
  float numbers[ODL_DETAIL_OCTANTS * ODL_BAND_NUMBERS];

  for (int band = 0; band < ODL_DETAIL_OCTANTS; band++)
    out[band] = (float) own->parameters.thresholds[band];
  if (slot == ODL_PLAN_NO_SLOT)
    return true;
  if (!odl_gl_compute_read (params, slot, numbers, error))
    return false;
  for (int band = 0; band * ODL_BAND_NUMBERS < params->plan->slots[slot].width; band++)
    out[band] = numbers[band * ODL_BAND_NUMBERS + ODL_BAND_THRESHOLD];
  return true;
}

// Slices of a layout that have an approximation.
static int
layout_depth (const OdlPlan *plan, int writer)
{
  const OdlStep *step = &plan->steps[writer];
  const int depth = MAX (plan->geometry.depth, 1);

  return step->kind == ODL_STEP_LAYOUT
                 && plan->slots[step->reads[1]].kind == ODL_SLOT_OCTANTS
             ? odl_level_size (depth, plan->details.levels)
             : depth;
}

bool
odl_gl_compute_read (const OdlGlDispatchParams *params,
                     int slot,
                     float *out,
                     GError **error)
{
  const OdlPlan *plan = params->plan;
  const OdlSlot *wanted = &plan->slots[slot];
  const int writer = odl_plan_last_writer (plan, slot, plan->n_steps);
  const bool fused = odl_plan_is_fused_threshold (plan, writer);
  const OdlGlStore *store
      = odl_gl_stores_at (params->stores, fused ? plan->steps[writer].reads[0] : slot);
  const bool is_layout = slot == plan->result && plan->details.levels > 0;
  const int depth = MAX (wanted->depth, 1);
  Samples s = {
    .slot = wanted,
    .precision = store->precision,
    .pitch = 4 * store->pitch,
    .plane = 4 * store->plane * store->slices,
    .slice = 4 * store->plane,
    .biased_depth = is_layout                          ? layout_depth (plan, writer)
                    : wanted->kind == ODL_SLOT_OCTANTS ? odl_low_count (depth)
                                                       : depth,
    .bias = holds_samples (wanted) ? odl_gl_bias (plan->precision) : 0,
    .biased_width = is_layout                          ? plan->details.width
                    : wanted->details                  ? 0
                    : wanted->kind == ODL_SLOT_PICTURE ? wanted->width
                                                       : odl_low_count (wanted->width),
    .biased_height = is_layout ? plan->details.height
                     : wanted->kind == ODL_SLOT_BANDS || wanted->kind == ODL_SLOT_OCTANTS
                         ? odl_low_count (wanted->height)
                         : wanted->height,
    .shrinks = fused,
    .hard = plan->steps[writer].parameters.hard,
  };
  if (fused && !read_thresholds (params, writer, s.thresholds, error))
    return false;

  if (wanted->kind == ODL_SLOT_HALF)
    return read_half (params, writer, &s, out, error);
  return read_buffer (params, &s, store->buffer, odl_gl_store_bytes (store), out, error);
}

// ---- parts

typedef struct {
  void *out;
  size_t bytes;
} Wanted;

static void
use_wanted (const void *bytes, void *data)
{
  const Wanted *wanted = data;

  memcpy (wanted->out, bytes, wanted->bytes);
}

// Numbers that a part has.
static size_t
count_numbers (const OdlPart *part, int channels)
{
  return (size_t) part->width * part->height * channels;
}

static void
dispatch_parts (OdlGlDispatch *dispatch,
                const OdlPart *parts,
                int n_parts,
                int channels,
                OdlPartForm form)
{
  OdlGlUniforms *uniforms = &dispatch->uniforms;

  for (int i = 0; i < n_parts; i++) {
    const size_t n = count_numbers (&parts[i], channels);
    const GLuint groups
        = (GLuint) ((n + PART_EACH * PART_GROUP - 1) / (PART_EACH * PART_GROUP));
    if (n == 0)
      continue;
    uniforms->origin[0] = parts[i].x;
    uniforms->origin[1] = parts[i].y;
    uniforms->size[0] = parts[i].width;
    uniforms->size[1] = parts[i].height;
    uniforms->scale = parts[i].scale;
    uniforms->threshold = parts[i].clamp || form == ODL_PART_BYTES ? 1 : 0;
    dispatch->groups[0] = MIN (groups, PART_ROW);
    dispatch->groups[1] = (groups + PART_ROW - 1) / PART_ROW;
    dispatch->groups[2] = 1;
    odl_gl_dispatch (dispatch);
    uniforms->first += (int) n;
  }
}

bool
odl_gl_compute_read_parts (const OdlGlDispatchParams *params,
                           OdlPartForm form,
                           const OdlPart *parts,
                           int n_parts,
                           void *out,
                           GError **error)
{
  const OdlPlan *plan = params->plan;
  const OdlGlStore *store = odl_gl_stores_at (params->stores, plan->result);
  const int channels = plan->slots[plan->result].channels;
  g_autofree char *precisions = odl_gl_precision_defines (params->caps, store, 32);
  g_autofree char *defines = g_strdup_printf ("%s#define CHANNELS %d\n#define PART %d\n",
                                              precisions, channels, (int) form);
  OdlGlDispatch dispatch = { .buffers = { store->buffer } };
  Wanted wanted = { .out = out };
  size_t n = 0;

  // Of coefficients in 16 bits LL lacks the bias, and details do not.
  g_return_val_if_fail (plan->precision == 32 || plan->details.levels == 0, false);
  for (int i = 0; i < n_parts; i++)
    n += count_numbers (&parts[i], channels);
  wanted.bytes = n * (form == ODL_PART_BYTES ? 1 : sizeof (uint32_t));
  const size_t room = (wanted.bytes + 3) / 4 * 4;
  if (room > (size_t) params->caps->max_storage || n > G_MAXINT - PART_EACH * PART_GROUP)
    return odl_error_set (
        error, ODL_ERROR_TOO_LARGE,
        _ ("the image of %d × %d pixels exceeds what a compute shader of this graphics "
           "driver (%s) can reach; choose the CPU engine"),
        plan->slots[plan->result].width, plan->slots[plan->result].height,
        params->caps->renderer);
  dispatch.program = odl_gl_programs_get (params->programs, ODL_GL_PASS_COMPUTE_PART,
                                          false, defines, error);
  if (dispatch.program == NULL || room == 0)
    return dispatch.program != NULL;
  odl_gl_set_layout (dispatch.uniforms.source_layout, store);
  dispatch.uniforms.bias = odl_gl_bias (plan->precision);
  glGenBuffers (1, &dispatch.buffers[1]);
  glBindBuffer (GL_COPY_WRITE_BUFFER, dispatch.buffers[1]);
  glBufferData (GL_COPY_WRITE_BUFFER, (GLsizeiptr) room, NULL, GL_STREAM_COPY);
  dispatch_parts (&dispatch, parts, n_parts, channels, form);
  const bool ok
      = map_copy (params, dispatch.buffers[1], room, use_wanted, &wanted, error);
  glBindBufferBase (GL_SHADER_STORAGE_BUFFER, 1, 0);
  glDeleteBuffers (1, &dispatch.buffers[1]);
  return ok;
}
