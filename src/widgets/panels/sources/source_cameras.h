// SPDX-License-Identifier: MIT
// Cameras in the source panel: their rows, and the bar of the one that is shown. Main
// thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

typedef struct _OdlSourceCameras OdlSourceCameras;

// Its rows are the last ones of `items`; `changed` is called when these are others.
// `session` and `items` are borrowed, and there until it is freed.
OdlSourceCameras *odl_source_cameras_new (OdlSession *session,
                                          GListStore *items,
                                          void (*changed) (void *data),
                                          void *data);
// Another session is that of the list.
void odl_source_cameras_set_session (OdlSourceCameras *cameras, OdlSession *session);
void odl_source_cameras_free (OdlSourceCameras *cameras);

// Floating, as other new widgets.
GtkWidget *odl_source_cameras_bar (OdlSourceCameras *cameras);

// Looks for cameras soon, if it has not done so yet.
void odl_source_cameras_look (OdlSourceCameras *cameras);

// The list has none of its rows: adds them, or (`listed` false) none until called again.
void odl_source_cameras_fill (OdlSourceCameras *cameras, bool listed);

// The session shows another source.
void odl_source_cameras_update (OdlSourceCameras *cameras);

// The row of a camera, which has one for all its formats.
guint odl_source_cameras_find_row (GListModel *rows, const char *location);
