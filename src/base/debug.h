// SPDX-License-Identifier: MIT
// ODL_DEBUG=plan,shaders,frames,timing prints what its words say, on standard error.
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef enum {
  ODL_DEBUG_PLAN = 1 << 0,
  ODL_DEBUG_SHADERS = 1 << 1,
  ODL_DEBUG_FRAMES = 1 << 2,
  ODL_DEBUG_TIMING = 1 << 3,
} OdlDebugFlags;

// True when the environment variable ODL_DEBUG names `flag`. Read once. Any thread.
bool odl_debug_wants (OdlDebugFlags flag);

// Prints one line when `flag` is wanted. Any thread.
void odl_debug (OdlDebugFlags flag, const char *format, ...) G_GNUC_PRINTF (2, 3);
