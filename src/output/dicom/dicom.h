// SPDX-License-Identifier: MIT
// Writes the pixels of a DICOM file below a header that is given, explicit little endian,
// plain or compressed without loss. The file appears when it is complete, or not at all.
#pragma once

#include "image/blank.h"
#include "image/rows.h"
#include "output/dicom/dicom_frame.h"
#include "output/output.h"

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
