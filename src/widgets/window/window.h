// SPDX-License-Identifier: MIT
// The window. Main thread.
#pragma once

#include <adwaita.h>

#include "session/session.h"
#include "widgets/panels/filter_panel.h"
#include "widgets/settings.h"
#include "widgets/viewport/viewport.h"

G_BEGIN_DECLS

#define ODL_TYPE_MAIN_WINDOW (odl_main_window_get_type ())
G_DECLARE_FINAL_TYPE (OdlMainWindow,
                      odl_main_window,
                      ODL,
                      MAIN_WINDOW,
                      AdwApplicationWindow)

GtkWidget *odl_main_window_new (GtkApplication *application, OdlSettings *settings);

// Opens a location; `recipe` as in odl_session_open. A folder is listed instead, and its
// first picture opened.
void odl_main_window_open (OdlMainWindow *window,
                           const char *location,
                           const OdlRecipe *recipe);

// Closes it without a question, whatever it is doing.
void odl_main_window_end (OdlMainWindow *window);

// What the command line asks for, for this window only.
void odl_main_window_start_with (OdlMainWindow *window,
                                 const char *engine,
                                 bool wipe,
                                 bool full_screen);

// What the results are compared with; NULL: nothing.
void odl_main_window_set_reference (OdlMainWindow *window, const char *file);

// Shows the sources in turn, full screen, for `dwell_s` seconds each (0: as usual), with
// each recipe in turn; without recipes built-in ones. `locations` ends with NULL and has
// one at least.
void odl_main_window_present (OdlMainWindow *window,
                              const char *const *locations,
                              const OdlRecipe *recipes,
                              int n_recipes,
                              double dwell_s);

// True before anything was opened.
bool odl_main_window_is_empty (OdlMainWindow *window);

// For tests and actions. Borrowed.
OdlSession *odl_main_window_session (OdlMainWindow *window);
OdlViewport *odl_main_window_viewport (OdlMainWindow *window);
OdlFilterPanel *odl_main_window_filter_panel (OdlMainWindow *window);
OdlSettings *odl_main_window_settings (OdlMainWindow *window);
const char *odl_main_window_last_toast (OdlMainWindow *window);

G_END_DECLS
