// SPDX-License-Identifier: MIT
// Where the slices of a source lie in the patient, and which slice of another source lies
// at the same place. Lengths in mm, in the frame of reference that the files name (DICOM
// PS3.3 C.7.4.1); positions are along the normal of the planes (C.7.6.2.1.1).
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct {
  char *frame_of_reference; // UID; NULL: none is named
  double orientation[6], normal[3]; // directions of rows and columns; what they span
  bool steps; // whether `step` is known
  double step[3]; // from the first pixel of a slice to that of the next one
  double origin[3]; // of the first pixel of a slice; of slices that lie across it, too
  int n; // slices, at least 1
  double *along; // of each, along the normal; of volumes over time those of one of them
} OdlSlicePlaces;

// What the details of a source say (image-position, image-orientation, slice-places or
// slice-step, frame-of-reference), by `detail`, which may return NULL. `n`: its slices.
// NULL: they do not say where they lie.
typedef const char *(*OdlDetailCb) (const char *key, void *data);
OdlSlicePlaces *odl_slice_places_new (OdlDetailCb detail, void *data, int n);
void odl_slice_places_free (OdlSlicePlaces *places);

// Whether positions of both mean the same, and whether their planes are parallel too, by
// less than a degree.
bool odl_slice_places_share_frame (const OdlSlicePlaces *a, const OdlSlicePlaces *b);
bool odl_slice_places_are_parallel (const OdlSlicePlaces *a, const OdlSlicePlaces *b);

// And whether rows and columns of both run the same way.
bool odl_slice_places_run_alike (const OdlSlicePlaces *a, const OdlSlicePlaces *b);

// The point of the planes of `to` at the same place as a point of those of `from`, which
// run alike in one frame. Samples, (0, 0) being the outer corner of the first one;
// spacings of samples along rows and columns in mm, all > 0.
void odl_slice_places_same_point (const OdlSlicePlaces *from,
                                  const double from_spacing[2],
                                  const OdlSlicePlaces *to,
                                  const double to_spacing[2],
                                  const double at[2],
                                  double point[2]);

// Where a voxel of `from` lies among those of `to`, whose axes may lead elsewhere, in
// voxels; both in one frame, with steps that are known, and spacings as above. False: the
// axes of `to` span no space.
bool odl_slice_places_same_voxel (const OdlSlicePlaces *from,
                                  const double from_spacing[2],
                                  const OdlSlicePlaces *to,
                                  const double to_spacing[2],
                                  const int voxel[3],
                                  double at[3]);

// The slice of `to` that lies nearest to slice `index` of `from`, which are parallel in
// one frame; the first one of several. *distance: between both planes.
int odl_slice_places_find (const OdlSlicePlaces *from,
                           int index,
                           const OdlSlicePlaces *to,
                           double *distance);

// Whether a slice so far away shows the same: within half the distance of the slices
// there, or of those that it is looked for from.
bool odl_slice_places_is_near (const OdlSlicePlaces *from,
                               const OdlSlicePlaces *to,
                               double distance);

// Whether the slices before and after `index` are not equally far from it, or, of the
// first and the last one, not as far as those that follow; around[]: how far, in mm (NaN:
// there is none, or it lies at the same place, or another stack begins there).
bool
odl_slice_places_is_uneven (const OdlSlicePlaces *places, int index, double around[2]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlSlicePlaces, odl_slice_places_free)
