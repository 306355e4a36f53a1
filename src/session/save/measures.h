// SPDX-License-Identifier: MIT
// Writes what is measured in a source as a table (CSV): in the pictures as they come, and
// after the filters.
#pragma once

#include "engine/choice.h"
#include "image/annotation/annotations.h"
#include "image/display/display.h"

typedef struct {
  const char *path;
  const char *location; // opened anew
  const char *identity; // that it must still have (odl_annotation_identity)
  const char *files_as; // word for the names of files; NULL: their names
  const OdlAnnotations *annotations; // each of a frame
  const char *row; // more of a table: what was calculated; NULL: nothing
  const char *line; // the same for a report of the frame; NULL: nothing
  const char *const *derived; // files that results of the source were saved in, up to
                              // NULL: a report says of the first that is of the frame
                              // and the recipe that values were measured in it
  const OdlAnnotation *line_of; // one of `annotations`, which that follows from
  OdlRecipe recipe;
  OdlOperands *operands; // its second pictures; NULL: none
  OdlEngineChoice engine; // where it cannot run, the CPU computes
} OdlMeasuresParams;

// Whether values after these filters are in the table: each picture is computed by
// itself, which filters over time and over slices do not do.
bool odl_measures_follow (const OdlRecipe *recipe);

// What stands at the path is replaced. Errors: those of odl_source_open and of reading a
// frame, ODL_ERROR_IO where the source is another one now or the table cannot be written.
// Blocks; any thread.
bool odl_measures_save (const OdlMeasuresParams *params, GError **error);

// DICOM objects (work/said.h): a structured report of what is measured in a frame, a
// presentation state of how it is looked at, and the key pictures of the source.
typedef enum { ODL_OBJECT_REPORT, ODL_OBJECT_STATE, ODL_OBJECT_KEYS } OdlMeasuresKind;

typedef struct {
  OdlMeasuresKind kind;
  int64_t frame; // of a report or a state
  OdlWindow window; // of a state; no table of somebody else's
  OdlView view; // likewise
} OdlMeasuresObject;

// As odl_measures_save, and errors of work/said.h.
bool odl_measures_save_object (const OdlMeasuresParams *params,
                               const OdlMeasuresObject *object,
                               GError **error);

// Writes a table, whole or not at all; what stands at the path is replaced. Blocks; any
// thread. ODL_ERROR_IO.
bool odl_table_save (const char *path, const char *text, GError **error);
