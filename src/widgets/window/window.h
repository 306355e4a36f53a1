// SPDX-License-Identifier: MIT
// The window. Main thread.
#pragma once

#include <adwaita.h>

#include "session/session.h"
#include "widgets/panels/filter_panel.h"
#include "widgets/settings.h"
#include "widgets/viewport/viewport.h"

#define ODL_TYPE_MAIN_WINDOW (odl_main_window_get_type ())
G_DECLARE_FINAL_TYPE (OdlMainWindow,
                      odl_main_window,
                      ODL,
                      MAIN_WINDOW,
                      AdwApplicationWindow)

// What the window is made of, see widgets/window/parts.h.
typedef struct _OdlWindowParts OdlWindowParts;

GtkWidget *odl_main_window_new (GtkApplication *application, OdlSettings *settings);

const OdlWindowParts *odl_main_window_parts (OdlMainWindow *window);

// Opens a location; `recipe` as in odl_session_open. A folder is listed instead, and its
// first picture opened.
void odl_main_window_open (OdlMainWindow *window,
                           const char *location,
                           const OdlRecipe *recipe);

// Closes the window without a question, even while it records or exports.
void odl_main_window_end (OdlMainWindow *window);

// What the command line asks for, for this window only.
void odl_main_window_start_with (OdlMainWindow *window,
                                 const char *engine,
                                 bool wipe,
                                 bool full_screen);

// True before anything was opened.
bool odl_main_window_is_empty (OdlMainWindow *window);
