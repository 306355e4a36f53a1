// SPDX-License-Identifier: MIT
// A derived DICOM file from the window: what was chosen for it, the file itself, and what
// it will tell. The command line does the same in cli/process/dicom.c; what it says
// of the work is source/dicom/derived_order.h for both.
#pragma once

#include "filter/recipe.h"
#include "image/display/display.h"
#include "output/dicom/dicom.h"
#include "plan/plan.h"
#include "source/dicom/derived.h"

typedef struct {
  bool deidentify;
  int days; // by which dates are moved then; 0: they are removed
  const OdlBlank *blanks; // that are made black
  gsize n_blanks;
  bool blank_outside; // and what lies outside the regions of ultrasound
  bool in_area; // filters keep to the ultrasound picture
  guint8 secret[ODL_DERIVED_SECRET_BYTES]; // of odl_derived_make_secret
} OdlDerivedChoice;

// With its rectangles; both to be freed.
OdlDerivedChoice *odl_derived_choice_copy (const OdlDerivedChoice *choice);

typedef struct {
  const OdlSource *source; // a DICOM file
  OdlImage *image; // of its frames, the first one that is written
  const OdlRecipe *recipe; // as it may be told
  const OdlWindow *window; // how values are shown
  const char *engine; // by name
  gint64 first, n_frames; // from 0
  const OdlDerivedChoice *choice;
} OdlDerivedFileParams;

// All rectangles of a choice. Transfer full. ODL_ERROR_UNSUPPORTED: there are no regions.
GArray *odl_derived_blanks (const OdlDerivedChoice *choice,
                            const OdlImageInfo *info,
                            GError **error);

// Opens the file for results of the shape of `result`, made by `plan`. Errors: any of
// ODL_ERROR. Blocks.
OdlDicomFile *odl_derived_file_open (const OdlDerivedFileParams *params,
                                     const OdlPlan *plan,
                                     const OdlImage *result,
                                     const char *path,
                                     bool replace,
                                     GError **error);

// What that file will tell. Blocks.
OdlDerivedReport *odl_derived_file_report (const OdlDerivedFileParams *params,
                                           GError **error);
