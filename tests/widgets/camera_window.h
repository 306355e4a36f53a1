// SPDX-License-Identifier: MIT
// What tests of cameras in the window share. Only for tests.
#pragma once

#include "../unit/source/camera_support.h"
#include "support.h"

G_BEGIN_DECLS

typedef struct {
  int rgb[3];
  int tolerance;
} Colour;

extern const Colour red, green;
extern const Colour dark_red; // the last picture of a camera that is lost, dimmed

// The middle of the canvas, where there is no badge, has that Colour.
bool shows_colour (Fixture *fixture, const void *colour);

// Starts a test program with cameras and a display, or skips it.
void need_camera_window (int *argc, char ***argv);

G_END_DECLS
