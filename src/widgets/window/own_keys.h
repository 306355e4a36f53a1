// SPDX-License-Identifier: MIT
// Keys that people gave commands in the place of those of the table (commands.h), of all
// windows. Main thread.
#pragma once

#include "widgets/settings.h"

// Those that are kept, one to a line: the id of a command, a tab, its accelerators as GTK
// writes them, separated by blanks. Lines that make no sense are left out.
#define ODL_OWN_KEYS "own-keys"

// Takes those of the settings.
void odl_own_keys_load (OdlSettings *settings);

// The accelerators of `id`, "" where it is to have none; NULL: those of the table.
// Borrowed until they are changed.
const char *odl_own_keys_of (const char *id);

// Gives `id` other accelerators, "" none, NULL those of the table again, and keeps them.
void odl_own_keys_set (OdlSettings *settings, const char *id, const char *keys);

// All commands have those of the table again.
void odl_own_keys_clear (OdlSettings *settings);
