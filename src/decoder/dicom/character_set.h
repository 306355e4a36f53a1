// SPDX-License-Identifier: MIT
// Character sets of DICOM (PS3.3 C.12.1.1.2).
#pragma once

#include <glib.h>

G_BEGIN_DECLS

// Loads the converters, which a sandbox would not let in. Once, before it.
void odl_character_sets_init (void);

// The set besides ASCII that the value of (0008,0005) names: its index, for
// odl_character_set_decode; −1: ASCII or UTF-8; −2: an unknown one, or several that
// differ.
int odl_character_set_find (const char *terms);

// A value in such a set as UTF-8, without blanks at the ends; bytes that the set does not
// explain stand as \xHH. g_free.
char *odl_character_set_decode (const char *value, int set);

G_END_DECLS
