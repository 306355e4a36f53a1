// SPDX-License-Identifier: MIT
// Keys that are pressed on the X server, as a keyboard would.
#pragma once

#include "support.h"

// What a program says; its errors, unless NULL. Transfer full.
char *run_program (const char *const *command, char **errors);

// Names of xdotool, one or several with blanks between them, which follow each other at
// once.
void press_key (const char *keys);
void type_text (const char *text);

// What a window manager does, of which there is none here.
void focus_window (Fixture *fixture, GtkWindow *window);
