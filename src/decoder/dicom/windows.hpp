// SPDX-License-Identifier: MIT
// The windows and tables of grey levels that a DICOM item offers (PS3.3 C.11.2).
#pragma once

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmdata/dctk.h>

#include "decoder/dicom/header.h"

// Of a grey picture, whose slope and intercept have been read: the first valid table and
// the first valid window, and, if there are several in all, the list of them, tables
// first; their names are in the character set of the data set. False: there is no window.
bool odl_dicom_windows_read (const OdlDicomHeader *header,
                             DcmItem *dataset,
                             DcmItem *item,
                             OdlPicture *picture);
