// SPDX-License-Identifier: MIT
// The contract of all sources and their registry. A source delivers frames as OdlImage.
#pragma once

#include <gio/gio.h>

#include "image/image.h"
#include "image/pool.h"

G_BEGIN_DECLS

typedef struct _OdlSource OdlSource;

// What a source is, for people and for `info`.
typedef struct {
  char *name; // short, for the title: base name of the file, or "phantom 512×512"
  char *location; // path or specification as given
  char *format; // such as "DICOM, JPEG-LS lossless" or "PNG, 16 bit"
  int n_frames; // that can be delivered; at least 1. A phantom counts one period. 0: not
                // known before the end was read, see read_frame
  bool at_most; // n_frames is a guess from the length in seconds, until the end was read
  int declared_frames; // that the file claims to have
  int n_slices; // of a volume, when the frames are its slices, in order and the same
                // distance apart (spacing_mm[2] of each image): n_frames; 0: they are not
  double frame_rate; // frames per second; 0 for a still
  int64_t *frame_times_ns; // n_frames + 1 times, ascending from 0, the last one is the
                           // end; NULL: constant frame_rate
  char *timing; // where the rate or the times come from: "Frame Time Vector"; may be NULL
  bool live; // any frame can be asked for, for ever
  bool capture; // live, and the device sets the pace: read_frame waits for the next
                // frame, whatever its index
  char *warning; // what is wrong or incomplete with it, for people; NULL for nothing
  GPtrArray
      *details; // char * pairs key, value, for `info`; keys are stable English words
} OdlSourceInfo;

typedef struct {
  const char *name; // "still", "dicom", "phantom"
  const char *description; // translatable
  const char *const *examples; // patterns or specifications, NULL-terminated
  // True when this source should try `location`; `head` holds the first `n_head` bytes of
  // the file (none when it is not a readable file).
  bool (*probe) (const char *location, const uint8_t *head, size_t n_head);
  // NULL for most. True when this source should try a file that no probe knew; looks
  // closer, and may take long.
  bool (*recognise) (const char *location);
  // NULL for most. The files besides `location` that it may read, existing or not; looks
  // at names and headers alone. Transfer full; NULL: none.
  GStrv (*files) (const char *location);
  // Opens `location`. May take long: never call it on the main thread. Errors: any of
  // ODL_ERROR.
  OdlSource *(*open) (const char *location, GCancellable *cancellable, GError **error);
  // Frees what the source holds beyond the common part; not `source` itself.
  void (*close) (OdlSource *source);
  // Frame `index` (0 … n_frames − 1; live sources accept any index >= 0). Transfer full.
  // ODL_ERROR_CORRUPT: this frame is damaged, others may be well. ODL_ERROR_END: the
  // stream ended before it; `info.n_frames` has been set to the true number, and the
  // message says why if it ended too early, else it is empty. A capture
  // that waited a second in vain fails with ODL_ERROR_IO and may be asked again. One call
  // at a time.
  OdlImage *(*read_frame) (OdlSource *source,
                           int64_t index,
                           GCancellable *cancellable,
                           GError **error);
  // NULL for most. With `park` true gives the device back, so that it can be opened
  // anew, and waits for that, 2 s at most; until it is called with false as often,
  // read_frame finds nothing. Any thread but one that runs a window, also while
  // read_frame waits.
  void (*park) (OdlSource *source, bool park);
} OdlSourceClass;

// First member of every source.
struct _OdlSource {
  const OdlSourceClass *klass;
  gatomicrefcount ref_count;
  OdlSourceInfo info;
  OdlImage *like; // a frame that is well, where the first one is damaged; else NULL
  GMutex pool_mutex; // guards pool
  OdlImagePool *pool; // may be NULL
  gint missed; // atomic: frames that a capture's device made and read_frame never gave
};

size_t odl_source_count (void);
const OdlSourceClass *odl_source_at (size_t index);

// Opens a path or a specification such as phantom:512x512,seed=3. Blocks; one call per
// thread.
OdlSource *odl_source_open (const char *location,
                            GCancellable *cancellable,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
OdlSource *odl_source_ref (OdlSource *source);
void odl_source_unref (OdlSource *source);

// Says that there is no frame `index` (people count from 1), for one who asked beyond the
// end.
void odl_source_set_no_frame (const OdlSource *source, int64_t index, GError **error);

OdlImage *odl_source_read_frame (OdlSource *source,
                                 int64_t index,
                                 GCancellable *cancellable,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

// The first frame, for those who show a source; where it is damaged, a picture that says
// so in its place. The errors of read_frame are those of the whole source then.
OdlImage *odl_source_read_first (OdlSource *source,
                                 GCancellable *cancellable,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

// Whether it has more than one frame, as far as is known before its end was read.
bool odl_source_is_moving (const OdlSource *source);

// Calls park if the source has it.
void odl_source_park (OdlSource *source, bool park);

// Where frames should be made from the next read_frame on; NULL: in ordinary memory. Only
// sources whose frames are shown once and let go (info.live) take notice: frames that
// wait in a cache would leave the pool empty. Any thread, also while frames are read.
void odl_source_set_pool (OdlSource *source, OdlImagePool *pool);

// True when the name looks like something that a source could open: for folder listings.
bool odl_source_is_candidate (const char *path);

// True when the name is that of a video; nothing is opened. Any thread.
bool odl_source_looks_like_video (const char *path);

// For sources: initialises the common part.
void
odl_source_init (OdlSource *source, const OdlSourceClass *klass, const char *location);
// A reference to the pool for the next frame, or NULL: for odl_image_alloc_in. Any
// thread.
OdlImagePool *odl_source_ref_pool (OdlSource *source);

// The value of a detail; NULL when there is none. Valid as long as the source.
const char *odl_source_detail (const OdlSource *source, const char *key);
void odl_source_add_detail (OdlSource *source, const char *key, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlSource, odl_source_unref)

G_END_DECLS
