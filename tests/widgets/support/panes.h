// SPDX-License-Identifier: MIT
// Panes of the real window, and series of slices for them.
#pragma once

#include "support.h"

#include "widgets/window/parts.h"

G_BEGIN_DECLS

const OdlWindowParts *parts_of (Fixture *fixture);
OdlPane *pane_at (Fixture *fixture, int n); // there must be
int n_panes (Fixture *fixture);

// What the other functions of tests are about from now on; with go_to it becomes active.
void look_at (Fixture *fixture, int n);
void go_to (Fixture *fixture, int n);

// An action that may make another pane active, which the other functions are then about;
// a layout by its name, until it is on screen.
void arrange (Fixture *fixture, const char *action, const char *text);
void lay_out (Fixture *fixture, const char *name);

// Opens a location in a pane, and waits until it is displayed.
void open_in (Fixture *fixture, int n, const char *location);

#define PATIENT_FRAME "1.2.3.4"

typedef struct {
  const char *name; // of the folder, or of the file
  const char *frame; // of reference
  double first, step; // mm
  int n;
  double spacing; // of pixels, mm
  double interval_ms; // of a cine: all frames in one file; 0: a file for each slice
  double left; // of the first pixel
  const char *person; // NULL: Berta
  bool sagittal; // slices lie side by side, from the right on; rows lead to the back
} Series;

// The location to open. Transfer full.
char *write_series (Fixture *fixture, const Series *series);

G_END_DECLS
