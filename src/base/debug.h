// SPDX-License-Identifier: MIT
// Debug output: ODL_DEBUG=plan,shaders,frames,timing prints these topics on standard
// error. The word `sandbox` makes the program request the camera through the desktop
// portal, as it would inside a sandbox.
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

// The words that ODL_DEBUG accepts. Transfer full. Any thread.
char **odl_debug_words (void);

// Prints one line if ODL_DEBUG names `flag`. Any thread.
void odl_debug (OdlDebugFlags flag, const char *format, ...) G_GNUC_PRINTF (2, 3);

// Fault injection for tests: the environment variable ODL_FAULT lists "PART/CALL" or
// "PART/CALL=KIND", separated by commas, such as
// "gl-fragment/run,cpu/prepare=too-large". KIND is gpu (default), too-large,
// unsupported or pending. Returns true and sets `error` if this call is listed. The
// variable is read at every call. Any thread.
bool odl_debug_fault (const char *part, const char *call, GError **error);

// The accepted kinds. Transfer full. Any thread.
char **odl_debug_fault_kinds (void);
