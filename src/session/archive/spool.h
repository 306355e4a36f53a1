// SPDX-License-Identifier: MIT
// Where pictures of nodes lie that were got to be looked at: a folder of the user's cache
// that nobody else reads, and that programs which index files are asked to leave alone.
// What was got a week ago, and the oldest of what is too much, is removed when the next
// one is got; never what a running program has got.
#pragma once

#include <glib.h>

// Together; a get that would take more is given up.
#define ODL_SPOOL_MOST_BYTES ((guint64) 20 << 30)
#define ODL_SPOOL_MOST_DAYS 7

// A new folder in it, which is kept for as long as this program runs. NULL: ODL_ERROR_IO.
// Transfer full. Blocks. Any thread.
char *odl_spool_new_folder (GError **error);

// Whether not all that was asked for has come into such a folder: from its beginning, and
// for good where something is missing, until somebody says that all is there.
void odl_spool_set_complete (const char *folder);
// Of a file in the spool; NULL and other files: no. Reads the disk. Any thread.
gboolean odl_spool_is_incomplete (const char *path);

// Bytes that are there in all folders. Blocks.
guint64 odl_spool_bytes (void);

// Removes what is too old, and the oldest where there are more than so many bytes, but
// for what is in use. Blocks. Any thread.
void odl_spool_clear (guint64 most_bytes, guint most_days);

// Whether a file or folder lies there; NULL does not. Any thread.
gboolean odl_spool_holds (const char *path);

// The folder of all. Transfer full.
char *odl_spool_path (void);
