// SPDX-License-Identifier: MIT
// Grayscale Softcopy Presentation States (PS3.3 A.33.1): how somebody saved that pictures
// are to be looked at. They lie in files of their own, beside the pictures that they
// name. Any thread; blocks.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#include "image/display/display.h"
#include "image/display/graphics.h"

// Of one picture. Texts are "" where the file says nothing.
typedef struct {
  char *label, *description, *date; // "20260102"
  char *path;
  char *header, *sop_instance; // what it was read from, and for
  int64_t frame; // for that one, from 0; −1: for any
  // Modality LUT Module: what the values of the window are. Without one these are the
  // stored ones.
  double slope, intercept;
  bool has_window;
  OdlFileWindow window; // or table; its name is the file's explanation
  OdlVoiFunction function;
  bool inverse; // Presentation LUT Shape
  bool has_shape;
  int quarter_turns; // clockwise, 0 … 3
  bool flip; // left to right, after these
  bool has_area; // the next four, in samples from 0; the end is excluded
  int left, top, right, bottom;
  double magnification; // canvas pixels per sample; 0: as large as the area fits
  double pixel_aspect; // width / height; 0: it says nothing
  bool is_partial; // it asks for more that is not shown: masks, the true size …
  bool of_other; // of odl_presentations_find: odl_presentation_is_of_other
} OdlPresentation;

void odl_presentation_free (OdlPresentation *presentation);

// Those in the folder of the DICOM file `path`, in the folders beside it, or on the disc
// (DICOMDIR) that it lies on, that refer to its picture or to one of its frames, as
// odl_presentation_parse with no frame has them: at most ODL_MOST_PRESENTATIONS, the
// first by label, date and path. Files that cannot be read are left out.
#define ODL_MOST_PRESENTATIONS 64
GPtrArray *odl_presentations_find (const char *path, GCancellable *cancellable);

// Whether the first bytes of a DICOM file name the class of those that can be applied.
bool odl_presentation_is_in (const uint8_t *head, size_t n);

// Whether a file is a presentation state, of colour and blending ones, too, by its first
// bytes alone.
bool odl_presentation_is_file (const char *path);

// From the text of a header (odl_dicom_read_header); NULL: it is none of the picture with
// that SOP Instance UID and of that frame, from 0; −1: of any.
OdlPresentation *
odl_presentation_parse (const char *text, const char *sop_instance, int64_t frame);

// Whether the texts of a state and of the picture that it names have the numbers of two
// patients: then one of both is not what it says.
bool odl_presentation_is_of_other (const char *text, const char *picture);

// The text of a state. ODL_ERROR_UNSUPPORTED: the file is none; errors of the helper.
// Transfer full.
char *odl_presentation_read (const char *path, GCancellable *cancellable, GError **error);

// The SOP Class of those that can be applied: colour and blending ones cannot.
#define ODL_PRESENTATION_CLASS "1.2.840.10008.5.1.4.1.1.11.1"
bool odl_presentation_applies (const char *text);

// The SOP Instance UIDs of the pictures that a text is for, of those that are blended,
// too. Transfer full.
GPtrArray *odl_presentation_pictures (const char *text);

// The file beside `path` that is the picture with that SOP Instance UID by its first
// bytes, in any of them that are little endian with explicit types, as what precedes a
// data set always is. Transfer full; NULL: there is none.
char *odl_presentation_find_picture (const char *path,
                                     const char *sop_instance,
                                     GCancellable *cancellable);

// The same for one frame; NULL: it is for others.
OdlPresentation *odl_presentation_of_frame (const OdlPresentation *presentation,
                                            int64_t frame);

// The value of an element "(0008,0018)" of a header's text that is in no sequence; "":
// there is none. Transfer full.
char *odl_presentation_value (const char *header, const char *tag);

// How a picture is shown by it, into `window`, in the values of that picture, whose own
// map says how these come from the stored ones; what it says nothing about stays. A table
// is borrowed from `presentation`.
void odl_presentation_window (const OdlPresentation *presentation,
                              const OdlValueMap *map,
                              OdlWindow *window);

// What it draws over a picture of that size, whose pixels have that aspect, and covers of
// it: graphic annotations (PS3.3 C.10.5), display shutters and overlays that it has
// itself (C.7.6.11, C.7.6.15, C.10.10). *is_partial: there is more that is not
// understood. NULL: it draws nothing. Transfer full.
OdlGraphics *odl_presentation_graphics (const OdlPresentation *presentation,
                                        int width,
                                        int height,
                                        double pixel_aspect,
                                        bool *is_partial);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlPresentation, odl_presentation_free)
