// SPDX-License-Identifier: MIT
// The forward and inverse steps of one level by lifting, with the kernels of the single
// pass (pipe.c), which apply the gains of the wavelet here, so that pictures hold the
// plan's coefficients.
#include <string.h>

#include "engine/cpu/steps/transform/transform.h"
#include "wavelet/border.h"
#include "wavelet/transform.h"

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
