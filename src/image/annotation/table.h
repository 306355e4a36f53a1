// SPDX-License-Identifier: MIT
// What is measured, as a table for other programs: CSV as RFC 4180 has it, a row for each
// value, with decimal points in all languages. Any thread.
#pragma once

#include "image/annotation/profile.h"

// The first row. `spacing` says where millimetres hold: in the object, at the detector or
// on a film; empty: they are not known, and lengths are in pixels. `plane` names the
// plane of a volume (odl_on_plane_to_text); empty: a frame as it came. Of a profile there
// are rows named "sample", too, with their distance from its first end.
#define ODL_MEASURE_COLUMNS \
  "input,frame,kind,numbers,name,value,after,unit,spacing,plane,at,at_unit\n"

// Adds the rows of an annotation of frame `frame`, from 1. `numbers` describes it; NULL:
// as odl_annotation_to_numbers does.
void odl_measure_table_add (GString *table,
                            const char *input,
                            int64_t frame,
                            const OdlAnnotation *annotation,
                            const char *numbers,
                            const OdlSubject *subject);

// A profile by itself: columns x, y (pixels), at, at_unit, before, after, unit; a row for
// each sample. Transfer full.
char *odl_profile_to_csv (const OdlProfile *profile);

// Where millimetres of a scale hold: "object", "detector" or "film"; NULL: not known.
const char *odl_scale_place_name (const OdlScale *scale);
