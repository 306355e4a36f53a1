// SPDX-License-Identifier: MIT
// How the samples of three channels lie in rows of single samples, and what shaders need
// to find them there: planes of videos as they come, and interleaved colours without
// texels of three components, which drivers unpack on the CPU.
#pragma once

#include "engine/gl/platform/pass.h"
#include "image/image.h"

#define ODL_GL_PLANES 3

// Rows of samples, of one component or of several in turn.
typedef struct {
  const uint8_t *data;
  OdlSampleType type;
  size_t stride_bytes; // from row to row
  int samples; // of a row
  int rows;
  // In the buffer that it is uploaded from.
  size_t offset_bytes;
  size_t row_bytes;
} OdlGlPlane;

typedef struct {
  int n;
  OdlGlPlane planes[ODL_GL_PLANES];
  // Sample x of component c is sample step · x + offset of a row of its plane.
  struct {
    int plane, step, offset;
  } components[3];
  size_t size; // bytes of the buffer
} OdlGlPlanes;

// Slice 0, frame 0 of an image of three channels; false for others and for samples that
// lie unaligned.
bool odl_gl_planes_init (OdlGlPlanes *planes, const OdlImageInfo *info);

// Whether textures and programs for one do for the other.
bool odl_gl_planes_same_shape (const OdlGlPlanes *a, const OdlGlPlanes *b);

// Copies the rows to where they belong in the buffer.
void odl_gl_planes_pack (const OdlGlPlanes *planes, uint8_t *buffer);

// Takes the planes where they lie, planes[0].data of the image being `offset_bytes` from
// the start of the buffer; false when GL cannot read them there.
bool
odl_gl_planes_lie_at (OdlGlPlanes *planes, const OdlImageInfo *info, size_t offset_bytes);

// Defines for shaders/include/ycbcr.glsl; "" for red, green and blue. Transfer full.
char *odl_gl_planes_defines (const OdlImageInfo *info);

// ranges, mixing and chroma_size; places in samples (for textures) or bytes of the
// buffer, then with plane_rows.
void odl_gl_planes_set (const OdlGlPlanes *planes,
                        const OdlImageInfo *info,
                        bool bytes,
                        OdlGlUniforms *uniforms);
