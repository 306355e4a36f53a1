// SPDX-License-Identifier: MIT
// The real window, for programs that measure it: with memory, drawing and settings as the
// program itself would have them, and nothing of the user's. Main thread.
#pragma once

#include "widgets/application.h"
#include "widgets/settings.h"
#include "widgets/viewport/viewport.h"
#include "widgets/window/window.h"

G_BEGIN_DECLS

typedef struct {
  GtkApplication *application;
  OdlSettings *settings;
  OdlMainWindow *window;
  OdlSession *session; // these two are the window's
  OdlViewport *viewport;
} RealWindow;

// Once, before anything else. False: there is no display.
bool real_window_begin (void);

// Presents a window. `engine` NULL: auto; `width` 0: as the program has it.
void real_window_open (RealWindow *self, const char *engine, int width, int height);

// Stops, closes and frees everything, the loop running meanwhile.
void real_window_close (RealWindow *self);

// Runs the main loop for so long.
void real_window_run (double seconds);

G_END_DECLS
