// SPDX-License-Identifier: MIT
// Opening files that may be anything, and naming them in messages.
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  int fd; // close-on-exec; the caller closes it
  uint64_t size; // at least 1
} OdlSourceFile;

// Opens `path` for reading. Never blocks: directories, pipes, sockets and devices are
// ODL_ERROR_IO, an empty file is ODL_ERROR_CORRUPT. The message completes "Cannot open
// FILE: …".
gboolean odl_source_file_open (const char *path, OdlSourceFile *file, GError **error);

// The file `name` in the folder of the file `path`, which asks for it: never a name with
// a folder in it, and never a link, which may point anywhere. Errors are
// ODL_ERROR_CORRUPT and worded to complete "Cannot open FILE: …".
gboolean odl_source_file_open_beside (const char *path,
                                      const char *name,
                                      OdlSourceFile *file,
                                      GError **error);

// Enough to tell every format.
#define ODL_SOURCE_HEAD_BYTES 512

// The first bytes of the file, ODL_SOURCE_HEAD_BYTES at most. Errors name the file.
gboolean odl_source_file_read_head (const char *path,
                                    uint8_t *head,
                                    size_t *n_head,
                                    GError **error);

// "Cannot open FILE: " with the name of the file as people read it. Transfer full.
char *odl_source_file_error_start (const char *path);

// Puts that before the message of `error`.
void odl_source_file_name_error (const char *path, GError **error);

// The last part of `path` as one line of valid UTF-8. Transfer full.
char *odl_source_file_display_name (const char *path);

G_END_DECLS
