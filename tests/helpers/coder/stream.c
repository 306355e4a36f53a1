// SPDX-License-Identifier: MIT
#include "coder/stream.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/kernels/float_mode.h"
#include "engine/cpu/pipe.h"

#define MOST_CHANNELS 4
#define LEAST_ROWS 64 // of a strip

typedef struct {
  OdlCoderStream *stream;
  OdlCpuPipe pipes[MOST_CHANNELS];
  int from; // of the picture's rows that the pipes see
  int to;
  int first, end; // those that are the strip's own
  float *lines[MOST_CHANNELS];
} Strip;

typedef struct {
  Strip *strip;
  int channel;
} Emitter;

struct _OdlCoderStream {
  const OdlCoder *coder;
  const OdlImage *image;
  bool backward; // the planes hold samples, not coefficients
  size_t pitch;
  float *planes[MOST_CHANNELS];
  float *coefficients; // of all channels
  OdlCpuPipeStore stores[MOST_CHANNELS];
  Strip *strips;
  Emitter *emitters;
  int n_strips;
};

bool
odl_coder_stream_suits (const OdlCoderParams *params)
{
  const int last = odl_coder_levels (params) - 1;

  return params->border == ODL_BORDER_WHOLE_SAMPLE && last >= 0
         && params->method != ODL_CODER_FILTERING && params->channels <= MOST_CHANNELS
         && odl_level_size (odl_coder_width (params), last) >= 2
         && odl_level_size (odl_coder_height (params), last) >= 2;
}

// ---- memory
// ----------------------------------------------------------------------------

// Rows that coefficients depend on, or samples on coefficients: one way.
static int
reach_of (const OdlCoder *coder, const OdlCpuLift *lift)
{
  const int unit = 1 << coder->params.levels;

  return (odl_cpu_pipe_reach (lift, coder->params.levels) / 2 + unit - 1) / unit * unit;
}

static void
count_strips (OdlCoderStream *stream, int reach)
{
  const int least = MAX (LEAST_ROWS, reach);

  stream->n_strips = CLAMP (stream->coder->height / least, 1, odl_parallel_threads ());
}

// Lays out the coefficients of a channel; counts only while `memory` is NULL. Floats.
static size_t
place_store (OdlCpuPipeStore *store,
             const OdlCoder *coder,
             const OdlCpuPipe *pipe,
             float *memory)
{
  size_t at = 0;

  for (int l = 0; l < pipe->levels; l++) {
    store->bands[l] = pipe->level[l].ring;
    store->bands[l].lh = memory != NULL ? memory + at : NULL;
    at += (size_t) odl_low_count (odl_level_size (coder->height, l))
          * store->bands[l].pitch;
  }
  store->approx = memory != NULL ? memory + at : NULL;
  store->low_pitch = pipe->level[pipe->levels - 1].low_pitch;
  at += (size_t) odl_level_size (coder->height, pipe->levels) * store->low_pitch;
  return at + 2 * ODL_CPU_SLACK;
}

static void
emit_row (void *data, int y, const float *low, const float *high)
{
  const Emitter *emitter = data;
  Strip *strip = emitter->strip;
  const OdlCoder *coder = strip->stream->coder;
  const OdlCpuPipe *pipe = &strip->pipes[emitter->channel];
  float *row = strip->stream->planes[emitter->channel]
               + (size_t) (y + strip->from) * strip->stream->pitch;

  pipe->variant->inverse_row (&pipe->lift, low, high, row, coder->width);
  for (int x = 0; x < coder->width && coder->params.clamp; x++)
    row[x] = fminf (fmaxf (row[x], 0), 1);
}

static bool
init_strip (OdlCoderStream *stream, int index, const OdlCpuLift *lift)
{
  const OdlCoder *coder = stream->coder;
  const OdlCpuVariant *variant = odl_cpu_variant_choose ((const char *const[]){ NULL });
  const int unit = 1 << coder->params.levels, reach = reach_of (coder, lift);
  Strip *strip = &stream->strips[index];

  strip->stream = stream;
  strip->first = coder->height * index / stream->n_strips / unit * unit;
  strip->end = index == stream->n_strips - 1
                   ? coder->height
                   : coder->height * (index + 1) / stream->n_strips / unit * unit;
  strip->from = MAX (strip->first - reach, 0);
  strip->to = MIN (strip->end + reach, coder->height);
  for (int c = 0; c < coder->params.channels; c++) {
    const size_t floats = (size_t) coder->width + 2 * ODL_CPU_SLACK;
    OdlCpuPipe *pipe = &strip->pipes[c];
    strip->lines[c] = odl_aligned_alloc (floats * sizeof (float));
    if (strip->lines[c] == NULL
        || !odl_cpu_pipe_init (pipe, variant, lift, coder->width, strip->to - strip->from,
                               coder->params.levels, false, true))
      return false;
    odl_cpu_pipe_want (pipe, strip->first - strip->from, strip->end - strip->from);
    stream->emitters[index * MOST_CHANNELS + c] = (Emitter){ strip, c };
    pipe->emit = emit_row;
    pipe->emit_data = &stream->emitters[index * MOST_CHANNELS + c];
  }
  return true;
}

static bool
init_planes (OdlCoderStream *stream)
{
  const OdlCoder *coder = stream->coder;
  const OdlLifting *lifting = &coder->params.wavelet->lifting;
  OdlCpuPipeStore store = { .low_gain = lifting->low_gain * sqrt (2),
                            .high_gain = lifting->high_gain * sqrt (0.5) };
  const size_t size = place_store (&store, coder, &stream->strips[0].pipes[0], NULL);
  const int channels = coder->params.channels;

  stream->pitch = coder->pitch + ODL_CPU_SLACK;
  stream->coefficients = odl_aligned_alloc_huge (channels * size * sizeof (float));
  if (stream->coefficients == NULL)
    return false;
  for (int c = 0; c < channels; c++) {
    stream->planes[c]
        = odl_aligned_alloc_huge (coder->height * stream->pitch * sizeof (float));
    if (stream->planes[c] == NULL)
      return false;
    stream->stores[c] = store;
    place_store (&stream->stores[c], coder, &stream->strips[0].pipes[0],
                 stream->coefficients + c * size);
    for (int i = 0; i < stream->n_strips; i++) {
      const Strip *strip = &stream->strips[i];
      odl_cpu_pipe_store (&stream->strips[i].pipes[c], &stream->stores[c], strip->from,
                          strip->first - strip->from, strip->end - strip->from);
    }
  }
  return true;
}

OdlCoderStream *
odl_coder_stream_new (const OdlCoder *coder)
{
  const OdlCpuLift lift = odl_cpu_lift_of_wavelet (coder->params.wavelet);
  OdlCoderStream *stream = g_new0 (OdlCoderStream, 1);
  bool done = true;

  stream->coder = coder;
  count_strips (stream, reach_of (coder, &lift));
  stream->strips = g_new0 (Strip, stream->n_strips);
  stream->emitters = g_new0 (Emitter, stream->n_strips * MOST_CHANNELS);
  for (int i = 0; i < stream->n_strips && done; i++)
    done = init_strip (stream, i, &lift);
  if (done && init_planes (stream))
    return stream;
  odl_coder_stream_free (stream);
  return NULL;
}

void
odl_coder_stream_free (OdlCoderStream *stream)
{
  if (stream == NULL)
    return;
  for (int i = 0; i < stream->n_strips; i++)
    for (int c = 0; c < MOST_CHANNELS; c++) {
      odl_cpu_pipe_clear (&stream->strips[i].pipes[c]);
      odl_aligned_free (stream->strips[i].lines[c]);
    }
  for (int c = 0; c < MOST_CHANNELS; c++)
    odl_aligned_free (stream->planes[c]);
  odl_aligned_free (stream->coefficients);
  g_free (stream->strips);
  g_free (stream->emitters);
  g_free (stream);
}

double
odl_coder_stream_bytes (const OdlCoderStream *stream)
{
  return (double) stream->strips[0].pipes[0].size * stream->n_strips;
}

// ---- runs
// ------------------------------------------------------------------------------

void
odl_coder_stream_load (OdlCoderStream *stream, const OdlImage *image)
{
  stream->image = image;
}

// Row `y` of a channel that is not YCbCr, converted by the kernels where they can.
static OdlCpuLine
input_line (const Strip *strip, int channel, int y)
{
  const OdlCoder *coder = strip->stream->coder;
  const OdlImageInfo *info = odl_image_info (strip->stream->image);
  const OdlPlane *plane = &info->planes[channel];
  const OdlCpuPipe *pipe = &strip->pipes[channel];
  float *line = strip->lines[channel];
  OdlCpuLine plain = { .samples = line };
  const int inside = y < coder->params.height ? coder->params.width : 0;

  if (info->type == ODL_SAMPLE_U8 && inside == coder->width && info->channels == 3
      && plane->sample_stride_bytes == 3) {
    const OdlCpuWeave weave
        = { .samples = (const char *) info->planes[0].data + y * plane->row_stride_bytes,
            .sample_size = 1,
            .channels = 3,
            .channel
            = (int) ((const char *) plane->data - (const char *) info->planes[0].data) };
    pipe->variant->unweave (&weave, line, coder->width);
    plain.type = ODL_CPU_LINE_U8;
    plain.minimum = (float) info->stored_min;
    plain.factor = (float) (1 / (info->stored_max - info->stored_min));
    return plain;
  }
  if (inside > 0)
    odl_image_scaled_row (strip->stream->image, channel, y, 0, 0, line);
  memset (line + inside, 0, (coder->width - inside) * sizeof (float));
  return plain;
}

// Colours that are computed from luma and colour differences come together.
static void
analyse_colours (Strip *strip)
{
  const OdlCoder *coder = strip->stream->coder;
  const int width = coder->params.width;

  for (int c = 0; c < coder->params.channels; c++)
    odl_cpu_pipe_start (&strip->pipes[c]);
  for (int y = strip->from; y < strip->to; y++) {
    const int inside = y < coder->params.height ? width : 0;
    if (inside > 0)
      odl_image_rgb_row (strip->stream->image, y, strip->lines);
    for (int c = 0; c < coder->params.channels; c++) {
      const OdlCpuLine line = { .samples = strip->lines[c] };
      memset (strip->lines[c] + inside, 0, (coder->width - inside) * sizeof (float));
      odl_cpu_pipe_push (&strip->pipes[c], &line);
    }
  }
  for (int c = 0; c < coder->params.channels; c++)
    odl_cpu_pipe_finish (&strip->pipes[c]);
}

static void
analyse (Strip *strip, int channel)
{
  OdlCpuPipe *pipe = &strip->pipes[channel];

  odl_cpu_pipe_start (pipe);
  for (int y = strip->from; y < strip->to; y++) {
    const OdlCpuLine line = input_line (strip, channel, y);
    odl_cpu_pipe_push (pipe, &line);
  }
  odl_cpu_pipe_finish (pipe);
}

static void
synthesise (Strip *strip, int channel)
{
  odl_cpu_pipe_start (&strip->pipes[channel]);
  odl_cpu_pipe_synthesise (&strip->pipes[channel]);
}

// Every channel of every strip; neighbouring ones by the same thread.
static void
run_all (OdlCoderStream *stream, void (*run) (Strip *strip, int channel))
{
  const int channels = stream->coder->params.channels;

  ODL_PARALLEL_FOR
  for (int i = 0; i < stream->n_strips * channels; i++) {
    const OdlCpuFloatMode mode = odl_cpu_float_mode_enter ();
    run (&stream->strips[i / channels], i % channels);
    odl_cpu_float_mode_leave (mode);
  }
}

void
odl_coder_stream_forward (OdlCoderStream *stream)
{
  stream->backward = false;
  if (!odl_image_info (stream->image)->ycbcr.used) {
    run_all (stream, analyse);
    return;
  }
  ODL_PARALLEL_FOR_AT_MOST (stream->n_strips)
  for (int i = 0; i < stream->n_strips; i++) {
    const OdlCpuFloatMode mode = odl_cpu_float_mode_enter ();
    analyse_colours (&stream->strips[i]);
    odl_cpu_float_mode_leave (mode);
  }
}

void
odl_coder_stream_inverse (OdlCoderStream *stream)
{
  run_all (stream, synthesise);
  stream->backward = true;
}

const float *
odl_coder_stream_samples (const OdlCoderStream *stream, int channel, int y)
{
  return stream->planes[channel] + (size_t) y * stream->pitch;
}

static void
move (float *stored, int n, float *out, const float *in)
{
  if (out != NULL)
    memcpy (out, stored, n * sizeof (float));
  else
    memcpy (stored, in, n * sizeof (float));
}

// Moves columns from `at` on of a row in the Mallat layout.
static void
move_at (float *stored, int at, int n, float *out, const float *in)
{
  move (stored, n, out != NULL ? out + at : NULL, in != NULL ? in + at : NULL);
}

void
odl_coder_stream_move_row (OdlCoderStream *stream,
                           int channel,
                           int y,
                           float *out,
                           const float *in)
{
  const OdlCoder *coder = stream->coder;
  const OdlCpuPipeStore *store = &stream->stores[channel];

  if (stream->backward) {
    move_at (stream->planes[channel] + y * stream->pitch, 0, coder->width, out, in);
    return;
  }
  for (int l = 0; l < coder->params.levels; l++) {
    const OdlCoderLevel size = odl_coder_level (coder, l);
    const OdlCpuPipeBands *v = &store->bands[l];
    const bool low = y < size.rows_low;
    float *row = v->lh + (size_t) (low ? y : y - size.rows_low) * v->pitch;
    if (!low) {
      move_at (row, 0, size.n_low, out, in);
      move_at (row + v->hh_at, size.n_low, size.n_high, out, in);
      return;
    }
    move_at (row + v->hl_at, size.n_low, size.n_high, out, in);
  }
  move_at (store->approx + (size_t) y * store->low_pitch, 0,
           odl_level_size (coder->width, coder->params.levels), out, in);
}
