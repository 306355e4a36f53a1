// SPDX-License-Identifier: MIT
// Opens and reads cameras whose server or program is slow.
#pragma once

#include "source/source.h"

// Time-out for what is waited for but not measured.
#define CAMERA_PATIENCE_US (300 * G_USEC_PER_SEC)

// Each retries until it succeeds, reporting failures, and fails the test after
// CAMERA_PATIENCE_US.
void wait_for_cameras (guint n); // until n are listed
OdlSource *open_camera (const char *location);
OdlImage *read_frame (OdlSource *source);
void wait_for_pictures (OdlSource *source);

// Reads until it fails with `code`; time-out as above.
void wait_for_code (OdlSource *source, int code);

// Runs `round` once and then ten times, and waits until everything is closed: the
// number of descriptors and threads must not grow, except for a few that are cached.
void assert_nothing_leaks (void (*round) (void *data), void *data);

// One round: a camera is plugged in, opened and unplugged, which must be noticed.
void use_and_unplug (void *data);

// At the centre of the picture, as fractions of 1.
void assert_colour (OdlImage *image, double red, double green, double blue);
