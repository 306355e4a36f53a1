// SPDX-License-Identifier: MIT
// MetaImage files: pictures, volumes and sequences, decoded by the helper.
#pragma once

#include <stdio.h>

#include "source/source.h"

// Adds the files beside `location` that a header's text stands for: a plain name, which
// may contain spaces and per cent signs, or a pattern such as "slice%03d.raw 1 40 1", of
// which those are added that are there.
void odl_metaimage_add_files (GPtrArray *files, const char *location, const char *value);

// Adds the files that the header in `file`, of `location`, names; see above.
typedef void (*OdlFileNamesFunc) (GPtrArray *files, const char *location, FILE *file);

// Those files, as OdlSourceClass.files; none where `location` cannot be read.
GStrv odl_metaimage_list_files (const char *location, OdlFileNamesFunc read);

// Opens a header of `klass`, whose name is the decoder's format, with the files that it
// names; the decoder gets no others. As OdlSourceClass.open.
OdlSource *odl_metaimage_open_with_files (const OdlSourceClass *klass,
                                          const char *location,
                                          GCancellable *cancellable,
                                          GError **error);

extern const OdlSourceClass odl_metaimage_source;
