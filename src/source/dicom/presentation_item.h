// SPDX-License-Identifier: MIT
// The inside of presentations, for their own files only.
#pragma once

#include "source/dicom/header_tree.h"

G_BEGIN_DECLS

// Whether one of the images that an item lists is the picture; without a list all are
// meant, if `all`.
bool odl_presentation_refers (OdlHeaderItem item,
                              const char *sop_instance,
                              int64_t frame,
                              bool all);

// The item of a sequence that is for the picture; empty: none is.
OdlHeaderItem odl_presentation_item (OdlHeaderItem whole,
                                     const char *sequence,
                                     const char *sop_instance,
                                     int64_t frame);

G_END_DECLS
