// SPDX-License-Identifier: MIT
// What the current GL context can do.
#pragma once

#include <glib.h>
#include <stdbool.h>

// Floor of the program: desktop GL 3.3 or GLES 3.0, with textures of floats to draw into.
typedef struct {
  bool is_es;
  int version; // 10 · major + minor
  int max_side; // largest side of a texture and of a viewport
  bool float_targets; // 32-bit floats can be drawn into; half floats always can
  bool timer_queries;
  bool gather; // textureGather: GL 4.0, GLES 3.1
  bool buffer_storage; // persistently mapped buffers
  bool compute; // compute shaders and storage buffers: GL 4.3, GLES 3.1
  bool subgroups; // shuffles between the 32 invocations of a subgroup
  bool subgroup_ballots; // each of them learns which ones have something
  bool pack_rounds; // packHalf2x16 is known to round to nearest
  bool compiles_apart; // in threads of its own, and tells when it is done
  int sparse_page; // bytes of a page of sparse buffers, where these are faster; 0: not
  int max_storage; // bytes of a storage buffer that a shader can reach; 0 without compute
  int max_shared; // bytes of shared memory of a work group; 0 without compute
  int max_group; // invocations of a work group
  int max_buffers; // that a compute shader sees
  double memory; // bytes that plans may take on the card; 0: it does not say
  bool is_software; // a rasteriser on the CPU
  char gpu[320]; // "GL_RENDERER; GL_VERSION", which holds the driver's version
  char renderer[160]; // for people: "NVIDIA H200, OpenGL 4.6"
} OdlGlCaps;

// Looks at the current context. ODL_ERROR_GPU where it is below the floor. GL current.
bool odl_gl_caps_init (OdlGlCaps *caps, GError **error);

// Whether the current context draws with the CPU.
bool odl_gl_is_software (void);

// Forgets errors that others left behind. GL current.
void odl_gl_forget_errors (void);

// Turns a GL error since the last look into ODL_ERROR_GPU, or ODL_ERROR_TOO_LARGE where
// memory ran out: "`what` failed: …". GL current.
bool odl_gl_check (const char *what, GError **error);
