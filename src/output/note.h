// SPDX-License-Identifier: MIT
// Notes about files being written, in the user's state folder (unfinished.h).
#pragma once

#include <glib.h>

// A key file with one group: URIs of the part and of its final name.
#define ODL_NOTE_GROUP "unfinished"
#define ODL_NOTE_PART "part"
#define ODL_NOTE_TARGET "target"

char *odl_note_folder (void); // transfer full

// Writes a note about `part`. Transfer full; NULL on failure.
char *odl_note_write (const char *part, const char *target);
