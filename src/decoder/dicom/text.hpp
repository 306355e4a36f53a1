// SPDX-License-Identifier: MIT
// Text of a data set in its character set.
#pragma once

#include "decoder/dicom/character_set.h"
#include "decoder/dicom/item.hpp"

// The character set of an item, for odl_character_set_decode.
int odl_dicom_character_set (DcmItem *item);

// The value of `tag` as UTF-8; bytes that its character set (0008,0005) does not explain
// stand as \xHH. Empty: none. g_free.
char *odl_dicom_text (DcmItem *dataset, const DcmTagKey &tag);

// A person's name for people: "Family, Given", further ways to write it after a dot.
// g_free.
char *odl_dicom_name (DcmItem *dataset, const DcmTagKey &tag);
