// SPDX-License-Identifier: MIT
// Blocks of the result, one offset of the search window after the other.
#include "engine/cpu/steps/work.h"

#define GROUP 8 // the rows of a block are a multiple of it
#define MOST_REACH 19 // half a search window of 31 and half a patch of 9
#define TILE_ROWS (ODL_CPU_PATCH_ROWS + 2 * MOST_REACH)
#define STRIDE (ODL_CPU_PATCH_COLUMNS + 2 * MOST_REACH + ODL_CPU_SLACK)

typedef struct {
  float patches[TILE_ROWS * STRIDE]; // what patches are taken of
  float samples[TILE_ROWS * STRIDE]; // what means are made of
  float sums[ODL_CPU_PATCH_ROWS * ODL_CPU_PATCH_COLUMNS];
  float weights[ODL_CPU_PATCH_ROWS * ODL_CPU_PATCH_COLUMNS];
  OdlCpuPatches block;
  int reach;
} Tile;

// Of the picture about the block at x, y; what is right of it repeats its last sample.
static void
fill (const OdlCpuPicture *from, int channel, int x, int y, const Tile *tile, float *to)
{
  const int width = from->width, reach = tile->reach;
  const int end = MIN (x + ODL_CPU_PATCH_COLUMNS, width) + reach;

  for (int v = 0; v < tile->block.rows + 2 * reach; v++) {
    const int row = odl_border_fold (y + v - reach, from->height);
    float *line = to + v * STRIDE;
    odl_cpu_copy_mirrored (odl_cpu_row (from, channel, row), width, x - reach, end, line);
    for (int i = end - (x - reach); i < STRIDE; i++)
      line[i] = line[i - 1];
  }
}

static void
add_all (const OdlCpuVariant *variant, const OdlCpuPatches *block, int search)
{
  for (int dy = -search; dy <= search; dy++)
    for (int dx = -search; dx <= search; dx++)
      variant->add_patches (block, dy * block->stride + dx);
}

// `rows` rows of the result, from x, y on.
static void
make_block (const OdlCpuWork *work, int channel, int x, int y, int rows, Tile *tile)
{
  const OdlCpuPicture *patches = work->in[work->in[1] != NULL ? 1 : 0];
  const int radius = tile->block.patch / 2, columns = ODL_CPU_PATCH_COLUMNS;

  fill (patches, odl_cpu_plane_beside (work, patches, channel), x, y, tile,
        tile->patches);
  fill (work->in[0], channel, x, y, tile, tile->samples);
  memset (tile->sums, 0, sizeof tile->sums);
  memset (tile->weights, 0, sizeof tile->weights);
  add_all (work->variant, &tile->block, tile->reach - radius);
  for (int v = 0; v < rows; v++) {
    float *out = odl_cpu_row (work->out, channel, y + v);
    for (int u = 0; u < MIN (columns, work->out->width - x); u++)
      out[x + u] = tile->sums[v * columns + u] / tile->weights[v * columns + u];
  }
}

void
odl_cpu_non_local_means_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  g_autofree Tile *tile = g_new (Tile, 1);
  const int patch = work->step->kernel_width;
  const int reach = work->step->side / 2;

  tile->reach = reach;
  tile->block = (OdlCpuPatches){
    .patches = tile->patches + (reach - patch / 2) * (STRIDE + 1),
    .samples = tile->samples + reach * (STRIDE + 1),
    .sums = tile->sums,
    .weights = tile->weights,
    .stride = STRIDE,
    .patch = patch,
    .factor = (float) odl_step_value (work->step, "factor"),
    .speckle = odl_step_value (work->step, "speckle") != 0,
  };
  for (int y = from; y < to; y += ODL_CPU_PATCH_ROWS) {
    const int rows = MIN (ODL_CPU_PATCH_ROWS, to - y);
    tile->block.rows = (rows + GROUP - 1) / GROUP * GROUP;
    for (int x = 0; x < work->out->width; x += ODL_CPU_PATCH_COLUMNS)
      make_block (work, channel, x, y, rows, tile);
  }
}
