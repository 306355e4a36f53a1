// SPDX-License-Identifier: MIT
#include "engine/takes.h"

#include <math.h>
#include <string.h>

// Rows that are looked at, for each row of cells.
#define ROWS 4
// Share of a new change in the running level.
#define SHARE 0.125

// The change between two frames' cells, as takes.h has it, and the mean of |a − b|.
typedef struct {
  double change;
  double step;
} Change;

// The means of the cells of slice 0, frame 0, green standing for colour.
static void
measure_cells (const OdlImage *image, float *cells)
{
  const OdlImageInfo *info = odl_image_info (image);
  const int width = info->extent.x, height = info->extent.y;
  const int channel = info->channels >= 3 ? 1 : 0;
  const int across = MIN (width, ODL_TAKES_CELLS), down = MIN (height, ODL_TAKES_CELLS);
  g_autofree float *row = g_new (float, width);

  for (int i = 0; i < ODL_TAKES_CELLS * ODL_TAKES_CELLS; i++)
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
        cells[j * ODL_TAKES_CELLS + i] += (float) (sum / (ROWS * (to - from)));
      }
    }
}

static Change
change_of (const float *a, const float *b)
{
  double difference = 0, whole = 0;

  for (int i = 0; i < ODL_TAKES_CELLS * ODL_TAKES_CELLS; i++) {
    difference += fabs ((double) a[i] - b[i]);
    whole += MAX (fabs ((double) a[i]), fabs ((double) b[i]));
  }
  return (Change){
    .change = whole > 0 ? difference / whole : 0,
    .step = difference / (ODL_TAKES_CELLS * ODL_TAKES_CELLS),
  };
}

static bool
is_cut (OdlTakes *takes, const float *cells)
{
  const Change found = change_of (takes->cells, cells);

  if (found.change > MAX (ODL_TAKES_LEAST_CHANGE, ODL_TAKES_FACTOR * takes->level)
      && found.step > ODL_TAKES_LEAST_STEP)
    return true;
  takes->level += SHARE * (found.change - takes->level);
  return false;
}

static bool
same_shape (const OdlGeometry *a, const OdlGeometry *b)
{
  return a->width == b->width && a->height == b->height && a->channels == b->channels
         && a->bits == b->bits;
}

OdlMoment
odl_takes_next (OdlTakes *takes, const OdlImage *image, bool continues, bool finds_cuts)
{
  float cells[ODL_TAKES_CELLS * ODL_TAKES_CELLS];

  g_return_val_if_fail (takes != NULL && image != NULL, (OdlMoment){ 0 });

  const bool marked = odl_image_info (image)->mark != NULL;
  const OdlGeometry geometry = odl_geometry_of (image);
  bool begins = !continues || marked || takes->ends || takes->moment.take == 0
                || !same_shape (&geometry, &takes->geometry);
  if (finds_cuts) {
    measure_cells (image, cells);
    begins = begins || (takes->has_cells && is_cut (takes, cells));
    memcpy (takes->cells, cells, sizeof cells);
  }
  takes->has_cells = finds_cuts;
  takes->geometry = geometry;
  takes->ends = marked;
  if (begins) {
    takes->level = 0;
    takes->last_take = MAX (takes->last_take, takes->moment.take) + 1;
    takes->moment.take = takes->last_take;
  }
  takes->moment.serial++;
  return takes->moment;
}
