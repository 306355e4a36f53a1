// SPDX-License-Identifier: MIT
// Letters of directions on a picture that is written.
#pragma once

#include "image/display/overlay.h"
#include "image/volume/letters.h"

// The letters at the edges of a picture of that size, each in the middle of its edge, as
// bits. NULL: there are none. Transfer full. Any thread.
OdlOverlay *odl_letters_to_overlay (OdlLetters letters, int width, int height);
