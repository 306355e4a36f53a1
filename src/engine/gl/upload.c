// SPDX-License-Identifier: MIT
#include "engine/gl/upload.h"

#include <string.h>

#include "config.h"
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/ring.h"
#include "engine/gl/targets.h"

// Copied frames that may be on their way at once.
#define RING 3
#define FENCE_TIMEOUT_NS ((GLuint64) 1000000000)

typedef struct {
  OdlSampleType type;
  int channels;
  GLenum internal_format, format, data_type;
} SampleFormat;

// Stored samples stay as they are, integers as integers: GLES has no 16-bit fixed point.
static const SampleFormat sample_formats[] = {
  { ODL_SAMPLE_U8, 1, GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE },
  { ODL_SAMPLE_U8, 3, GL_RGB8UI, GL_RGB_INTEGER, GL_UNSIGNED_BYTE },
  { ODL_SAMPLE_U8, 4, GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE },
  { ODL_SAMPLE_U16, 1, GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT },
  { ODL_SAMPLE_U16, 3, GL_RGB16UI, GL_RGB_INTEGER, GL_UNSIGNED_SHORT },
  { ODL_SAMPLE_U16, 4, GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT },
  { ODL_SAMPLE_S16, 1, GL_R16I, GL_RED_INTEGER, GL_SHORT },
  { ODL_SAMPLE_S16, 3, GL_RGB16I, GL_RGB_INTEGER, GL_SHORT },
  { ODL_SAMPLE_S16, 4, GL_RGBA16I, GL_RGBA_INTEGER, GL_SHORT },
  { ODL_SAMPLE_F32, 1, GL_R32F, GL_RED, GL_FLOAT },
  { ODL_SAMPLE_F32, 3, GL_RGB32F, GL_RGB, GL_FLOAT },
  { ODL_SAMPLE_F32, 4, GL_RGBA32F, GL_RGBA, GL_FLOAT },
};

static const char *const source_defines[] = {
  [ODL_SAMPLE_U8] = "#define SOURCE usampler2D\n",
  [ODL_SAMPLE_U16] = "#define SOURCE usampler2D\n",
  [ODL_SAMPLE_S16] = "#define SOURCE isampler2D\n",
  [ODL_SAMPLE_F32] = "#define SOURCE sampler2D\n#define FLOATING\n",
};

typedef struct {
  GLuint id;
  void *mapped; // persistently, or NULL
  GLsync fence; // after the last read by the GPU
} Buffer;

struct _OdlGlUpload {
  const OdlGlCaps *caps;
  OdlGlPrograms *programs;
  OdlEngineCounters *counters;
  OdlImagePool *const *pool;
  const SampleFormat *format; // of the texture; NULL: none yet
  int width, height;
  GLuint texture; // 0 until somebody wants one
  size_t size; // bytes of each buffer
  Buffer ring[RING]; // made when an image has to be copied
  int next;
  // By odl_gl_upload_buffer, until odl_gl_upload_done: a buffer of the ring, or an image
  // of the pool.
  Buffer *taken;
  const OdlImage *taken_image;
  int precision;
  const OdlGlProgram *program;
};

OdlGlUpload *
odl_gl_upload_new (const OdlGlCaps *caps,
                   OdlGlPrograms *programs,
                   OdlEngineCounters *counters,
                   OdlImagePool *const *pool)
{
  OdlGlUpload *upload = g_new0 (OdlGlUpload, 1);

  upload->caps = caps;
  upload->programs = programs;
  upload->counters = counters;
  upload->pool = pool;
  return upload;
}

static void
free_storage (OdlGlUpload *upload)
{
  for (int i = 0; i < RING; i++) {
    Buffer *buffer = &upload->ring[i];
    if (buffer->fence != NULL)
      glDeleteSync (buffer->fence);
    glDeleteBuffers (1, &buffer->id); // unmaps
    *buffer = (Buffer){ 0 };
  }
  glDeleteTextures (1, &upload->texture);
  upload->texture = 0;
  upload->format = NULL;
}

void
odl_gl_upload_free (OdlGlUpload *upload)
{
  if (upload == NULL)
    return;
  free_storage (upload);
  g_free (upload);
}

static bool
create_buffer (OdlGlUpload *upload, Buffer *buffer)
{
  const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;

  glGenBuffers (1, &buffer->id);
  glBindBuffer (GL_PIXEL_UNPACK_BUFFER, buffer->id);
  upload->counters->allocations++;
  if (!upload->caps->buffer_storage)
    return true; // gets its storage anew with each image
  if (upload->caps->is_es)
    glBufferStorageEXT (GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr) upload->size, NULL, flags);
  else
    glBufferStorage (GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr) upload->size, NULL, flags);
  buffer->mapped
      = glMapBufferRange (GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr) upload->size, flags);
  return buffer->mapped != NULL;
}

static bool
create_ring (OdlGlUpload *upload)
{
  bool ok = true;

  odl_gl_forget_errors ();
  for (int i = 0; i < RING && ok; i++)
    ok = create_buffer (upload, &upload->ring[i]);
  glBindBuffer (GL_PIXEL_UNPACK_BUFFER, 0);
  if (ok && glGetError () == GL_NO_ERROR)
    return true;
  free_storage (upload);
  return false;
}

static void
set_format (OdlGlUpload *upload, const SampleFormat *format, int width, int height)
{
  const size_t bytes
      = (size_t) width * height * format->channels * odl_sample_size (format->type);

  free_storage (upload);
  upload->size = (bytes + 15) / 16 * 16; // whoever reads words may read the last one
  upload->format = format;
  upload->width = width;
  upload->height = height;
  upload->program = NULL;
}

static bool
create_texture (OdlGlUpload *upload)
{
  const SampleFormat *format = upload->format;

  odl_gl_forget_errors ();
  glGenTextures (1, &upload->texture);
  upload->counters->textures++;
  glActiveTexture (GL_TEXTURE0);
  glBindTexture (GL_TEXTURE_2D, upload->texture);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glTexImage2D (GL_TEXTURE_2D, 0, (GLint) format->internal_format, upload->width,
                upload->height, 0, format->format, format->data_type, NULL);
  if (glGetError () == GL_NO_ERROR)
    return true;
  free_storage (upload);
  return false;
}

// Copies samples that do not lie as GL wants them, one by one but unconverted.
static void
gather_row (uint8_t *out, const OdlImageInfo *info, int y)
{
  const size_t size = odl_sample_size (info->type);

  for (int c = 0; c < info->channels; c++) {
    const OdlPlane *plane = &info->planes[c];
    const uint8_t *in = (const uint8_t *) plane->data + y * plane->row_stride_bytes;
    uint8_t *to = out + c * size;
    for (int x = 0; x < info->extent.x; x++) {
      memcpy (to, in, size);
      in += plane->sample_stride_bytes;
      to += info->channels * size;
    }
  }
}

// Red, green and blue as whole numbers, as the samples' type has them.
static void
convert_row (uint8_t *out, const OdlImage *image, int channel, int y, float *row)
{
  const OdlImageInfo *info = odl_image_info (image);
  const float range = (float) (info->stored_max - info->stored_min);
  const float most = info->type == ODL_SAMPLE_U8 ? 255.0f : 65535.0f;

  odl_image_scaled_row (image, channel, y, 0, 0, row);
  for (int x = 0; x < info->extent.x && info->type == ODL_SAMPLE_F32; x++)
    ((float *) (void *) out)[x * info->channels + channel] = row[x];
  for (int x = 0; x < info->extent.x && info->type != ODL_SAMPLE_F32; x++) {
    const float stored = (float) info->stored_min + row[x] * range + 0.5f;
    const size_t i = (size_t) x * info->channels + channel;
    if (info->type == ODL_SAMPLE_U8)
      out[i] = (uint8_t) CLAMP (stored, 0.0f, most);
    else
      ((uint16_t *) out)[i] = (uint16_t) CLAMP (stored, 0.0f, most);
  }
}

static void
convert (uint8_t *out, const OdlImage *image, size_t row_bytes)
{
  const OdlImageInfo *info = odl_image_info (image);
  g_autofree float *row = g_new (float, info->extent.x);

  for (int y = 0; y < info->extent.y; y++)
    for (int c = 0; c < info->channels; c++)
      convert_row (out + y * row_bytes, image, c, y, row);
}

static void
pack (uint8_t *out, const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlPlane *plane = &info->planes[0];
  const size_t row
      = (size_t) info->extent.x * info->channels * odl_sample_size (info->type);

  if (info->ycbcr.used)
    convert (out, image, row);
  else if (!odl_image_is_interleaved (image))
    for (int y = 0; y < info->extent.y; y++)
      gather_row (out + y * row, info, y);
  else if (plane->row_stride_bytes == row)
    memcpy (out, plane->data, row * info->extent.y);
  else
    for (int y = 0; y < info->extent.y; y++)
      memcpy (out + y * row, (const uint8_t *) plane->data + y * plane->row_stride_bytes,
              row);
}

// Leaves the buffer bound, filled and unmapped (or persistently mapped).
static bool
fill_buffer (OdlGlUpload *upload, Buffer *buffer, const OdlImage *image)
{
  glBindBuffer (GL_PIXEL_UNPACK_BUFFER, buffer->id);
  if (buffer->mapped != NULL) {
    if (buffer->fence != NULL) {
      glClientWaitSync (buffer->fence, GL_SYNC_FLUSH_COMMANDS_BIT, FENCE_TIMEOUT_NS);
      glDeleteSync (buffer->fence);
      buffer->fence = NULL;
    }
    pack (buffer->mapped, image);
    return true;
  }

  // Orphaning: the driver gives fresh memory while the GPU still reads the old.
  glBufferData (GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr) upload->size, NULL, GL_STREAM_DRAW);
  void *mapped = glMapBufferRange (GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr) upload->size,
                                   GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
  if (mapped == NULL)
    return false;
  pack (mapped, image);
  return glUnmapBuffer (GL_PIXEL_UNPACK_BUFFER);
}

static void
set_memory_error (const OdlImageInfo *info, GError **error)
{
  g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
               _ ("the graphics driver gave no memory for an image of %d × %d pixels; "
                  "choose the CPU engine"),
               info->extent.x, info->extent.y);
}

static bool
ensure_storage (OdlGlUpload *upload,
                const OdlImageInfo *info,
                bool with_texture,
                GError **error)
{
  const SampleFormat *format = sample_formats;

  if (!odl_gl_check_size (upload->caps, info->extent.x, info->extent.y, error))
    return false;
  while (format->type != info->type || format->channels != info->channels)
    format++;
  if (format != upload->format || upload->width != info->extent.x
      || upload->height != info->extent.y)
    set_format (upload, format, info->extent.x, info->extent.y);
  if (!with_texture || upload->texture != 0 || create_texture (upload))
    return true;
  set_memory_error (info, error);
  return false;
}

static bool
ensure_program (OdlGlUpload *upload, int precision, GError **error)
{
  if (upload->program != NULL && upload->precision == precision)
    return true;

  g_autofree char *defines = g_strdup_printf (
      "%s#define CHANNELS %d\n%s", source_defines[upload->format->type],
      upload->format->channels, precision == 16 ? "#define HALF_TARGET\n" : "");
  upload->program
      = odl_gl_programs_get (upload->programs, ODL_GL_PASS_LOAD, false, defines, error);
  upload->precision = precision;
  return upload->program != NULL;
}

// The next buffer of the ring, filled and bound; NULL and an error without memory.
static Buffer *
take_buffer (OdlGlUpload *upload, const OdlImage *image, GError **error)
{
  if (upload->ring[0].id == 0 && !create_ring (upload)) {
    set_memory_error (odl_image_info (image), error);
    return NULL;
  }

  Buffer *buffer = &upload->ring[upload->next];
  upload->next = (upload->next + 1) % RING;
  if (fill_buffer (upload, buffer, image))
    return buffer;
  glBindBuffer (GL_PIXEL_UNPACK_BUFFER, 0);
  g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
               _ ("the graphics driver lent no memory to upload the image"));
  return NULL;
}

// Whether the samples lie in the pool's memory as commands of GL can read them. `tight`:
// without padding between rows.
static bool
lies_in_pool (OdlGlUpload *upload,
              const OdlImage *image,
              bool tight,
              OdlGlRingPlace *place)
{
  const OdlImageInfo *info = odl_image_info (image);
  const size_t stride = info->planes[0].row_stride_bytes;
  const size_t pixel = info->channels * odl_sample_size (info->type);

  odl_gl_ring_tend (*upload->pool, &upload->counters->allocations);
  return odl_gl_ring_find (*upload->pool, image, place)
         && odl_image_is_interleaved (image) && place->offset_bytes % 4 == 0
         && (tight ? stride == pixel * info->extent.x : stride % pixel == 0);
}

bool
odl_gl_upload_buffer (OdlGlUpload *upload,
                      const OdlImage *image,
                      OdlGlSampleBuffer *samples,
                      GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);
  OdlGlRingPlace place = { 0 };

  if (!ensure_storage (upload, info, false, error))
    return false;
  if (lies_in_pool (upload, image, true, &place)) {
    upload->taken_image = image;
  } else {
    upload->taken = take_buffer (upload, image, error);
    if (upload->taken == NULL)
      return false;
    place.buffer = upload->taken->id;
    glBindBuffer (GL_PIXEL_UNPACK_BUFFER, 0);
  }
  *samples = (OdlGlSampleBuffer){
    .buffer = place.buffer,
    .offset_bytes = place.offset_bytes,
    .row_stride_bytes
    = (size_t) info->extent.x * info->channels * odl_sample_size (info->type),
    .type = info->type,
    .channels = info->channels,
    .minimum = (float) info->stored_min,
    .scale = (float) (1 / (info->stored_max - info->stored_min)),
  };
  return true;
}

void
odl_gl_upload_done (OdlGlUpload *upload)
{
  if (upload->taken_image != NULL)
    odl_gl_ring_fence (upload->taken_image);
  if (upload->taken != NULL && upload->taken->mapped != NULL)
    upload->taken->fence = glFenceSync (GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  upload->taken_image = NULL;
  upload->taken = NULL;
}

// Into the texture that is bound, from the buffer that is bound.
static void
fill_texture (const OdlGlUpload *upload, const OdlGlRingPlace *place, size_t row_pixels)
{
  glPixelStorei (GL_UNPACK_ROW_LENGTH, (GLint) row_pixels);
  glTexSubImage2D (GL_TEXTURE_2D, 0, 0, 0, upload->width, upload->height,
                   upload->format->format, upload->format->data_type,
                   (const void *) place->offset_bytes);
  glPixelStorei (GL_UNPACK_ROW_LENGTH, 0);
  glBindBuffer (GL_PIXEL_UNPACK_BUFFER, 0);
}

bool
odl_gl_upload_samples (OdlGlUpload *upload,
                       const OdlImage *image,
                       OdlGlSamples *samples,
                       GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);
  OdlGlRingPlace place = { 0 };
  size_t row_pixels = 0; // as wide as the image

  if (!ensure_storage (upload, info, true, error))
    return false;
  if (lies_in_pool (upload, image, false, &place)) {
    upload->taken_image = image;
    row_pixels = info->planes[0].row_stride_bytes
                 / (info->channels * odl_sample_size (info->type));
    glBindBuffer (GL_PIXEL_UNPACK_BUFFER, place.buffer);
  } else {
    upload->taken = take_buffer (upload, image, error);
    if (upload->taken == NULL)
      return false;
  }
  glActiveTexture (GL_TEXTURE0);
  glBindTexture (GL_TEXTURE_2D, upload->texture);
  fill_texture (upload, &place, row_pixels);
  odl_gl_upload_done (upload);

  *samples = (OdlGlSamples){
    .texture = upload->texture,
    .defines = source_defines[info->type],
    .channels = info->channels,
    .minimum = (float) info->stored_min,
    .scale = (float) (1 / (info->stored_max - info->stored_min)),
  };
  return true;
}

bool
odl_gl_upload_image (OdlGlUpload *upload,
                     const OdlImage *image,
                     int precision,
                     OdlGlDraw *draw,
                     GError **error)
{
  OdlGlSamples samples;

  if (!odl_gl_upload_samples (upload, image, &samples, error)
      || !ensure_program (upload, precision, error))
    return false;
  draw->program = upload->program;
  draw->viewport[0] = draw->viewport[1] = 0;
  draw->viewport[2] = upload->width;
  draw->viewport[3] = upload->height;
  draw->vertices = 3;
  draw->textures[0] = samples.texture;
  draw->uniforms.minimum = samples.minimum;
  draw->uniforms.scale = samples.scale;
  return true;
}
