// SPDX-License-Identifier: MIT
#include "engine/takes.h"

#include <string.h>

// Share of a new change in the running level.
#define SHARE 0.125

static bool
is_cut (OdlTakes *takes, const float *cells)
{
  const OdlChange found = odl_image_change (takes->cells, cells);

  if (odl_image_change_is_cut (&found) && found.change > ODL_TAKES_FACTOR * takes->level)
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
  float cells[ODL_IMAGE_N_CELLS];

  g_return_val_if_fail (takes != NULL && image != NULL, (OdlMoment){ 0 });

  const bool marked = odl_image_info (image)->mark != NULL;
  const OdlGeometry geometry = odl_geometry_of (image);
  bool begins = !continues || marked || takes->ends || takes->moment.take == 0
                || !same_shape (&geometry, &takes->geometry);
  if (finds_cuts) {
    odl_image_cells (image, cells);
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
