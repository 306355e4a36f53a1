// SPDX-License-Identifier: MIT
// Reading single values of a DCMTK item without trusting their type or number.
#pragma once

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmdata/dctk.h>

#include "decoder/dicom/header.h"

// An unsigned short that stands there once, as US. False: absent, or something else.
bool odl_item_short (DcmItem *item, const DcmTagKey &tag, uint32_t &value);

// The same; absent ones and empty ones leave `value` as it is. ODL_ERROR_CORRUPT:
// something else, with a message that completes "Cannot open FILE: …".
bool odl_item_optional_short (DcmItem *item,
                              const DcmTagKey &tag,
                              uint32_t &value,
                              GError **error);

// Value number `index` of a decimal or binary number. Sets NaN for what is no number.
// False: absent or empty.
bool odl_item_number (DcmItem *item, const DcmTagKey &tag, unsigned index, double &value);

// The first value, trimmed, or an empty text.
OFString odl_item_text (DcmItem *item, const DcmTagKey &tag);

// Item `index` of a sequence, or NULL.
DcmItem *odl_item_in (DcmItem *item, const DcmTagKey &sequence, unsigned index);

// Item of `macro` among the values that an enhanced image keeps per frame, or once for
// all frames; `dataset` itself, where a classic image has them.
DcmItem *odl_item_macro (DcmItem *dataset, const DcmTagKey &macro, uint32_t frame);

// Reads a look-up table of descriptor and data; `is_signed`: what it maps may be
// negative, and so its first value. ODL_ERROR_CORRUPT.
struct OdlLutTags {
  DcmTagKey descriptor;
  DcmTagKey data;
  DcmTagKey segmented; // may be undefined
};
bool odl_item_lut (DcmItem *item,
                   const OdlLutTags &tags,
                   bool is_signed,
                   OdlDicomLut *lut,
                   GError **error);
