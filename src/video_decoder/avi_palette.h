// SPDX-License-Identifier: MIT
// The palette of an AVI file's first video, from its header.
#pragma once

#include <glib.h>
#include <stdbool.h>

#define ODL_AVI_PALETTE_BYTES 1024

// Reads up to 256 colours of four bytes each, blue first (RGBQUAD of Microsoft's
// BITMAPINFO), and zeros behind them. `fd` is borrowed, its position stays. False: it is
// no AVI file, or its first video has no palette.
bool odl_avi_palette_read (int fd, guint8 colours[ODL_AVI_PALETTE_BYTES]);
