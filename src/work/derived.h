// SPDX-License-Identifier: MIT
// Derived DICOM files: what is chosen for one, the file itself, and what it will tell.
#pragma once

#include "image/display/display.h"
#include "output/dicom/dicom.h"
#include "plan/plan.h"
#include "source/dicom/derived.h"

typedef struct {
  bool deidentify;
  int days; // by which dates are moved then; 0: they are removed
  OdlDicomCompression compression;
  const OdlBlank *blanks; // that are made black
  gsize n_blanks;
  bool blank_outside; // and what lies outside the regions of ultrasound
  bool blank_outside_sector; // and outside the sector of the first picture
  bool in_area; // filters keep to the ultrasound picture
  guint8 secret[ODL_DERIVED_SECRET_BYTES]; // of odl_derived_make_secret
} OdlDerivedChoice;

// With its rectangles; both to be freed.
OdlDerivedChoice *odl_derived_choice_copy (const OdlDerivedChoice *choice);

// What keeps a file from being written.
typedef enum {
  ODL_DERIVED_COEFFICIENTS, // are no picture
  ODL_DERIVED_SIZE, // is another one, so that distances and places would be wrong
  ODL_DERIVED_LUMA, // of a video; filters would spread what is to be hidden
  ODL_DERIVED_NO_REGIONS,
  ODL_DERIVED_NO_SECTOR,
  ODL_DERIVED_N_HINDRANCES,
} OdlDerivedHindrance;

typedef struct {
  const OdlSource *source; // a DICOM file
  const OdlImage *image; // of its frames, the first one that is written
  const OdlRecipe *recipe; // as it may be told
  const OdlWindow *window; // how values are shown
  const char *engine; // by name
  gint64 first, n_frames; // from 0
  const OdlDerivedChoice *choice;
  const char *const *words; // for people, of each hindrance, translatable;
                            // ODL_ERROR_UNSUPPORTED has that sentence
} OdlDerivedFileParams;

// All rectangles of a choice. Transfer full. ODL_ERROR_UNSUPPORTED: there are no regions,
// or no sector.
GArray *odl_derived_blanks (const OdlDerivedChoice *choice,
                            const char *const *words,
                            OdlImage *image,
                            GError **error);

// Whether such a file can hold results like `result`, made by `plan`, with these
// rectangles (OdlBlank).
bool odl_derived_file_suits (const OdlDerivedFileParams *params,
                             const GArray *blanks,
                             const OdlPlan *plan,
                             const OdlRows *result,
                             GError **error);

// Opens the file for results of the shape of `result`. `guard` may be NULL. Errors: that
// above; any of ODL_ERROR. Blocks.
OdlDicomFile *odl_derived_file_open (const OdlDerivedFileParams *params,
                                     const GArray *blanks,
                                     const OdlPlan *plan,
                                     const OdlRows *result,
                                     OdlOutputGuard *guard,
                                     const char *path,
                                     bool replace,
                                     GError **error);

// What that file will tell. Blocks.
OdlDerivedReport *odl_derived_file_report (const OdlDerivedFileParams *params,
                                           const GArray *blanks,
                                           int channels,
                                           GError **error);
