// SPDX-License-Identifier: MIT
// An image's stored samples on the GPU, for compute shaders: the LOAD pass scales them
// there, or the first level of analysis reads them itself (shaders/include/source.glsl).
#pragma once

#include "engine/gl/compute/steps.h"
#include "engine/gl/platform/upload.h"

typedef struct _OdlGlSource OdlGlSource;

// `caps`, `programs` and `counters` must outlive the result, as does `shared`, which
// several sources may upload by in turn; NULL: it has buffers of its own.
OdlGlSource *odl_gl_source_new (const OdlGlCaps *caps,
                                OdlGlPrograms *programs,
                                OdlEngineCounters *counters,
                                OdlImagePool *const *pool,
                                OdlGlUpload *shared);
void odl_gl_source_free (OdlGlSource *source); // GL current; NULL is fine

// Copies slice 0, frame 0 of `image` to the GPU, where it stays until the next (volumes
// are tall pictures, see odl_volume_tall). Allocates
// only when type or geometry changed. ODL_ERROR_TOO_LARGE, ODL_ERROR_GPU.
bool odl_gl_source_take (OdlGlSource *source, const OdlImage *image, GError **error);

// True when the samples that were taken are luma and colour differences, which only the
// LOAD pass reads.
bool odl_gl_source_is_ycbcr (const OdlGlSource *source);

// True when they contain luma with the plan's weights, so that LUMA and RECOMBINE need no
// LOAD.
bool odl_gl_source_has_luma (const OdlGlSource *source, const OdlPlan *plan);

// Makes `dispatch`, a copy of that of LUMA or RECOMBINE, read luma or the colour
// differences in place. ODL_ERROR_GPU.
bool odl_gl_source_join (const OdlGlSource *source,
                         const OdlPlan *plan,
                         OdlGlDispatch *dispatch,
                         GError **error);

// Completes `dispatch`, the LOAD pass, for the samples that were taken. ODL_ERROR_GPU.
bool odl_gl_source_complete_load (const OdlGlSource *source,
                                  const OdlGlDispatchParams *params,
                                  OdlGlDispatch *dispatch,
                                  GError **error);

// The only dispatch that reads what LOAD writes, if it can read the stored samples
// instead; −1: none.
int odl_gl_source_reader (const OdlPlan *plan, const GArray *dispatches);

// Makes `dispatch`, a copy of that one, read the samples that were taken. ODL_ERROR_GPU.
bool odl_gl_source_replace (const OdlGlSource *source,
                            const OdlPlan *plan,
                            OdlGlDispatch *dispatch,
                            GError **error);
