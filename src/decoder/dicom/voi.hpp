// SPDX-License-Identifier: MIT
// How a DICOM data set wants its values to be shown: window, its function, table of
// levels, polarity (PS3.3 C.11.2, C.11.6).
#pragma once

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmdata/dctk.h>

#include "decoder/dicom/header.h"

// Of a grey picture, whose slope and intercept have been read.
void odl_dicom_voi_read (const OdlDicomHeader *header,
                         DcmItem *dataset,
                         uint32_t frame,
                         OdlPicture *picture);

// Warns of each attribute that changes how the picture should look and is not applied.
void odl_dicom_name_unapplied (const OdlDicomHeader *header,
                               DcmItem *dataset,
                               OdlPicture *picture);
