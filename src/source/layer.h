// SPDX-License-Identifier: MIT
// One of the pictures of an OpenEXR file, by its name: "layer:NAME:FILE".
#pragma once

#include "source/source.h"

extern const OdlSourceClass odl_layer_source;

// The path in such a location; NULL: it is none.
const char *odl_layer_path (const char *location);
