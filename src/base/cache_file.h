// SPDX-License-Identifier: MIT
// Cache files: key files in the user's cache folder that hold measured results, one
// group per key. A missing, damaged, foreign or oversized file counts as empty, so the
// worst case is measuring again. Any thread, but one at a time per path; concurrent
// processes may overwrite each other's groups.
#pragma once

#include <glib.h>
#include <stdbool.h>

// The group name for `key`: a digest, since keys may hold any text. Transfer full.
char *odl_cache_file_group (const char *key);

// "~/.cache/ondelette/NAME". Transfer full.
char *odl_cache_file_path (const char *name);

// Reads the file at `path`; returns an empty key file if it is missing, unreadable or
// longer than `most_bytes`. Transfer full.
GKeyFile *odl_cache_file_open (const char *path, gsize most_bytes);

// Whether `group` belongs to `key`. The group stores the whole key, since digests can
// collide.
bool odl_cache_file_knows (GKeyFile *file, const char *group, const char *key);

// Starts `group` with its key. Keeps at most `most_groups`; those with the smallest
// number under “measured” are removed first.
void odl_cache_file_begin_group (GKeyFile *file,
                                 const char *group,
                                 const char *key,
                                 gsize most_groups);

// Writes the whole file; creates its folder if necessary. `failure` begins the error
// message and names the consequence: "the times … cannot be kept". ODL_ERROR_IO.
bool odl_cache_file_save (GKeyFile *file,
                          const char *path,
                          const char *failure,
                          GError **error);
