// SPDX-License-Identifier: MIT
// What is measured, as a table for other programs: CSV as RFC 4180 has it, a row for each
// value, with decimal points in all languages. Any thread.
#pragma once

#include "image/annotation/calculation.h"
#include "image/annotation/profile.h"

// The first row. `spacing` says where millimetres hold: in the object, at the detector or
// on a film, or that somebody calibrated them ("hand"); empty: they are not known, and
// lengths are in pixels. `plane` names the plane of a volume (odl_on_plane_to_text);
// empty: a frame as it came. Of a profile there are rows named "sample", too, with their
// distance from its first end. `note` says why there is no SUVbw of a PET picture, in a
// row "suv" without values; else it is empty.
#define ODL_MEASURE_COLUMNS \
  "input,frame,kind,numbers,name,value,after,unit,spacing,plane,at,at_unit,note\n"

// Adds the rows of an annotation of frame `frame`, from 1. `numbers` describes it; NULL:
// as odl_annotation_to_numbers does.
void odl_measure_table_add (GString *table,
                            const char *input,
                            int64_t frame,
                            const OdlAnnotation *annotation,
                            const char *numbers,
                            const OdlSubject *subject);

// Adds the row of a calculation, of kind “calculation”: its numbers are those of its
// inputs, each after its name, and, in English, that it lies outside the published range,
// and that it is this program's. `frame`, from 1, is that of its first input.
void odl_measure_table_add_calculated (GString *table,
                                       const char *input,
                                       int64_t frame,
                                       const OdlCalculation *calculation,
                                       const OdlCalculationPart *parts,
                                       const OdlCalculated *calculated);

// A profile by itself: columns x, y (pixels), at, at_unit, before, after, unit; a row for
// each sample. Transfer full.
char *odl_profile_to_csv (const OdlProfile *profile);

// Where millimetres of a scale hold: "object", "detector", "film" or "hand"; NULL: not
// known.
const char *odl_scale_place_name (const OdlScale *scale);
