// SPDX-License-Identifier: MIT
// One level of analysis or synthesis by a filter bank (shaders/include/bank.glsl), for
// wavelets and borders that lifting in lanes cannot do.
#pragma once

#include "engine/gl/compute/steps.h"

// True when `step`, FORWARD or INVERSE of a level as large as `level`, needs the filter
// bank.
bool odl_gl_bank_takes (const OdlGlDispatchParams *params,
                        const OdlStep *step,
                        const OdlSlot *level);

// Sets the uniforms of the filters of FORWARD or INVERSE: taps and their window.
void odl_gl_bank_taps (const OdlStep *step, bool forward, OdlGlUniforms *uniforms);

// The sample of a line of n that is copied instead of filtered: the only one, or the last
// of an odd line whose border needs pairs; −1: none.
int odl_gl_lone_sample (OdlBorder border, int n);

// Fills program, size, taps and work groups of `dispatch` for one level, as large as
// `level`, of the wavelet of `step`; buffers and layouts are the caller's. `defines` say
// how samples are stored. ODL_ERROR_GPU. GL current.
bool odl_gl_bank_fill (const OdlGlDispatchParams *params,
                       const OdlStep *step,
                       bool forward,
                       const OdlSlot *level,
                       const char *defines,
                       OdlGlDispatch *dispatch,
                       GError **error);
