// SPDX-License-Identifier: MIT
// The files beside an NRRD header that hold its samples.
#pragma once

#include "decoder/nrrd/header.h"

// Their plain names, which each hold as many samples. NULL: the samples follow the
// header. Names with folders are rejected. ODL_ERROR_CORRUPT, _UNSUPPORTED.
bool odl_nrrd_files_find (const OdlNrrdHeader *header, GPtrArray **names, GError **error);
