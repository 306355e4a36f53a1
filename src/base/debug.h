// SPDX-License-Identifier: MIT
// ODL_DEBUG=plan,shaders,frames,timing prints what its words say, on standard error. The
// word sandbox makes the program ask the desktop's portal for the camera, as it does in a
// sandbox.
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef enum {
  ODL_DEBUG_PLAN = 1 << 0,
  ODL_DEBUG_SHADERS = 1 << 1,
  ODL_DEBUG_FRAMES = 1 << 2,
  ODL_DEBUG_TIMING = 1 << 3,
  ODL_DEBUG_SANDBOX = 1 << 4,
} OdlDebugFlags;

// True when the environment variable ODL_DEBUG names `flag`. Read once. Any thread.
bool odl_debug_wants (OdlDebugFlags flag);

// The words that ODL_DEBUG may hold. Transfer full. Any thread.
char **odl_debug_words (void);

// Prints one line when `flag` is wanted. Any thread.
void odl_debug (OdlDebugFlags flag, const char *format, ...) G_GNUC_PRINTF (2, 3);

// Makes things fail that cannot be broken at will, to see what the rest does about it:
// the environment variable ODL_FAULT lists "PART/CALL" or "PART/CALL=KIND", separated by
// commas, such as "gl-fragment/run,cpu/prepare=too-large"; kinds are gpu (the default),
// too-large and unsupported. True, with `error`, when it lists this call. Looked at each
// time. Any thread.
bool odl_debug_fault (const char *part, const char *call, GError **error);

// The kinds. Transfer full. Any thread.
char **odl_debug_fault_kinds (void);
