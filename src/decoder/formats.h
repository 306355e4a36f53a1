// SPDX-License-Identifier: MIT
// The decoders, one per format; main.c holds their table.
#pragma once

#include "decoder/picture.h"

G_BEGIN_DECLS

// Each fills `picture` from `input`, or returns false with an ODL_ERROR whose message
// completes "Cannot open FILE: …".
typedef bool (*OdlDecodeFunc) (const OdlDecoderInput *input,
                               OdlPicture *picture,
                               GError **error);

bool odl_decode_png (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_jpeg (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_tiff (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
// The first page alone, or all pages in one way, whatever the description says.
bool
odl_decode_tiff_first (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_tiff_sequence (const OdlDecoderInput *input,
                               OdlPicture *picture,
                               GError **error);
bool
odl_decode_tiff_stack (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
// The way and the level of the pyramid that the parent names.
bool
odl_decode_tiff_level (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_exr (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_gif (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_bmp (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_tga (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_webp (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_avif (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool
odl_decode_jpeg2000 (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_npy (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
// What an HDF5 file says is its picture, and the array that the parent names.
bool odl_decode_hdf5 (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool
odl_decode_hdf5_array (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_dump_hdf5 (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_pnm (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
// The header as text, in a picture whose samples are its bytes, row by row, and zeros.
bool odl_dump_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
// The description alone, with a picture of one sample.
bool
odl_describe_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
// What an object that is no picture says of itself, with a picture of one sample.
bool odl_object_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
// The stored numbers of a map of labels, whatever colours it gives them.
bool odl_labels_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
// Where the stream of a video lies in the file, see protocol.h.
bool odl_locate_dicom_stream (const OdlDecoderInput *input,
                              OdlPicture *picture,
                              GError **error);
// The beginning of a derived file, see protocol.h.
bool odl_derive_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
// A structured report and a presentation state, see protocol.h.
bool odl_report_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_state_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_keys_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
// What was outlined in pictures, see protocol.h.
bool
odl_segments_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
// The same file without compression.
bool
odl_explicit_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool
odl_implicit_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool
odl_decode_metaimage (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
// Headers as text, as odl_dump_dicom makes it.
bool
odl_dump_metaimage (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_dump_nrrd (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_nrrd (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_nifti (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool
odl_decode_kernel (const OdlDecoderInput *input, OdlPicture *picture, GError **error);
bool odl_decode_grid (const OdlDecoderInput *input, OdlPicture *picture, GError **error);

// Load from disk what they need before the sandbox is entered.
void odl_prepare_pixbuf (const char *format);
void odl_prepare_dicom (const char *format);
void odl_prepare_hdf5 (const char *format);

G_END_DECLS
