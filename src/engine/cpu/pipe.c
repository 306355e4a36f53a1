// SPDX-License-Identifier: MIT
#include "engine/cpu/pipe.h"

#include <glib.h>
#include <limits.h>

#include "base/memory.h"
#include "wavelet/border.h"

static const OdlCpuPipeMemory nowhere = { 0 };

int
odl_cpu_pipe_reach (const OdlCpuLift *lift, int levels)
{
  // Analysis and synthesis reach `steps` samples each, at the level's spacing.
  return 2 * lift->steps * ((1 << levels) - 1);
}

// ---- up ------------------------------------------------------------------------------

static float *
approx_row (const OdlCpuPipeLevel *v, int row)
{
  return v->approx + (size_t) (row % v->n_approx) * v->low_pitch;
}

// Of LH.
static float *
band_row (const OdlCpuPipeLevel *v, int row)
{
  return v->bands.lh + (size_t) (row % v->n_bands) * v->bands.pitch;
}

// Rows of bands and of LL have been written up to here. While the depth of the rings is
// determined, each grows to the number of rows written but not yet read.
static void
note_depths (OdlCpuPipe *pipe, int l, int bands, int approx)
{
  OdlCpuPipeLevel *v = &pipe->level[l];
  const int read = MAX (v->back_next, 0);

  if (pipe->variant != NULL)
    return;
  v->n_bands = MAX (v->n_bands, bands - read);
  v->n_approx = MAX (v->n_approx, approx - read);
}

// Lines first … first + count − 1 of a ring.
static void
point_into_ring (const float **lines, int count, float *ring, int pitch, int n, int first)
{
  int at = first % n;

  for (int i = 0; i < count; i++) {
    lines[i] = ring + (size_t) at * pitch;
    at = at + 1 == n ? 0 : at + 1;
  }
}

// Prefetches rows first … first + count − 1 from sample `from` on.
static OdlCpuAhead
look_ahead (const OdlCpuPipeMemory *memory,
            int first,
            int count,
            int from,
            const char *lines[])
{
  if (memory->rows == NULL)
    return (OdlCpuAhead){ 0 };
  for (int i = 0; i < count; i++)
    lines[i] = memory->rows
               + CLAMP (first + i, memory->first, memory->end - 1) * memory->row_bytes
               + from * memory->sample_bytes;
  return (OdlCpuAhead){ lines, memory->sample_bytes };
}

static void push_back (OdlCpuPipe *pipe, int l);

// Row `y` of the input of level `l`, reconstructed.
static void
emit (OdlCpuPipe *pipe, int l, int y, const float *line)
{
  const OdlCpuPipeLevel *v = &pipe->level[l];

  if (l == 0) {
    if (pipe->variant != NULL && y >= v->wanted && y < v->wanted_end)
      pipe->emit (pipe->emit_data, y, line, line + v->high_at);
    return;
  }
  if (pipe->variant != NULL && y >= v->wanted && y < v->wanted_end)
    pipe->variant->inverse_row (&pipe->lift, line, line + v->high_at,
                                approx_row (v - 1, y), v->width);
  note_depths (pipe, l - 1, 0, y + 1);
  push_back (pipe, l - 1);
}

static bool
inside (int index, int n)
{
  return index >= 0 && index < n;
}

// Rows of a store go through the lines of the ring.
static void
shrink_rows (const OdlCpuPipe *pipe,
             const OdlCpuPipeLevel *v,
             int count,
             const float **lh,
             const float **hl,
             const float **hh)
{
  const OdlCpuPipeBands *ring = &v->ring;
  const int n_low = odl_low_count (v->width), n_high = odl_high_count (v->width);
  const struct {
    const float **rows;
    ptrdiff_t at;
    int n;
    float limit;
  } bands[] = { { lh, 0, n_low, v->limits[ODL_BAND_LH] },
                { hl, ring->hl_at, n_high, v->limits[ODL_BAND_HL] },
                { hh, ring->hh_at, n_high, v->limits[ODL_BAND_HH] } };

  for (int j = 0; j < count; j++)
    for (int k = 0; k < ODL_DETAIL_BANDS; k++) {
      float *row = ring->lh + (size_t) j * ring->pitch + bands[k].at;
      pipe->variant->shrink (bands[k].rows[j], row, bands[k].n, bands[k].limit,
                             pipe->rule);
      bands[k].rows[j] = row;
    }
}

static void
run_inverse_kernels (OdlCpuPipe *pipe,
                     OdlCpuPipeLevel *v,
                     int first,
                     int count,
                     const OdlCpuPipeMemory *output,
                     float *const *even,
                     float *const *odd)
{
  const float *ll[ODL_CPU_MOST_PAIRS], *lh[ODL_CPU_MOST_PAIRS];
  const float *hl[ODL_CPU_MOST_PAIRS], *hh[ODL_CPU_MOST_PAIRS];
  const int n_low = odl_low_count (v->width);
  // The rows that are emitted next.
  const int from = 2 * (first - pipe->lift.steps / 2) + 1;
  const char *ahead[2 * ODL_CPU_MOST_PAIRS];

  if (first >= 0 && 2 * (first + count) <= v->height) {
    point_into_ring (ll, count, v->approx, v->low_pitch, v->n_approx, first);
    point_into_ring (lh, count, v->bands.lh, v->bands.pitch, v->n_bands, first);
    for (int j = 0; j < count; j++) {
      hl[j] = lh[j] + v->bands.hl_at;
      hh[j] = lh[j] + v->bands.hh_at;
    }
  } else {
    for (int j = 0; j < count; j++) {
      const int low = odl_border_fold (2 * (first + j), v->height) / 2;
      const int high = odl_border_fold (2 * (first + j) + 1, v->height) / 2;
      ll[j] = approx_row (v, low);
      hl[j] = band_row (v, low) + v->bands.hl_at;
      lh[j] = band_row (v, high);
      hh[j] = band_row (v, high) + v->bands.hh_at;
    }
  }
  if (pipe->shrinks_stored)
    shrink_rows (pipe, v, count, lh, hl, hh);
  OdlCpuInversePairs block = {
    .low = ll,
    .high = lh,
    .even = even,
    .odd = odd,
    .state = v->back_state,
    .columns = n_low,
    .pairs = count,
    .ahead = look_ahead (output, from, 2 * count, 0, ahead),
  };
  pipe->variant->inverse_pairs (&pipe->up[0], &block);
  block.ahead = look_ahead (output, from, 2 * count, n_low, ahead);
  block.low = hl;
  block.high = hh;
  block.column = v->high_at;
  block.columns = odl_high_count (v->width);
  pipe->variant->inverse_pairs (&pipe->up[1], &block);
}

// Whether a required row depends on pairs first … first + count − 1, directly or through
// the state that they leave for later pairs.
static bool
is_wanted (const OdlCpuPipe *pipe, const OdlCpuPipeLevel *v, int first, int count)
{
  return 2 * (first + count + pipe->lift.steps) > v->wanted
         && 2 * (first - pipe->lift.steps) < v->wanted_end;
}

// Coefficient rows first … first + count − 1, mirrored beyond the borders.
static void
inverse_block (OdlCpuPipe *pipe, int l, int first, int count)
{
  OdlCpuPipeLevel *v = &pipe->level[l];
  const int even_delay = pipe->lift.steps / 2 - 1, odd_delay = pipe->lift.steps / 2;
  const int n_low = odl_low_count (v->height), n_high = odl_high_count (v->height);
  float *even[ODL_CPU_MOST_PAIRS], *odd[ODL_CPU_MOST_PAIRS];

  if (pipe->variant != NULL && is_wanted (pipe, v, first, count)) {
    for (int j = 0; j < count; j++) {
      odd[j] = inside (first + j - odd_delay, n_high)
                   ? v->back_lines + (size_t) (2 * j) * v->pitch
                   : pipe->sink;
      even[j] = inside (first + j - even_delay, n_low)
                    ? v->back_lines + (size_t) (2 * j + 1) * v->pitch
                    : pipe->sink;
    }
    run_inverse_kernels (pipe, v, first, count, l == 0 ? &pipe->output : &nowhere, even,
                         odd);
  }
  v->back_next = first + count;
  for (int j = 0; j < count; j++) {
    const int o = first + j - odd_delay, e = first + j - even_delay;
    if (inside (o, n_high))
      emit (pipe, l, 2 * o + 1, v->back_lines + (size_t) (2 * j) * v->pitch);
    if (inside (e, n_low))
      emit (pipe, l, 2 * e, v->back_lines + (size_t) (2 * j + 1) * v->pitch);
  }
}

// Before the first block, two mirrored rows initialise the state.
static void
inverse_blocks (OdlCpuPipe *pipe, int l, int count)
{
  OdlCpuPipeLevel *v = &pipe->level[l];

  if (v->back_next < 0)
    inverse_block (pipe, l, -2, 2);
  inverse_block (pipe, l, v->back_next, count);
}

// Another row of LL is available.
static void
push_back (OdlCpuPipe *pipe, int l)
{
  OdlCpuPipeLevel *v = &pipe->level[l];

  v->back_received++;
  if (v->back_received >= MAX (v->back_next, 0) + v->pairs)
    inverse_blocks (pipe, l, v->pairs);
}

static void
finish_back (OdlCpuPipe *pipe, int l)
{
  OdlCpuPipeLevel *v = &pipe->level[l];
  const int end = odl_low_count (v->height) + pipe->lift.steps / 2 - v->height % 2;

  while (MAX (v->back_next, 0) < end)
    inverse_blocks (pipe, l, MIN (v->pairs, end - MAX (v->back_next, 0)));
}

// ---- down ----------------------------------------------------------------------------

static void push (OdlCpuPipe *pipe, int l, const OdlCpuLine *line);

static float *
line_of (const OdlCpuPipeLevel *v, int row)
{
  return v->lines + (size_t) (row % (2 * v->pairs + 1)) * v->pitch;
}

static float *
low_row (const OdlCpuPipe *pipe, int l, int j, int row)
{
  const OdlCpuPipeLevel *v = &pipe->level[l];

  return l == pipe->levels - 1 ? approx_row (v, row)
                               : v->low_rows + (size_t) j * v->low_pitch;
}

// Whether required rows of HL and HH depend on pairs first … first + count − 1, directly
// or through the state that they leave for later pairs. Synthesis and analysis reach
// `steps` pairs each. LL is always required, since the next levels depend on rows further
// away, and LH is computed with it.
static bool
bands_wanted (const OdlCpuPipe *pipe, const OdlCpuPipeLevel *v, int first, int count)
{
  const int reach = 2 * pipe->lift.steps;

  return 2 * (first + count + reach) > v->wanted && 2 * (first - reach) < v->wanted_end;
}

static void
run_forward_kernels (OdlCpuPipe *pipe, int l, int first, int count)
{
  OdlCpuPipeLevel *v = &pipe->level[l];
  const int delay = pipe->lift.steps / 2 - 1;
  const int n_low = odl_low_count (v->height), n_high = odl_high_count (v->height);
  const float *rows[2 * ODL_CPU_MOST_PAIRS + 1];
  float *ll[ODL_CPU_MOST_PAIRS], *lh[ODL_CPU_MOST_PAIRS];
  float *hl[ODL_CPU_MOST_PAIRS], *hh[ODL_CPU_MOST_PAIRS];
  const OdlCpuPipeMemory *input = l == 0 ? &pipe->input : &nowhere;
  const char *ahead[2 * ODL_CPU_MOST_PAIRS];

  if (first >= 0 && 2 * (first + count) < v->height) {
    point_into_ring (rows, 2 * count + 1, v->lines, v->pitch, 2 * v->pairs + 1,
                     2 * first);
  } else {
    for (int i = 0; i <= 2 * count; i++)
      rows[i] = line_of (v, odl_border_fold (2 * first + i, v->height));
  }
  for (int j = 0; j < count; j++) {
    const int row = first + j - delay;
    const bool stored = row >= v->stored && row < v->stored_end;
    const bool low = stored && inside (row, n_low), high = stored && inside (row, n_high);
    const bool next = l < pipe->levels - 1 && inside (row, n_low);
    float *bands = low ? band_row (v, row) : NULL;
    ll[j] = low || next ? low_row (pipe, l, j, row) : pipe->sink;
    hl[j] = low ? bands + v->bands.hl_at : pipe->sink;
    lh[j] = high ? bands : pipe->sink;
    hh[j] = high ? bands + v->bands.hh_at : pipe->sink;
  }
  OdlCpuForwardPairs block = {
    .rows = rows,
    .low = ll,
    .high = lh,
    .state = v->state,
    .columns = odl_low_count (v->width),
    .pairs = count,
    .shrink = pipe->shrink,
    .high_limit = v->limits[ODL_BAND_LH],
    .ahead = look_ahead (input, v->received, 2 * count, 0, ahead),
  };
  pipe->variant->forward_pairs (&pipe->down[0], &block);
  if (!bands_wanted (pipe, v, first, count))
    return;
  block.low = hl;
  block.high = hh;
  block.ahead = look_ahead (input, v->received, 2 * count, block.columns, ahead);
  block.column = v->high_at;
  block.columns = odl_high_count (v->width);
  block.shrink_low = true;
  block.low_limit = v->limits[ODL_BAND_HL];
  block.high_limit = v->limits[ODL_BAND_HH];
  pipe->variant->forward_pairs (&pipe->down[1], &block);
}

// Pairs first … first + count − 1 of the rows of level `l`, mirrored beyond the borders.
static void
forward_block (OdlCpuPipe *pipe, int l, int first, int count)
{
  OdlCpuPipeLevel *v = &pipe->level[l];
  const int delay = pipe->lift.steps / 2 - 1;
  const int n_low = odl_low_count (v->height);
  const bool coarsest = l == pipe->levels - 1;

  const int written = CLAMP (first + count - delay, 0, n_low);
  note_depths (pipe, l, written, coarsest ? written : 0);
  if (pipe->variant != NULL)
    run_forward_kernels (pipe, l, first, count);
  v->next_pair = first + count;
  for (int j = 0; j < count; j++) {
    if (!inside (first + j - delay, n_low))
      continue;
    if (coarsest) {
      if (!pipe->stores)
        push_back (pipe, l);
    } else {
      const OdlCpuLine line = { .samples = low_row (pipe, l, j, 0) };
      push (pipe, l + 1, &line);
    }
  }
}

static void
forward_blocks (OdlCpuPipe *pipe, int l, int count)
{
  OdlCpuPipeLevel *v = &pipe->level[l];

  if (v->next_pair < 0)
    forward_block (pipe, l, -2, 2);
  forward_block (pipe, l, v->next_pair, count);
}

// A further row for level `l`.
static void
push (OdlCpuPipe *pipe, int l, const OdlCpuLine *line)
{
  OdlCpuPipeLevel *v = &pipe->level[l];

  if (pipe->variant != NULL) {
    float *to = line_of (v, v->received);
    pipe->variant->forward_row (&pipe->lift, line, to, to + v->high_at, v->width);
  }
  v->received++;
  if (v->received >= 2 * (MAX (v->next_pair, 0) + v->pairs) + 1)
    forward_blocks (pipe, l, v->pairs);
}

static void
finish_down (OdlCpuPipe *pipe, int l)
{
  OdlCpuPipeLevel *v = &pipe->level[l];
  const int end = odl_low_count (v->height) + pipe->lift.steps / 2 - 1;

  while (MAX (v->next_pair, 0) < end)
    forward_blocks (pipe, l, MIN (v->pairs, end - MAX (v->next_pair, 0)));
}

void
odl_cpu_pipe_start (OdlCpuPipe *pipe)
{
  for (int l = 0; l < pipe->levels; l++) {
    OdlCpuPipeLevel *v = &pipe->level[l];
    v->received = v->back_received = 0;
    v->next_pair = v->back_next = -2;
  }
}

void
odl_cpu_pipe_push (OdlCpuPipe *pipe, const OdlCpuLine *line)
{
  push (pipe, 0, line);
}

void
odl_cpu_pipe_finish (OdlCpuPipe *pipe)
{
  for (int l = 0; l < pipe->levels; l++)
    finish_down (pipe, l);
  for (int l = pipe->levels - 1; l >= 0 && !pipe->stores; l--)
    finish_back (pipe, l);
}

void
odl_cpu_pipe_synthesise (OdlCpuPipe *pipe)
{
  const int coarsest = pipe->levels - 1;

  for (int row = 0; row < odl_low_count (pipe->level[coarsest].height); row++)
    push_back (pipe, coarsest);
  for (int l = coarsest; l >= 0; l--)
    finish_back (pipe, l);
}

// The steps along x multiply by no gains, those along y by both axes'.
void
odl_cpu_pipe_store (OdlCpuPipe *pipe,
                    const OdlCpuPipeStore *store,
                    int first_row,
                    int first,
                    int end)
{
  const double gains[] = { store->low_gain, store->high_gain };

  pipe->stores = true;
  for (int l = 0; l < pipe->levels; l++) {
    OdlCpuPipeLevel *v = &pipe->level[l];
    const int row = first_row >> (l + 1);
    v->bands = store->bands[l];
    v->bands.lh += (size_t) row * v->bands.pitch;
    v->n_bands = INT_MAX;
    v->stored = first >> (l + 1);
    v->stored_end = (end + (1 << (l + 1)) - 1) >> (l + 1);
    if (l < pipe->levels - 1)
      continue;
    v->low_pitch = store->low_pitch;
    v->approx = store->approx + (size_t) row * v->low_pitch;
    v->n_approx = INT_MAX;
  }
  for (int i = 0; i < 2; i++) {
    pipe->down[i].gains = pipe->up[i].gains = true;
    pipe->down[i].low_gain = (float) (gains[i] * gains[0]);
    pipe->down[i].high_gain = (float) (gains[i] * gains[1]);
    pipe->up[i].low_gain = (float) (1 / (double) pipe->down[i].low_gain);
    pipe->up[i].high_gain = (float) (1 / (double) pipe->down[i].high_gain);
  }
}

// The memory of a pipe.

// Pairs of rows per block, finest level first: fewer blocks load and store the state of
// the columns less often, larger ones need more lines and deeper rings.
static const int block_pairs[] = { 8, 4, 2 };

static int
padded (int n)
{
  return (n + 15) / 16 * 16;
}

// A row of a level depends on coefficient rows within `steps` rows of it.
void
odl_cpu_pipe_want (OdlCpuPipe *pipe, int first, int end)
{
  for (int l = 0; l < pipe->levels; l++) {
    pipe->level[l].wanted = first;
    pipe->level[l].wanted_end = end;
    first = (first - pipe->lift.steps) / 2 - 1;
    end = (end + pipe->lift.steps) / 2 + 1;
  }
}

static void
init_level (OdlCpuPipeLevel *v, int width, int height, int pairs)
{
  const int n_low = odl_low_count (width), n_high = odl_high_count (width);

  v->width = width;
  v->height = height;
  v->pairs = pairs;
  // 16 floats more, so that lines do not start a power of two apart.
  v->high_at = padded (n_low);
  v->pitch = v->high_at + padded (n_high) + 16;
  v->ring.hl_at = padded (n_low);
  v->ring.hh_at = v->ring.hl_at + padded (n_high);
  v->ring.pitch = (int) v->ring.hh_at + padded (n_high) + 16;
  v->low_pitch = v->high_at + 16;
  v->n_bands = v->n_approx = MAX (4, pairs); // the mirrored end reads the last rows again
  v->stored_end = INT_MAX;
}

// Runs the schedule without kernels to determine the depth of the rings.
static void
measure_rings (OdlCpuPipe *pipe)
{
  const OdlCpuVariant *variant = pipe->variant;
  const OdlCpuLine nothing = { 0 };

  pipe->variant = NULL;
  odl_cpu_pipe_start (pipe);
  for (int y = 0; y < pipe->level[0].height; y++)
    odl_cpu_pipe_push (pipe, &nothing);
  odl_cpu_pipe_finish (pipe);
  pipe->variant = variant;
}

// Takes `rows` lines from the memory; while no memory is allocated, only counts them.
static float *
take (OdlCpuPipe *pipe, size_t rows, size_t pitch)
{
  float *lines = pipe->memory != NULL ? pipe->memory + pipe->size : NULL;

  pipe->size += rows * pitch;
  return lines;
}

static void
place_level (OdlCpuPipe *pipe, OdlCpuPipeLevel *v)
{
  v->lines = take (pipe, 2 * v->pairs + 1, v->pitch);
  for (int i = 0; i < pipe->lift.steps - 1; i++)
    v->state[i] = take (pipe, 1, v->pitch);
  v->low_rows = take (pipe, v->pairs, v->low_pitch);
  v->approx = take (pipe, v->n_approx, v->low_pitch);
  v->ring.lh = take (pipe, v->n_bands, v->ring.pitch);
  v->bands = v->ring;
  for (int i = 0; i < pipe->lift.steps; i++)
    v->back_state[i] = take (pipe, 1, v->pitch);
  v->back_lines = take (pipe, 2 * v->pairs, v->pitch);
}

static void
place (OdlCpuPipe *pipe)
{
  pipe->size = 0;
  pipe->sink = take (pipe, 1, pipe->level[0].pitch);
  for (int l = 0; l < pipe->levels; l++)
    place_level (pipe, &pipe->level[l]);
  take (pipe, 1, ODL_CPU_SLACK);
}

// Sizes of everything, for blocks of at most `most_pairs`.
static void
lay_out (OdlCpuPipe *pipe, int width, int height, int most_pairs)
{
  for (int l = 0; l < pipe->levels; l++) {
    const int pairs = block_pairs[MIN (l, (int) G_N_ELEMENTS (block_pairs) - 1)];
    init_level (&pipe->level[l], odl_level_size (width, l), odl_level_size (height, l),
                MIN (pairs, most_pairs));
    g_assert (pipe->level[l].width >= 2 && pipe->level[l].height >= 2);
  }
  measure_rings (pipe);
  place (pipe);
  pipe->size *= sizeof (float);
}

bool
odl_cpu_pipe_init (OdlCpuPipe *pipe,
                   const OdlCpuVariant *variant,
                   const OdlCpuLift *lift,
                   int width,
                   int height,
                   int levels,
                   bool asks_ahead,
                   bool huge_pages)
{
  g_assert (levels >= 1 && levels <= ODL_MAX_LEVELS);

  *pipe = (OdlCpuPipe){ .variant = variant, .lift = *lift, .levels = levels };
  for (int i = 0; i < 2; i++)
    pipe->down[i] = pipe->up[i] = *lift;
  lay_out (pipe, width, height, block_pairs[0]);
  // Shorter blocks also where the lines would not stay in the second cache.
  if (asks_ahead || pipe->size > odl_cache_size (2))
    lay_out (pipe, width, height, ODL_CPU_PIPE_SHORT_BLOCK);
  pipe->memory
      = huge_pages ? odl_aligned_alloc_huge (pipe->size) : odl_aligned_alloc (pipe->size);
  if (pipe->memory == NULL)
    return false;
  place (pipe);
  pipe->size *= sizeof (float);
  odl_cpu_pipe_want (pipe, 0, height);
  return true;
}

void
odl_cpu_pipe_clear (OdlCpuPipe *pipe)
{
  g_clear_pointer (&pipe->memory, odl_aligned_free);
}
