// SPDX-License-Identifier: MIT
// Images of three channels as rows of single samples, and what shaders need to find a
// sample there: planes of videos as they are stored, and interleaved colours without
// texels of three components, which drivers would unpack on the CPU.
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

// True when both can use the same textures and programs.
bool odl_gl_planes_same_shape (const OdlGlPlanes *a, const OdlGlPlanes *b);

// Copies the rows to their places in the buffer.
void odl_gl_planes_pack (const OdlGlPlanes *planes, uint8_t *buffer);

// Uses the planes in place; planes[0].data of the image is at `offset_bytes` of the
// buffer. False when GL cannot read them there.
bool
odl_gl_planes_lie_at (OdlGlPlanes *planes, const OdlImageInfo *info, size_t offset_bytes);

// Defines for shaders/include/ycbcr.glsl; "" for red, green and blue. Transfer full.
char *odl_gl_planes_defines (const OdlImageInfo *info);

// Sets ranges, mixing, chroma_size and the places of components: in samples for textures,
// with `bytes` in bytes of the buffer, and plane_rows.
void odl_gl_planes_set (const OdlGlPlanes *planes,
                        const OdlImageInfo *info,
                        bool bytes,
                        OdlGlUniforms *uniforms);
