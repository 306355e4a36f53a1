// SPDX-License-Identifier: MIT
// What was measured, as DICOM objects that refer to the picture.
#pragma once

#include "filter/recipe.h"
#include "image/annotation/annotation.h"
#include "image/display/display.h"
#include "source/dicom/said.h"

// What follows from things that were measured in the frame, and the first one of these.
typedef struct {
  const char *text; // UTF-8
  const OdlAnnotation *of;
} OdlSaidLine;

typedef struct {
  const OdlSource *source; // a DICOM file or series
  gint64 frame; // that was measured, from 0
  const GPtrArray *annotations; // OdlAnnotation, all on that frame as it came
  const OdlSaidLine *lines; // of a report
  guint n_lines;
  const OdlSubject
      *subject; // its picture as it came; reports are in the unit of the file
  const OdlRecipe *recipe; // that was applied
  const char *derived; // of a report: file that its result was saved in; NULL: none
  const OdlWindow *window; // of a state
  const OdlView *view; // of a state: how the picture is turned; NULL: as it is stored
} OdlSaidParams;

// Writes a structured report (PS3.16, TID 1500) of those that measure something, and of
// texts, and of `lines` as comments. The file appears when it is complete, or not at all.
// `replace`: it may replace another one. ODL_ERROR_UNSUPPORTED: there is none of these;
// the source is no DICOM file, or lacks an identifier; ODL_ERROR_TOO_LARGE; ODL_ERROR_IO
// naming `path`; any of ODL_ERROR. Blocks.
bool odl_said_save_report (const OdlSaidParams *params,
                           const char *path,
                           bool replace,
                           GError **error);

// Writes a presentation state (PS3.3 A.33.1): the window, how the picture is turned, and
// what is drawn over it, with what it measures as words, as they are for people. `recipe`
// is not in it, since no other program has these filters; of a window that is a table
// chosen from elsewhere it has the linear one that is nearest. Errors as above, and
// ODL_ERROR_UNSUPPORTED for colours.
bool odl_said_save_state (const OdlSaidParams *params,
                          const char *path,
                          bool replace,
                          GError **error);

// Writes a key object selection (PS3.3 A.35.4) that names those frames. Errors as above;
// ODL_ERROR_UNSUPPORTED: there are none.
bool odl_said_save_keys (const OdlSource *source,
                         const gint64 *frames,
                         guint n,
                         const char *path,
                         bool replace,
                         GError **error);

// The codes of a measurement and of its unit. False: there is no row for it, and both are
// of our own scheme. Texts are static, or lie in `room`.
typedef struct {
  char value[17], meaning[65];
} OdlSaidRoom;
bool odl_said_codes (const OdlMeasurement *measure,
                     OdlSaidCode *name,
                     OdlSaidCode *unit,
                     OdlSaidRoom *room);
