// SPDX-License-Identifier: MIT
// OdlFrames: the frames of a source that are read, filtered and handed on to be written,
// in order, each of these in a thread of its own. What window and command line do
// otherwise on the way stands in the job, as a value or as a function.
#pragma once

#include "source/frame_reader.h"
#include "work/runner.h"
#include "work/volumes.h"

// A frame with its result.
typedef struct {
  OdlReadFrame *frame;
  OdlImage *result; // a cross where the frame is damaged, or its volume cannot be
                    // filtered; NULL: the picture before stands once more
  OdlPlan *plan; // with a result
  OdlImage *shown; // of `filtered`, which sets it; NULL: it does not
  char *description; // likewise
} OdlFilteredFrame;

typedef struct {
  OdlSource *source; // kept by the caller, as all that follows
  OdlVolumes *volumes; // NULL: filters see one picture after the other
  OdlRunner *runner;
  const OdlRecipe *recipe; // read for each frame after `measure`
  int64_t begin; // frame that is read first, of odl_frames_lead_in
  int64_t first, last; // that are handed on; last −1: to the end of the source
  int64_t duration_ns; // of these together; 0: no limit
  double default_rate; // of frames whose source states none; 0: 25
  bool repeats; // a frame that comes again needs no result of its own
  GCancellable *cancellable; // NULL: nobody gives up

  // Functions, each of which may be NULL, with this as their first argument.
  void *data;
  // In the thread that reads: what is done to a frame before all else.
  bool (*blank) (void *data, OdlReadFrame *frame, GError **error);
  // In the calling thread, which filters: replaces a frame that could be read by what is
  // filtered; finds in it what the recipe waits for; is told that a volume is being
  // filtered, and that it was; is told what there is to be known of the engine; takes the
  // result of a frame that is handed on.
  bool (*prepare) (void *data, OdlImage **image, int64_t index, GError **error);
  bool (*measure) (void *data, OdlImage *image, GError **error);
  void (*filtering) (void *data, bool begins);
  void (*note) (void *data, const char *text);
  bool (*filtered) (void *data, OdlFilteredFrame *frame, GError **error);
  // In the thread that writes. Never NULL.
  bool (*write) (void *data, const OdlFilteredFrame *frame, GError **error);
} OdlFramesJob;

// Of the frames that were handed on.
typedef struct {
  int64_t damaged; // could not be read
  int64_t flawed; // were read in part, or a slice of their volume is missing
  int64_t crossed; // belong to a volume that cannot be filtered
  int64_t filtered; // have a result
} OdlFramesCount;

typedef struct _OdlFrames OdlFrames;

// The frame that is read first so that filters over time are at `first` as if the source
// had been played from its beginning; 0 of a capture, which has no frames before now, and
// where the first one cannot be read. May read that. Any thread.
int64_t odl_frames_lead_in (const OdlRecipe *recipe,
                            OdlSource *source,
                            const OdlRunner *runner,
                            int64_t first);

// A frame of the lead-in of frame `wanted`, whose result nobody wants: filtered if a
// later one depends on it; `image` NULL for one that is damaged, after which a take
// begins. `measure` and `data` as in OdlFramesJob. Errors of odl_runner_process.
bool odl_frames_lead (OdlRunner *runner,
                      const OdlRecipe *recipe,
                      OdlImage *image,
                      int64_t index,
                      int64_t wanted,
                      bool (*measure) (void *data, OdlImage *image, GError **error),
                      void *data,
                      GError **error);

// Copies the job. ODL_ERROR_USAGE if the source has no such frames.
OdlFrames *odl_frames_new (const OdlFramesJob *job, GError **error);
void odl_frames_free (OdlFrames *frames); // accepts NULL

// How many are handed on; 0 or less: that is not known.
int64_t odl_frames_total (const OdlFrames *frames);
// Of these a second; 0: they are not equidistant.
double odl_frames_rate (const OdlFrames *frames);

// Once. Blocks until the last frame is written, or one of the functions fails. That the
// rest cannot be read is no error of it: odl_frames_read_error. After a frame that cannot
// be read, and after a volume that cannot be filtered, filters over time begin anew.
// ODL_ERROR_CANCELLED; errors of the functions, of odl_runner_process and
// odl_volumes_take.
bool odl_frames_run (OdlFrames *frames, GError **error);

OdlFramesCount odl_frames_count (const OdlFrames *frames); // after it
const GError *odl_frames_read_error (const OdlFrames *frames); // NULL: all were read

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlFrames, odl_frames_free)
