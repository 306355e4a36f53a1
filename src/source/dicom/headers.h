// SPDX-License-Identifier: MIT
// The headers of many DICOM files at once, and what those who ask for them share.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "source/source.h"

// What the header of a DICOM picture says of it, as far as lists and stacks of pictures
// need it. Immutable.
typedef struct _OdlPictureHeader OdlPictureHeader;

// A helper that reads some files of one folder, one after the other: starting one for
// each takes most of the time. What it says of identity is asked once more where the
// pictures are shown. NULL in the place of one: each file has its own.
typedef struct _OdlHeaderHelper OdlHeaderHelper;

// Kept for whoever asks next, for as long as the file stays as it is. NULL: it is no
// picture, or cannot be read. Transfer full. Blocks. Any thread.
OdlPictureHeader *odl_picture_header_read (const char *path,
                                           OdlHeaderHelper *helper,
                                           GCancellable *cancellable);

// The same of an object that is no picture: a segmentation, a structure set, a report,
// key objects, a presentation state.
OdlPictureHeader *odl_object_header_read (const char *path, GCancellable *cancellable);
void odl_picture_header_unref (OdlPictureHeader *header);

// What it says of `key` (OdlSource's details, those of headers.c alone), or NULL.
const char *odl_picture_header_text (const OdlPictureHeader *header, const char *key);
// The same, or "". Transfer full.
char *odl_picture_header_dup (const OdlPictureHeader *header, const char *key);
int odl_picture_header_n_frames (const OdlPictureHeader *header);
// Of pixels, in x and y; 0: unknown.
const double *odl_picture_header_spacing_mm (const OdlPictureHeader *header);

// How many headers are kept, so that tests see it.
guint odl_headers_kept (void);

// What is made of the header of a file; NULL: it cannot be read. Any thread, several at
// once.
typedef void *(*OdlHeaderFunc) (const char *path,
                                OdlHeaderHelper *helper,
                                GCancellable *cancellable);

// What `read` makes of each of `paths`, in their order, NULL among it, as where it was
// cancelled before. So many at a time that processors are not idle while helpers start
// and end. Transfer container. Blocks: a quarter of a millisecond or so for each file
// whose header is not kept. Any thread.
GPtrArray *
odl_headers_read (const GPtrArray *paths, OdlHeaderFunc read, GCancellable *cancellable);

// Whether the first bytes of a file say that it is one of a kind.
typedef bool (*OdlHeadTest) (const uint8_t *head, size_t n);

// The paths of DICOM files of a kind in the folder of a file, on its disc or beside its
// folder, at most 512. Transfer full. Blocks. Any thread. In presentations.c.
GPtrArray *
odl_dicom_files_beside (const char *path, OdlHeadTest is_in, GCancellable *cancellable);

// Whether a path is a file of that kind (S_IFREG, S_IFDIR) itself: links may lead
// elsewhere, or back. Any thread.
bool odl_header_path_is (const char *path, mode_t kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlPictureHeader, odl_picture_header_unref)
