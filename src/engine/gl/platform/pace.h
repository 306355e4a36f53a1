// SPDX-License-Identifier: MIT
// Frames of a card that somebody waits for: the card is given no more than a few commands
// ahead of what it has done, so that a frame can be given up in the middle. GL current.
#pragma once

#include <epoxy/gl.h>

#include "base/error.h"
#include "base/progress.h"

#define ODL_GL_COMMANDS_AHEAD 4

typedef struct {
  OdlProgress *progress; // NULL: nobody waits
  GLsync fences[ODL_GL_COMMANDS_AHEAD];
} OdlGlPace;

// After command `k` of `n`. ODL_ERROR_CANCELLED: it is to be given up; the card ends what
// it has by then.
bool odl_gl_pace_keep (OdlGlPace *pace, guint k, guint n, GError **error);

// After the last one.
void odl_gl_pace_end (OdlGlPace *pace);
