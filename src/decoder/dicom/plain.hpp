// SPDX-License-Identifier: MIT
// The same instance without compression, for peers that take no other transfer syntax.
#pragma once

#include "decoder/dicom/derive.hpp"

// The whole file, in explicit or implicit little endian. Samples are those of the source,
// from its codec; identifiers stay (PS3.4 B.4.2). `header` NULL: the object has no
// pixels. `memory` is what samples may take. Changes `dataset`. Errors: any of
// ODL_ERROR. The caller frees the bytes.
GByteArray *odl_dicom_plain (const OdlDicomHeader *header,
                             const OdlDicomScan *scan,
                             DcmDataset &dataset,
                             bool implicit,
                             size_t memory,
                             GError **error);
