// SPDX-License-Identifier: MIT
#include "engine/gl/compute/read.h"

#include <math.h>
#include <string.h>

#include "config.h"
#include <glib/gi18n-lib.h>

#include "engine/gl/steps.h"
#include "engine/gl/texture_stores.h"
#include "plan/flow.h"
#include "plan/numbers.h"

// Samples of a slot as they came from the GPU.
typedef struct {
  const OdlSlot *slot;
  const void *data;
  int precision; // bits
  int pitch, plane; // samples
  float bias; // to be added where it is missing
  int biased_width, biased_height; // of the part at the top left that lacks it
  bool shrinks, hard; // details are to be shrunk
  float thresholds[ODL_DETAIL_BANDS];
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
shrunk (const Samples *s, OdlDetailBand band, float detail)
{
  const float excess = fabsf (detail) - s->thresholds[band];

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
  if (s->slot->kind == ODL_SLOT_BANDS) {
    const int band = (x >= low_x ? 1 : 0) + (y >= low_y ? 2 : 0);
    const size_t row = (size_t) band * low_y + (y >= low_y ? y - low_y : y);
    return row * s->pitch + (x >= low_x ? x - low_x : x);
  }
  return (size_t) y * s->pitch + x;
}

static void
scatter (const Samples *s, float *out)
{
  const OdlSlot *slot = s->slot;

  for (int y = 0; y < slot->height; y++)
    for (int x = 0; x < slot->width; x++) {
      const size_t place = place_of (s, x, y);
      const bool biased = x < s->biased_width && y < s->biased_height;
      const OdlDetailBand band = y < odl_low_count (slot->height)  ? ODL_BAND_HL
                                 : x < odl_low_count (slot->width) ? ODL_BAND_LH
                                                                   : ODL_BAND_HH;
      for (int c = 0; c < slot->channels; c++) {
        const float value = sample_at (s, place + (size_t) c * s->plane);
        *out++ = biased ? value + s->bias : s->shrinks ? shrunk (s, band, value) : value;
      }
    }
}

// Copies `bytes` of a buffer through one that the CPU may map, and scatters them.
static bool
read_buffer (Samples *s, GLuint buffer, size_t bytes, float *out, GError **error)
{
  GLuint staging;

  odl_gl_forget_errors ();
  glMemoryBarrier (GL_BUFFER_UPDATE_BARRIER_BIT);
  glGenBuffers (1, &staging);
  glBindBuffer (GL_COPY_READ_BUFFER, buffer);
  glBindBuffer (GL_COPY_WRITE_BUFFER, staging);
  glBufferData (GL_COPY_WRITE_BUFFER, (GLsizeiptr) bytes, NULL, GL_STREAM_READ);
  glCopyBufferSubData (GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0,
                       (GLsizeiptr) bytes);
  s->data
      = glMapBufferRange (GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr) bytes, GL_MAP_READ_BIT);
  if (s->data != NULL) {
    scatter (s, out);
    glUnmapBuffer (GL_COPY_WRITE_BUFFER);
  }
  glBindBuffer (GL_COPY_READ_BUFFER, 0);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  glDeleteBuffers (1, &staging);
  return odl_gl_check (_ ("reading the picture back"), error);
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
  s->plane = 4 * dispatch.uniforms.target_layout[1];

  const size_t bytes = (size_t) s->plane * s->slot->channels * sizeof (float);
  glGenBuffers (1, &scratch);
  glBindBuffer (GL_COPY_WRITE_BUFFER, scratch);
  glBufferData (GL_COPY_WRITE_BUFFER, (GLsizeiptr) bytes, NULL, GL_STREAM_COPY);
  dispatch.buffers[2] = scratch;
  odl_gl_step_parameters (&params->plan->steps[dispatch.parameters], &dispatch.uniforms);
  odl_gl_dispatch (&dispatch);
  bool ok = read_buffer (s, scratch, bytes, out, error);
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
  float numbers[ODL_DETAIL_BANDS * ODL_BAND_NUMBERS];

  for (int band = 0; band < ODL_DETAIL_BANDS; band++)
    out[band] = (float) own->parameters.thresholds[band];
  if (slot == ODL_PLAN_NO_SLOT)
    return true;
  if (!odl_gl_compute_read (params, slot, numbers, error))
    return false;
  for (int band = 0; band < ODL_DETAIL_BANDS; band++)
    out[band] = numbers[band * ODL_BAND_NUMBERS + ODL_BAND_THRESHOLD];
  return true;
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
  const bool is_layout = slot == plan->result && plan->approx_width > 0;
  Samples s = {
    .slot = wanted,
    .precision = store->precision,
    .pitch = 4 * store->pitch,
    .plane = 4 * store->plane,
    .bias = holds_samples (wanted) ? odl_gl_bias (plan->precision) : 0,
    .biased_width = is_layout                          ? plan->approx_width
                    : wanted->details                  ? 0
                    : wanted->kind == ODL_SLOT_PICTURE ? wanted->width
                                                       : odl_low_count (wanted->width),
    .biased_height = is_layout                        ? plan->approx_height
                     : wanted->kind == ODL_SLOT_BANDS ? odl_low_count (wanted->height)
                                                      : wanted->height,
    .shrinks = fused,
    .hard = plan->steps[writer].parameters.hard,
  };
  if (fused && !read_thresholds (params, writer, s.thresholds, error))
    return false;

  if (wanted->kind == ODL_SLOT_HALF)
    return read_half (params, writer, &s, out, error);
  return read_buffer (&s, store->buffer, odl_gl_store_bytes (store), out, error);
}
