// SPDX-License-Identifier: MIT
// OdlSource: the interface of all sources, and their registry. A source delivers
// frames as OdlImage.
#pragma once

#include <gio/gio.h>

#include "image/image.h"
#include "image/pool.h"

typedef struct _OdlSource OdlSource;

// Description of a source.
typedef struct {
  char *name; // short title: base name of the file, or "phantom 512×512"
  char *location; // path or specification, as given
  char *format; // such as "DICOM, JPEG-LS lossless" or "PNG, 16 bit"
  int n_frames; // deliverable frames, at least 1; a phantom counts one period. 0: unknown
                // until the end was read, see read_frame
  bool at_most; // n_frames is estimated from the duration until the end is read
  int declared_frames; // according to the file
  int n_slices; // of each volume if the frames are the slices of volumes, in order and
                // equidistant (spacing_mm[2] of each image), one volume after the other
                // in time, n_frames / n_slices of them; else 0
  double frame_rate; // frames per second; 0 for stills
  int64_t *frame_times_ns; // n_frames + 1 times, ascending from 0, the last is the end;
                           // NULL: constant frame_rate
  char *timing; // origin of rate or times: "Frame Time Vector"; may be NULL
  bool is_stack; // pictures beside each other, not one after the other in time: they are
                 // stepped through, and do not play unless asked to
  int start; // frame to be shown first
  const char *const *files; // one for each frame, "": missing; NULL: in the location
  bool live; // unlimited; frames of any index can be requested
  bool capture; // live, and the device sets the pace: read_frame waits for the next frame
                // and ignores the index
  char *warning; // what is wrong or incomplete; NULL: nothing
  GPtrArray *details; // char * pairs key, value, for `info`; keys are stable and English
} OdlSourceInfo;

typedef struct {
  const char *name; // "still", "dicom", "phantom"
  const char *description; // translatable
  const char *const *examples; // patterns or specifications, NULL-terminated
  // Whether this source should open `location`; `head` holds the first `n_head` bytes
  // of the file (0 if it is not a readable file).
  bool (*probe) (const char *location, const uint8_t *head, size_t n_head);
  // NULL for most. Whether this source should open a file that no probe recognised.
  // Inspects it in detail; may take long.
  bool (*recognise) (const char *location, GCancellable *cancellable);
  // NULL for most. Other files that the source may read, existing or not; examines
  // names and headers only. Transfer full; NULL: none.
  GStrv (*files) (const char *location);
  // NULL for most. The location of a picture of `location`, to be shown while that is
  // being opened; may read a folder. Transfer full; NULL: there is none.
  char *(*preview) (const char *location);
  // Opens `location`. May take long: not on the main thread. Errors: any of ODL_ERROR.
  OdlSource *(*open) (const char *location, GCancellable *cancellable, GError **error);
  // Frees the implementation's data; not the common part, not `source` itself.
  void (*close) (OdlSource *source);
  // Reads frame `index` (0 … n_frames − 1; for live sources any index >= 0). Transfer
  // full. ODL_ERROR_CORRUPT: this frame is damaged, others may be intact.
  // ODL_ERROR_END: the stream ended before it; `info.n_frames` now holds the true
  // number, and the message is the reason for a premature end, or empty. A capture
  // without a frame for a second fails with ODL_ERROR_IO; ask again. One call at a
  // time.
  OdlImage *(*read_frame) (OdlSource *source,
                           int64_t index,
                           GCancellable *cancellable,
                           GError **error);
  // NULL for most. `park` true releases the device so that others can open it, and
  // waits for that up to 2 s; until called with false as often, read_frame finds no
  // frames. Any thread except one that runs a window, also during read_frame.
  void (*park) (OdlSource *source, bool park);
} OdlSourceClass;

// First member of every source type.
struct _OdlSource {
  const OdlSourceClass *klass;
  gatomicrefcount ref_count;
  OdlSourceInfo info;
  OdlImage *like; // an intact frame, if the first one is damaged; else NULL
  GMutex pool_mutex; // guards pool
  OdlImagePool *pool; // may be NULL
  gint missed; // atomic: frames captured but never delivered by read_frame
};

size_t odl_source_count (void);
const OdlSourceClass *odl_source_at (size_t index);

// Opens a path or a specification such as phantom:512x512,seed=3. Blocks; one call per
// thread.
OdlSource *odl_source_open (const char *location,
                            GCancellable *cancellable,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
// Where `location` takes long to open: the location of one of its pictures, which does
// not. Transfer full; NULL: it does not take long, or there is none. Blocks.
char *odl_source_preview (const char *location);

OdlSource *odl_source_ref (OdlSource *source);
void odl_source_unref (OdlSource *source);

// Sets the error for a frame `index` beyond the end (people count from 1).
void odl_source_set_no_frame (const OdlSource *source, int64_t index, GError **error);

OdlImage *odl_source_read_frame (OdlSource *source,
                                 int64_t index,
                                 GCancellable *cancellable,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

// The first frame, for display; a replacement picture if it is damaged. Errors of
// read_frame apply to the whole source.
OdlImage *odl_source_read_first (OdlSource *source,
                                 GCancellable *cancellable,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

// Whether it has more than one frame, as far as is known.
bool odl_source_is_moving (const OdlSource *source);

// Calls `park` if the source implements it.
void odl_source_park (OdlSource *source, bool park);

// Sets the pool for frames from the next read_frame on; NULL: ordinary memory. Used
// only by sources whose frames are shown once and released (info.live): cached frames
// would exhaust the pool. Any thread, also during read_frame.
void odl_source_set_pool (OdlSource *source, OdlImagePool *pool);

// Whether a name looks like a file that a source can open; for folder listings.
bool odl_source_is_candidate (const char *path);

// Whether the name of `path` ends as the examples of the source do ("*.png"). Any thread.
bool odl_source_class_knows_name (const OdlSourceClass *klass, const char *path);

// Whether a name looks like a video; does not open it. Any thread.
bool odl_source_looks_like_video (const char *path);

// For implementations: initialises the common part.
void
odl_source_init (OdlSource *source, const OdlSourceClass *klass, const char *location);
// A reference to the pool for the next frame (for odl_image_alloc_in), or NULL. Any
// thread.
OdlImagePool *odl_source_ref_pool (OdlSource *source);

// Value of a detail; NULL if there is none. Valid as long as the source.
const char *odl_source_detail (const OdlSource *source, const char *key);

// Whether its pictures are beams of ultrasound, as far as it knows without reading one.
bool odl_source_has_beams (const OdlSource *source);
void odl_source_add_detail (OdlSource *source, const char *key, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlSource, odl_source_unref)
