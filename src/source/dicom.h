// SPDX-License-Identifier: MIT
// DICOM files, single frames and series of frames in one file.
#pragma once

#include "source/source.h"

G_BEGIN_DECLS

extern const OdlSourceClass odl_dicom_source;

G_END_DECLS
