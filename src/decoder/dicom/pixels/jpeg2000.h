// SPDX-License-Identifier: MIT
// JPEG 2000 and its high-throughput variant, by OpenJPEG.
#pragma once

#include "decoder/dicom/pixels/codec.h"

G_BEGIN_DECLS

// Decodes into `frame->samples`, which has room for a measured frame: the lowest bits of
// each value, in words of the host; sign-extended if the header says that values are
// signed. Sets `filled`. Messages complete "Cannot open FILE: …".
bool odl_jpeg2000_decode (const OdlDicomCompressed *compressed,
                          OdlDicomFrame *frame,
                          GError **error);

G_END_DECLS
