// SPDX-License-Identifier: MIT
// The display shutter of a DICOM picture: what of it is covered (PS3.3 C.7.6.11).
#pragma once

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmdata/dctk.h>

#include "decoder/dicom/header.h"

// Of an allocated picture. A shutter that cannot be, or would cover everything, is not
// applied, with a warning.
void odl_dicom_shutter_read (DcmItem *dataset, uint32_t frame, OdlPicture *picture);
