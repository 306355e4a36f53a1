// SPDX-License-Identifier: MIT
// Objects that are no pictures, in the list of a folder or disc. Any thread.
#pragma once

#include "source/dicom/headers.h"
#include "source/dicom/studies.h"

// The row of one file, by its header. Transfer full.
OdlSeries *odl_series_of_header (const OdlPictureHeader *header, const char *path);

// The row of a segmentation, structure set, report or key object, by itself; NULL: it is
// none of these, or says nothing. Transfer full. Blocks.
OdlSeries *odl_study_object_read (const char *path, GCancellable *cancellable);

// Whether the first bytes of a file say that it is one, so that it is no picture.
bool odl_study_object_is_in (const char *path);
