// SPDX-License-Identifier: MIT
// Annotations in the real window: drawing by pointer and keys, and what they say.
#pragma once

#include "support.h"

#include "widgets/viewport/private.h"

G_BEGIN_DECLS

OdlAnnotations *annotations (Fixture *fixture);
int count (Fixture *fixture);

// All that one of them says, in the frame on screen, and what stands below it; NULL: any.
void assert_text (Fixture *fixture, int i, const char *wanted, const char *note);
// All that the last one says, in the frame on screen.
void assert_last_text (Fixture *fixture, const char *wanted);

// Where a place of the picture lies on the canvas.
OdlPoint on_widget (Fixture *fixture, double x, double y);

// From one place of the picture to another, in steps; without any, a click.
void
drag_with_key (Fixture *fixture, OdlPoint from, OdlPoint to, guint key); // pressed in it
void drag (Fixture *fixture, OdlPoint from, OdlPoint to);

// Through `n` places of the picture.
void drag_along (Fixture *fixture, const OdlPoint *way, int n);

void right_click (Fixture *fixture, double x, double y);

// A drag upwards by so many logical pixels with that button; 0: a click.
void drag_up (Fixture *fixture, guint button, double x, double y, double by);

// The pointer moves there without a button.
void hover (Fixture *fixture, double x, double y);

// A key on the canvas; false: the window has it.
bool press (Fixture *fixture, guint key, GdkModifierType state);

// A grey picture: left of column 100 of one level, and from there on of another. Its
// path.
#define HALVES_WIDTH 211
#define HALVES_HEIGHT 157
char *write_halves (Fixture *fixture, const char *name, int left, int right);

G_END_DECLS
