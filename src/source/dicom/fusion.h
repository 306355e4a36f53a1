// SPDX-License-Identifier: MIT
// OdlFusion: a volume that is laid in colours over the pictures of another one, by their
// places in the patient, such as PET over CT. Immutable; any thread.
#pragma once

#include "image/display/colour_map.h"
#include "source/dicom/segments.h"

typedef struct _OdlFusion OdlFusion;

// Reads all slices of a volume, whose range of grey levels is that of its middle one.
// Transfer full. Blocks. ODL_ERROR_UNSUPPORTED: it is no volume of grey levels that says
// where it lies and in which frame of reference; errors of odl_source_open and
// odl_source_read_volume.
OdlFusion *
odl_fusion_read (const char *location, GCancellable *cancellable, GError **error);
OdlFusion *odl_fusion_ref (OdlFusion *fusion);
void odl_fusion_unref (OdlFusion *fusion); // accepts NULL

const char *odl_fusion_location (const OdlFusion *fusion);
// In the unit of its file.
void odl_fusion_window (const OdlFusion *fusion, double *centre, double *width);
const char *odl_fusion_unit (const OdlFusion *fusion); // "": unknown

// Whether both lie in one frame of reference; else *why, unless NULL, is a sentence.
// Transfer full.
bool odl_fusion_fits (const OdlFusion *fusion, const OdlSegmentsPlane *plane, char **why);

// Lays it over a plane that it fits: values between its voxels are interpolated between
// the eight nearest ones; what lies outside of it is clear. `share`: 0 … 1, of the
// brightest colours; darker ones are clearer as their level is lower. `shift` is added to
// the place.
void odl_fusion_draw (const OdlFusion *fusion,
                      const OdlSegmentsPlane *plane,
                      const OdlColourMap *map,
                      double share,
                      OdlPoint shift,
                      OdlOutlines *outlines);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlFusion, odl_fusion_unref)
