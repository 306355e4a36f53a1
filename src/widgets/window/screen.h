// SPDX-License-Identifier: MIT
// Panels, header and transport bar: which of them are visible, in a window and in full
// screen, and the pointer and keys of the whole window. Main thread.
#pragma once

#include "widgets/window/window.h"

typedef struct _OdlScreen OdlScreen;

OdlScreen *odl_screen_new (const OdlWindowParts *parts);
void odl_screen_stop (OdlScreen *screen); // at the end of the window

// The sources appear, if the user wants them, with the first one that is to be opened.
void odl_screen_show_panels (OdlScreen *screen);
// The filters, as the user wants them for pictures of the kind that is now open: closed
// until asked for where a file says how a patient was examined.
void odl_screen_opened (OdlScreen *screen);

// Who holds the screen while OdlWindowState.presenting: ends when somebody leaves full
// screen, unless it keeps what the window manager took away.
typedef struct {
  void (*end) (void *data);
  bool (*keeps) (void *data);
  void *data;
} OdlScreenHolder;

void odl_screen_set_holder (OdlScreen *screen, const OdlScreenHolder *holder);

// Hides a panel that lies over the picture in a narrow window. False: there is none.
bool odl_screen_close_sheet (OdlScreen *screen);

void odl_screen_set_full (OdlScreen *screen, bool full);
bool odl_screen_is_full (const OdlScreen *screen);

// Shows what belongs to a picture, if there is one.
void odl_screen_update (OdlScreen *screen);

// Likewise of what is said above the canvas.
void odl_screen_update_lines (OdlScreen *screen);

// Puts the state into the actions.
void odl_screen_update_actions (OdlScreen *screen);
