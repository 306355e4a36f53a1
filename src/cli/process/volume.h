// SPDX-License-Identifier: MIT
// Whole volumes, and pictures with those before and after them, through the filters of a
// task: what filters in 3 and 4 dimensions, and over time, see of one input.
#pragma once

#include "cli/process/process.h"
#include "source/source.h"

typedef struct _OdlVolumeFilter OdlVolumeFilter;

// Whether filters of the task see such an input so, and not picture by picture: volumes
// where one has dimensions=3 or more, volumes over time also where one is over time, and
// any sequence where one looks at later frames.
bool odl_process_sees_volumes (const OdlProcess *task, const OdlSourceInfo *info);

// Whether it is several volumes, which follow each other.
bool odl_process_is_over_time (const OdlSourceInfo *info);

// The frames that are filtered at once: the slices of a volume, or 1.
int odl_process_unit (const OdlProcess *task, const OdlSourceInfo *info);

// Reads `location` by a source of its own.
OdlVolumeFilter *
odl_volume_filter_new (OdlProcess *task, const char *location, GError **error);
void odl_volume_filter_free (OdlVolumeFilter *filter); // accepts NULL

// Of a camera, whose filters look at later frames when these have come, which is said. It
// is opened but once: *capture is replaced by a source of the frames that are kept, from
// which its owner reads, too.
OdlVolumeFilter *
odl_volume_filter_follow (OdlProcess *task, const char *input, OdlSource **capture);

// As odl_process_unit.
const OdlSourceInfo *odl_volume_filter_info (const OdlVolumeFilter *filter);
int odl_volume_filter_unit (const OdlVolumeFilter *filter);

// Measures what the recipe waits for in all slices of the volume that frame belongs to.
// One that cannot be read is left to odl_volume_filter_frame, which measures, too.
bool odl_volume_filter_measure (OdlVolumeFilter *filter, gint64 index, GError **error);

// The result of frame `index`, of its slice; the grid of a registration is drawn into
// pictures as the window does it, into files of volumes as edges. Volumes are wanted in
// order; each is read and filtered once. *plan (transfer full) and *note are those of
// odl_runner_process.
OdlImage *odl_volume_filter_frame (OdlVolumeFilter *filter,
                                   gint64 index,
                                   OdlPlan **plan,
                                   char **note,
                                   GError **error);

// The volume that frame belongs to, until the next one: for its planes.
const OdlGridVolume *odl_volume_filter_whole (const OdlVolumeFilter *filter);

// Where stored numbers of the slices mean different values, the volume has others: then
// `image`, the slice `index` as it was read, is replaced by that of the volume, whose
// values the result has. A mark of the volume, such as of slices that are missing, is
// that of each slice. Call it after odl_volume_filter_frame.
void odl_volume_filter_share_values (const OdlVolumeFilter *filter,
                                     gint64 index,
                                     OdlImage **image);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlVolumeFilter, odl_volume_filter_free)
