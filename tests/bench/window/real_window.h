// SPDX-License-Identifier: MIT
// The real window for measurements: same memory settings, drawing and defaults as the
// program, without the user's settings. Main thread.
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
  OdlSession *session; // session and canvas of the window
  OdlViewport *viewport;
} RealWindow;

// Call it once, first. False: no display.
bool real_window_begin (void);

// Presents a window. `engine` NULL: auto; `width` 0: default.
void real_window_open (RealWindow *self, const char *engine, int width, int height);

// Stops, closes and frees everything while running the main loop.
void real_window_close (RealWindow *self);

// Runs the main loop for a fixed time.
void real_window_run (double seconds);

G_END_DECLS
