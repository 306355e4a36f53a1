// SPDX-License-Identifier: MIT
// Brings the next frame's samples to the GPU beside the work on the present one. One
// queue of GL does one thing after the other, but dispatches without a barrier between
// them run side by side: each dispatch of the frame gets a slice of the copy as company.
#pragma once

#include "engine/gl/upload.h"

typedef struct _OdlGlFetch OdlGlFetch;

// Samples in memory that is fast to read.
typedef struct {
  GLuint buffer; // 0: none yet
  size_t size; // bytes of it, a multiple of 16
  OdlGlSampleBuffer samples; // what lies there
  OdlImageInfo info; // of the image; its pointers are stale
} OdlGlFetched;

// All must outlive the result.
OdlGlFetch *odl_gl_fetch_new (const OdlGlCaps *caps,
                              OdlGlPrograms *programs,
                              OdlEngineCounters *counters,
                              OdlGlUpload *upload);
void odl_gl_fetch_free (OdlGlFetch *fetch); // GL current; NULL is fine

// `next` (may be NULL: none) is to come with the dispatches of the next frame. References
// are kept to it and, once it has come, until it is swapped or another comes.
void odl_gl_fetch_want (OdlGlFetch *fetch, OdlImage *next);

// Before the dispatches of a frame, whose own samples are on the GPU. What cannot come
// this way (no memory) stays away: odl_gl_fetch_swap says no. GL current,
// as for the others.
void odl_gl_fetch_begin (OdlGlFetch *fetch);

// True between a begin that found something to bring and the end.
bool odl_gl_fetch_is_begun (const OdlGlFetch *fetch);

// Queues the copy as far as `share` of it, 0 … 1; no barrier. A program and storage
// buffers 0 and 1 are other ones afterwards.
void odl_gl_fetch_until (OdlGlFetch *fetch, double share);

// Queues what is left, all of it without begin.
void odl_gl_fetch_end (OdlGlFetch *fetch);

// If `image` is the one that came: exchanges it for `present`, whose buffer the next copy
// will go to.
bool odl_gl_fetch_swap (OdlGlFetch *fetch, const OdlImage *image, OdlGlFetched *present);
