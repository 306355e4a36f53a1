// SPDX-License-Identifier: MIT
// The dual-tree transform, row by row. Every filter is one weighted sum of lines
// (OdlCpuVariant.combine): along y of rows of the picture, along x of every step-th
// sample of one row, which begin at several places.
#include "engine/cpu/steps/transform/transform.h"

#include <math.h>
#include <string.h>

#include "plan/numbers.h"
#include "wavelet/border.h"

// Samples before a line that filters look at; a multiple of all steps.
#define MARGIN 16

#define MOST_STEP 4

static bool
is_inverse (const OdlStep *step)
{
  return step->kind == ODL_STEP_DUAL_INVERSE;
}

static int
n_reads (const OdlStep *step)
{
  return is_inverse (step) ? 2 : 1;
}

void
odl_cpu_dual_taps (const OdlStep *step, OdlCpuTaps taps[ODL_DUAL_PHASES])
{
  for (int phase = 0; phase < odl_step_dual_filter (step, 0)->phases; phase++) {
    taps[phase] = odl_cpu_taps_of_wavelet (&odl_step_dual_filter (step, 0)->taps[phase]);
    for (int r = 1; r < n_reads (step); r++) {
      const OdlTaps *more = &odl_step_dual_filter (step, r)->taps[phase];
      g_assert (taps[phase].count + more->count <= ODL_CPU_MAX_TAPS);
      for (int k = 0; k < more->count; k++)
        taps[phase].value[taps[phase].count++] = (float) more->value[k];
      taps[phase].symmetric = false;
    }
  }
}

// How a line of `n` samples and one of `count` outputs lie.
typedef struct {
  const OdlStep *step;
  int n;
  int dropped; // outputs before the first one
  int moved; // samples before the first one
  int level; // for odl_dual_index
} Line;

static Line
line_of (const OdlStep *step, int n, int count)
{
  const bool inverse = is_inverse (step);

  return (Line){
    .step = step,
    .n = n,
    .dropped = inverse ? odl_dual_before (count, step->level) : 0,
    .moved = inverse ? 0 : odl_dual_before (n, step->level),
    .level = inverse ? 0 : step->level,
  };
}

static void
dual_rows_y (const OdlCpuWork *work, int channel, int from, int to)
{
  const Line line = line_of (work->step, work->in[0]->height, work->out->height);
  const float *rows[ODL_CPU_MAX_TAPS];

  for (int y = from; y < to; y++) {
    int count = 0, phase = 0;
    for (int r = 0; r < n_reads (work->step); r++) {
      const OdlDualFilter *filter = odl_step_dual_filter (work->step, r);
      phase = (y + line.dropped) % filter->phases;
      const OdlTaps *taps = &filter->taps[phase];
      const int first = filter->step * ((y + line.dropped) / filter->phases) - line.moved
                        + taps->first;
      for (int k = 0; k < taps->count; k++)
        rows[count++] = odl_cpu_row (
            work->in[r], channel,
            odl_dual_index (line.n, line.level, first + k * filter->spacing));
    }
    work->variant->combine (&work->taps[phase], rows, odl_cpu_row (work->out, channel, y),
                            work->out->width);
  }
}

// ---- along x -------------------------------------------------------------------------

// Lines of one row on its way.
typedef struct {
  float *memory;
  int outputs; // of each phase
  int length; // of the extended line, a multiple of all steps
  float *extended;
  float *halves[2];
  float *parts[2][MOST_STEP]; // of what is read: every step-th sample
  float *phases[ODL_DUAL_PHASES];
  float *pairs[2]; // of phases
  float *joined;
} Space;

static float *
take (float **at, int length)
{
  float *line = *at;

  *at += length + ODL_CPU_SLACK;
  return line;
}

static void
space_init (Space *space, const OdlDualFilter *filter, int outputs)
{
  const int step = filter->step, phases = filter->phases;

  space->outputs = outputs;
  space->length = outputs * step + 2 * MARGIN;
  // Seven lines at most, those of outputs among them, in 20 pieces.
  const size_t longest = (size_t) MAX (space->length, outputs * phases);
  space->memory = g_new0 (float, 7 * longest + 20 * ODL_CPU_SLACK);
  float *at = space->memory;
  space->extended = take (&at, space->length);
  for (int i = 0; i < 2; i++) {
    space->halves[i] = take (&at, space->length / 2);
    if (phases == 4)
      space->pairs[i] = take (&at, 2 * outputs);
    for (int q = 0; q < step; q++)
      space->parts[i][q] = take (&at, space->length / step);
  }
  for (int r = 0; r < phases; r++)
    space->phases[r] = take (&at, outputs);
  space->joined = take (&at, phases * outputs);
}

// What stands at −MARGIN … of a line.
static void
extend (const Line *line, const float *from, Space *space)
{
  const int n = line->n, end = MIN (space->length, MARGIN + n);

  for (int i = 0; i < MARGIN; i++)
    space->extended[i] = from[odl_dual_index (n, line->level, i - MARGIN)];
  memcpy (space->extended + MARGIN, from, (end - MARGIN) * sizeof *from);
  for (int i = end; i < space->length; i++)
    space->extended[i] = from[odl_dual_index (n, line->level, i - MARGIN)];
}

static void
deal (const OdlCpuVariant *variant, Space *space, int step, float *parts[MOST_STEP])
{
  const int half = space->length / 2;

  if (step == 1) {
    memcpy (parts[0], space->extended, space->length * sizeof *parts[0]);
  } else if (step == 2) {
    variant->split (space->extended, parts[0], parts[1], half);
  } else {
    variant->split (space->extended, space->halves[0], space->halves[1], half);
    variant->split (space->halves[0], parts[0], parts[2], half / 2);
    variant->split (space->halves[1], parts[1], parts[3], half / 2);
  }
}

static void
combine_phase (const OdlCpuWork *work,
               const Line *line,
               const Space *space,
               int phase,
               float *out)
{
  const float *rows[ODL_CPU_MAX_TAPS];
  int count = 0;

  for (int r = 0; r < n_reads (work->step); r++) {
    const OdlDualFilter *filter = odl_step_dual_filter (work->step, r);
    const OdlTaps *taps = &filter->taps[phase];
    for (int k = 0; k < taps->count; k++) {
      const int at = MARGIN - line->moved + taps->first + k * filter->spacing;
      rows[count++] = space->parts[r][at % filter->step] + at / filter->step;
    }
  }
  work->variant->combine (&work->taps[phase], rows, out, space->outputs);
}

static void
dual_rows_x (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlDualFilter *filter = odl_step_dual_filter (work->step, 0);
  const OdlCpuVariant *variant = work->variant;
  const int width = work->out->width, phases = filter->phases;
  const Line line = line_of (work->step, work->in[0]->width, width);
  Space space;

  space_init (&space, filter, (width + line.dropped + phases - 1) / phases);
  for (int y = from; y < to; y++) {
    float *out = odl_cpu_row (work->out, channel, y);
    for (int r = 0; r < n_reads (work->step); r++) {
      extend (&line, odl_cpu_row (work->in[r], channel, y), &space);
      deal (variant, &space, filter->step, space.parts[r]);
    }
    for (int phase = 0; phase < phases; phase++)
      combine_phase (work, &line, &space, phase, phases == 1 ? out : space.phases[phase]);
    if (phases == 2)
      variant->join (space.phases[0], space.phases[1], out, space.outputs);
    if (phases < 4)
      continue;
    for (int i = 0; i < 2; i++)
      variant->join (space.phases[i], space.phases[i + 2], space.pairs[i], space.outputs);
    variant->join (space.pairs[0], space.pairs[1], space.joined, 2 * space.outputs);
    memcpy (out, space.joined + line.dropped, width * sizeof *out);
  }
  g_free (space.memory);
}

void
odl_cpu_dual_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  if (work->step->axis == ODL_AXIS_X)
    dual_rows_x (work, channel, from, to);
  else
    dual_rows_y (work, channel, from, to);
}

// ---- coefficients --------------------------------------------------------------------

void
odl_cpu_dual_shrink_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStepParameters *own = &work->step->parameters;
  const float *found = work->step->reads[1] == ODL_PLAN_NO_SLOT
                           ? NULL
                           : odl_cpu_row (work->in[1], 0, 0) + ODL_BAND_THRESHOLD;
  const OdlShrinkingRule rule = odl_step_shrinking (work->step);
  const OdlCpuVariant *variant = work->variant;
  const int n = work->out->width / 2;
  const size_t length = (size_t) n + ODL_CPU_SLACK;
  g_autofree float *lines = g_new0 (float, 6 * length);
  float *const shares[2] = { lines + 4 * length, lines + 5 * length };
  float *quad[4];

  for (int i = 0; i < 4; i++)
    quad[i] = lines + i * length;
  for (int y = from; y < to; y++) {
    for (int row = 0; row < 2; row++)
      variant->split (odl_cpu_row (work->in[0], channel, 2 * y + row), quad[2 * row],
                      quad[2 * row + 1], n);
    variant->quad_powers (quad, shares[0], shares[1], n);
    for (int i = 0; i < 2; i++)
      variant->shares (shares[i], n,
                       found != NULL ? (float) M_SQRT2 * *found
                                     : (float) own->thresholds[i],
                       (float) own->gains[i], rule);
    variant->quad_scale (quad, shares[0], shares[1], n);
    for (int row = 0; row < 2; row++)
      variant->join (quad[2 * row], quad[2 * row + 1],
                     odl_cpu_row (work->out, channel, 2 * y + row), n);
  }
}

// ---- bivariate shrinkage -------------------------------------------------------------

#define MOST_SIDE 9

// Lines of coefficients, one for each block of a pair of rows.
typedef struct {
  float *memory;
  float *quad[4];
  float *powers[2][MOST_SIDE]; // of both orientations, about the current pair of rows
  float *shares[2];
  float *parents[2]; // each value twice
  float *sums; // with `side` / 2 mirrored ones at either end
  float *means;
  int n_parents;
  int row; // of parents
} Blocks;

static void
blocks_init (Blocks *blocks, const OdlCpuWork *work)
{
  const int n = work->out->width / 2, side = work->step->side;
  const int longest = MAX (n + side, work->in[1]->width);
  float *at;

  *blocks = (Blocks){ .n_parents = work->in[1]->width / 2, .row = -1 };
  at = blocks->memory
      = g_new0 (float, (4 + 2 * MOST_SIDE + 6) * ((size_t) longest + ODL_CPU_SLACK));
  for (int i = 0; i < 4; i++)
    blocks->quad[i] = take (&at, longest);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < side; k++)
      blocks->powers[i][k] = take (&at, longest);
    blocks->shares[i] = take (&at, longest);
    blocks->parents[i] = take (&at, longest);
  }
  blocks->sums = take (&at, longest);
  blocks->means = take (&at, longest);
}

// Takes the blocks of pair `y` of rows apart.
static void
split_blocks (const OdlCpuWork *work, int read, int channel, int y, float *const quad[4])
{
  for (int row = 0; row < 2; row++)
    work->variant->split (odl_cpu_row (work->in[read], channel, 2 * y + row),
                          quad[2 * row], quad[2 * row + 1], work->in[read]->width / 2);
}

static void
fetch_parents (const OdlCpuWork *work, Blocks *blocks, int channel, int y)
{
  const int row = odl_dual_parent (work->out->height, work->step->level, y);
  float *const powers[2] = { blocks->sums, blocks->means };

  if (row == blocks->row)
    return;
  blocks->row = row;
  split_blocks (work, 1, channel, row, blocks->quad);
  work->variant->quad_powers (blocks->quad, powers[0], powers[1], blocks->n_parents);
  for (int i = 0; i < 2; i++)
    work->variant->join (powers[i], powers[i], blocks->parents[i], blocks->n_parents);
}

// The shares that are left of one orientation in pair `y` of rows.
static void
find_shares (const OdlCpuWork *work, Blocks *blocks, int orientation, int y)
{
  const OdlStepParameters *own = &work->step->parameters;
  const int n = work->out->width / 2, side = work->step->side, radius = side / 2;
  const float *rows[MOST_SIDE];
  OdlCpuTaps taps = { .first = -radius, .count = side, .symmetric = true };
  float *share = blocks->shares[orientation];

  for (int k = 0; k < side; k++) {
    taps.value[k] = 1.0f / (float) side;
    rows[k] = blocks->powers[orientation][(y + k) % side];
  }
  memcpy (share, blocks->powers[orientation][(y + radius) % side], n * sizeof *share);
  work->variant->combine (&taps, rows, blocks->sums + radius, n);
  for (int k = 1; k <= radius; k++) {
    float *sums = blocks->sums + radius;
    sums[-k] = sums[odl_border_fold (-k, n)];
    sums[n - 1 + k] = sums[odl_border_fold (n - 1 + k, n)];
  }
  for (int k = 0; k < side; k++)
    rows[k] = blocks->sums + k;
  work->variant->combine (&taps, rows, blocks->means, n);
  work->variant->bivariate_shares (
      share, blocks->means,
      blocks->parents[orientation]
          + odl_dual_before (work->out->width, work->step->level + 1),
      n, (float) (own->sigma * own->sigma), (float) (own->weight * own->weight));
}

void
odl_cpu_dual_bivariate_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const int n = work->out->width / 2, side = work->step->side, radius = side / 2;
  Blocks blocks;

  blocks_init (&blocks, work);
  // The result's row, once all about it are there: row y at place (y + radius) % side.
  for (int y = from - 2 * radius; y < to; y++) {
    const int ahead = odl_border_fold (y + radius, work->out->height / 2);
    const int place = (y + 2 * radius) % side;
    split_blocks (work, 0, channel, ahead, blocks.quad);
    work->variant->quad_powers (blocks.quad, blocks.powers[0][place],
                                blocks.powers[1][place], n);
    if (y < from)
      continue;
    fetch_parents (work, &blocks, channel, y);
    for (int i = 0; i < 2; i++)
      find_shares (work, &blocks, i, y);
    split_blocks (work, 0, channel, y, blocks.quad);
    work->variant->quad_scale (blocks.quad, blocks.shares[0], blocks.shares[1], n);
    for (int row = 0; row < 2; row++)
      work->variant->join (blocks.quad[2 * row], blocks.quad[2 * row + 1],
                           odl_cpu_row (work->out, channel, 2 * y + row), n);
  }
  g_free (blocks.memory);
}
