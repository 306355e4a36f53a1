// SPDX-License-Identifier: MIT
// Frames of a source one after the other, with the times at which they appear.
#pragma once

#include "source/source.h"

G_BEGIN_DECLS

typedef struct _OdlFrameReader OdlFrameReader;

typedef struct {
  OdlImage *image;
  int64_t index; // in the source
  int64_t time_ns; // since the first frame that was read; ascends but after `again`
  int64_t duration_ns; // by the source's rate or times
  bool damaged; // `image` is odl_damaged_image
  bool again; // the frame before is still on screen, in a video whose rate varies; the
              // time is that of the index
} OdlReadFrame;

// Frames `first` to `last`, both included; `last` −1: to the end, which a live source
// does not have: there it is the end of its period. Keeps a reference. ODL_ERROR_USAGE
// when the source has no such frames.
OdlFrameReader *
odl_frame_reader_new (OdlSource *source, int64_t first, int64_t last, GError **error);
void odl_frame_reader_free (OdlFrameReader *reader);

// The rate of frames whose source states none, before the first is read; 25 otherwise.
void odl_frame_reader_set_default_rate (OdlFrameReader *reader, double frame_rate);

// How many frames are to come in all; 0: not known.
int64_t odl_frame_reader_count (const OdlFrameReader *reader);

// Frames per second; 0 when they do not come at equal distances.
double odl_frame_reader_rate (const OdlFrameReader *reader);

// The next frame; NULL without an error at the end. A frame that cannot be decoded is
// given as damaged. Errors: those of odl_source_read_frame which end a stream early, with
// what is wrong with the rest. One thread at a time.
OdlReadFrame *
odl_frame_reader_next (OdlFrameReader *reader, GCancellable *cancellable, GError **error);

// Accepts NULL.
void odl_read_frame_free (OdlReadFrame *frame);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlFrameReader, odl_frame_reader_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlReadFrame, odl_read_frame_free)

G_END_DECLS
