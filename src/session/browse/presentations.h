// SPDX-License-Identifier: MIT
// How somebody saved that a picture is to be looked at, found in the background. Main
// thread.
#pragma once

#include "source/dicom/presentation.h"

// odl_presentations_find for the DICOM file `path`.
void odl_presentations_list (const char *path,
                             GCancellable *cancellable,
                             GAsyncReadyCallback cb,
                             void *data);
// OdlPresentation; transfer full. NULL: it was cancelled.
GPtrArray *odl_presentations_list_finish (GAsyncResult *result);

// Which pictures a presentation state is of.
typedef struct {
  int n_pictures;
  char *picture; // SOP Instance UID of the first; NULL: of none
  char *file; // in its folder, that this is; NULL: none
} OdlPresentationSubject;

void odl_presentation_subject_free (OdlPresentationSubject *subject);
void odl_presentation_subject_find (const char *path,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback cb,
                                    void *data);
// Transfer full; NULL: it was cancelled.
OdlPresentationSubject *odl_presentation_subject_finish (GAsyncResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlPresentationSubject, odl_presentation_subject_free)
