// SPDX-License-Identifier: MIT
// Opening untrusted files, and naming them in messages.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  int fd; // close-on-exec; the caller closes it
  uint64_t size; // at least 1
} OdlSourceFile;

// Opens `path` for reading. Never blocks: directories, pipes, sockets and devices give
// ODL_ERROR_IO; an empty file ODL_ERROR_CORRUPT. The message completes "Cannot open
// FILE: …".
gboolean odl_source_file_open (const char *path, OdlSourceFile *file, GError **error);

// Opens `name`, which the file `path` refers to, in the folder of that file. Rejects
// names with folders and symbolic links. ODL_ERROR_CORRUPT; the message completes
// "Cannot open FILE: …".
gboolean odl_source_file_open_beside (const char *path,
                                      const char *name,
                                      OdlSourceFile *file,
                                      GError **error);

// An empty file without a name, in the cache folder, which a helper may fill: a disk is
// there more often than where temporary files lie. `fd` −1: there is none.
OdlSourceFile odl_source_file_room (void);

// Bytes for a helper, as a file without a name. `fd` −1: ODL_ERROR_IO.
OdlSourceFile odl_source_file_of_bytes (const void *bytes, size_t n, GError **error);

// `path` with `ending` instead of its own, which may be double (".hdr.gz"); capitals
// stay capitals. Transfer full.
char *odl_source_file_with_ending (const char *path, const char *ending);

// Enough to recognise every format.
#define ODL_SOURCE_HEAD_BYTES 512

// The first bytes of the file, at most ODL_SOURCE_HEAD_BYTES. Errors name the file.
gboolean odl_source_file_read_head (const char *path,
                                    uint8_t *head,
                                    size_t *n_head,
                                    GError **error);

// "Cannot open FILE: " with the display name of the file. Transfer full.
char *odl_source_file_error_start (const char *path);

// Prefixes the message of `error` with it.
void odl_source_file_name_error (const char *path, GError **error);

// The last component of `path` as one line of valid UTF-8. Transfer full.
char *odl_source_file_display_name (const char *path);

// The same with its folders. Transfer full.
char *odl_source_file_display_path (const char *path);

// Keeps what comes by standard input, up to its end, in a file without a name, and
// returns the name by which this program can open it as often as it likes; the display
// name is “standard input”. Call it from one thread. ODL_ERROR_IO.
const char *odl_source_file_standard_input (GError **error);

// Whether `path` is that name.
bool odl_source_file_is_standard_input (const char *path);
