// SPDX-License-Identifier: MIT
// The calibrated regions of an ultrasound picture (PS3.3 C.8.5.5).
#pragma once

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmdata/dctk.h>

#include "decoder/dicom/header.h"

// Adds those whose place and scale can be; warns of the others, whose scale is not used.
void odl_dicom_regions_read (const OdlDicomHeader *header,
                             DcmItem *dataset,
                             OdlPicture *picture);
