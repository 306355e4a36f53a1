// SPDX-License-Identifier: MIT
#include "config.h"

#include "cli/volume_shape.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"

// Numbers of a detail, with backslashes between them as in DICOM files.
static bool
read_numbers (const OdlSource *source, const char *key, int n, double *numbers)
{
  const char *text = odl_source_detail (source, key);

  for (int i = 0; i < n; i++) {
    char *end = NULL;
    if (text == NULL)
      return false;
    numbers[i] = g_ascii_strtod (text, &end);
    if (end == text)
      return false;
    text = *end == '\\' ? end + 1 : end;
  }
  return true;
}

bool
odl_volume_shape_find (const OdlSource *source,
                       gint64 first,
                       gint64 n,
                       OdlVolumeShape *shape,
                       GError **error)
{
  const int slices = source->info.n_slices;

  *shape = (OdlVolumeShape){ 0 };
  if (slices == 0) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("it is no volume. Write it as a video or as numbered "
                            "pictures."));
    return false;
  }
  if (first % slices == 0 && n % slices == 0) {
    shape->slices = slices;
    shape->volumes = (int) (n / slices);
  } else if (first / slices == (first + n - 1) / slices) {
    shape->slices = (int) n;
    shape->volumes = 1;
  } else {
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("a volume has %d slices here: --frames must be whole volumes, or "
                    "slices of one."),
                 slices);
    return false;
  }
  shape->is_placed = read_numbers (source, "image-position", 3, shape->position_mm)
                     && read_numbers (source, "image-orientation", 6, shape->orientation)
                     && read_numbers (source, "slice-step", 3, shape->slice_step_mm);
  for (int row = 0; shape->is_placed && row < 3; row++)
    shape->position_mm[row] += (double) (first % slices) * shape->slice_step_mm[row];
  if (!read_numbers (source, "volume-interval-s", 1, &shape->interval_s))
    shape->interval_s = 0;
  return true;
}
