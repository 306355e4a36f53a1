// SPDX-License-Identifier: MIT
// OdlGlPast: the pictures of earlier frames that steps over time keep. gl-fragment and
// gl-lookup keep textures, each in a framebuffer together with the texture that the step
// writes, so that one draw call fills both. gl-compute keeps a buffer for each step, its
// pictures one after the other.
#pragma once

#include "engine/engine.h"
#include "engine/gl/compute/stores.h"
#include "engine/gl/platform/pass.h"
#include "engine/gl/texture_stores.h"

typedef struct _OdlGlPast OdlGlPast;

// `created` counts textures. Nothing is kept before odl_gl_past_add.
OdlGlPast *odl_gl_past_new (const OdlPlan *plan, size_t *created);
void odl_gl_past_free (OdlGlPast *past); // GL current; NULL is fine

// Textures for step `step`, which writes `target`. ODL_ERROR_GPU without memory. GL
// current.
bool odl_gl_past_add (OdlGlPast *past,
                      int step,
                      const OdlGlTextureStore *target,
                      GError **error);

// Gives a draw call of step `step` this frame's textures, framebuffer and uniforms.
void odl_gl_past_turn (const OdlGlPast *past,
                       const OdlEngine *engine,
                       const OdlPlan *plan,
                       int step,
                       OdlGlDraw *draw);

// Buffers of gl-compute, one for each step of the plan (GLuint; 0: it keeps nothing; of
// convolutions: the coefficients of kernels),
// freed with the last reference. `created` counts them. ODL_ERROR_TOO_LARGE beyond what a
// shader can reach, ODL_ERROR_GPU without memory. GL current.
GArray *odl_gl_past_buffers_new (const OdlGlCaps *caps,
                                 const OdlPlan *plan,
                                 const OdlGlStores *stores,
                                 size_t *created,
                                 GError **error);

// Sets the uniforms of a step over time; none for other steps.
void odl_gl_past_uniforms (const OdlEngine *engine,
                           const OdlStep *step,
                           OdlGlUniforms *uniforms);
