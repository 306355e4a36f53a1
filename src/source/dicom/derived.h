// SPDX-License-Identifier: MIT
// The beginning of a derived DICOM file, which the decoder makes from the file that its
// pixels came from; untrusted headers are read nowhere else.
#pragma once

#include "source/source.h"

// How the pixels will be stored.
typedef enum {
  ODL_DERIVED_PLAIN,
  ODL_DERIVED_RLE,
  ODL_DERIVED_JPEG_2000, // lossless; colours went through the reversible transform
} OdlDerivedCompression;

typedef struct {
  OdlDerivedCompression compression;
  int width, height;
  int channels; // 1, 3
  int bits; // stored, 1 … 16
  bool is_signed;
  gint64 first_frame; // of those of the source, from 0
  gint64 n_frames;
  bool filtered; // the pixels differ from those of the source
  bool deidentify;
  int days; // by which dates are moved then; 0: they are removed
  bool blanked; // rectangles with names were made black
  bool has_window; // the next two are those of the picture
  bool window_is_chosen; // they go before the windows of the file
  double window_centre, window_width;
  const char *description; // what was done: ASCII, cut after 1024 characters; may be NULL
  const char *recipe; // the whole, to be offered again; may be NULL
  const guint8 *secret; // 32 random bytes of this run, from which identifiers are made
} OdlDerivedParams;

#define ODL_DERIVED_SECRET_BYTES 32

// Fills `secret`, once for all files of a run: those of one study or series then stay
// together.
void odl_derived_make_secret (guint8 secret[ODL_DERIVED_SECRET_BYTES]);

// Everything up to the value of the pixel data, which follows frame by frame, row by row,
// interleaved, little endian, in 8 bits (bits ≤ 8) or 16, with a zero byte at the end if
// their number is odd; or as items, if they are compressed. `source` is a DICOM file.
// Blocks. Errors name the file: any of ODL_ERROR.
GBytes *odl_derived_begin (const OdlSource *source,
                           const OdlDerivedParams *params,
                           GError **error);

// An element of the new header with words in it, which may tell whose picture it is.
typedef struct {
  char *tag; // “(0008,0060)”
  char *name; // “Modality”
  char *value;
  bool names_somebody; // it is a person's name, or about the patient
} OdlDerivedText;

typedef struct {
  GPtrArray *texts; // OdlDerivedText, in the order of the file
  char *pixels; // what is known of writing in the pixels, as a translated sentence
} OdlDerivedReport;

// What the file that odl_derived_begin begins would tell, without writing anything.
// Numbers, codes about pixels and identifiers that were made anew are left out.
OdlDerivedReport *odl_derived_report (const OdlSource *source,
                                      const OdlDerivedParams *params,
                                      GError **error);
void odl_derived_report_free (OdlDerivedReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlDerivedReport, odl_derived_report_free)

// Whether `source` is one that can be derived from. ODL_ERROR_UNSUPPORTED.
bool odl_derived_is_possible (const OdlSource *source, GError **error);
