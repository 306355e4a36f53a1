// SPDX-License-Identifier: MIT
// One level of analysis or synthesis by lifting, in rows of lanes
// (shaders/include/lanes.glsl).
#pragma once

#include "engine/gl/compute/steps.h"

// Lines of #define for the lifting steps of the wavelet of `step`.
GString *odl_gl_lifting_defines (const OdlStep *step);

// Adds the lines that make the lifting steps of `step` those of whole numbers.
void odl_gl_append_whole_defines (GString *text, const OdlStep *step);

// Fills program, size and work groups of `dispatch` for one level, as large as `level`,
// of the wavelet of `step`; buffers and layouts are the caller's. `defines` say how
// samples are stored. ODL_ERROR_GPU. GL current.
bool odl_gl_lanes_fill (const OdlGlDispatchParams *params,
                        const OdlStep *step,
                        bool forward,
                        const OdlSlot *level,
                        const char *defines,
                        OdlGlDispatch *dispatch,
                        GError **error);

// Divides a dispatch that was filled so among work groups in another way.
void odl_gl_lanes_share (OdlGlDispatch *dispatch, OdlGlShape shape);
