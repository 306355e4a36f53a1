// SPDX-License-Identifier: MIT
// Makes small pictures of sources on a thread, one after the other: the newest request
// first, videos last. Beyond a limit the oldest requests are dropped.
#pragma once

#include "image/image.h"

typedef struct _OdlThumbnailer OdlThumbnailer;

#define ODL_THUMBNAILER_MAX_REQUESTS 48

// Called in the main context of odl_thumbnailer_new. Either a U8 RGBA image that fits the
// requested side (borrowed), or an error; dropped requests get ODL_ERROR_CANCELLED.
typedef void (*OdlThumbnailCb) (const char *location,
                                OdlImage *image,
                                const GError *error,
                                void *data);

OdlThumbnailer *odl_thumbnailer_new (int side, OdlThumbnailCb cb, void *data);

// Cancels the running request and waits for it; the callback is not called afterwards.
void odl_thumbnailer_free (OdlThumbnailer *thumbnailer);

void odl_thumbnailer_request (OdlThumbnailer *thumbnailer, const char *location);

// Forgets all requests, without callbacks, and cancels the running one.
void odl_thumbnailer_forget (OdlThumbnailer *thumbnailer);

// `image` displayed with its own window, at most `side` pixels wide and high. Any thread.
OdlImage *odl_thumbnail_make (const OdlImage *image, int side, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlThumbnailer, odl_thumbnailer_free)
