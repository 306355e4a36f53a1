// SPDX-License-Identifier: MIT
// Code of the user's own in the text of a recipe: file=NAME, and its hash where a program
// wrote it.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "filter/own/own.h"

// The folder beside presets that keeps their code: HASH/NAME for each.
#define ODL_OWN_KEPT "code"

// Whether the filter is one that takes code: “glsl” or “python”, with a file or without.
bool odl_own_is_filter (const OdlFilter *filter);

// Says what is wrong with such a filter alone, which has no effect: ODL_ERROR_USAGE,
// false.
bool odl_own_needs_file (const OdlFilter *filter, GError **error);

// The row of the file that `words`, “file=x.glsl,strength=2”, name, of the language of
// `filter`; `*rest` are the other
// words, transfer full. With a hash the file must have it; code of that name and hash
// that is known already is not read again. Bypassed, it may be without a file. Relative
// names count from `folder`, NULL: from where the program runs. Without `trusted` no file
// is opened. NULL: ODL_ERROR_DENIED without `trusted`, ODL_ERROR_USAGE, and the errors of
// odl_own_code_load. Any thread.
const OdlFilter *odl_own_filter (const OdlFilter *filter,
                                 const char *words,
                                 const char *folder,
                                 bool trusted,
                                 char **rest,
                                 GError **error);

// Appends “file=NAME,sha256=HASH”, without folder.
void odl_own_append_words (GString *text, const OdlOwnCode *code);
