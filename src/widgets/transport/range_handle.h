// SPDX-License-Identifier: MIT
// One end of the range that is played, dragged along the seek bar or moved by keys. It
// does not move by itself: its signals tell the wanted position. Main thread.
//
// Signals:
//   moved (gint64)   the frame at which this end should be
//   held (gboolean)  a drag begins, or is over
#pragma once

#include <gtk/gtk.h>

#define ODL_TYPE_RANGE_HANDLE (odl_range_handle_get_type ())
G_DECLARE_FINAL_TYPE (OdlRangeHandle, odl_range_handle, ODL, RANGE_HANDLE, GtkWidget)

// Where it may be and is: frames lowest … highest, of n in all, which lie along the
// parent's x from `origin` to origin + length (negative from right to left).
typedef struct {
  gint64 lowest, highest;
  gint64 frame;
  gint64 n;
  float origin, length; // pixels of the parent
} OdlRangeHandleState;

// `last`: the end of the range, else its beginning.
GtkWidget *odl_range_handle_new (gboolean last);

// `text` names the frame for screen readers.
void odl_range_handle_update (OdlRangeHandle *handle,
                              const OdlRangeHandleState *state,
                              const char *text);
