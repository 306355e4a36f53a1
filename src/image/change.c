// SPDX-License-Identifier: MIT
#include "image/change.h"

#include <math.h>

// Rows that are looked at, for each row of cells.
#define ROWS 4

void
odl_image_cells (const OdlImage *image, float cells[ODL_IMAGE_N_CELLS])
{
  const OdlImageInfo *info = odl_image_info (image);
  const int width = info->extent.x, height = info->extent.y;
  const int channel = info->channels >= 3 ? 1 : 0;
  const int across = MIN (width, ODL_IMAGE_CELLS), down = MIN (height, ODL_IMAGE_CELLS);
  g_autofree float *row = g_new (float, width);

  for (int i = 0; i < ODL_IMAGE_N_CELLS; i++)
    cells[i] = 0;
  for (int j = 0; j < down; j++)
    for (int r = 0; r < ROWS; r++) {
      // In the middle of equal parts of the picture's height.
      const int64_t part = 2 * ((int64_t) j * ROWS + r) + 1;
      const int y = (int) (part * height / (2 * down * ROWS));
      odl_image_scaled_row (image, channel, y, 0, 0, row);
      for (int i = 0; i < across; i++) {
        const int from = (int) ((int64_t) width * i / across);
        const int to = (int) ((int64_t) width * (i + 1) / across);
        double sum = 0;
        for (int x = from; x < to; x++)
          sum += row[x];
        cells[j * ODL_IMAGE_CELLS + i] += (float) (sum / (ROWS * (to - from)));
      }
    }
}

OdlChange
odl_image_change (const float a[ODL_IMAGE_N_CELLS], const float b[ODL_IMAGE_N_CELLS])
{
  double difference = 0, whole = 0;

  for (int i = 0; i < ODL_IMAGE_N_CELLS; i++) {
    difference += fabs ((double) a[i] - b[i]);
    whole += MAX (fabs ((double) a[i]), fabs ((double) b[i]));
  }
  return (OdlChange){
    .change = whole > 0 ? difference / whole : 0,
    .step = difference / (ODL_IMAGE_N_CELLS),
  };
}
