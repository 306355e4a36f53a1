// SPDX-License-Identifier: MIT
// Small pictures of the sources in a list, made for those that are seen. Main thread.
#pragma once

#include <gtk/gtk.h>

typedef struct _OdlSourceThumbnails OdlSourceThumbnails;

// For a list of OdlSourceItem; `list` and `items` are borrowed, and there until it is
// freed.
OdlSourceThumbnails *
odl_source_thumbnails_new (GtkListView *list, GListModel *items, GListModel *rows);
void odl_source_thumbnails_free (OdlSourceThumbnails *thumbnails);

// Has those made that are seen and missing, when the rows are laid out. `thumbnails` is
// an OdlSourceThumbnails.
void odl_source_thumbnails_request (void *thumbnails);

// They are made for rows of at least `side` logical pixels, anew where they are smaller.
void odl_source_thumbnails_set_side (OdlSourceThumbnails *thumbnails, int side);

// Drops what was requested.
void odl_source_thumbnails_forget (OdlSourceThumbnails *thumbnails);
