// SPDX-License-Identifier: MIT
// The header of a file as text for people. Any thread.
#pragma once

#include "source/source.h"

// Which kind of header the file of a source has that can be read as text; NULL: none.
const char *odl_header_text_kind (const OdlSource *source);

// The header of a file of that kind, in the lines of odl_dicom_read_header. Blocks.
// Transfer full. Any of ODL_ERROR.
char *odl_header_text_read (const char *kind,
                            const char *path,
                            GCancellable *cancellable,
                            GError **error);
