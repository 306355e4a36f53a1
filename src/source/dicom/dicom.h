// SPDX-License-Identifier: MIT
// DICOM files with one or more frames.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "source/source.h"

extern const OdlSourceClass odl_dicom_source;

// Whether a source reads a DICOM file, of pictures or with a video in it.
bool odl_dicom_is_source (const OdlSource *source);

// Whether a name looks like a DICOM file; a name without extension is opened, since many
// DICOM files have none. For folder listings.
bool odl_dicom_is_candidate (const char *path);

// The whole header of a DICOM file: a line for each element, with depth, tag, VR, keyword
// and value between tabs; valid UTF-8. Blocks. Transfer full. Any of ODL_ERROR.
char *odl_dicom_read_header (const char *path, GCancellable *cancellable, GError **error);

// DICOM files without compression, as the decoder makes them of others.

// The same instance in explicit or implicit little endian, with the samples that the
// source has. Transfer full. Blocks. Errors name the file: any of ODL_ERROR. Any thread.
GBytes *odl_plain_file (const char *path, bool implicit, GError **error);
