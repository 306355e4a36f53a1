// SPDX-License-Identifier: MIT
// OdlVolumes: the frames of a source whose filters see more than one of them: all slices
// of a volume, volumes one after the other, or later frames. One thread at a time.
#pragma once

#include "source/source.h"
#include "work/runner.h"

// Whether filters of the recipe see such a source so, and not picture by picture: volumes
// where one has dimensions=3 or more, volumes over time also where one is over time, and
// any sequence where one looks at later frames.
bool odl_recipe_sees_volumes (const OdlRecipe *recipe, const OdlSourceInfo *info);

// Whether it is several volumes, which follow each other.
bool odl_source_is_over_time (const OdlSourceInfo *info);

typedef struct {
  const OdlRecipe *recipe; // kept by the caller, with the runner
  OdlRunner *runner;
  bool whole; // all slices go together into a volume, and not into pictures
              // (engine/grid_volume.h)
  int first, count; // slices that are the only volume; count 0: all of each
  GCancellable *cancellable; // NULL: reading ends by itself
  // Called with each volume before it is filtered, as what the recipe waits for is found
  // in it; NULL: it waits for nothing.
  bool (*measure) (void *data, OdlImage *volume, GError **error);
  void *data;
} OdlVolumesParams;

typedef struct _OdlVolumes OdlVolumes;

// `source` is for it alone, unless it is a kept capture (source/neighbour_reader.h).
OdlVolumes *odl_volumes_new (const OdlVolumesParams *params, OdlSource *source);
void odl_volumes_free (OdlVolumes *volumes); // accepts NULL

const OdlSourceInfo *odl_volumes_info (const OdlVolumes *volumes);
int odl_volumes_unit (const OdlVolumes *volumes); // frames of a volume; 1: without any

// Measures the volume that frame belongs to. One that cannot be read is left to
// odl_volumes_take, which measures, too.
bool odl_volumes_measure (OdlVolumes *volumes, int64_t index, GError **error);

// The result of frame `index`, of its slice; the grid of a registration is drawn into
// pictures as the window shows it, into whole volumes as edges. Volumes are wanted in
// order; each is read and filtered once, when its first frame is asked for, in sections
// where memory is short. *plan (transfer full) and *note (NULL: nobody wants it) are
// those of odl_runner_process. Errors: that of the volume, for each of its frames.
OdlImage *odl_volumes_take (OdlVolumes *volumes,
                            int64_t index,
                            OdlPlan **plan,
                            char **note,
                            GError **error);

// The volume that was taken from, until the next one: for its planes.
const OdlGridVolume *odl_volumes_whole (const OdlVolumes *volumes);

// Where stored numbers of the slices mean different values, the volume has others: then
// `image`, the slice `index` as it was read, is replaced by that of the volume, whose
// values the result has. A mark of the volume, such as of slices that are missing, is
// that of each slice. To be called after odl_volumes_take.
void
odl_volumes_share_values (const OdlVolumes *volumes, int64_t index, OdlImage **image);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlVolumes, odl_volumes_free)
