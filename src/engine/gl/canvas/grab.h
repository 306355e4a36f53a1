// SPDX-License-Identifier: MIT
// Clears and reads the bound framebuffer. GL current.
#pragma once

#include <stdint.h>

// Fills it with the colour of the canvas.
void odl_gl_clear (void);

// Reads width × height RGBA bytes, top row first.
void odl_gl_grab (int width, int height, uint8_t *rgba);
