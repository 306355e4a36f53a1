// SPDX-License-Identifier: MIT
// The forward and inverse steps: by lifting, in whole numbers, or by convolution with the
// taps of the wavelet table, which is here. Both directions of it have one shape: output
// phase p at i is Σ taps[k] z[2i + p + k].
#include "engine/cpu/steps/transform/transform.h"

#include <string.h>

#include "wavelet/border.h"
#include "wavelet/transform.h"

OdlCpuShape
odl_cpu_shape (const OdlCpuWork *work, int n)
{
  const OdlBorder border = work->step->border;

  return (OdlCpuShape){ work->variant, border, n, odl_border_length (border, n) };
}

// How a line holds the interleaved signal.
typedef float (*LineSample) (const float *line, int index, int n);

static float
sample_at (const float *line, int index, int n)
{
  return line[index];
}

static float
coefficient_at (const float *line, int index, int n)
{
  return line[(index & 1) != 0 ? odl_low_count (n) + (index >> 1) : index >> 1];
}

static void
extend_pair (const OdlCpuShape *shape,
             OdlCpuPhases *phases,
             const float *line,
             int at,
             int pair,
             LineSample sample)
{
  const int a = odl_border_index (shape->border, 2 * pair, shape->length);
  const int b = odl_border_index (shape->border, 2 * pair + 1, shape->length);

  phases->a[at] = a < 0 ? 0 : sample (line, a, shape->n);
  phases->b[at] = b < 0 ? 0 : sample (line, b, shape->n);
}

static void
extend (const OdlCpuShape *shape,
        OdlCpuPhases *phases,
        const float *line,
        int first,
        int end,
        LineSample sample)
{
  for (int i = first; i < MIN (0, end); i++)
    extend_pair (shape, phases, line, i - first, i, sample);
  for (int i = MAX (first, shape->length / 2); i < end; i++)
    extend_pair (shape, phases, line, i - first, i, sample);
}

void
odl_cpu_split_samples (const OdlCpuShape *shape,
                       OdlCpuPhases *phases,
                       const float *line,
                       int first,
                       int end)
{
  const int from = MAX (first, 0);
  const int pairs = MIN (end, shape->length / 2) - from;

  if (pairs > 0)
    shape->variant->split (line + 2 * from, phases->a + from - first,
                           phases->b + from - first, pairs);
  extend (shape, phases, line, first, end, sample_at);
}

void
odl_cpu_split_coefficients (const OdlCpuShape *shape,
                            OdlCpuPhases *phases,
                            const float *line,
                            int first,
                            int end)
{
  const int from = MAX (first, 0);
  const int pairs = MIN (end, shape->length / 2) - from;

  if (pairs > 0) {
    memcpy (phases->a + from - first, line + from, pairs * sizeof *line);
    memcpy (phases->b + from - first, line + odl_low_count (shape->n) + from,
            pairs * sizeof *line);
  }
  extend (shape, phases, line, first, end, coefficient_at);
}

// Row `z` of the interleaved rows that an inverse step along y reads, in the columns from
// `column` on; those of the low ones that belong to LL come from in[0].
static const float *
odl_cpu_coefficient_row (const OdlCpuWork *work, int channel, int z, int column)
{
  const int height = work->out->height;
  const bool from_approximation = column < odl_low_count (work->out->width);
  const OdlCpuPicture *low = work->in[from_approximation ? 0 : 1];

  return column
         + ((z & 1) != 0
                ? odl_cpu_row (work->in[1], channel, odl_low_count (height) + (z >> 1))
                : odl_cpu_row (low, channel, z >> 1));
}

// The forward and inverse steps of one level by lifting, with the kernels of the single
// pass (pipe.c), which apply the gains of the wavelet here, so that pictures hold the
// plan's coefficients.

// Columns that are processed together: their state stays in the first two caches, and in
// most pictures rows are read from beginning to end.
#define COLUMNS 2048

// Pairs of rows between a load and a store of a column's state.
#define BLOCK_PAIRS 8

// Number of pairs of real or mirrored rows after which the state is the same as if the
// steps had run from the top.
#define WARM_PAIRS 2

// On more levels the rounding of the steps adds up to more than that of filter taps.
#define MOST_LEVELS 7

bool
odl_cpu_step_lifts (const OdlStep *step)
{
  return (step->kind == ODL_STEP_FORWARD || step->kind == ODL_STEP_INVERSE)
         && step->wavelet->lifting.count > 0 && !step->wavelet->reversible
         && step->border == ODL_BORDER_WHOLE_SAMPLE && step->level <= MOST_LEVELS;
}

// The inverse steps undo the forward steps in single precision.
OdlCpuLift
odl_cpu_lift_of_step (const OdlStep *step)
{
  OdlCpuLift lift = odl_cpu_lift_of_wavelet (step->wavelet);
  const bool inverse = step->kind == ODL_STEP_INVERSE;

  lift.gains = true;
  lift.low_gain = (float) step->wavelet->lifting.low_gain;
  lift.high_gain = (float) step->wavelet->lifting.high_gain;
  if (inverse) {
    lift.low_gain = (float) (1 / (double) lift.low_gain);
    lift.high_gain = (float) (1 / (double) lift.high_gain);
  }
  return lift;
}

// ---- along x -------------------------------------------------------------------------

void
odl_cpu_forward_lifted (const OdlCpuWork *work, int channel, int y)
{
  const int width = work->out->width;
  const OdlCpuLine line = { .samples = odl_cpu_row (work->in[0], channel, y) };
  float *out = odl_cpu_row (work->out, channel, y);

  work->variant->forward_row (&work->lift, &line, out, out + odl_low_count (width),
                              width);
}

void
odl_cpu_inverse_lifted (const OdlCpuWork *work, int channel, int y)
{
  const int width = work->out->width;
  const float *line = odl_cpu_row (work->in[0], channel, y);

  work->variant->inverse_row (&work->lift, line, line + odl_low_count (width),
                              odl_cpu_row (work->out, channel, y), width);
}

// ---- along y -------------------------------------------------------------------------

// Columns being processed from top to bottom: pairs from … to − 1 are stored, others only
// update the state. Kernels work on whole vectors: what they write beyond their columns
// is overwritten by the columns to the right, or lies in the gap between rows.
typedef struct {
  const OdlCpuWork *work;
  int channel;
  int column;
  int columns;
  int from, to;
  int n_high; // pairs whose second row exists
  float *state[ODL_CPU_LIFT_STEPS];
  float *sink;
} Down;

typedef struct {
  float state[ODL_CPU_LIFT_STEPS][COLUMNS + ODL_CPU_SLACK];
  float sink[COLUMNS + ODL_CPU_SLACK];
} Lines;

static Down
begin_down (const OdlCpuWork *work, int channel, int from, int to, Lines *lines)
{
  Down down = {
    .work = work,
    .channel = channel,
    .from = from,
    .to = to,
    .n_high = odl_high_count (work->out->height),
    .sink = lines->sink,
  };

  for (int i = 0; i < ODL_CPU_LIFT_STEPS; i++)
    // cppcheck-suppress uninitvar ; only the address of the row is used
    down.state[i] = lines->state[i];
  return down;
}

// Address of row `first` + 2 `pair` of the result, or of row `first` + `pair` of its
// bands.
static float *
output_row (const Down *down, int pair, int end, int row)
{
  if (pair < down->from || pair >= MIN (down->to, end))
    return down->sink;
  return odl_cpu_row (down->work->out, down->channel, row) + down->column;
}

static void
forward_block (const Down *down, int first, int pairs)
{
  const OdlCpuWork *work = down->work;
  const int height = work->out->height, n_low = odl_low_count (height);
  const int delay = work->lift.steps / 2 - 1;
  const float *rows[2 * BLOCK_PAIRS + 1];
  float *low[BLOCK_PAIRS], *high[BLOCK_PAIRS];

  for (int i = 0; i <= 2 * pairs; i++)
    rows[i] = odl_cpu_row (work->in[0], down->channel,
                           odl_border_fold (2 * first + i, height))
              + down->column;
  for (int j = 0; j < pairs; j++) {
    const int row = first + j - delay;
    low[j] = output_row (down, row, n_low, row);
    high[j] = output_row (down, row, down->n_high, n_low + row);
  }
  const OdlCpuForwardPairs block = {
    .rows = rows,
    .low = low,
    .high = high,
    .state = down->state,
    .columns = down->columns,
    .pairs = pairs,
  };
  work->variant->forward_pairs (&work->lift, &block);
}

static void
inverse_block (const Down *down, int first, int pairs)
{
  const OdlCpuWork *work = down->work;
  const int height = work->out->height, n_low = odl_low_count (height);
  const int even_delay = work->lift.steps / 2 - 1, odd_delay = work->lift.steps / 2;
  const float *low[BLOCK_PAIRS], *high[BLOCK_PAIRS];
  float *even[BLOCK_PAIRS], *odd[BLOCK_PAIRS];

  for (int j = 0; j < pairs; j++) {
    const int z = 2 * (first + j);
    const int e = first + j - even_delay, o = first + j - odd_delay;
    low[j] = odl_cpu_coefficient_row (work, down->channel, odl_border_fold (z, height),
                                      down->column);
    high[j] = odl_cpu_coefficient_row (work, down->channel,
                                       odl_border_fold (z + 1, height), down->column);
    even[j] = output_row (down, e, n_low, 2 * e);
    odd[j] = output_row (down, o, down->n_high, 2 * o + 1);
  }
  const OdlCpuInversePairs block = {
    .low = low,
    .high = high,
    .even = even,
    .odd = odd,
    .state = down->state,
    .columns = down->columns,
    .pairs = pairs,
  };
  work->variant->inverse_pairs (&work->lift, &block);
}

// Processes the columns from `column` on: initialises the state, then runs block by block
// until the last row has left the steps.
static void
go_down (Down *down,
         int column,
         int columns,
         int delay,
         void (*run_block) (const Down *down, int first, int pairs))
{
  const int end = down->to + delay;

  down->column = column;
  down->columns = columns;
  for (int i = 0; i < ODL_CPU_LIFT_STEPS; i++)
    memset (down->state[i], 0, columns * sizeof (float));
  run_block (down, down->from - WARM_PAIRS, WARM_PAIRS);
  for (int first = down->from; first < end; first += BLOCK_PAIRS)
    run_block (down, first, MIN (end - first, BLOCK_PAIRS));
}

void
odl_cpu_forward_lifted_pairs (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width;
  Lines lines;
  Down down = begin_down (work, channel, from, to, &lines);

  for (int column = 0; column < width; column += COLUMNS)
    go_down (&down, column, MIN (width - column, COLUMNS), work->lift.steps / 2 - 1,
             forward_block);
}

void
odl_cpu_inverse_lifted_pairs (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width, n_low = odl_low_count (width);
  Lines lines;
  Down down = begin_down (work, channel, from, to, &lines);

  for (int column = 0; column < width; column += down.columns)
    go_down (&down, column, MIN ((column < n_low ? n_low : width) - column, COLUMNS),
             work->lift.steps / 2, inverse_block);
}

// The forward and inverse steps of the reversible wavelet 5/3: integer lifting (JPEG
// 2000, ISO/IEC 15444-1, F.4.8.1) on samples that are whole numbers times `quantum`. The
// border is always the whole-sample one.

typedef enum {
  DETAIL, // d ∓ ⌊(s + s') / 2⌋
  APPROXIMATION, // s ± ⌊(d + d' + 2) / 4⌋
} Lifting;

static OdlCpuWhole
whole_step (const OdlCpuWork *work, Lifting lifting)
{
  const float quantum = (float) work->step->quantum;
  const float scale = (float) (1 / work->step->quantum);
  const bool forward = work->step->kind == ODL_STEP_FORWARD;

  return (OdlCpuWhole){
    .centre_scale = scale,
    .side_scale = scale,
    .out_scale = quantum,
    .bias = lifting == DETAIL ? 0 : 2,
    .share = lifting == DETAIL ? 0.5f : 0.25f,
    .sign = (lifting == DETAIL) == forward ? -1 : 1,
  };
}

static void
lift (const OdlCpuWork *work,
      Lifting lifting,
      const float *centre,
      const float *before,
      const float *after,
      float *out,
      int n)
{
  const OdlCpuWhole step = whole_step (work, lifting);

  work->variant->lift_whole (&step, centre, before, after, out, n);
}

// One pair more than the span at either end, because the second step needs the first
// step's neighbours.
#define FIRST_STEP (ODL_CPU_SPAN + 2)

static void
whole_forward_line (const OdlCpuWork *work, const float *line, float *out, int n)
{
  const OdlCpuShape shape = odl_cpu_shape (work, n);
  const int n_low = odl_low_count (n), n_high = odl_high_count (n);
  float details[FIRST_STEP + ODL_CPU_SLACK];
  OdlCpuPhases phases;

  for (int from = 0; from < n_low; from += ODL_CPU_SPAN) {
    const int count = MIN (n_low - from, ODL_CPU_SPAN);
    const int high = MIN (count, n_high - from);

    odl_cpu_split_samples (&shape, &phases, line, from - 1, from + count + 1);
    lift (work, DETAIL, phases.b, phases.a, phases.a + 1, details, count + 1);
    lift (work, APPROXIMATION, phases.a + 1, details, details + 1, out + from, count);
    memcpy (out + n_low + from, details + 1, high * sizeof *out);
  }
}

static void
whole_inverse_line (const OdlCpuWork *work, const float *line, float *out, int n)
{
  const OdlCpuShape shape = odl_cpu_shape (work, n);
  const int n_low = odl_low_count (n), n_high = odl_high_count (n);
  float even[FIRST_STEP + ODL_CPU_SLACK], odd[ODL_CPU_SPAN + ODL_CPU_SLACK];
  OdlCpuPhases phases;

  for (int from = 0; from < n_low; from += ODL_CPU_SPAN) {
    const int count = MIN (n_low - from, ODL_CPU_SPAN);
    const int pairs = MIN (count, n_high - from);

    odl_cpu_split_coefficients (&shape, &phases, line, from - 1, from + count + 1);
    lift (work, APPROXIMATION, phases.a + 1, phases.b, phases.b + 1, even, count + 1);
    lift (work, DETAIL, phases.b + 1, even, even + 1, odd, pairs);
    work->variant->join (even, odd, out + 2 * from, pairs);
    if (pairs < count)
      out[n - 1] = even[count - 1];
  }
}

static const float *
input_row (const OdlCpuWork *work, int channel, int y, int column)
{
  return odl_cpu_row (work->in[0], channel, odl_border_fold (y, work->out->height))
         + column;
}

static void
detail_row (const OdlCpuWork *work,
            int channel,
            int pair,
            int column,
            float *out,
            int count)
{
  // Folded as a whole: the detail beyond the border is that of the mirrored rows.
  const int y = odl_border_fold (2 * pair + 1, work->out->height);

  lift (work, DETAIL, input_row (work, channel, y, column),
        input_row (work, channel, y - 1, column),
        input_row (work, channel, y + 1, column), out, count);
}

static void
whole_forward_pair (const OdlCpuWork *work, int channel, int i, int column, int count)
{
  const int height = work->out->height, n_low = odl_low_count (height);
  float before[ODL_CPU_SPAN + ODL_CPU_SLACK], after[ODL_CPU_SPAN + ODL_CPU_SLACK];

  detail_row (work, channel, i - 1, column, before, count);
  detail_row (work, channel, i, column, after, count);
  lift (work, APPROXIMATION, input_row (work, channel, 2 * i, column), before, after,
        odl_cpu_row (work->out, channel, i) + column, count);
  if (i < odl_high_count (height))
    memcpy (odl_cpu_row (work->out, channel, n_low + i) + column, after,
            count * sizeof *after);
}

static void
even_row (const OdlCpuWork *work,
          int channel,
          int pair,
          int column,
          float *out,
          int count)
{
  const int height = work->out->height;
  const int y = odl_border_fold (2 * pair, height);

  lift (work, APPROXIMATION, odl_cpu_coefficient_row (work, channel, y, column),
        odl_cpu_coefficient_row (work, channel, odl_border_fold (y - 1, height), column),
        odl_cpu_coefficient_row (work, channel, odl_border_fold (y + 1, height), column),
        out, count);
}

static void
whole_inverse_pair (const OdlCpuWork *work, int channel, int i, int column, int count)
{
  float *even = odl_cpu_row (work->out, channel, 2 * i) + column;
  float next[ODL_CPU_SPAN + ODL_CPU_SLACK];

  even_row (work, channel, i, column, even, count);
  if (2 * i + 1 >= work->out->height)
    return;
  even_row (work, channel, i + 1, column, next, count);
  lift (work, DETAIL, odl_cpu_coefficient_row (work, channel, 2 * i + 1, column), even,
        next, odl_cpu_row (work->out, channel, 2 * i + 1) + column, count);
}

void
odl_cpu_forward_whole (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width;

  if (work->step->axis == ODL_AXIS_X)
    for (int y = from; y < to; y++)
      whole_forward_line (work, odl_cpu_row (work->in[0], channel, y),
                          odl_cpu_row (work->out, channel, y), width);
  else
    for (int column = 0; column < width; column += ODL_CPU_SPAN)
      for (int i = from; i < to; i++)
        whole_forward_pair (work, channel, i, column, MIN (width - column, ODL_CPU_SPAN));
}

void
odl_cpu_inverse_whole (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width, n_low = odl_low_count (width);

  if (work->step->axis == ODL_AXIS_X) {
    for (int y = from; y < to; y++)
      whole_inverse_line (work, odl_cpu_row (work->in[0], channel, y),
                          odl_cpu_row (work->out, channel, y), width);
    return;
  }
  for (int column = 0; column < width;) {
    const int count = MIN ((column < n_low ? n_low : width) - column, ODL_CPU_SPAN);

    for (int i = from; i < to; i++)
      whole_inverse_pair (work, channel, i, column, count);
    column += count;
  }
}

// Zeros, for samples beyond a zero border.
static const float zeros[ODL_CPU_SPAN + ODL_CPU_SLACK];

// ---- both phases ---------------------------------------------------------------------

// Samples that one phase or the other meets, from 2i + first on.
typedef struct {
  int first, count;
  int start[2]; // of either phase
} Window;

// How far the window reaches before and after a pair, in pairs.
typedef struct {
  int before, after;
} Reach;

#define MOST_ROWS (2 * (ODL_WAVELET_MAX_TAPS + 1))

static Window
window_of (const OdlCpuTaps taps[2])
{
  const int firsts[2] = { taps[0].first, taps[1].first + 1 };
  const int first = MIN (firsts[0], firsts[1]);
  const int end = MAX (firsts[0] + taps[0].count, firsts[1] + taps[1].count);

  return (Window){ first, end - first, { firsts[0] - first, firsts[1] - first } };
}

static Reach
reach_of (const Window *window)
{
  return (Reach){ MAX (0, -(window->first >> 1)),
                  MAX (0, (window->first + window->count - 1) >> 1) };
}

// counts[1] is counts[0] or less.
static void
combine_phases (const OdlCpuWork *work,
                const Window *window,
                const float *const *rows,
                float *const outs[2],
                const int counts[2])
{
  const OdlCpuTaps *taps = work->taps;
  const OdlCpuPairRows pair
      = { rows, window->count, { window->start[0], window->start[1] } };

  if (counts[0] == counts[1] && !taps[0].symmetric && !taps[1].symmetric) {
    work->variant->combine_two (taps, &pair, outs, counts[0]);
    return;
  }
  for (int phase = 0; phase < 2; phase++)
    work->variant->combine (&taps[phase], rows + window->start[phase], outs[phase],
                            counts[phase]);
}

// ---- along x -------------------------------------------------------------------------

// Pair 0 of what comes out is pair `offset` of `phases`.
static void
combine_pieces (const OdlCpuWork *work,
                const Window *window,
                const OdlCpuPhases *phases,
                int offset,
                float *const outs[2],
                const int counts[2])
{
  const float *rows[MOST_ROWS];

  for (int k = 0; k < window->count; k++) {
    const int at = window->first + k;

    rows[k] = ((at & 1) != 0 ? phases->b : phases->a) + offset + (at >> 1);
  }
  combine_phases (work, window, rows, outs, counts);
}

static void
forward_line (const OdlCpuWork *work, const float *line, float *out, int n)
{
  const OdlCpuShape shape = odl_cpu_shape (work, n);
  const Window window = window_of (work->taps);
  const Reach reach = reach_of (&window);
  const int n_low = odl_low_count (shape.length), n_high = odl_high_count (shape.length);
  float *high = out + odl_low_count (n);
  OdlCpuPhases phases;

  for (int from = 0; from < n_low; from += ODL_CPU_SPAN) {
    const int count = MIN (n_low - from, ODL_CPU_SPAN);

    odl_cpu_split_samples (&shape, &phases, line, from - reach.before,
                           from + count + reach.after);
    combine_pieces (work, &window, &phases, reach.before,
                    (float *[]){ out + from, high + from },
                    (int[]){ count, MIN (count, n_high - from) });
  }
  if (shape.length < n)
    out[n / 2] = line[n - 1];
}

static void
inverse_line (const OdlCpuWork *work, const float *line, float *out, int n)
{
  const OdlCpuShape shape = odl_cpu_shape (work, n);
  const Window window = window_of (work->taps);
  const Reach reach = reach_of (&window);
  const int n_low = odl_low_count (shape.length), n_high = odl_high_count (shape.length);
  float even[ODL_CPU_SPAN + ODL_CPU_SLACK], odd[ODL_CPU_SPAN + ODL_CPU_SLACK];
  OdlCpuPhases phases;

  for (int from = 0; from < n_low; from += ODL_CPU_SPAN) {
    const int count = MIN (n_low - from, ODL_CPU_SPAN);
    const int pairs = MIN (count, n_high - from);

    odl_cpu_split_coefficients (&shape, &phases, line, from - reach.before,
                                from + count + reach.after);
    combine_pieces (work, &window, &phases, reach.before, (float *[]){ even, odd },
                    (int[]){ count, pairs });
    work->variant->join (even, odd, out + 2 * from, pairs);
    if (pairs < count)
      out[n - 1] = even[count - 1];
  }
  if (shape.length < n)
    out[n - 1] = line[n / 2];
}

// ---- along y -------------------------------------------------------------------------

static void
forward_pair (const OdlCpuWork *work, int channel, int i, int column, int count)
{
  const int height = work->out->height;
  const int length = odl_border_length (work->step->border, height);
  const Window window = window_of (work->taps);
  float *low = odl_cpu_row (work->out, channel, i) + column;
  const float *rows[MOST_ROWS];

  if (2 * i >= length) { // alone
    memcpy (low, odl_cpu_row (work->in[0], channel, 2 * i) + column, count * sizeof *low);
    return;
  }
  const bool both = 2 * i + 1 < height;
  float *high
      = both ? odl_cpu_row (work->out, channel, odl_low_count (height) + i) + column
             : low;
  for (int k = 0; k < window.count; k++) {
    const int y = odl_border_index (work->step->border, 2 * i + window.first + k, length);
    rows[k] = y < 0 ? zeros : odl_cpu_row (work->in[0], channel, y) + column;
  }
  combine_phases (work, &window, rows, (float *[]){ low, high },
                  (int[]){ count, both ? count : 0 });
}

static void
inverse_pair (const OdlCpuWork *work, int channel, int i, int column, int count)
{
  const int height = work->out->height;
  const int length = odl_border_length (work->step->border, height);
  const Window window = window_of (work->taps);
  float *even = odl_cpu_row (work->out, channel, 2 * i) + column;
  const float *rows[MOST_ROWS];

  if (2 * i >= length) { // alone
    memcpy (even, odl_cpu_coefficient_row (work, channel, 2 * i, column),
            count * sizeof *even);
    return;
  }
  const bool both = 2 * i + 1 < height;
  float *odd = both ? odl_cpu_row (work->out, channel, 2 * i + 1) + column : even;
  for (int k = 0; k < window.count; k++) {
    const int z = odl_border_index (work->step->border, 2 * i + window.first + k, length);
    rows[k] = z < 0 ? zeros : odl_cpu_coefficient_row (work, channel, z, column);
  }
  combine_phases (work, &window, rows, (float *[]){ even, odd },
                  (int[]){ count, both ? count : 0 });
}

// ---- steps ---------------------------------------------------------------------------

// Columns from `column` on that are worked on together: pieces up to `end` are alike.
static int
piece_of (int column, int end)
{
  const int pieces = (end - column + ODL_CPU_SPAN - 1) / ODL_CPU_SPAN;
  const int each = ((end - column) / pieces + 15) / 16 * 16;

  return pieces == 1 ? end - column : each;
}

static void
forward_pairs (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width;

  for (int column = 0, count; column < width; column += count) {
    count = piece_of (column, width);
    for (int i = from; i < to; i++)
      forward_pair (work, channel, i, column, count);
  }
}

static void
inverse_pairs (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width;
  const int n_low = odl_low_count (width);

  for (int column = 0, count; column < width; column += count) {
    count = piece_of (column, column < n_low ? n_low : width);
    for (int i = from; i < to; i++)
      inverse_pair (work, channel, i, column, count);
  }
}

static void
forward_taps (const OdlCpuWork *work, int channel, int from, int to)
{
  if (work->step->axis == ODL_AXIS_Y)
    forward_pairs (work, channel, from, to);
  else
    for (int y = from; y < to; y++)
      forward_line (work, odl_cpu_row (work->in[0], channel, y),
                    odl_cpu_row (work->out, channel, y), work->out->width);
}

static void
inverse_taps (const OdlCpuWork *work, int channel, int from, int to)
{
  if (work->step->axis == ODL_AXIS_Y)
    inverse_pairs (work, channel, from, to);
  else
    for (int y = from; y < to; y++)
      inverse_line (work, odl_cpu_row (work->in[0], channel, y),
                    odl_cpu_row (work->out, channel, y), work->out->width);
}

// A line of one sample is its own low coefficient.
static bool
has_one_sample (const OdlCpuWork *work)
{
  return work->step->axis == ODL_AXIS_Y ? work->out->height == 1 : work->out->width == 1;
}

static void
copy_samples (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width;
  const bool inverse_y
      = work->step->kind == ODL_STEP_INVERSE && work->step->axis == ODL_AXIS_Y;
  const int n_low = inverse_y ? odl_low_count (width) : width;

  for (int y = from; y < to; y++) {
    float *out = odl_cpu_row (work->out, channel, y);

    memcpy (out, odl_cpu_row (work->in[0], channel, y), n_low * sizeof *out);
    if (n_low < width)
      memcpy (out + n_low, odl_cpu_row (work->in[1], channel, y) + n_low,
              (width - n_low) * sizeof *out);
  }
}

static void
forward_lifted (const OdlCpuWork *work, int channel, int from, int to)
{
  if (work->step->axis == ODL_AXIS_Y)
    odl_cpu_forward_lifted_pairs (work, channel, from, to);
  else
    for (int y = from; y < to; y++)
      odl_cpu_forward_lifted (work, channel, y);
}

static void
inverse_lifted (const OdlCpuWork *work, int channel, int from, int to)
{
  if (work->step->axis == ODL_AXIS_Y)
    odl_cpu_inverse_lifted_pairs (work, channel, from, to);
  else
    for (int y = from; y < to; y++)
      odl_cpu_inverse_lifted (work, channel, y);
}

void
odl_cpu_forward_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  if (has_one_sample (work))
    copy_samples (work, channel, from, to);
  else if (work->step->wavelet->reversible)
    odl_cpu_forward_whole (work, channel, from, to);
  else if (work->lifts)
    forward_lifted (work, channel, from, to);
  else
    forward_taps (work, channel, from, to);
}

void
odl_cpu_inverse_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  if (has_one_sample (work))
    copy_samples (work, channel, from, to);
  else if (work->step->wavelet->reversible)
    odl_cpu_inverse_whole (work, channel, from, to);
  else if (work->lifts)
    inverse_lifted (work, channel, from, to);
  else
    inverse_taps (work, channel, from, to);
}
