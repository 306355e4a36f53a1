// SPDX-License-Identifier: MIT
// Standardized uptake values of PET pictures.
#pragma once

#include "decoder/dicom/item.hpp"
#include "decoder/picture.h"

// Of a PET picture adds the details "pet-units", and "suv-factor", by which its values
// become SUVbw (g/ml; QIBA, SUV vendor-neutral pseudo-code), or "suv-unknown": why they
// do not, as a sentence.
void odl_dicom_suv (DcmItem *dataset, OdlPicture *picture);
