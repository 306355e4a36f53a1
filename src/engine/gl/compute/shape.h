// SPDX-License-Identifier: MIT
// How a level is divided among work groups (shaders/include/lanes.glsl), and which way a
// tuning run has found to be fastest on this GPU.
#pragma once

#include "engine/gl/platform/caps.h"

#define ODL_GL_SHAPE_WARPS 4 // of a work group: across × down
#define ODL_GL_SHAPE_LANES (32 * ODL_GL_SHAPE_WARPS)

// A warp of 32 lanes marches down `rows` pairs of rows (of the coarsest level); warps lie
// `across` of them side by side, the others below.
typedef struct {
  int rows;
  int across;
} OdlGlShape;

// The shapes that a tuning run tries for one level, or two at once, best guess first;
// ends with rows 0.
const OdlGlShape *odl_gl_shapes_for (int levels);

// Levels that have the same shape: of about as many samples, of one precision and
// direction, single or (levels 2) fused with the next coarser one.
typedef struct {
  double samples;
  int precision;
  bool inverse;
  int levels;
} OdlGlLevelKind;

typedef struct _OdlGlTuning OdlGlTuning;

// Empty. Its entries replace those of the table that was measured on one card.
OdlGlTuning *odl_gl_tuning_new (void);
void odl_gl_tuning_free (OdlGlTuning *tuning);

bool odl_gl_tuning_knows (const OdlGlTuning *tuning, const OdlGlLevelKind *kind);
OdlGlShape odl_gl_tuning_shape (const OdlGlTuning *tuning, const OdlGlLevelKind *kind);
void
odl_gl_tuning_set (OdlGlTuning *tuning, const OdlGlLevelKind *kind, OdlGlShape shape);

// "~/.cache/ondelette/gl-compute.ini". Transfer full.
char *odl_gl_tuning_path (void);

// Names GPU, driver and the shaders as they are. Transfer full.
char *odl_gl_tuning_key (const OdlGlCaps *caps);

// Adds the entries that the file has under `key`. A missing, damaged or foreign file
// costs a tuning run and nothing else; shapes that no tuning run tries are ignored.
void odl_gl_tuning_load (OdlGlTuning *tuning, const char *path, const char *key);

// Writes them and keeps other keys, the newest 16 in all. ODL_ERROR_IO.
bool odl_gl_tuning_save (const OdlGlTuning *tuning,
                         const char *path,
                         const char *key,
                         GError **error);
