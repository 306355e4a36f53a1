// SPDX-License-Identifier: MIT
// OdlFusion: a volume that is laid in colours over the pictures of another one, by their
// places in the patient, such as PET over CT. Immutable; any thread.
#pragma once

#include "image/display/colour_map.h"
#include "source/dicom/segments.h"

typedef struct _OdlFusion OdlFusion;

// Reads all slices of a volume. Transfer full. Blocks. ODL_ERROR_UNSUPPORTED: it is no
// volume of grey levels that says where it lies and in which frame of reference; errors
// of odl_source_open and odl_source_read_volume.
OdlFusion *
odl_fusion_read (const char *location, GCancellable *cancellable, GError **error);
OdlFusion *odl_fusion_ref (OdlFusion *fusion);
void odl_fusion_unref (OdlFusion *fusion); // accepts NULL

const char *odl_fusion_location (const OdlFusion *fusion);
const char *odl_fusion_unit (const OdlFusion *fusion); // "": unknown
// What its values are multiplied by to be SUVbw; 0: that is unknown.
double odl_fusion_suv_factor (const OdlFusion *fusion);

// Which values the colours stand for, in the unit of its file: the darkest one for
// centre − width/2, the brightest one for centre + width/2.
typedef struct {
  double centre, width; // width > 0; 0: as its file says, or all of its values
} OdlFusionLevels;

// With those of the file in the place of a width of 0.
OdlFusionLevels odl_fusion_levels (const OdlFusion *fusion, OdlFusionLevels levels);
// Its smallest and its largest value.
void odl_fusion_range (const OdlFusion *fusion, double *least, double *most);

// Whether both lie in one frame of reference; else *why, unless NULL, is a sentence.
// Transfer full.
bool odl_fusion_fits (const OdlFusion *fusion, const OdlSegmentsPlane *plane, char **why);

// How it is seen.
typedef struct {
  double share; // 0 … 1, of colours from the middle level on; darker ones are clearer
  const OdlColourMap *map;
  OdlFusionLevels levels;
} OdlFusionLook;

// Lays it over a plane that it fits: values between its voxels are interpolated between
// the eight nearest ones; what lies outside of it is clear. `shift` is added to the
// place.
void odl_fusion_draw (const OdlFusion *fusion,
                      const OdlSegmentsPlane *plane,
                      const OdlFusionLook *look,
                      OdlPoint shift,
                      OdlOutlines *outlines);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlFusion, odl_fusion_unref)
