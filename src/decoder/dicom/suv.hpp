// SPDX-License-Identifier: MIT
// Standardized uptake values of PET pictures.
#pragma once

#include "decoder/dicom/item.hpp"
#include "decoder/picture.h"

// The unit of the values of a PET picture as people write it, else the word of its file
// (PS3.3 C.8.9.1.1.3). "": it says none, or the picture is of another modality.
OFString odl_dicom_pet_unit (DcmItem *dataset);

// Of a PET picture adds the details "pet-units", and "suv-factor", by which its values
// become SUVbw (g/ml; QIBA, SUV vendor-neutral pseudo-code), or "suv-unknown": why they
// do not, as a sentence.
void odl_dicom_suv (DcmItem *dataset, OdlPicture *picture);
