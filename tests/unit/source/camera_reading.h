// SPDX-License-Identifier: MIT
// Opening and reading cameras whose server, or program, takes its time.
#pragma once

#include "source/source.h"

// For what is waited for, and is not what is measured.
#define CAMERA_PATIENCE_US (90 * G_USEC_PER_SEC)

// Each tries again until it succeeds, tells of what failed meanwhile, and gives up, which
// fails the test, after CAMERA_PATIENCE_US.
void wait_for_cameras (guint n); // in the list
OdlSource *open_camera (const char *location);
OdlImage *read_frame (OdlSource *source);
void wait_for_pictures (OdlSource *source);

// Reads until that fails with `code`; gives up likewise.
void wait_for_code (OdlSource *source, int code);

// Does `round` ten times, after once, and waits until what it opened is closed: as many
// file descriptors and threads as before, but for a few that are kept for the next time.
void assert_nothing_leaks (void (*round) (void *data), void *data);

// What it may do: a camera is plugged in, opened and pulled out, and that is noticed.
void use_and_unplug (void *data);

// In the middle of the picture, as parts of 1.
void assert_colour (OdlImage *image, double red, double green, double blue);
