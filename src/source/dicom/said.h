// SPDX-License-Identifier: MIT
// What was said of a DICOM picture, collected for an object of DICOM that says it; the
// decoder makes its file from that of the picture. Any thread.
#pragma once

#include <gio/gio.h>

#include "image/display/view.h"
#include "source/source.h"

// The shape of what was drawn.
typedef enum {
  ODL_SAID_LINE, // through its points
  ODL_SAID_REGION, // its last point is its first one
  ODL_SAID_ELLIPSE, // four points: the ends of its major axis, then of the minor one
} OdlSaidShape;

// A code of DICOM; ASCII, at most 16, 16 and 64 characters.
typedef struct {
  const char *value, *scheme, *meaning;
} OdlSaidCode;

typedef struct _OdlSaid OdlSaid;

OdlSaid *odl_said_new (void);
void odl_said_free (OdlSaid *said); // NULL is fine

// Whether something can be said of a frame, from 0, in a file. ODL_ERROR_UNSUPPORTED: it
// is no DICOM file.
bool odl_said_is_possible (const OdlSource *source, gint64 frame, GError **error);

// Adds a mark with 1 … 256 points; (0, 0) is the outer corner of the first sample.
// `name` (ASCII) tells it from the others. False: there are 4096 already.
bool odl_said_add_mark (OdlSaid *said,
                        OdlSaidShape shape,
                        const char *name,
                        const OdlPoint *points,
                        int n_points);

// Adds a value to the last mark, at most 16; `derivation`: how it follows from many
// values; NULL: it is one. `after`: it is that after the recipe. What is no number is
// left out.
void odl_said_add_value (OdlSaid *said,
                         const OdlSaidCode *name,
                         const OdlSaidCode *unit,
                         const OdlSaidCode *derivation,
                         double value,
                         bool after);

// Stands beside the last mark, in UTF-8, at most 1,024 bytes; "": nothing.
void odl_said_add_words (OdlSaid *said, const char *words, OdlPoint anchor);

// A stored file that was derived from a frame.
typedef struct {
  char *sop_class, *instance, *series;
  gint64 frame; // of it, from 1; 0: it has only one
} OdlSaidDerived;

// Reads a DICOM file that was derived here from that frame, by the filters of `recipe`, a
// word per line. ODL_ERROR_UNSUPPORTED: it was derived from another picture, or by other
// filters; errors of reading it. Blocks.
bool odl_said_derived_read (OdlSaidDerived *derived,
                            const char *path,
                            const OdlSource *source,
                            gint64 frame,
                            const char *recipe,
                            GError **error);
void odl_said_derived_clear (OdlSaidDerived *derived);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlSaidDerived, odl_said_derived_clear)

// The bytes of a structured report (PS3.16, TID 1500) of all marks, which refers to that
// frame. `derived`: values after the filters are said of that file; NULL: of the frame.
// `recipe`: in one line, what had been done to the picture that was seen, without
// names of files; NULL: nothing. Transfer full. Blocks. Errors name the file: that of
// odl_said_is_possible; ODL_ERROR_UNSUPPORTED: the file lacks an identifier; any of
// ODL_ERROR.
GBytes *odl_said_report (const OdlSaid *said,
                         const OdlSource *source,
                         gint64 frame,
                         const char *recipe,
                         const OdlSaidDerived *derived,
                         GError **error);

// How a picture is looked at.
typedef struct {
  double centre, width; // of the window, > 0, in values of the picture
  OdlVoiFunction function; // of these
  bool use_table; // the first table of grey levels of the file is used in their place
  bool inverse; // the smallest values are white
  double spacing_mm[2]; // of a column and a row; 0: not known
  double pixel_aspect; // width / height
  int quarter_turns; // clockwise, 0 … 3
  bool flip; // left to right, after these
  int corners[4]; // column and row, from 1, of the upper left and the lower right pixel
                  // that are seen
} OdlSaidView;

// The bytes of a presentation state (PS3.3 A.33.1) of a grey frame, with all marks and
// their words. Transfer full. Blocks. Errors: those above.
GBytes *odl_said_state (const OdlSaid *said,
                        const OdlSource *source,
                        gint64 frame,
                        const OdlSaidView *view,
                        GError **error);

// The bytes of a key object selection (PS3.3 A.35.4) of `n` ≥ 1 frames of a file or of
// the files of a series. Transfer full. Blocks. Errors: those above, and
// ODL_ERROR_TOO_LARGE: more than 4096.
GBytes *
odl_said_keys (const OdlSource *source, const gint64 *frames, guint n, GError **error);

// The SOP Instance UID of a frame, and in *stored, unless NULL, the frame of its file
// from 0. NULL: it has none.
const char *odl_said_instance (const OdlSource *source, gint64 frame, gint64 *stored);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlSaid, odl_said_free)

// Key objects (PS3.3 A.35.4): which pictures others have marked. They lie in files of
// their own, beside the pictures that they name. Any thread; blocks.

// The pictures that the key objects in the folder of a file, on its disc or beside its
// folder name, as a set of odl_report_key. Files that cannot be read are left out, as is
// what more than 64 of them say. Transfer full.
GHashTable *odl_keys_find (const char *path, GCancellable *cancellable);
