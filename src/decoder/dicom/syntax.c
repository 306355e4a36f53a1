// SPDX-License-Identifier: MIT
#include "decoder/dicom/syntax.h"

#include <string.h>

#define UID(tail) "1.2.840.10008.1.2" tail

const OdlDicomSyntax odl_dicom_syntaxes[] = {
  { UID (""), "Implicit VR Little Endian", .implicit_vr = true },
  { UID (".1"), "Explicit VR Little Endian" },
  { UID (".2"), "Explicit VR Big Endian", .big_endian = true },
  { UID (".1.99"), "Deflated Explicit VR Little Endian", .deflated = true },
  { UID (".1.98"), "Encapsulated Uncompressed Explicit VR Little Endian",
    ODL_DICOM_FRAMED },
  { UID (".5"), "RLE Lossless", ODL_DICOM_RLE },
  { UID (".4.50"), "JPEG Baseline", ODL_DICOM_JPEG, .lossy = true },
  { UID (".4.51"), "JPEG Extended", ODL_DICOM_JPEG, .lossy = true },
  { UID (".4.53"), "JPEG Spectral Selection", ODL_DICOM_JPEG, .lossy = true },
  { UID (".4.55"), "JPEG Full Progression", ODL_DICOM_JPEG, .lossy = true },
  { UID (".4.57"), "JPEG Lossless", ODL_DICOM_JPEG },
  { UID (".4.70"), "JPEG Lossless, First-Order Prediction", ODL_DICOM_JPEG },
  { UID (".4.80"), "JPEG-LS Lossless", ODL_DICOM_JPEG_LS },
  { UID (".4.81"), "JPEG-LS Near-Lossless", ODL_DICOM_JPEG_LS, .lossy = true },
  { UID (".4.90"), "JPEG 2000 Lossless", ODL_DICOM_JPEG_2000 },
  { UID (".4.91"), "JPEG 2000", ODL_DICOM_JPEG_2000 },
  { UID (".4.92"), "JPEG 2000 Multi-component Lossless", ODL_DICOM_REFUSED },
  { UID (".4.93"), "JPEG 2000 Multi-component", ODL_DICOM_REFUSED },
  { UID (".4.94"), "JPIP Referenced", ODL_DICOM_REFUSED },
  { UID (".4.95"), "JPIP Referenced Deflate", ODL_DICOM_REFUSED },
  { UID (".4.100"), "MPEG-2 Main Level", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.100.1"), "MPEG-2 Main Level", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.101"), "MPEG-2 High Level", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.101.1"), "MPEG-2 High Level", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.102"), "MPEG-4 AVC/H.264", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.102.1"), "MPEG-4 AVC/H.264", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.103"), "MPEG-4 AVC/H.264", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.103.1"), "MPEG-4 AVC/H.264", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.104"), "MPEG-4 AVC/H.264", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.104.1"), "MPEG-4 AVC/H.264", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.105"), "MPEG-4 AVC/H.264 Stereo", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.105.1"), "MPEG-4 AVC/H.264 Stereo", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.106"), "MPEG-4 AVC/H.264 Stereo", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.106.1"), "MPEG-4 AVC/H.264 Stereo", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.107"), "HEVC/H.265", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.108"), "HEVC/H.265 10 bit", ODL_DICOM_VIDEO, .lossy = true },
  { UID (".4.110"), "JPEG XL Lossless", ODL_DICOM_REFUSED },
  { UID (".4.111"), "JPEG XL JPEG Recompression", ODL_DICOM_REFUSED },
  { UID (".4.112"), "JPEG XL", ODL_DICOM_REFUSED },
  { UID (".4.201"), "High-Throughput JPEG 2000 Lossless", ODL_DICOM_JPEG_2000 },
  { UID (".4.202"), "High-Throughput JPEG 2000 RPCL Lossless", ODL_DICOM_JPEG_2000 },
  { UID (".4.203"), "High-Throughput JPEG 2000", ODL_DICOM_JPEG_2000 },
  { "1.2.840.113619.5.2", "GE Private Implicit VR Big Endian", ODL_DICOM_REFUSED },
};

const size_t odl_dicom_n_syntaxes
    = sizeof odl_dicom_syntaxes / sizeof *odl_dicom_syntaxes;

const OdlDicomSyntax *
odl_dicom_syntax_find (const char *uid)
{
  for (size_t i = 0; i < odl_dicom_n_syntaxes; i++)
    if (strcmp (odl_dicom_syntaxes[i].uid, uid) == 0)
      return &odl_dicom_syntaxes[i];
  return NULL;
}
