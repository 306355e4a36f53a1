// SPDX-License-Identifier: MIT
// The headers of many DICOM files at once.
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

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

G_END_DECLS
