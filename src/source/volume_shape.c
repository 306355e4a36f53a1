// SPDX-License-Identifier: MIT
#include "source/volume_shape.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/text.h"

bool
odl_volume_shape_find (const OdlSource *source,
                       gint64 first,
                       gint64 n,
                       OdlVolumeShape *shape,
                       GError **error)
{
  OdlVolumeShape placed = { 0 };

  placed.is_placed
      = odl_numbers_from_text (odl_source_detail (source, "image-position"), 3,
                               placed.position_mm)
        && odl_numbers_from_text (odl_source_detail (source, "image-orientation"), 6,
                                  placed.orientation)
        && odl_numbers_from_text (odl_source_detail (source, "slice-step"), 3,
                                  placed.slice_step_mm);
  // A single slice whose third axis is known is a volume of one.
  const int slices = MAX (source->info.n_slices, placed.is_placed);

  *shape = placed;
  if (slices == 0)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("it is no volume. Write it as a video or as numbered pictures, or write "
           "“volume:” before its name to take its pictures for slices."));
  if (first % slices == 0 && n % slices == 0) {
    shape->slices = slices;
    shape->volumes = (int) (n / slices);
  } else if (first / slices == (first + n - 1) / slices) {
    shape->slices = (int) n;
    shape->volumes = 1;
  } else {
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("a volume has %d slices here: the frames must be whole "
                             "volumes, or slices of one."),
                          slices);
  }
  for (int row = 0; shape->is_placed && row < 3; row++)
    shape->position_mm[row] += (double) (first % slices) * shape->slice_step_mm[row];
  if (!odl_numbers_from_text (odl_source_detail (source, "volume-interval-s"), 1,
                              &shape->interval_s))
    shape->interval_s = 0;
  return true;
}
