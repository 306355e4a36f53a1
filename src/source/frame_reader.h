// SPDX-License-Identifier: MIT
// Sequential access to the frames of a source, with presentation times.
#pragma once

#include "source/source.h"

// A frame that stays as long, in seconds, seems to have stopped.
#define ODL_PAUSE_S 2.0

typedef struct _OdlFrameReader OdlFrameReader;

typedef struct {
  OdlImage *image;
  int64_t index; // in the source
  int64_t time_ns; // since the first frame read; ascending, except with `again`
  int64_t duration_ns; // from the source's rate or times
  bool damaged; // `image` is odl_damaged_image
  bool again; // repeats the previous frame, in a video with variable rate; time_ns is
              // then derived from the index
} OdlReadFrame;

// Reads frames `first` to `last` inclusive; `last` −1 means the last one, for live
// sources the end of a period. Keeps a reference. ODL_ERROR_USAGE if the source has no
// such frames.
OdlFrameReader *
odl_frame_reader_new (OdlSource *source, int64_t first, int64_t last, GError **error);
void odl_frame_reader_free (OdlFrameReader *reader);

// Frame rate for sources that have none; default 25. Call it before the first read.
void odl_frame_reader_set_default_rate (OdlFrameReader *reader, double frame_rate);

// Volumes per second, of volumes over time whose interval the source says; 0: it says
// none, or one that nothing can be played at (of hours, which are mostly in another
// unit).
double odl_frame_reader_volume_rate (const OdlSource *source);

// A sentence that a source whose frames follow each other in time says no times of
// theirs, or none that can be played, and which rate is chosen; NULL: it says some, or
// has no such frames. Transfer full.
char *odl_frame_reader_lacks_times (const OdlSource *source);

// Number of frames to read; 0: unknown.
int64_t odl_frame_reader_count (const OdlFrameReader *reader);

// Frames per second; 0 if frames are not equidistant.
double odl_frame_reader_rate (const OdlFrameReader *reader);

// The next frame; NULL without an error at the end. Undecodable frames are returned as
// damaged. Errors: those of odl_source_read_frame that end a stream early. One thread
// at a time.
OdlReadFrame *
odl_frame_reader_next (OdlFrameReader *reader, GCancellable *cancellable, GError **error);

// Accepts NULL.
void odl_read_frame_free (OdlReadFrame *frame);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlFrameReader, odl_frame_reader_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlReadFrame, odl_read_frame_free)
