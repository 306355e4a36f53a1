// SPDX-License-Identifier: MIT
// Small pictures of sources, made one after the other on a thread. The newest request
// comes first, videos after all others; requests beyond a limit are dropped, oldest
// first.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

typedef struct _OdlThumbnailer OdlThumbnailer;

#define ODL_THUMBNAILER_MAX_REQUESTS 48

// Called in the main context of odl_thumbnailer_new. Either a U8 RGBA image that fits the
// requested side (borrowed), or an error; dropped requests get ODL_ERROR_CANCELLED.
typedef void (*OdlThumbnailCb) (const char *location,
                                OdlImage *image,
                                const GError *error,
                                void *data);

OdlThumbnailer *odl_thumbnailer_new (int side, OdlThumbnailCb cb, void *data);

// Cancels what is running, waits for it; no callback comes afterwards.
void odl_thumbnailer_free (OdlThumbnailer *thumbnailer);

void odl_thumbnailer_request (OdlThumbnailer *thumbnailer, const char *location);

// Forgets all requests, without callbacks, and cancels the running one.
void odl_thumbnailer_forget (OdlThumbnailer *thumbnailer);

// The picture itself: `image` through its own window, at most `side` pixels. Any thread.
OdlImage *odl_thumbnail_make (const OdlImage *image, int side, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlThumbnailer, odl_thumbnailer_free)

G_END_DECLS
