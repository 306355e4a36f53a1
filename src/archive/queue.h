// SPDX-License-Identifier: MIT
// A folder of copies of files that are to be sent: what was put there stays, whole,
// through a kill and a loss of power, until it is taken out.
#pragma once

#include <glib.h>
#include <stdbool.h>

// Errors name the file. ODL_ERROR_IO.
bool odl_queue_put (const char *folder, const char *path, GError **error);

// Paths of what is there in the order of the names, which is that of time in a queue: at
// most so many (0: all), whose names end so (NULL: anyhow). Transfer full.
char **odl_queue_list (const char *folder, const char *ending, guint most);
