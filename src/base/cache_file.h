// SPDX-License-Identifier: MIT
// Small files of the user's cache folder that keep what was measured: a key file with a
// group for each key. What is missing, damaged, foreign or too large counts as empty, so
// that it costs a measurement and never more. Any thread, one at a time for each path;
// programs at the same time may lose each other's groups.
#pragma once

#include <glib.h>
#include <stdbool.h>

// The group of `key`: a digest of it, since keys hold anything. Transfer full.
char *odl_cache_file_group (const char *key);

// "~/.cache/ondelette/NAME". Transfer full.
char *odl_cache_file_path (const char *name);

// The file at `path`; empty where there is none of at most `most_bytes` that can be read.
// Transfer full.
GKeyFile *odl_cache_file_open (const char *path, gsize most_bytes);

// Whether `group` is that of `key`: it is kept whole, since digests can collide.
bool odl_cache_file_knows (GKeyFile *file, const char *group, const char *key);

// Makes room for `group` and begins it with its key; at most `most_groups` stay, and
// those with the smallest number under “measured” go first.
void odl_cache_file_begin_group (GKeyFile *file,
                                 const char *group,
                                 const char *key,
                                 gsize most_groups);

// Writes the whole file, making its folder if need be. `failure` begins the sentence
// about what the user loses: "the times … cannot be kept". ODL_ERROR_IO.
bool odl_cache_file_save (GKeyFile *file,
                          const char *path,
                          const char *failure,
                          GError **error);
