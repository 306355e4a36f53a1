// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/volume.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/machine.h"
#include "image/volume.h"

// Leaves memory for other programs.
#define MOST_OF_MEMORY 0.75

bool
odl_source_volume_fits (const OdlSource *source,
                        const OdlImage *slice,
                        int floats,
                        GError **error)
{
  const OdlImageInfo *info = odl_image_info (slice);
  const double samples
      = (double) info->extent.x * info->extent.y * info->channels * source->info.n_slices;
  const double bytes
      = samples * ((double) odl_sample_size (info->type) + sizeof (float) * floats);
  const double free_bytes = odl_machine_free_memory ("");

  if (samples <= (double) ODL_IMAGE_MAX_SAMPLES
      && (free_bytes == 0 || bytes <= MOST_OF_MEMORY * free_bytes))
    return true;
  g_autofree char *needed = g_format_size ((guint64) bytes);
  g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
               _ ("%s: its %d slices need %s of memory at once, which is more than there "
                  "is; it can be seen and filtered slice by slice, without the three "
                  "planes and without filters in 3 dimensions"),
               source->info.name, source->info.n_slices, needed);
  return false;
}

OdlImage *
odl_source_read_volume (OdlSource *source,
                        int number,
                        int floats,
                        GCancellable *cancellable,
                        GError **error)
{
  const int depth = source->info.n_slices;
  const int64_t first = (int64_t) number * depth;
  void *samples = NULL;

  g_return_val_if_fail (depth > 0, NULL);
  g_autoptr (OdlImage) slice = odl_source_read_frame (source, first, cancellable, error);
  if (slice == NULL || !odl_source_volume_fits (source, slice, floats, error))
    return NULL;
  g_autoptr (OdlImage) volume = odl_volume_alloc (slice, depth, &samples, error);
  for (int z = 0; volume != NULL && z < depth; z++) {
    if (z > 0) {
      odl_image_unref (slice);
      slice = odl_source_read_frame (source, first + z, cancellable, error);
    }
    if (slice == NULL)
      return NULL;
    if (!odl_volume_put (volume, samples, z, slice)) {
      g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                   _ ("%s: slice %d has another size or range than the first one; they "
                      "can be seen one by one"),
                   source->info.name, (int) first + z + 1);
      return NULL;
    }
  }
  return g_steal_pointer (&volume);
}
