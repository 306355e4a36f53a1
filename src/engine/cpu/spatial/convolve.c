// SPDX-License-Identifier: MIT
// A picture's rows are read where they are. What lies about its left and right end, as
// the border has it, is put together for some columns, and rows of zeros are one row.
// Of volumes, and of narrow pictures, rows are copied with their borders: slices enter a
// ring that stays in the cache, so that each is copied once for all that it is part of.
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/kernels/float_mode.h"
#include "engine/cpu/steps/work.h"

// Columns at either end: vectors of the others, with what a kernel reaches, end in the
// row.
#define EDGE 32

// Rows of pictures up to that width are copied, which is cheaper than ends apart, and
// slower at 2048².
#define MOST_WHOLE 256

// Of a volume's slices: columns and rows that go through it together, and floats of the
// ring that hold them.
#define TILE_COLUMNS 512
#define LEAST_TILE_ROWS 8
#define MOST_TILE_ROWS 64
#define RING_FLOATS (64 * 1024)

// Floats of the ring for one sample.
#define LEAST_RING \
  ((ODL_PLAN_MAX_KERNEL + ODL_CPU_SLACK + 15) / 16 * 16 * ODL_PLAN_MAX_KERNEL \
   * ODL_PLAN_MAX_KERNEL)

// Lines that a block of rows needs of all slices, at most.
#define MOST_LINES \
  (ODL_PLAN_MAX_KERNEL * (ODL_PLAN_MAX_KERNEL + ODL_CPU_CONVOLVE_ROWS - 1))

typedef struct {
  int from, to;
} Range;

// Samples of one channel.
typedef struct {
  int channel; // of a slice
  Range x, y, z;
} Tile;

typedef struct {
  const OdlCpuWork *work;
  const OdlCpuPicture *in;
  const OdlStep *step; // the first of a bank
  int n_kernels;
  int coefficients; // of each
  float *turned; // the kernels
  float *zeros; // a row
} Convolution;

static void
convolution_init (Convolution *c, const OdlCpuWork *work)
{
  const OdlStep *step = work->step;
  const int n = step->kernel_width * step->kernel_height * step->kernel_depth;

  *c = (Convolution){ .work = work,
                      .in = work->in[0],
                      .step = step,
                      .n_kernels = MAX (work->bank, 1),
                      .coefficients = n };
  c->turned = g_new (float, (size_t) c->n_kernels *n);
  c->zeros = g_new0 (float, (size_t) work->out->width + ODL_CPU_SLACK);
  for (int k = 0; k < c->n_kernels; k++)
    for (int i = 0; i < n; i++)
      c->turned[k * n + i] = step[k].parameters.kernel[n - 1 - i];
}

static void
convolution_clear (Convolution *c)
{
  g_free (c->turned);
  g_free (c->zeros);
}

// Samples first … end − 1 of a row that lie outside of it.
static void
extend (const Convolution *c, const float *row, int first, int end, float *to)
{
  for (int x = first; x < end; x++) {
    const int at = odl_border_index (c->step->border, x, c->in->width);
    to[x - first] = at < 0 ? 0 : row[at];
  }
}

// Samples first … end − 1 of a row, which may lie outside of it.
static void
copy_row (const Convolution *c, const float *row, int first, int end, float *to)
{
  const int from = MAX (first, 0), inside = MIN (end, c->in->width);

  extend (c, row, first, from, to);
  memcpy (to + from - first, row + from, (inside - from) * sizeof *to);
  extend (c, row, inside, end, to + inside - first);
}

// Row y of slice z, either of which may lie outside.
static const float *
find_row (const Convolution *c, int channel, int z, int y)
{
  const OdlCpuPicture *in = c->in;
  const int slice = odl_border_index (c->step->border, z, MAX (in->depth, 1));
  const int row = odl_border_index (c->step->border, y, in->height);

  return slice < 0 || row < 0 ? c->zeros
                              : odl_cpu_row (in, slice * in->channels + channel, row);
}

// Columns of some rows of a plane, whose lines are at hand, by kernel `k` of the bank.
static void
convolve_lines (const Convolution *c,
                int k,
                const float *const *lines,
                int plane,
                int y,
                int n_rows,
                Range x)
{
  const OdlStep *step = c->step;
  const OdlCpuPicture *result
      = k == 0 ? c->work->out : &c->work->pictures[step[k].writes];
  float *out[ODL_CPU_CONVOLVE_ROWS];
  const OdlCpuConvolution block = {
    .lines = lines,
    .kernel = c->turned + (size_t) k * c->coefficients,
    .width = step->kernel_width,
    .height = step->kernel_height,
    .depth = step->kernel_depth,
    .out = out,
    .rows = n_rows,
    .n = x.to - x.from,
  };

  for (int r = 0; r < n_rows; r++)
    out[r] = odl_cpu_row (result, plane, y + r) + x.from;
  c->work->variant->convolve (&block);
}

// ---- copied rows ----

// Slice z of the source, with all that the kernel reaches in x and y.
static void
fill_slice (const Convolution *c, const Tile *tile, int z, size_t pitch, float *to)
{
  const int radius_x = c->step->kernel_width / 2, radius_y = c->step->kernel_height / 2;

  for (int y = tile->y.from - radius_y; y < tile->y.to + radius_y; y++, to += pitch)
    copy_row (c, find_row (c, tile->channel, z, y), tile->x.from - radius_x,
              tile->x.to + radius_x, to);
}

static size_t
pitch_of_tile (const Convolution *c, int columns)
{
  const int floats = columns + c->step->kernel_width - 1 + ODL_CPU_SLACK;

  return (size_t) (floats + 15) & ~(size_t) 15;
}

// Floats of a slice in the ring.
static size_t
plane_of_tile (const Convolution *c, const Tile *tile, size_t pitch)
{
  return pitch * (size_t) (tile->y.to - tile->y.from + c->step->kernel_height - 1);
}

// Asks for the rows of slice z that will be copied next.
static void
ask_for_rows (const Convolution *c, const Tile *tile, int z, int y, int n_rows)
{
  const float *row = find_row (c, tile->channel, z, y) + tile->x.from;
  const size_t pitch = row == c->zeros + tile->x.from ? 0 : c->in->pitch;

  for (int i = 0; i < n_rows; i++, row += pitch)
    for (int x = 0; x < tile->x.to - tile->x.from; x += ODL_ALIGNMENT / sizeof *row)
      __builtin_prefetch (row + x);
}

// Slice z of kernel `k`'s result, from the slices that entered the ring, the last of them
// as number `entered`.
static void
convolve_slice (const Convolution *c,
                const Tile *tile,
                int k,
                int z,
                int entered,
                size_t pitch,
                const float *ring)
{
  const int depth = c->step->kernel_depth, height = c->step->kernel_height;
  const int plane = z * c->in->channels + tile->channel, next = z + depth / 2 + 1;
  const size_t slice = plane_of_tile (c, tile, pitch);
  const float *lines[MOST_LINES];

  for (int y = tile->y.from; y < tile->y.to; y += ODL_CPU_CONVOLVE_ROWS) {
    const int n_rows = MIN (tile->y.to - y, ODL_CPU_CONVOLVE_ROWS);
    int n = 0;
    for (int i = 0; i < depth; i++) {
      const float *first = ring + slice * (size_t) ((entered + 1 + i) % depth)
                           + pitch * (size_t) (y - tile->y.from);
      for (int row = 0; row < n_rows + height - 1; row++)
        lines[n++] = first + pitch * (size_t) row;
    }
    if (k == c->n_kernels - 1 && next < tile->z.to + depth / 2)
      ask_for_rows (c, tile, next, y, n_rows);
    convolve_lines (c, k, lines, plane, y, n_rows, tile->x);
  }
}

// `ring`: room for as many slices as the kernel has, whose rows are `pitch` apart. Each
// kernel of a bank makes its slice as a whole: by turns, row by row, writing to so many
// volumes took longer than one convolution after the other.
static void
convolve_in_ring (const Convolution *c, const Tile *tile, size_t pitch, float *ring)
{
  const int depth = c->step->kernel_depth, radius = depth / 2;
  const size_t plane = plane_of_tile (c, tile, pitch);

  for (int z = tile->z.from - radius; z < tile->z.to + radius; z++) {
    const int entered = z - (tile->z.from - radius);
    fill_slice (c, tile, z, pitch, ring + plane * (size_t) (entered % depth));
    for (int k = 0; entered >= depth - 1 && k < c->n_kernels; k++)
      convolve_slice (c, tile, k, z - radius, entered, pitch, ring);
  }
}

// Needs no memory but the stack.
static void
convolve_sample (const Convolution *c, const Tile *tile)
{
  _Alignas(ODL_ALIGNMENT) float ring[LEAST_RING] = { 0 };

  convolve_in_ring (c, tile, pitch_of_tile (c, 1), ring);
}

static void convolve_tile (const Convolution *c, const Tile *tile);

// Where memory is short, smaller tiles need less.
static void
convolve_halves (const Convolution *c, const Tile *tile)
{
  const int rows = tile->y.to - tile->y.from, columns = tile->x.to - tile->x.from;
  Tile first = *tile, second = *tile;

  if (rows > 1)
    first.y.to = second.y.from = tile->y.from + rows / 2;
  else if (columns > 1)
    first.x.to = second.x.from = tile->x.from + columns / 2;
  else {
    convolve_sample (c, tile);
    return;
  }
  convolve_tile (c, &first);
  convolve_tile (c, &second);
}

static void
convolve_tile (const Convolution *c, const Tile *tile)
{
  const size_t pitch = pitch_of_tile (c, tile->x.to - tile->x.from);
  float *ring = odl_aligned_alloc (plane_of_tile (c, tile, pitch)
                                   * (size_t) c->step->kernel_depth * sizeof *ring);

  if (ring == NULL) {
    convolve_halves (c, tile);
    return;
  }
  convolve_in_ring (c, tile, pitch, ring);
  odl_aligned_free (ring);
}

// Part `index` of `parts` of n.
static Range
part_of (int n, int index, int parts)
{
  return (Range){ (int) ((int64_t) n * index / parts),
                  (int) ((int64_t) n * (index + 1) / parts) };
}

void
odl_cpu_convolve_volume (const OdlCpuWork *work)
{
  const OdlCpuPicture *out = work->out;
  const OdlStep *step = work->step;
  Convolution c;

  convolution_init (&c, work);
  const int columns = odl_cpu_divide_up (out->width, TILE_COLUMNS);
  const size_t line = pitch_of_tile (&c, odl_cpu_divide_up (out->width, columns))
                      * (size_t) step->kernel_depth;
  const int rows = CLAMP ((int) (RING_FLOATS / line) - (step->kernel_height - 1),
                          LEAST_TILE_ROWS, MOST_TILE_ROWS);
  const int bands = odl_cpu_divide_up (out->height, rows);
  const int tiles = columns * bands * out->channels;
  // A part along z begins with the slices that the one before it ends with.
  const int parts = CLAMP (odl_cpu_divide_up (4 * odl_parallel_threads (), tiles), 1,
                           MAX (out->depth / (2 * step->kernel_depth), 1));

  ODL_PARALLEL_FOR
  for (int i = 0; i < tiles * parts; i++) {
    const OdlCpuFloatMode mode = odl_cpu_float_mode_enter ();
    const int at = i / parts / columns;
    const Tile tile = {
      .channel = at / bands,
      .x = part_of (out->width, i / parts % columns, columns),
      .y = part_of (out->height, at % bands, bands),
      .z = part_of (out->depth, i % parts, parts),
    };
    convolve_tile (&c, &tile);
    odl_cpu_float_mode_leave (mode);
  }
  convolution_clear (&c);
}

// ---- rows where they are ----

// Room for the lines about an end.
typedef struct {
  float *samples;
  size_t length; // of one of them
} Ends;

// Columns of some rows, of which `rows` are what the kernel meets.
static void
convolve_columns (const Convolution *c,
                  const Ends *ends,
                  const float *const *rows,
                  int channel,
                  int y,
                  int n_rows,
                  Range x)
{
  const int radius = c->step->kernel_width / 2;
  const int n_lines = n_rows + c->step->kernel_height - 1;
  const float *lines[MOST_LINES];
  const bool inside = x.from >= EDGE && x.to <= c->in->width - EDGE;

  for (int i = 0; i < n_lines; i++) {
    float *line = ends->samples + i * ends->length;
    lines[i] = inside ? rows[i] + x.from - radius : line;
    if (!inside)
      copy_row (c, rows[i], x.from - radius, x.to + radius, line);
  }
  for (int k = 0; k < c->n_kernels; k++)
    convolve_lines (c, k, lines, channel, y, n_rows, x);
}

static void
convolve_in_place (const Convolution *c, int channel, int from, int to)
{
  const OdlStep *step = c->step;
  const int width = c->in->width, channels = c->in->channels;
  const size_t length = EDGE + step->kernel_width + ODL_CPU_SLACK;
  g_autofree float *samples
      = g_new0 (float, (step->kernel_height + ODL_CPU_CONVOLVE_ROWS - 1) * length);
  const Ends ends = { samples, length };
  const float *rows[MOST_LINES];

  for (int y = from; y < to; y += ODL_CPU_CONVOLVE_ROWS) {
    const int n_rows = MIN (to - y, ODL_CPU_CONVOLVE_ROWS);
    for (int i = 0; i < n_rows + step->kernel_height - 1; i++)
      rows[i] = find_row (c, channel % channels, channel / channels,
                          y + i - step->kernel_height / 2);
    convolve_columns (c, &ends, rows, channel, y, n_rows, (Range){ 0, EDGE });
    convolve_columns (c, &ends, rows, channel, y, n_rows, (Range){ EDGE, width - EDGE });
    convolve_columns (c, &ends, rows, channel, y, n_rows, (Range){ width - EDGE, width });
  }
}

void
odl_cpu_convolve_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width, channels = work->out->channels;
  const int z = channel / channels;
  const Tile tile = { channel % channels, { 0, width }, { from, to }, { z, z + 1 } };
  Convolution c;

  convolution_init (&c, work);
  if (width <= MOST_WHOLE)
    convolve_tile (&c, &tile);
  else
    convolve_in_place (&c, channel, from, to);
  convolution_clear (&c);
}
