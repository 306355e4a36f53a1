// SPDX-License-Identifier: MIT
// What was measured in a source, in a file beside it: "scan.dcm.measured", with the
// pictures wherever they are taken. It says what it belongs to, by the SOP Instance UID
// of a DICOM file, else by size and contents; another picture gets nothing of it. Blocks;
// any thread, while the source is not used by another one.
#pragma once

#include "source/holder.h"

#define ODL_BESIDE_ENDING ".measured"

// What `holder` (source/holder.h) keeps, beside its file; a stack what is its own beside
// its first one. NULL: it is no file. Transfer full.
char *odl_beside_path (const OdlSource *source, int64_t holder);

// What the holder is told from all others by, wherever it lies. NULL: it is no file, or
// cannot be read. Transfer full.
char *odl_beside_identity (const OdlSource *source, int64_t holder);

// Holders that something is kept beside, whomever it belongs to, in their order: int64_t.
// Reads the folders of a stack. Transfer full.
GArray *odl_beside_holders (const OdlSource *source);

// Of all holders. NULL: there is none that belongs to the source. Transfer full.
OdlAnnotations *odl_beside_load (const OdlSource *source);
