// SPDX-License-Identifier: MIT
// Reads all slices of a volume (info.n_slices) as one image.
#pragma once

#include "image/volume/shape.h"
#include "source/source.h"

// Before the location of what is to be opened so (odl_source_become_volume).
#define ODL_VOLUME_PREFIX "volume:"

// Additional memory for viewing and filtering a volume, in volumes of floats.
#define ODL_VOLUME_FILTERED_SLICES 1 // slice by slice: the result
#define ODL_VOLUME_FILTERED_WHOLE 6 // all slices together: also the intermediate steps

// Where the axes of its volume lead, as odl_directions_axes; 0 where the patient is none
// that stands on two feet, since quadrupeds have other words.
int odl_source_axes (const OdlSource *source, double axes[3][3]);

// How a volume of slices like that one is described before it is read.
OdlImageInfo odl_source_volume_info (const OdlSource *source, const OdlImage *slice);

// Reads all slices of the volume `number`, from 0; blocks. The image is described as the
// first slice, with the window of the middle one; slices whose stored numbers mean
// different values become floats in the unit of the file; those that are missing or
// damaged are dark, and the image is marked. Errors: those above, ODL_ERROR_CORRUPT if
// slices differ or none can be read. Any thread, but no other may read frames of `source`
// meanwhile.
OdlImage *odl_source_read_volume (OdlSource *source,
                                  int number,
                                  int floats,
                                  GCancellable *cancellable,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

// The same of slices `first` … `first` + `count` − 1 of the only volume.
OdlImage *odl_source_read_slices (OdlSource *source,
                                  int first,
                                  int count,
                                  int floats,
                                  GCancellable *cancellable,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

// Takes the frames of a stored source for the slices of one volume, whatever they are of:
// pictures that were taken one by one, or the times of a cine, whose third axis is time.
// Nothing is known of how far apart they are, which `info.warning` says. Looks for the
// last frame where the number is estimated. A source of volumes stays as it is.
// ODL_ERROR_UNSUPPORTED for live sources and single pictures. Blocks.
bool
odl_source_become_volume (OdlSource *source, GCancellable *cancellable, GError **error);

// Makes a slice that was read by itself mean what `volume` does: where its stored numbers
// mean other values it becomes slice `z` of that, unless z < 0, and it gets its mark.
void odl_source_share_values (OdlImage **slice, OdlImage *volume, int z);

// Reads all frames of a source of a few small pictures, such as a kernel: slices along z,
// one volume after the other along t. Errors as above.
OdlImage *odl_source_read_volumes (OdlSource *source,
                                   GCancellable *cancellable,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

// Whether the slice that is this frame is known to be missing, so that reading it fails
// with ODL_ERROR_CORRUPT. Any thread.
bool odl_source_lacks_frame (const OdlSource *source, int64_t index);

// What stands for a slice that is missing: of the type and range of `like`, as dark as
// its darkest sample, since 0 could be water, and marked. NULL: out of memory. Any
// thread.
OdlImage *odl_volume_missing_slice (const OdlImage *like);

// The shape of the volume that a range of a source's frames makes.

// Frames first … first + n − 1: whole volumes, or slices of one; a picture that says
// where it lies, and how thick it is, is a volume of one slice. ODL_ERROR_UNSUPPORTED for
// others, and for sources that are no volumes.
bool odl_volume_shape_find (const OdlSource *source,
                            gint64 first,
                            gint64 n,
                            OdlVolumeShape *shape,
                            GError **error);

// The same for formats that hold pictures, too: frames that are no slices are volumes of
// one slice each. *is_uneven: they are not equally far apart in time, and interval_s is
// the mean; may be NULL.
bool odl_pages_shape_find (const OdlSource *source,
                           gint64 first,
                           gint64 n,
                           OdlVolumeShape *shape,
                           bool *is_uneven,
                           GError **error);
