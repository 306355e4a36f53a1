// SPDX-License-Identifier: MIT
// Notes in the user's state folder about files that are being written (unfinished.h).
#pragma once

#include <glib.h>

// A key file with one group: where the part is and what it is to become, as URIs.
#define ODL_NOTE_GROUP "unfinished"
#define ODL_NOTE_PART "part"
#define ODL_NOTE_TARGET "target"

char *odl_note_folder (void); // transfer full

// A note about `part`. Transfer full; NULL when none can be written.
char *odl_note_write (const char *part, const char *target);
