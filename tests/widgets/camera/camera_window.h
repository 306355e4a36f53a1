// SPDX-License-Identifier: MIT
// Shared by tests of cameras in the window.
#pragma once

#include "../../unit/source/camera/camera_support.h"
#include "../support/support.h"

G_BEGIN_DECLS

typedef struct {
  int rgb[3];
  int tolerance;
} Colour;

extern const Colour red, green;
extern const Colour dark_red; // dimmed last frame of a lost camera

// Asserts the colour at the centre of the canvas, outside the badge.
bool shows_colour (Fixture *fixture, const void *colour);

// Starts a test program with cameras and a display, or skips it.
void need_camera_window (int *argc, char ***argv);

G_END_DECLS
