// SPDX-License-Identifier: MIT
// What a derived DICOM file would look like and tell, before it is written. Reading is
// done in threads; functions are for the main thread.
#pragma once

#include <gio/gio.h>

#include "work/derived.h"

// What the window says where no such file can be written.
extern const char *const odl_derived_words[ODL_DERIVED_N_HINDRANCES];

// A frame of a DICOM file. Immutable; counted by reference.
typedef struct _OdlDerivedPreview OdlDerivedPreview;

void odl_derived_preview_read (const char *location,
                               int64_t frame,
                               const OdlWindow *window,
                               GCancellable *cancellable,
                               GAsyncReadyCallback cb,
                               void *data);

// Transfer full. Any of ODL_ERROR, also for what cannot be derived from.
OdlDerivedPreview *odl_derived_preview_read_finish (GAsyncResult *result, GError **error);
void odl_derived_preview_unref (OdlDerivedPreview *preview); // accepts NULL

// The frame as it came, and as the window shows it: 8 bits, one or three channels.
const OdlImage *odl_derived_preview_image (const OdlDerivedPreview *preview);
const OdlImage *odl_derived_preview_shown (const OdlDerivedPreview *preview);

// Rectangles that cover all outside the sector that is found in the frame, OdlBlank;
// NULL: there is none.
const GArray *odl_derived_preview_outside_sector (const OdlDerivedPreview *preview);

// What a file of all frames, filtered by `recipe`, would tell. Copies the choice.
void odl_derived_preview_report (OdlDerivedPreview *preview,
                                 const OdlDerivedChoice *choice,
                                 const OdlRecipe *recipe,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback cb,
                                 void *data);
OdlDerivedReport *odl_derived_preview_report_finish (GAsyncResult *result,
                                                     GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlDerivedPreview, odl_derived_preview_unref)
