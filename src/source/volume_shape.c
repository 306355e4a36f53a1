// SPDX-License-Identifier: MIT
#include "source/volume_shape.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/text.h"

// Containers round times to milliseconds.
#define ROUNDED_NS 1000000

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

// Mean time from frame to frame; 0: it is unknown.
static double
find_interval (const OdlSourceInfo *info, gint64 first, gint64 n, bool *is_uneven)
{
  const int64_t *times = info->frame_times_ns;
  int64_t shortest = G_MAXINT64, longest = 0;

  if (times == NULL || n < 2)
    return info->frame_rate > 0 ? 1 / info->frame_rate : 0;
  for (gint64 i = first + 1; i < first + n; i++) {
    shortest = MIN (shortest, times[i] - times[i - 1]);
    longest = MAX (longest, times[i] - times[i - 1]);
  }
  *is_uneven = longest - shortest > ROUNDED_NS;
  return (double) (times[first + n - 1] - times[first]) / (double) (n - 1) / 1e9;
}

bool
odl_pages_shape_find (const OdlSource *source,
                      gint64 first,
                      gint64 n,
                      OdlVolumeShape *shape,
                      bool *is_uneven,
                      GError **error)
{
  const OdlSourceInfo *info = &source->info;
  const bool is_known
      = !info->live && !info->at_most && n > 0 && first + n <= info->n_frames;
  bool uneven = false;

  if (info->n_slices > 0 || !is_known)
    return odl_volume_shape_find (source, first, n, shape, error);
  // Of frames that say where they lie, this is left out.
  *shape = (OdlVolumeShape){ .slices = 1, .volumes = (int) n };
  shape->interval_s = find_interval (info, first, n, &uneven);
  if (uneven)
    shape->times_ns = info->frame_times_ns + first;
  if (is_uneven != NULL)
    *is_uneven = uneven;
  return true;
}
