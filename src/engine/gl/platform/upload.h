// SPDX-License-Identifier: MIT
// Uploads an image's stored samples and prepares the LOAD pass, which scales them on the
// GPU.
#pragma once

#include "engine/engine.h"
#include "engine/gl/platform/planes.h"
#include "engine/gl/platform/program.h"
#include "image/pool.h"

typedef struct _OdlGlUpload OdlGlUpload;

// `caps`, `programs`, `counters` and `pool` must outlive the result. *pool (may be NULL)
// is the ring of this GL context: images that lie in it are not copied.
OdlGlUpload *odl_gl_upload_new (const OdlGlCaps *caps,
                                OdlGlPrograms *programs,
                                OdlEngineCounters *counters,
                                OdlImagePool *const *pool);
void odl_gl_upload_free (OdlGlUpload *upload); // GL current

// Stored samples as the image has them, interleaved, or luma and differences as `planes`
// say, in a buffer that may be slow to read twice; its size is a multiple of 16 bytes.
typedef struct {
  GLuint buffer;
  size_t offset_bytes; // of the first sample; a multiple of 4
  size_t row_stride_bytes;
  OdlSampleType type;
  int channels;
  float minimum, scale;
  size_t size; // bytes from offset_bytes on
  bool ycbcr;
  OdlGlPlanes planes; // with ycbcr; their offsets count from offset_bytes
} OdlGlSampleBuffer;

// Errors as odl_gl_upload_image. Ends with odl_gl_upload_done after the last command that
// reads the buffer.
bool odl_gl_upload_buffer (OdlGlUpload *upload,
                           const OdlImage *image,
                           OdlGlSampleBuffer *samples,
                           GError **error);
void odl_gl_upload_done (OdlGlUpload *upload);

// Uploads slice 0, frame 0 of `image` (through a ring of buffers, or from its own memory
// if that lies in *pool) into a texture of the image's own sample type, and fills `draw`
// with the LOAD pass for it: all but framebuffer and bias. `precision` is that of the
// target. Allocates only when type or geometry changed. ODL_ERROR_TOO_LARGE,
// ODL_ERROR_GPU. GL current, unpack state as odl_gl_state_save sets it.
bool odl_gl_upload_image (OdlGlUpload *upload,
                          const OdlImage *image,
                          int precision,
                          OdlGlDraw *draw,
                          GError **error);

// Frees the upload buffers, for an image that stays; the next upload makes new ones. GL
// current.
void odl_gl_upload_drop_buffers (OdlGlUpload *upload);

// Whether the planes of `image`, which was uploaded last, contain luma of these weights.
bool odl_gl_upload_has_luma (const OdlGlUpload *upload,
                             const OdlImage *image,
                             const double weights[3]);

// Makes `draw`, a copy of the LUMA pass, read luma there; its bias remains to be set.
// ODL_ERROR_GPU.
bool odl_gl_upload_luma (const OdlGlUpload *upload,
                         const OdlImage *image,
                         OdlGlDraw *draw,
                         GError **error);
