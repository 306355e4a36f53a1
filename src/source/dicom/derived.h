// SPDX-License-Identifier: MIT
// The beginning of a derived DICOM file, which the decoder makes from the file that its
// pixels came from; untrusted headers are read nowhere else.
#pragma once

#include "image/display/display.h"
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

// What a derived file says of the work that was done, in one place for the window and the
// command line. Any thread.

typedef struct {
  const OdlImageInfo *picture; // as it came
  const OdlWindow *window; // how its values are shown
  OdlDerivedCompression compression;
  int channels, bits; // of the result; bits are stored
  bool is_signed;
  gint64 first_frame, n_frames; // from 0
  bool has_filters; // that act
  const char *filters; // the recipe in one line, without names of files, which may be
                       // those of persons
  const char *recipe; // the same to be offered again, a word per line
  bool in_area; // they left what lies around an ultrasound picture
  const char *engine; // by name
  bool deidentify;
  int days; // as in OdlDerivedParams
  bool blanked;
  const guint8 *secret;
} OdlDerivedWork;

// What odl_derived_begin is told, with its texts.
typedef struct {
  OdlDerivedParams params;
  char *description, *recipe;
} OdlDerivedOrder;

void odl_derived_order_fill (OdlDerivedOrder *order, const OdlDerivedWork *work);
void odl_derived_order_clear (OdlDerivedOrder *order);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlDerivedOrder, odl_derived_order_clear)
