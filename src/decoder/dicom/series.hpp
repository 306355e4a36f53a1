// SPDX-License-Identifier: MIT
#pragma once

#include "decoder/picture.h"

class DcmItem;

// Details of the picture that say where it belongs.
void odl_dicom_series_read (DcmItem *dataset, uint32_t frame, OdlPicture *picture);
