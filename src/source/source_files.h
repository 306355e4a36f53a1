// SPDX-License-Identifier: MIT
// Which files a source reads, for those who write: none of these is ever written over.
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

// A set of files, which go by what they are, not by their names.
GHashTable *odl_source_files_new (void);

// Adds the file `path`, if there is one.
void odl_source_files_add_path (GHashTable *files, const char *path);

// Adds what a path or a specification reads: the file itself, the numbered pictures of a
// sequence, the files that a header names for its samples. Opens and decodes nothing;
// cost: reads the folder or the header.
void odl_source_files_add (GHashTable *files, const char *location);

// Whether `path`, or what it links to, is one of them.
bool odl_source_files_have (GHashTable *files, const char *path);

G_END_DECLS
