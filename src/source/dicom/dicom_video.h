// SPDX-License-Identifier: MIT
// Videos in DICOM files (MPEG-2, H.264, HEVC): the stream is copied out of the fragments
// and played by the video helper; what its frames show, where and how large, is in the
// header.
#pragma once

#include "source/source.h"

// Of no location that can be typed: odl_dicom_source finds these.
extern const OdlSourceClass odl_dicom_video_source;

// `header` has read the file as "dicom-stream" (decoder/protocol.h). Blocks. Any of
// ODL_ERROR, with the name of the file.
OdlSource *odl_dicom_video_open (OdlSource *header,
                                 GCancellable *cancellable,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
