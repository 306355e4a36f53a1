// SPDX-License-Identifier: MIT
// Text of a data set in its character set.
#pragma once

#include "decoder/dicom/item.hpp"

// Loads the converters, which the sandbox would not let in. Once, before it.
void odl_dicom_text_init (void);

// The character set of an item, for odl_dicom_decode; −1: ASCII or UTF-8.
int odl_dicom_character_set (DcmItem *item);
// A value in such a set as odl_dicom_text. g_free.
char *odl_dicom_decode (const char *value, int set);

// The value of `tag` as UTF-8; bytes that its character set (0008,0005) does not explain
// stand as \xHH. Empty: none. g_free.
char *odl_dicom_text (DcmItem *dataset, const DcmTagKey &tag);

// A person's name for people: "Family, Given", further ways to write it after a dot.
// g_free.
char *odl_dicom_name (DcmItem *dataset, const DcmTagKey &tag);
