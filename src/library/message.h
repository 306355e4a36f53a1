// SPDX-License-Identifier: MIT
// What the functions of the library tell their callers.
#pragma once

#include <glib.h>

// What the caller gets of `error`, which is freed; NULL: none. `message` may be NULL.
void odl_library_tell (char **message, GError *error);

// Sets a sentence about what the caller passed.
void odl_library_refuse (GError **error, const char *what);
