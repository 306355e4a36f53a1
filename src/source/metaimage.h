// SPDX-License-Identifier: MIT
// MetaImage files: pictures, volumes and sequences, decoded by the helper.
#pragma once

#include "source/source.h"

extern const OdlSourceClass odl_metaimage_source;
