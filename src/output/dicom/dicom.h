// SPDX-License-Identifier: MIT
// Writes the pixels of a DICOM file below a header that is given, explicit little endian,
// plain or compressed without loss. The file appears when it is complete, or not at all.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "image/blank.h"
#include "image/rows.h"

#include "output/output.h"

// Compressed frames of DICOM files, without loss: RLE (PS3.5, annex G) and JPEG 2000 of
// our own coder.

typedef enum {
  ODL_DICOM_PLAIN, // not compressed
  ODL_DICOM_RLE,
  ODL_DICOM_JPEG_2000,
  ODL_DICOM_N_COMPRESSIONS,
} OdlDicomCompression;

// As users type it: "none", "rle", "jpeg2000".
const char *odl_dicom_compression_name (OdlDicomCompression compression);

typedef struct {
  int width, height, channels; // 1, 3
  int bits; // of a sample, 2 … 16
  bool is_signed;
} OdlDicomFrameShape;

// The stream of one frame, of an even number of bytes; `samples` are interleaved.
// Transfer full. ODL_ERROR_TOO_LARGE. Any thread.
GByteArray *odl_dicom_frame_rle (const OdlDicomFrameShape *shape, const gint32 *samples);
GByteArray *odl_dicom_frame_jpeg2000 (const OdlDicomFrameShape *shape,
                                      const gint32 *samples,
                                      GError **error);

// How samples are stored.
typedef struct {
  int bits; // 2 … 16
  bool is_signed;
  double zero, one; // stored values of the scaled samples 0 and 1
} OdlDicomSamples;

// Of the source of a result, whose file has `bits` per sample. ODL_ERROR_UNSUPPORTED for
// more than 16 bits, or a single one.
bool odl_dicom_samples_of (const OdlImage *source,
                           int bits,
                           OdlDicomSamples *samples,
                           GError **error);

typedef struct _OdlDicomFile OdlDicomFile;

typedef struct {
  GBytes *header; // up to the value of the pixel data
  OdlDicomCompression compression; // as the header says
  OdlDicomSamples samples;
  int width, height, channels;
  gint64 n_frames;
  bool inverse; // black is the largest value
  const OdlBlank *blanks;
  gsize n_blanks;
} OdlDicomParams;

// `replace`: it may replace an existing file. ODL_ERROR_IO, naming
// `path`.
OdlDicomFile *odl_dicom_file_new (OdlOutputGuard *guard,
                                  const char *path,
                                  const OdlDicomParams *params,
                                  bool replace,
                                  GError **error);

// Appends a frame: `rows` of scaled samples, consumed. Samples are rounded, and limited
// to those that can be stored. ODL_ERROR_UNSUPPORTED if the shape is another one;
// ODL_ERROR_IO; errors of the rows.
bool odl_dicom_file_write (OdlDicomFile *file, OdlRows *rows, GError **error);

// How many samples so far were beyond what can be stored.
guint64 odl_dicom_file_limited (const OdlDicomFile *file);
gint64 odl_dicom_file_bytes (const OdlDicomFile *file); // that were written so far

// Publishes the file; frees it, also on failure. ODL_ERROR_UNSUPPORTED if frames are
// missing.
bool odl_dicom_file_finish (OdlDicomFile *file, GError **error);
void odl_dicom_file_abandon (OdlDicomFile *file); // NULL is fine
