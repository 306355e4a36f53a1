// SPDX-License-Identifier: MIT
// What somebody outlined in pictures, found in the background. Main thread.
#pragma once

#include "session/player/frame.h"
#include "session/session.h"
#include "source/dicom/crossing.h"
#include "source/dicom/segments.h"

// Where the frame lies that is shown; `plane`: that of its volume, or ODL_N_PLANES: the
// picture itself. False: nobody knows, and nothing names the picture.
bool odl_session_segments_plane (OdlSession *session,
                                 const OdlFrame *frame,
                                 OdlPlaneKind plane,
                                 OdlSegmentsPlane *found);

// Looks for segmentations and structure sets beside the DICOM file that is shown that fit
// `plane`, which need not outlive the call. `wanted`: a file that somebody chose among
// them, or NULL.
void odl_segments_list (const char *path,
                        const char *wanted,
                        const OdlSegmentsPlane *plane,
                        GCancellable *cancellable,
                        GAsyncReadyCallback cb,
                        void *data);
// OdlSegments, at most 16; transfer full. NULL: it was cancelled. *refused: a sentence
// why one, or the wanted one, cannot be shown; NULL: all can. Transfer full.
GPtrArray *odl_segments_list_finish (GAsyncResult *result, char **refused);
