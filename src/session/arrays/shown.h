// SPDX-License-Identifier: MIT
// Arrays in a session: another one in the place of what it shows, and what its filters
// make of it. Main thread unless said otherwise.
#pragma once

#include "session/session.h"

// The array that the session shows may have another one in its place (odl_array_put): a
// picture like it is shown at once, with the filters as they are; another shape is opened
// again. Nothing happens where it shows the newest already.
void odl_session_renew_array (OdlSession *session);

// What the recipe in force makes of the latest picture.
typedef struct {
  OdlFrame *frame;
  OdlImage *volume; // an array that the frame is one slice of; NULL: the frame has all
} OdlShown;

// False: it is not there yet. To be cleared.
bool odl_session_result (OdlSession *session, OdlShown *shown);
void odl_shown_clear (OdlShown *shown);

typedef struct {
  OdlImage *image; // of volumes all slices
  double minimum, maximum; // what scaled 0 and 1 stand for in the array
} OdlShownResult;

// Takes the result of the frame, or computes it on the processor where the canvas has it,
// or where only a slice is seen of a volume. Any thread.
bool odl_shown_result (const OdlShown *shown, OdlShownResult *result, GError **error);
