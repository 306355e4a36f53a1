// SPDX-License-Identifier: MIT
// The memory of a pipe.
#include "engine/cpu/pipe.h"

#include <glib.h>
#include <limits.h>

#include "base/memory.h"

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
