// SPDX-License-Identifier: MIT
#include "engine/cpu/stream.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/kernels/float_mode.h"
#include "engine/cpu/pipe.h"

// Input and result larger than this part of the third cache do not stay in it: their next
// rows are prefetched while the steps along y keep the processor busy. The third cache
// counts as no more than so many second caches, since other programs, on virtual machines
// other guests, share it. Where these rows are more than that part of the second cache,
// prefetching only costs time.
#define THIRD_CACHE_SHARE 2
#define SECOND_CACHES 8
#define SECOND_CACHE_SHARE 8

// A strip's rows depend on rows above and below, which its neighbours compute as well:
// its overlap. A strip is at least as high as its overlap on one side, and has so many
// samples of its own. A picture below the least number is not worth waking a thread for.
#define STRIP_SAMPLES 32768
#define LEAST_SAMPLES 131072

// Many strips lie side by side, each half as wide and twice as high as before, as long as
// it is so wide and no higher than wide: its overlap is smaller then, and its lines take
// half of the room in the second cache. Fewer strips are high enough as they are. Both
// ends of a row cost the same in a narrow strip as in a wide one: hence the least width.
#define MANY_STRIPS 8
#define LEAST_WIDTH 1024

// Floats per cache line; adjacent strips do not share one.
#define LINE_FLOATS 16

// first … end − 1 of the result's rows or columns, and from … to − 1 of the input's,
// which these depend on.
typedef struct {
  int first, end;
  int from, to;
} Range;

typedef struct {
  OdlCpuPipe pipe;
  Range rows, columns;
  float *lines[6]; // a colour row, its luma or luma's change, a work line, luma before
  // State of the current run.
  const OdlCpuStream *stream;
  const OdlImage *input;
  const OdlCpuPicture *source; // NULL: it reads the image
  const OdlCpuPicture *result;
  const double *weights; // of luma
  bool luma_alone; // read from the image and written to the result's first channel
  int channel;
} Strip;

struct _OdlCpuStream {
  int width;
  int height;
  OdlCpuSpan span;
  bool ask_ahead;
  int n_strips;
  int n_columns; // strips side by side
  Strip *strips;
};

// ---- working set
// ------------------------------------------------------------------------

static int
count_strips (const OdlPlan *plan, int reach, int threads)
{
  const int64_t samples = (int64_t) plan->geometry.width * plan->geometry.height;
  const int64_t by_size = samples < LEAST_SAMPLES ? 1 : samples / STRIP_SAMPLES;
  const int64_t by_height = plan->geometry.height / reach;

  return (int) CLAMP (MIN (by_size, by_height), 1, MAX (threads, 1));
}

// Number of strips side by side; one in luma mode, since colour rows are read whole.
static int
count_columns (const OdlCpuStream *stream)
{
  const int64_t width = stream->width, height = stream->height;
  int columns = 1;

  if (stream->span.luma || stream->n_strips < MANY_STRIPS)
    return 1;
  while (stream->n_strips % (2 * columns) == 0 && width / (2 * columns) >= LEAST_WIDTH
         && width / (2 * columns) >= 2 * height * columns / stream->n_strips)
    columns *= 2;
  return columns;
}

// Part `index` of `count`. It begins and ends at multiples of `unit`, where every level
// has an even row or column, and sees `reach` more on both sides.
static Range
cut (int size, int index, int count, int unit, int reach)
{
  const int first = (int) ((int64_t) size * index / count) / unit * unit;
  const int end = index == count - 1
                      ? size
                      : (int) ((int64_t) size * (index + 1) / count) / unit * unit;
  const int more = (reach + unit - 1) / unit * unit;

  return (Range){ first, end, MAX (first - more, 0), MIN (end + more, size) };
}

static bool
init_strip (Strip *strip,
            const OdlCpuStream *stream,
            int index,
            const OdlCpuVariant *variant,
            const OdlCpuLift *lift,
            int levels,
            bool huge_pages)
{
  const int reach = odl_cpu_pipe_reach (lift, levels);
  const int unit = 1 << levels;

  strip->rows = cut (stream->height, index / stream->n_columns,
                     stream->n_strips / stream->n_columns, unit, reach);
  strip->columns = cut (stream->width, index % stream->n_columns, stream->n_columns,
                        MAX (unit, LINE_FLOATS), reach);
  for (int i = 0; i < (int) G_N_ELEMENTS (strip->lines); i++) {
    const size_t factors[]
        = { (size_t) stream->width + 2 * ODL_CPU_SLACK, sizeof (float) };
    size_t size;
    if (!odl_size_product (factors, 2, &size))
      return false;
    strip->lines[i] = odl_aligned_alloc (size);
    if (strip->lines[i] == NULL)
      return false;
  }
  if (!odl_cpu_pipe_init (
          &strip->pipe, variant, lift, strip->columns.to - strip->columns.from,
          strip->rows.to - strip->rows.from, levels, stream->ask_ahead, huge_pages))
    return false;
  odl_cpu_pipe_want (&strip->pipe, strip->rows.first - strip->rows.from,
                     strip->rows.end - strip->rows.from);
  return true;
}

static bool
pays_to_ask_ahead (const OdlCpuStream *stream)
{
  // Of input and result.
  const size_t row_bytes = 2 * (size_t) stream->width * sizeof (float);
  const size_t asked = 2 * ODL_CPU_PIPE_SHORT_BLOCK * row_bytes / stream->n_columns;
  const size_t cached
      = MIN (odl_cache_size (3) / THIRD_CACHE_SHARE, odl_cache_size (2) * SECOND_CACHES);

  return row_bytes * stream->height > cached
         && asked <= odl_cache_size (2) / SECOND_CACHE_SHARE;
}

OdlCpuStream *
odl_cpu_stream_new (const OdlPlan *plan,
                    const OdlCpuSpan *span,
                    const OdlCpuVariant *variant,
                    int threads,
                    bool huge_pages)
{
  g_return_val_if_fail (span->n_steps > 0, NULL);

  const int levels = span->levels;
  const OdlCpuLift lift = odl_cpu_lift_of_wavelet (plan->steps[span->filter].wavelet);
  OdlCpuStream *stream = g_new0 (OdlCpuStream, 1);

  stream->width = plan->geometry.width;
  stream->height = plan->geometry.height;
  stream->span = *span;
  stream->n_strips = count_strips (plan, odl_cpu_pipe_reach (&lift, levels), threads);
  stream->n_columns = count_columns (stream);
  stream->ask_ahead = pays_to_ask_ahead (stream);
  stream->strips = g_new0 (Strip, stream->n_strips);
  for (int i = 0; i < stream->n_strips; i++) {
    if (!init_strip (&stream->strips[i], stream, i, variant, &lift, levels, huge_pages)) {
      odl_cpu_stream_free (stream);
      return NULL;
    }
  }
  return stream;
}

void
odl_cpu_stream_free (OdlCpuStream *stream)
{
  if (stream == NULL)
    return;
  for (int i = 0; i < stream->n_strips; i++) {
    odl_cpu_pipe_clear (&stream->strips[i].pipe);
    for (int k = 0; k < (int) G_N_ELEMENTS (stream->strips[i].lines); k++)
      odl_aligned_free (stream->strips[i].lines[k]);
  }
  g_free (stream->strips);
  g_free (stream);
}

int
odl_cpu_stream_strips (const OdlCpuStream *stream)
{
  return stream->n_strips;
}

int
odl_cpu_stream_columns (const OdlCpuStream *stream)
{
  return stream->n_columns;
}

// ---- a run
// ------------------------------------------------------------------------------

static const OdlCpuLineType line_types[] = {
  [ODL_SAMPLE_U8] = ODL_CPU_LINE_U8,
  [ODL_SAMPLE_U16] = ODL_CPU_LINE_U16,
  [ODL_SAMPLE_S16] = ODL_CPU_LINE_S16,
  [ODL_SAMPLE_F32] = ODL_CPU_LINE_F32,
};

// Offset of the channel from the first one, in samples.
static ptrdiff_t
place_in_pixel (const OdlImageInfo *info, int channel)
{
  const char *first = info->planes[0].data, *data = info->planes[channel].data;

  return (data - first) / (ptrdiff_t) odl_sample_size (info->type);
}

// Whether three or four channels are interleaved.
static bool
is_interleaved (const OdlImageInfo *info, int channel)
{
  const size_t size = odl_sample_size (info->type);
  const size_t step = info->planes[channel].sample_stride_bytes;
  const ptrdiff_t place = place_in_pixel (info, channel);

  return !info->ycbcr.used && (step == 3 * size || step == 4 * size) && place >= 0
         && (size_t) place < step / size && info->channels == (int) (step / size);
}

static void
unweave_row (const Strip *strip, const void *samples, void *line)
{
  const OdlImageInfo *info = odl_image_info (strip->input);
  const size_t size = odl_sample_size (info->type);
  const ptrdiff_t place = place_in_pixel (info, strip->channel);
  const OdlCpuWeave weave = {
    .samples = (const char *) samples - place * (ptrdiff_t) size,
    .sample_size = size,
    .channels = info->channels,
    .channel = (int) place,
  };

  strip->pipe.variant->unweave (&weave, line, strip->columns.to - strip->columns.from);
}

// Row `y` of red, green and blue, into three lines.
static void
read_channels (Strip *strip, int y)
{
  const OdlImageInfo *info = odl_image_info (strip->input);
  const float minimum = (float) info->stored_min;
  const float factor = (float) (1 / (info->stored_max - info->stored_min));

  if (info->ycbcr.used) {
    odl_image_rgb_row (strip->input, y, strip->lines);
    return;
  }
  for (int c = 0; c < 3; c++) {
    const OdlPlane *plane = &info->planes[c];
    const char *row = (const char *) plane->data + y * plane->row_stride_bytes;
    float *restrict line = strip->lines[c];
    strip->channel = c;
    if (info->type != ODL_SAMPLE_U8 || !is_interleaved (info, c)) {
      odl_image_scaled_row (strip->input, c, y, 0, 0, line);
      continue;
    }
    const uint8_t *samples = (const uint8_t *) strip->lines[4];
    unweave_row (strip, row, strip->lines[4]);
    for (int x = 0; x < strip->stream->width; x++)
      line[x] = ((float) samples[x] - minimum) * factor;
  }
  strip->channel = 0;
}

static void
mix_luma (const Strip *strip, float *restrict luma)
{
  const float *r = strip->lines[0], *g = strip->lines[1], *b = strip->lines[2];
  const double *weights = strip->weights;
  const float red = (float) weights[0], green = (float) weights[1];
  const float blue = (float) weights[2];

  for (int x = 0; x < strip->stream->width; x++)
    luma[x] = red * r[x] + green * g[x] + blue * b[x];
}

// Luma of an image that stores it.
static OdlCpuLine
stored_luma (const Strip *strip, int y)
{
  const OdlImageInfo *info = odl_image_info (strip->input);
  const OdlPlane *plane = &info->planes[0];

  if (plane->sample_stride_bytes != odl_sample_size (info->type)) {
    odl_image_luma_row (strip->input, y, strip->lines[3]);
    return (OdlCpuLine){ .samples = strip->lines[3] };
  }
  return (OdlCpuLine){
    .type = line_types[info->type],
    .samples = (const char *) plane->data + y * plane->row_stride_bytes,
    .minimum = (float) info->ycbcr.luma_offset,
    .factor = (float) (1 / info->ycbcr.luma_range),
  };
}

// Row `y` of the input, converted for the first horizontal steps.
static OdlCpuLine
input_line (Strip *strip, int y)
{
  if (strip->source != NULL)
    return (OdlCpuLine){ .samples = odl_cpu_row (strip->source, strip->channel, y)
                                    + strip->columns.from };

  const OdlImageInfo *info = odl_image_info (strip->input);
  const OdlPlane *plane = &info->planes[strip->channel];
  if (strip->luma_alone)
    return stored_luma (strip, y);
  if (strip->stream->span.luma) {
    read_channels (strip, y);
    mix_luma (strip, strip->lines[3]);
    return (OdlCpuLine){ .samples = strip->lines[3] };
  }
  OdlCpuLine line = {
    .type = line_types[info->type],
    .samples = (const char *) plane->data + y * plane->row_stride_bytes
               + strip->columns.from * (ptrdiff_t) plane->sample_stride_bytes,
    .minimum = (float) info->stored_min,
    .factor = (float) (1 / (info->stored_max - info->stored_min)),
  };
  if (!info->ycbcr.used && plane->sample_stride_bytes == odl_sample_size (info->type))
    return line;
  if (is_interleaved (info, strip->channel)) {
    unweave_row (strip, line.samples, strip->lines[0]);
    line.samples = strip->lines[0];
    return line;
  }
  odl_image_scaled_row (strip->input, strip->channel, y, 0, 0, strip->lines[0]);
  return (OdlCpuLine){ .samples = strip->lines[0] + strip->columns.from };
}

static OdlPlane
input_plane (const Strip *strip)
{
  const OdlCpuPicture *source = strip->source;

  if (source == NULL)
    return odl_image_info (strip->input)->planes[strip->channel];
  return (OdlPlane){ .data = odl_cpu_row (source, strip->channel, 0),
                     .sample_stride_bytes = sizeof (float),
                     .row_stride_bytes = source->pitch * sizeof (float) };
}

// Prefetches input and result.
static void
set_ahead (Strip *strip)
{
  const OdlCpuStream *stream = strip->stream;
  const OdlPlane plane = input_plane (strip);
  const OdlCpuPicture *result = strip->result;
  OdlCpuPipe *pipe = &strip->pipe;

  pipe->input = pipe->output = (OdlCpuPipeMemory){ 0 };
  if (!stream->ask_ahead)
    return;
  // Narrower samples need no prefetching.
  if (plane.sample_stride_bytes == sizeof (float))
    pipe->input = (OdlCpuPipeMemory){
      .rows = (const char *) plane.data + strip->rows.from * plane.row_stride_bytes
              + strip->columns.from * sizeof (float),
      .row_bytes = plane.row_stride_bytes,
      .sample_bytes = sizeof (float),
      .end = strip->rows.to - strip->rows.from,
    };
  pipe->output = (OdlCpuPipeMemory){
    .rows = (const char *) (odl_cpu_row (result, strip->channel, strip->rows.from)
                            + strip->columns.from),
    .row_bytes = result->pitch * sizeof (float),
    .sample_bytes = sizeof (float),
    .first = strip->rows.first - strip->rows.from,
    .end = strip->rows.end - strip->rows.from,
  };
}

// Writes one row to the result, without the columns of the overlap.
static void
store_columns (Strip *strip, const float *low, const float *high, float *row)
{
  const Range *columns = &strip->columns;
  const OdlCpuPipe *pipe = &strip->pipe;
  float *line = strip->lines[4];

  if (strip->stream->n_columns == 1) {
    pipe->variant->inverse_row (&pipe->lift, low, high, row, columns->end);
    return;
  }
  pipe->variant->inverse_row (&pipe->lift, low, high, line, columns->to - columns->from);
  memcpy (row + columns->first, line + columns->first - columns->from,
          (columns->end - columns->first) * sizeof (float));
}

// Stores row `y` of the strip's result.
static void
store_row (void *data, int y, const float *low, const float *high)
{
  Strip *strip = data;
  const OdlCpuStream *stream = strip->stream;
  const OdlCpuPipe *pipe = &strip->pipe;

  y += strip->rows.from;
  if (y < strip->rows.first || y >= strip->rows.end)
    return;
  if (!stream->span.luma || strip->luma_alone) {
    store_columns (strip, low, high, odl_cpu_row (strip->result, strip->channel, y));
    return;
  }

  float *restrict change = strip->lines[3], *before = strip->lines[5];
  pipe->variant->inverse_row (&pipe->lift, low, high, change, stream->width);
  read_channels (strip, y);
  mix_luma (strip, before);
  for (int x = 0; x < stream->width; x++)
    change[x] -= before[x];
  for (int c = 0; c < 3; c++) {
    const float *colour = strip->lines[c];
    float *restrict out = odl_cpu_row (strip->result, c, y);
    for (int x = 0; x < stream->width; x++)
      out[x] = colour[x] + change[x];
  }
}

static void
run_strip (Strip *strip)
{
  const OdlCpuFloatMode mode = odl_cpu_float_mode_enter ();
  const int channels = strip->stream->span.luma ? 1 : strip->result->channels;

  for (strip->channel = 0; strip->channel < channels; strip->channel++) {
    set_ahead (strip);
    odl_cpu_pipe_start (&strip->pipe);
    for (int y = strip->rows.from; y < strip->rows.to; y++) {
      const OdlCpuLine line = input_line (strip, y);
      odl_cpu_pipe_push (&strip->pipe, &line);
    }
    odl_cpu_pipe_finish (&strip->pipe);
  }
  odl_cpu_float_mode_leave (mode);
}

// The plan's limits for coefficients without gains: the input of level l + 1 is larger by
// 1 / low_gain² for each finer level.
static void
set_limits (OdlCpuPipe *pipe, const OdlPlan *plan, const OdlCpuSpan *span)
{
  const OdlLifting *lifting = &plan->steps[span->filter].wavelet->lifting;
  double scale = 1;

  for (int l = 0; l < pipe->levels; l++) {
    const OdlStep *step = &plan->steps[span->thresholds[l]];
    for (int band = 0; band < ODL_DETAIL_BANDS; band++)
      pipe->level[l].limits[band]
          = (float) (step->parameters.thresholds[band] * scale
                     / ((band == ODL_BAND_HH ? lifting->high_gain : lifting->low_gain)
                        * lifting->high_gain));
    pipe->shrink = step->parameters.hard ? ODL_CPU_SHRINK_HARD : ODL_CPU_SHRINK_SOFT;
    scale /= lifting->low_gain * lifting->low_gain;
  }
}

// Whether the image stores the luma of the plan's weights.
static bool
stores_luma (const OdlImage *image, const double weights[3])
{
  const OdlYcbcr *ycbcr = &odl_image_info (image)->ycbcr;

  return ycbcr->used && ycbcr->kr == weights[0] && ycbcr->kb == weights[2];
}

bool
odl_cpu_stream_gives_luma (const OdlCpuStream *stream,
                           const OdlPlan *plan,
                           const OdlImage *input)
{
  const OdlStep *luma = &plan->steps[stream->span.weights];

  return stream->span.luma && stores_luma (input, luma->parameters.weights);
}

void
odl_cpu_stream_run (OdlCpuStream *stream,
                    const OdlPlan *plan,
                    const OdlImage *input,
                    const OdlCpuPicture *source,
                    const OdlCpuPicture *result)
{
  const double *weights = plan->steps[stream->span.weights].parameters.weights;
  const bool luma_alone = odl_cpu_stream_gives_luma (stream, plan, input);

  for (int i = 0; i < stream->n_strips; i++) {
    Strip *strip = &stream->strips[i];
    strip->stream = stream;
    strip->weights = weights;
    strip->luma_alone = luma_alone;
    strip->input = input;
    strip->source = stream->span.filter == stream->span.first ? source : NULL;
    strip->result = result;
    strip->pipe.emit = store_row;
    strip->pipe.emit_data = strip;
    set_limits (&strip->pipe, plan, &stream->span);
  }
  if (stream->n_strips == 1) {
    run_strip (&stream->strips[0]);
    return;
  }

  ODL_PARALLEL_FOR_AT_MOST (stream->n_strips)
  for (int i = 0; i < stream->n_strips; i++)
    run_strip (&stream->strips[i]);
}
