// SPDX-License-Identifier: MIT
// Row-column: every level transforms all rows in place, then all columns, some side by
// side.
#include "base/parallel.h"
#include "coder/private.h"

#define ROWS 16 // that share their scratch memory

typedef struct {
  const OdlCoderPass *pass;
  float *plane;
  size_t pitch;
  int width, height;
} Area;

static void
transform_rows (const Area *area)
{
  const size_t size = odl_coder_scratch (area->pass, area->width, 1);

  ODL_PARALLEL_FOR
  for (int first = 0; first < area->height; first += ROWS) {
    g_autofree float *scratch = g_new (float, size);
    for (int y = first; y < MIN (first + ROWS, area->height); y++)
      odl_coder_line (area->pass, area->plane + y * area->pitch, 1, area->width, 1,
                      scratch);
  }
}

static void
transform_columns (const Area *area)
{
  const size_t size = odl_coder_scratch (area->pass, area->height, ODL_CODER_LANES);

  ODL_PARALLEL_FOR
  for (int x = 0; x < area->width; x += ODL_CODER_LANES) {
    g_autofree float *scratch = g_new (float, size);
    odl_coder_line (area->pass, area->plane + x, area->pitch, area->height,
                    MIN (ODL_CODER_LANES, area->width - x), scratch);
  }
}

void
odl_coder_row_column (OdlCoder *coder, int channel, bool forward)
{
  for (int i = 0; i < coder->params.levels; i++) {
    const int level = forward ? i : coder->params.levels - 1 - i;
    const Area area = {
      .pass = &coder->pass[forward],
      .plane = odl_coder_row_at (coder, coder->at, channel, 0),
      .pitch = coder->pitch,
      .width = odl_level_size (coder->width, level),
      .height = odl_level_size (coder->height, level),
    };
    if (forward)
      transform_rows (&area);
    transform_columns (&area);
    if (!forward)
      transform_rows (&area);
  }
}
