// SPDX-License-Identifier: MIT
// A clean picture beside what is shown: PSNR and SSIM of the result against it, and of
// the picture as it came. No part of the recipe. Main thread; reading and comparing
// happen in others.
#pragma once

#include "session/player/frame.h"

G_BEGIN_DECLS

typedef struct _OdlReference OdlReference;

// The numbers or the file changed. `message`: something that the user should read,
// translated; else NULL.
typedef void (*OdlReferenceCb) (const char *message, void *data);

OdlReference *odl_reference_new (OdlReferenceCb cb, void *data);
void odl_reference_free (OdlReference *reference); // no callback comes any more

// Reads a still, as odl_operand_read. When that fails the one before stays. NULL: none.
void odl_reference_set_file (OdlReference *reference, const char *file);
const char *odl_reference_file (const OdlReference *reference); // in place; NULL: none

// Whether `path` is a file that it reads, which is never to be written over.
bool odl_reference_reads (const OdlReference *reference, const char *path);

// This is shown now. Frames that follow each other faster than they can be compared are
// passed over. A frame whose result lies on the GPU is computed again by the engine
// “cpu”, but for filters over time; those, and coefficients, have no numbers.
void odl_reference_show (OdlReference *reference, OdlFrame *frame);

// "PSNR 31.20 dB · SSIM 0.9123" of what was shown last, and where that comes from. NULL
// where there is no reference, or nothing to compare.
const char *odl_reference_text (const OdlReference *reference);
const char *odl_reference_details (const OdlReference *reference);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlReference, odl_reference_free)

G_END_DECLS
