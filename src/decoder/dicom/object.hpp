// SPDX-License-Identifier: MIT
// What an object that is no picture says of itself, for lists.
#pragma once

#include "decoder/dicom/item.hpp"

G_BEGIN_DECLS

// The details of a list (decoder/dicom/series.hpp) and of the object: "object" (segments,
// structures, keys, report, state), "object-title", "object-parts" (how many segments,
// structures or pictures it has), "object-space" (frame of reference), "object-of" (the
// series that it names first). ODL_ERROR_UNSUPPORTED: it is none of these.
bool odl_dicom_object_read (DcmDataset &dataset, OdlPicture *picture, GError **error);

G_END_DECLS
