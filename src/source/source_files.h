// SPDX-License-Identifier: MIT
// The files that sources read, so that outputs never overwrite them.
#pragma once

#include <glib.h>
#include <stdbool.h>

// A set of files, identified by device and inode.
GHashTable *odl_source_files_new (void);

// Adds the file `path` if it exists.
void odl_source_files_add_path (GHashTable *files, const char *path);

// Adds all files that a path or specification reads: the file itself, the pictures of
// a sequence, data files named by a header. Decodes nothing; reads the folder or the
// header.
void odl_source_files_add (GHashTable *files, const char *location);

// Whether `path`, with links followed, is in the set.
bool odl_source_files_have (GHashTable *files, const char *path);
