// SPDX-License-Identifier: MIT
#include "engine/cpu/stream.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/kernels/float_mode.h"
#include "engine/cpu/pipe.h"

#include "plan/flow.h"
#include "plan/group.h"
#include "plan/numbers.h"

// How a picture is cut into strips that run at the same time.

// first … end − 1 of the result's rows or columns, and from … to − 1 of the input's,
// which these depend on.
typedef struct {
  int first, end;
  int from, to;
} OdlCpuRange;

typedef struct {
  int width, height; // of the picture
  int unit; // every level has an even row at its multiples
  int reach; // rows and columns that results depend on beyond their own
  int count;
  int columns; // side by side
} OdlCpuStrips;

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

static int
count_strips (const OdlCpuStrips *strips, int threads)
{
  const int64_t samples = (int64_t) strips->width * strips->height;
  const int64_t by_size = samples < LEAST_SAMPLES ? 1 : samples / STRIP_SAMPLES;
  const int64_t by_height = strips->height / strips->reach;

  return (int) CLAMP (MIN (by_size, by_height), 1, MAX (threads, 1));
}

// One in luma mode, since colour rows are read whole, and where coefficients are kept,
// since kernels write whole vectors of them.
static int
count_columns (const OdlCpuStrips *strips, const OdlCpuSpan *span)
{
  const int64_t width = strips->width, height = strips->height;
  int columns = 1;

  if (span->luma || span->measured || strips->count < MANY_STRIPS)
    return 1;
  while (strips->count % (2 * columns) == 0 && width / (2 * columns) >= LEAST_WIDTH
         && width / (2 * columns) >= 2 * height * columns / strips->count)
    columns *= 2;
  return columns;
}

// For at most `threads` threads.
static OdlCpuStrips
odl_cpu_strips (const OdlPlan *plan, const OdlCpuSpan *span, int threads)
{
  const OdlCpuLift lift = odl_cpu_lift_of_wavelet (plan->steps[span->filter].wavelet);
  OdlCpuStrips strips = {
    .width = plan->geometry.width,
    .height = plan->geometry.height,
    .unit = 1 << span->levels,
    // Coefficients that are kept depend on half of what the result does.
    .reach = odl_cpu_pipe_reach (&lift, span->levels) / (span->measured ? 2 : 1),
  };

  strips.count = count_strips (&strips, threads);
  strips.columns = count_columns (&strips, span);
  return strips;
}

// Part `index` of `count`, which begins and ends at multiples of `unit`.
static OdlCpuRange
cut (const OdlCpuStrips *strips, int size, int index, int count, int unit)
{
  const int first = (int) ((int64_t) size * index / count) / unit * unit;
  const int end = index == count - 1
                      ? size
                      : (int) ((int64_t) size * (index + 1) / count) / unit * unit;
  const int more = (strips->reach + unit - 1) / unit * unit;

  return (OdlCpuRange){ first, end, MAX (first - more, 0), MIN (end + more, size) };
}

static OdlCpuRange
odl_cpu_strip_rows (const OdlCpuStrips *strips, int index)
{
  return cut (strips, strips->height, index / strips->columns,
              strips->count / strips->columns, strips->unit);
}

static OdlCpuRange
odl_cpu_strip_columns (const OdlCpuStrips *strips, int index)
{
  return cut (strips, strips->width, index % strips->columns, strips->columns,
              MAX (strips->unit, LINE_FLOATS));
}

// Input and result larger than this part of the third cache do not stay in it: their next
// rows are prefetched while the steps along y keep the processor busy. The third cache
// counts as no more than so many second caches, since other programs, on virtual machines
// other guests, share it. Where these rows are more than that part of the second cache,
// prefetching only costs time.
#define THIRD_CACHE_SHARE 2
#define SECOND_CACHES 8
#define SECOND_CACHE_SHARE 8

// What the strips do.
typedef struct {
  const OdlImage *input;
  const OdlCpuPicture *source; // NULL: it reads the image
  const OdlCpuPicture *result;
  const OdlWavelet *wavelet; // of coefficients that are kept
  const OdlCpuPicture *bands; // slots of the plan that keep them; NULL: none
  bool backward; // only synthesis, of these
  const double *weights; // of luma
  bool luma_alone; // read from the image and written to the result's first channel
} Run;

typedef struct {
  OdlCpuPipe pipe;
  OdlCpuRange rows, columns;
  float *lines[6]; // a colour row, its luma or luma's change, a work line, luma before
  const OdlCpuStream *stream;
  const Run *run;
  int channel;
} Strip;

struct _OdlCpuStream {
  int width;
  OdlCpuSpan span;
  OdlCpuStrips cut;
  bool ask_ahead;
  int n_strips;
  Strip *strips;
};

// ---- working set ------------------------------------------------------------------

static bool
init_strip (Strip *strip,
            const OdlCpuStream *stream,
            int index,
            const OdlCpuVariant *variant,
            const OdlCpuLift *lift,
            int levels,
            bool huge_pages)
{
  strip->stream = stream;
  strip->rows = odl_cpu_strip_rows (&stream->cut, index);
  strip->columns = odl_cpu_strip_columns (&stream->cut, index);
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
  const size_t asked = 2 * ODL_CPU_PIPE_SHORT_BLOCK * row_bytes / stream->cut.columns;
  const size_t cached
      = MIN (odl_cache_size (3) / THIRD_CACHE_SHARE, odl_cache_size (2) * SECOND_CACHES);

  return row_bytes * stream->cut.height > cached
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
  stream->span = *span;
  stream->cut = odl_cpu_strips (plan, span, threads);
  stream->n_strips = stream->cut.count;
  stream->ask_ahead = !span->measured && pays_to_ask_ahead (stream);
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
  return stream->cut.columns;
}

// ---- a run ------------------------------------------------------------------------

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
  const OdlImageInfo *info = odl_image_info (strip->run->input);
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
  const OdlImageInfo *info = odl_image_info (strip->run->input);
  const float minimum = (float) info->stored_min;
  const float factor = (float) (1 / (info->stored_max - info->stored_min));

  if (info->ycbcr.used) {
    odl_image_rgb_row (strip->run->input, y, strip->lines);
    return;
  }
  for (int c = 0; c < 3; c++) {
    const OdlPlane *plane = &info->planes[c];
    const char *row = (const char *) plane->data + y * plane->row_stride_bytes;
    float *restrict line = strip->lines[c];
    strip->channel = c;
    if (info->type != ODL_SAMPLE_U8 || !is_interleaved (info, c)) {
      odl_image_scaled_row (strip->run->input, c, y, 0, 0, line);
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
  const double *weights = strip->run->weights;
  const float red = (float) weights[0], green = (float) weights[1];
  const float blue = (float) weights[2];

  for (int x = 0; x < strip->stream->width; x++)
    luma[x] = red * r[x] + green * g[x] + blue * b[x];
}

// Luma of an image that stores it.
static OdlCpuLine
stored_luma (const Strip *strip, int y)
{
  const OdlImageInfo *info = odl_image_info (strip->run->input);
  const OdlPlane *plane = &info->planes[0];

  if (plane->sample_stride_bytes != odl_sample_size (info->type)) {
    odl_image_luma_row (strip->run->input, y, strip->lines[3]);
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
  if (strip->run->source != NULL)
    return (OdlCpuLine){ .samples = odl_cpu_row (strip->run->source, strip->channel, y)
                                    + strip->columns.from };

  const OdlImageInfo *info = odl_image_info (strip->run->input);
  const OdlPlane *plane = &info->planes[strip->channel];
  if (strip->run->luma_alone)
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
  odl_image_scaled_row (strip->run->input, strip->channel, y, 0, 0, strip->lines[0]);
  return (OdlCpuLine){ .samples = strip->lines[0] + strip->columns.from };
}

static OdlPlane
input_plane (const Strip *strip)
{
  const OdlCpuPicture *source = strip->run->source;

  if (source == NULL)
    return odl_image_info (strip->run->input)->planes[strip->channel];
  return (OdlPlane){ .data = odl_cpu_row (source, strip->channel, 0),
                     .sample_stride_bytes = sizeof (float),
                     .row_stride_bytes = source->pitch * sizeof (float) };
}

// Prefetches input and result.
static void
set_ahead (Strip *strip)
{
  const OdlCpuStream *stream = strip->stream;
  const OdlCpuPicture *result = strip->run->result;
  OdlCpuPipe *pipe = &strip->pipe;

  pipe->input = pipe->output = (OdlCpuPipeMemory){ 0 };
  if (!stream->ask_ahead)
    return;
  const OdlPlane plane = input_plane (strip);
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
  const OdlCpuRange *columns = &strip->columns;
  const OdlCpuPipe *pipe = &strip->pipe;
  float *line = strip->lines[4];

  if (strip->stream->cut.columns == 1) {
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
  if (!stream->span.luma || strip->run->luma_alone) {
    store_columns (strip, low, high, odl_cpu_row (strip->run->result, strip->channel, y));
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
    float *restrict out = odl_cpu_row (strip->run->result, c, y);
    for (int x = 0; x < stream->width; x++)
      out[x] = colour[x] + change[x];
  }
}

// The coefficients of the channel are kept in slots of the plan, which are square: LL and
// HL above LH and HH.
static void
set_store (Strip *strip)
{
  const OdlCpuSpan *span = &strip->stream->span;
  const OdlLifting *lifting = &strip->run->wavelet->lifting;
  OdlCpuPipeStore store
      = { .low_gain = lifting->low_gain, .high_gain = lifting->high_gain };

  for (int l = 0; l < span->levels; l++) {
    const OdlCpuPicture *slot = &strip->run->bands[span->bands[l]];
    const int low_x = odl_low_count (slot->width), low_y = odl_low_count (slot->height);
    store.approx = odl_cpu_row (slot, strip->channel, 0);
    store.low_pitch = (int) slot->pitch;
    store.bands[l] = (OdlCpuPipeBands){
      .lh = odl_cpu_row (slot, strip->channel, low_y),
      .hl_at = low_x - (ptrdiff_t) slot->pitch * low_y,
      .hh_at = low_x,
      .pitch = (int) slot->pitch,
    };
  }
  odl_cpu_pipe_store (&strip->pipe, &store, strip->rows.from,
                      strip->rows.first - strip->rows.from,
                      strip->rows.end - strip->rows.from);
}

static void
run_strip (Strip *strip)
{
  const OdlCpuFloatMode mode = odl_cpu_float_mode_enter ();
  const OdlCpuPicture *whole
      = strip->run->result != NULL ? strip->run->result : strip->run->source;
  const int channels = strip->stream->span.luma ? 1 : whole->channels;

  for (strip->channel = 0; strip->channel < channels; strip->channel++) {
    set_ahead (strip);
    if (strip->run->bands != NULL)
      set_store (strip);
    odl_cpu_pipe_start (&strip->pipe);
    if (strip->run->backward) {
      odl_cpu_pipe_synthesise (&strip->pipe);
      continue;
    }
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

static void
run_strips (OdlCpuStream *stream, const Run *run)
{
  for (int i = 0; i < stream->n_strips; i++) {
    stream->strips[i].run = run;
    stream->strips[i].pipe.emit = store_row;
    stream->strips[i].pipe.emit_data = &stream->strips[i];
  }
  if (stream->n_strips == 1) {
    run_strip (&stream->strips[0]);
    return;
  }

  ODL_PARALLEL_FOR_AT_MOST (stream->n_strips)
  for (int i = 0; i < stream->n_strips; i++)
    run_strip (&stream->strips[i]);
}

void
odl_cpu_stream_run (OdlCpuStream *stream,
                    const OdlPlan *plan,
                    const OdlImage *input,
                    const OdlCpuPicture *source,
                    const OdlCpuPicture *result)
{
  const OdlCpuSpan *span = &stream->span;
  const Run run = {
    .weights = plan->steps[span->weights].parameters.weights,
    .luma_alone = odl_cpu_stream_gives_luma (stream, plan, input),
    .input = input,
    .source = span->filter == span->first ? source : NULL,
    .result = result,
  };

  for (int i = 0; i < stream->n_strips; i++)
    set_limits (&stream->strips[i].pipe, plan, span);
  run_strips (stream, &run);
}

void
odl_cpu_stream_analyse (OdlCpuStream *stream,
                        const OdlPlan *plan,
                        const OdlCpuPicture *source,
                        const OdlCpuPicture *pictures)
{
  const Run run = { .wavelet = plan->steps[stream->span.filter].wavelet,
                    .source = source,
                    .bands = pictures };

  run_strips (stream, &run);
}

void
odl_cpu_stream_synthesise (OdlCpuStream *stream,
                           const OdlPlan *plan,
                           const OdlCpuPicture *pictures,
                           const OdlCpuPicture *result)
{
  const OdlCpuSpan *span = &stream->span;
  const Run run = { .wavelet = plan->steps[span->filter].wavelet,
                    .result = result,
                    .bands = pictures,
                    .backward = true };

  for (int i = 0; i < stream->n_strips; i++) {
    OdlCpuPipe *pipe = &stream->strips[i].pipe;
    pipe->shrinks_stored = true;
    for (int l = 0; l < span->levels; l++) {
      const OdlStep *step = &plan->steps[span->thresholds[l]];
      const float *numbers = odl_cpu_row (&pictures[odl_step_numbers (step)], 0, 0);
      pipe->rule = odl_step_shrinking (step);
      for (int band = 0; band < ODL_DETAIL_BANDS; band++)
        pipe->level[l].limits[band]
            = numbers[band * ODL_BAND_NUMBERS + ODL_BAND_THRESHOLD];
    }
  }
  run_strips (stream, &run);
}

// Which steps of a plan run as one pass.

// Whether the pass has the rules by which the filter shrinks.
static bool
has_rules (const OdlPlan *plan, const OdlGroup *group)
{
  for (int level = 0; level < group->levels; level++)
    if (plan->steps[group->level[level].threshold].rule != ODL_SHRINK_SOFT)
      return false;
  return true;
}

// The pass has rows of the picture's length; filters of moved pictures have others.
static bool
is_whole (const OdlPlan *plan, const OdlStep *step)
{
  return plan->slots[step->writes].width == plan->geometry.width
         && plan->slots[step->writes].height == plan->geometry.height;
}

// Takes the filter that begins at step `at` into the span, if it runs as one pass.
static bool
take_filter (const OdlPlan *plan, int at, OdlCpuSpan *span)
{
  const OdlStep *step = &plan->steps[at];

  span->filter = at;
  if (at >= plan->n_steps || step->group < 0)
    return false;
  const OdlGroup group = odl_plan_group (plan, step->group);
  span->measured = odl_group_is_measured (plan, &group);
  if (group.first != at || !(odl_group_is_plain (&group) || span->measured)
      || !has_rules (plan, &group) || !is_whole (plan, step)
      || group.levels > ODL_CPU_STREAM_LEVELS || step->wavelet->lifting.count == 0
      || step->wavelet->reversible || step->border != ODL_BORDER_WHOLE_SAMPLE
      || odl_level_size (plan->geometry.width, group.levels - 1) < 2
      || odl_level_size (plan->geometry.height, group.levels - 1) < 2)
    return false;
  span->levels = group.levels;
  span->n_steps = group.last + 1 - span->first;
  for (int level = 0; level < group.levels; level++) {
    span->thresholds[level] = group.level[level].threshold;
    span->bands[level] = plan->steps[group.level[level].forward_y].writes;
  }
  return true;
}

static bool
is_step (const OdlPlan *plan, int at, OdlStepKind kind)
{
  return at < plan->n_steps && plan->steps[at].kind == kind;
}

OdlCpuSpan
odl_cpu_stream_span (const OdlPlan *plan, int first)
{
  const OdlCpuSpan none = { .first = first };
  const bool loads = is_step (plan, first, ODL_STEP_LOAD);
  OdlCpuSpan span = none;

  if (loads && is_step (plan, first + 1, ODL_STEP_LUMA)) {
    if (!take_filter (plan, first + 2, &span) || span.measured
        || first + span.n_steps + 1 != plan->n_steps
        || !is_step (plan, plan->n_steps - 1, ODL_STEP_RECOMBINE))
      return none;
    span.luma = true;
    span.weights = first + 1;
    span.n_steps++;
    return span;
  }
  if (first + loads == 0 || !take_filter (plan, first + loads, &span))
    return none;
  const int loaded = plan->steps[span.filter - 1].writes;
  if (plan->steps[span.filter].reads[0] != loaded
      || (loads && odl_plan_is_needed (plan, loaded, span.filter + 1)))
    return none;
  return span;
}

bool
odl_cpu_stream_suits (const OdlPlan *plan)
{
  return odl_cpu_stream_span (plan, 0).n_steps == plan->n_steps;
}
