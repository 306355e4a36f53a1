// SPDX-License-Identifier: MIT
// Annotations in the user's data folder, a file for each holder. Main thread, but for
// looking up what is stored.
#pragma once

#include "source/holder.h"

// Distinguishes a source, or the file of a frame that holds its own (source/holder.h),
// from all others: the SOP Instance UID of a DICOM file, which is the same wherever the
// file lies; else path, size and time of the last change, so that another picture under
// that name gets nothing; else the location. Transfer full.
char *odl_annotation_identity (const OdlSource *source, int64_t holder);

// That of a DICOM file by its SOP Instance UID alone. Transfer full.
char *odl_annotation_identity_of_instance (const char *uid);

// Whether it identifies a file, whose annotations are stored.
bool odl_annotation_identity_is_file (const char *identity);

// Whether none are stored of any source.
bool odl_annotation_store_is_empty (void);

// NULL: none are stored, or what is stored makes no sense. Transfer full.
OdlAnnotations *odl_annotation_store_load (const char *identity);

// Replaces what is stored; removes the file if there are none. ODL_ERROR_IO.
bool odl_annotation_store_save (const char *identity,
                                const OdlAnnotations *annotations,
                                GError **error);
