// SPDX-License-Identifier: MIT
// The inside of presentations, for their own files only.
#pragma once

#include "source/dicom/header_tree.h"

// Whether one of the images that an item lists is the picture; without a list all are
// meant, if `all`.
bool odl_presentation_refers (OdlHeaderItem item,
                              const char *sop_instance,
                              int64_t frame,
                              bool all);
