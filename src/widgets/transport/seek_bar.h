// SPDX-License-Identifier: MIT
// The slider of a sequence: a frame under the pointer, the range that is played between
// two handles, and which frames are in memory or damaged. Main thread.
//
// Signals:
//   range-changed ()  by a handle
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

#define ODL_TYPE_SEEK_BAR (odl_seek_bar_get_type ())
G_DECLARE_FINAL_TYPE (OdlSeekBar, odl_seek_bar, ODL, SEEK_BAR, GtkScale)

void odl_seek_bar_set_session (OdlSeekBar *bar, OdlSession *session);

// Shows where the session is; while the slider is held, it stays where it is held.
void odl_seek_bar_update (OdlSeekBar *bar);

// Of a slice, where it lies along the normal of the planes, such as "-12.5 mm"; empty
// where the file does not say it. NULL: frames follow each other in time.
char *odl_seek_bar_place (OdlSession *session, int64_t index);
