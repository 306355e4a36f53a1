// SPDX-License-Identifier: MIT
// The files that `measure` writes besides what it says: DICOM objects that refer to the
// picture.
#pragma once

#include "cli/process/process.h"
#include "work/said.h"

typedef struct {
  char *report, *state, *kos; // NULL: none
  char *derived; // what the result of the filters was saved in; NULL: nothing
  char *keys; // frames of the key objects as they were typed; NULL: the one of --frame
  GArray *key_frames; // gint64, from 0
  OdlWindow window; // of the state, and how it is turned
  OdlView view;
} OdlMeasureFiles;

void odl_measure_files_clear (OdlMeasureFiles *files);

// The options that go with these, once they are typed. ODL_ERROR_USAGE.
bool odl_measure_files_parse (OdlMeasureFiles *files,
                              const OdlProcessOptions *options,
                              GError **error);

// Whether they can be written, before anything is measured. Errors:
// ODL_ERROR_UNSUPPORTED, ODL_ERROR_IO.
bool odl_measure_files_check (const OdlMeasureFiles *files,
                              const OdlProcessOptions *options,
                              const OdlSource *source,
                              GError **error);

// Writes them; `said` has all but the window and the view. Errors of work/said.h.
bool odl_measure_files_save (const OdlMeasureFiles *files,
                             const OdlProcessOptions *options,
                             const OdlSaidParams *said,
                             GError **error);
