// SPDX-License-Identifier: MIT
// The headers of many DICOM files at once, and what those who ask for them share.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "source/source.h"

// What is made of the header of a file; NULL: it cannot be read. Any thread, several at
// once.
typedef void *(*OdlHeaderFunc) (const char *path, GCancellable *cancellable);

// What `read` makes of each of `paths`, in their order, NULL among it, as where it was
// cancelled before. Every file is read by a process of its own, so that what one says
// cannot be said by another; so many at a time that processors are not idle while those
// start and end. Transfer container. Blocks: half a millisecond or so for each file. Any
// thread.
GPtrArray *
odl_headers_read (const GPtrArray *paths, OdlHeaderFunc read, GCancellable *cancellable);

// What a file says of `key` (OdlSource's details), or "". Transfer full.
char *odl_header_detail (const OdlSource *source, const char *key);

// Whether the first bytes of a file say that it is one of a kind.
typedef bool (*OdlHeadTest) (const uint8_t *head, size_t n);

// The paths of DICOM files of a kind in the folder of a file, on its disc or beside its
// folder, at most 512. Transfer full. Blocks. Any thread. In presentations.c.
GPtrArray *
odl_dicom_files_beside (const char *path, OdlHeadTest is_in, GCancellable *cancellable);

// Whether a path is a file of that kind (S_IFREG, S_IFDIR) itself: links may lead
// elsewhere, or back. Any thread.
bool odl_header_path_is (const char *path, mode_t kind);
