// SPDX-License-Identifier: MIT
// A reference, with PSNR and SSIM of the result, and of the unprocessed picture,
// against it. Not part of the recipe. Main thread; reading and comparing happen in other
// threads.
#pragma once

#include "image/compare.h"
#include "session/player/frame.h"

typedef struct _OdlReference OdlReference;

// The numbers or the file changed. `message`: for the user, translated; may be NULL.
typedef void (*OdlReferenceCb) (const char *message, void *data);

OdlReference *odl_reference_new (OdlReferenceCb cb, void *data);
void odl_reference_free (OdlReference *reference); // the callback is not called again

// Reads a still, for all frames, or opens what has a picture for each: frame n is
// compared with frame n (source/operand.h). When that fails the one before stays. NULL:
// none.
void odl_reference_set_file (OdlReference *reference, const char *file);
const char *odl_reference_file (const OdlReference *reference); // in place; NULL: none

// Whether `path` is a file that it reads, which is never to be written over.
bool odl_reference_reads (const OdlReference *reference, const char *path);

// Compares the frame that is shown now. Frames that come faster than they can be compared
// are skipped. A frame whose result is on the GPU is computed again by the engine "cpu",
// or with GLSL of the user's own by one that runs it, except with filters over time;
// these, and coefficients, have no numbers. Of three planes the slice of the cross-hair
// is compared.
void odl_reference_show (OdlReference *reference, OdlFrame *frame);

// "PSNR 31.20 dB · SSIM 0.9123" of the last comparison, and how it was made. NULL without
// a reference or without anything to compare.
const char *odl_reference_text (const OdlReference *reference);
const char *odl_reference_details (const OdlReference *reference);

// The picture as it came, the result, and that of the recipe that it is compared with, if
// there is one, against the reference; edges as odl_edge_correlation, in this order.
typedef struct {
  OdlComparison before, after;
  bool has_other;
  OdlComparison other;
  double edges[3];
} OdlReferenceNumbers;

// Borrowed; NULL where there is no text.
const OdlReferenceNumbers *odl_reference_numbers (const OdlReference *reference);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlReference, odl_reference_free)
