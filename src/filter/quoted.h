// SPDX-License-Identifier: MIT
// Names of files in recipes: in double quotes with C escapes where they need it.
#pragma once

#include <glib.h>

// Length in bytes up to the first of `stops` outside quotes; −1 if a quote is
// unterminated. Any thread.
int odl_quoted_span_to (const char *text, const char *stops);

// The name that a whole text stands for. NULL: ODL_ERROR_USAGE. Transfer full. Any
// thread.
char *odl_quoted_parse (const char *text, GError **error);

// Appends a name. Keeps UTF-8 unescaped.
void odl_quoted_append (GString *text, const char *file);
