// SPDX-License-Identifier: MIT
// Records pictures as they come, into a video, in a thread of its own: whoever gives them
// never waits. What the encoder cannot keep up with is dropped and counted.
#pragma once

#include "image/image.h"
#include "output/codec.h"

G_BEGIN_DECLS

typedef struct _OdlRecorder OdlRecorder;

typedef struct {
  int64_t pictures; // given and taken
  int64_t dropped;
  int64_t bytes; // of the file by now
  int64_t elapsed_ns; // since the first picture
} OdlRecorderState;

// Called once in the main context that was the thread's default in odl_recorder_new, when
// the recording has ended: by itself with an error, after which no file is there, or as
// it was asked to. `path` is that of odl_recorder_new.
typedef void (*OdlRecorderCb) (const char *path, const GError *error, void *data);

// Records into `path`, in the place of what may be there. `description` goes into the
// file.
OdlRecorder *odl_recorder_new (const char *path,
                               OdlQuality quality,
                               const char *description,
                               OdlRecorderCb cb,
                               void *data);

// A U8 picture whose pts_ns is the monotonic time at which it was shown; NULL: one that
// was lost before, to be counted. Main thread.
void odl_recorder_add (OdlRecorder *recorder, OdlImage *shown);

// Completes the file; the last picture lasts until now. Does not wait.
void odl_recorder_finish (OdlRecorder *recorder);

OdlRecorderState odl_recorder_state (OdlRecorder *recorder);

// Completes the file and waits for that; no callback comes any more. Accepts NULL.
void odl_recorder_free (OdlRecorder *recorder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlRecorder, odl_recorder_free)

G_END_DECLS
