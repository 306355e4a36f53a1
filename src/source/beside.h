// SPDX-License-Identifier: MIT
// What was measured in a source, in a file beside it: "scan.dcm.measured", with the
// pictures wherever they are taken. It says what it belongs to, by the SOP Instance UID
// of a DICOM file, else by size and contents; another picture gets nothing of it. Blocks;
// any thread, while the source is not used by another one.
#pragma once

#include "image/annotation/annotations.h"
#include "source/source.h"

#define ODL_BESIDE_ENDING ".measured"

// Of a stack beside its first file. NULL: the source is no file. Transfer full.
char *odl_beside_path (const OdlSource *source);

// What the source is told from all others by, wherever it lies. NULL: it is no file, or
// cannot be read. Transfer full.
char *odl_beside_identity (const OdlSource *source);

// NULL: there is none that belongs to it. Transfer full.
OdlAnnotations *odl_beside_load (const OdlSource *source);
