// SPDX-License-Identifier: MIT
// DICOM files with one or more frames.
#pragma once

#include "source/source.h"

G_BEGIN_DECLS

extern const OdlSourceClass odl_dicom_source;

G_END_DECLS
