// SPDX-License-Identifier: MIT
// The slider of a sequence: a frame under the pointer, the range that is played between
// two handles, and which frames are in memory or damaged. Main thread.
//
// Signals:
//   range-changed ()  by a handle
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

G_BEGIN_DECLS

#define ODL_TYPE_SEEK_BAR (odl_seek_bar_get_type ())
G_DECLARE_FINAL_TYPE (OdlSeekBar, odl_seek_bar, ODL, SEEK_BAR, GtkScale)

void odl_seek_bar_set_session (OdlSeekBar *bar, OdlSession *session);

// Shows where the session is; while the slider is held, it stays where it is held.
void odl_seek_bar_update (OdlSeekBar *bar);

G_END_DECLS
