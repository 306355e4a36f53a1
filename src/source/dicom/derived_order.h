// SPDX-License-Identifier: MIT
// What a derived file says of the work that was done, in one place for the window and the
// command line. Any thread.
#pragma once

#include "image/display/display.h"
#include "source/dicom/derived.h"

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
