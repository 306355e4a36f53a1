// SPDX-License-Identifier: MIT
// Records pictures on a thread of its own; the calls that add them never wait. They are
// either pictures as shown, or frames, which are processed at full size unless they have
// a result. Pictures that come faster than they can be encoded are dropped and counted.
#pragma once

#include "image/display/display.h"
#include "session/detail_meter.h"
#include "session/player/frame.h"
#include "session/save/save_format.h"

typedef struct _OdlRecorder OdlRecorder;

typedef struct {
  const char *path; // of odl_save_format_fit
  OdlSaveFormat format;
  bool replace; // a video that is there; numbered files are never replaced
  const char *description; // goes into the files
  const char *colorimetry; // of the frames' source; NULL: none, or pictures as shown
  bool frames; // odl_recorder_add_frame gives them: a video has a strip below, for words
} OdlRecorderParams;

typedef struct {
  int64_t pictures; // given and taken
  int64_t dropped;
  int64_t bytes; // of the files by now
  int64_t elapsed_ns; // since the first picture
} OdlRecorderState;

// Called once, in the main context that was the thread's default in odl_recorder_new,
// when the recording has ended: on request, or with an error, after which there is no
// video but the numbered files written so far. `path` is that of the parameters.
typedef void (*OdlRecorderCb) (const char *path, const GError *error, void *data);

OdlRecorder *
odl_recorder_new (const OdlRecorderParams *params, OdlRecorderCb cb, void *data);

// From now on titles of frames have this word, which must not be freed, in the place of
// each second picture's name; NULL: that name. Main thread.
void odl_recorder_hide_files (OdlRecorder *recorder, const char *word);

// A U8 picture whose pts_ns is the monotonic time at which it was shown; NULL: one that
// was lost before, to be counted. Main thread.
void odl_recorder_add (OdlRecorder *recorder, OdlImage *shown);

// A frame seen through `window`, at a monotonic time; `details` find the window's
// `reach`, NULL: it has that. Main thread.
void odl_recorder_add_frame (OdlRecorder *recorder,
                             OdlFrame *frame,
                             const OdlWindow *window,
                             OdlDetailMeasuring *details,
                             int64_t time_ns);

// Completes the file; the last picture lasts until now. Does not wait.
void odl_recorder_finish (OdlRecorder *recorder);

OdlRecorderState odl_recorder_state (OdlRecorder *recorder);

// Completes the file and waits; the callback is not called again. Accepts NULL.
void odl_recorder_free (OdlRecorder *recorder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlRecorder, odl_recorder_free)
