// SPDX-License-Identifier: MIT
#include "engine/gl/platform/upload.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/platform/ring.h"
#include "engine/gl/texture_stores.h"

// Copied frames that may be in transfer at once.
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

static const char *const sampler_names[] = {
  [ODL_SAMPLE_U8] = "usampler2D",
  [ODL_SAMPLE_U16] = "usampler2D",
  [ODL_SAMPLE_S16] = "isampler2D",
  [ODL_SAMPLE_F32] = "sampler2D",
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
  GLsync fence; // fence after the last read by the GPU
} Buffer;

struct _OdlGlUpload {
  const OdlGlCaps *caps;
  OdlGlPrograms *programs;
  OdlEngineCounters *counters;
  OdlImagePool *const *pool;
  const SampleFormat *format; // of the image; NULL: none yet
  int width, height;
  bool in_planes;
  OdlGlPlanes planes; // of the last image, if in planes
  GLuint textures[ODL_GL_PLANES]; // 0 until they are needed
  size_t size; // bytes of each buffer
  Buffer ring[RING]; // made when an image has to be copied
  int next;
  // In use from odl_gl_upload_buffer to odl_gl_upload_done: a buffer of the ring, or an
  // image of the pool.
  Buffer *taken;
  const OdlImage *taken_image;
  // The program of the last image and what it was made for.
  const OdlGlProgram *program;
  char *defines;
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

void
odl_gl_upload_drop_buffers (OdlGlUpload *upload)
{
  for (int i = 0; i < RING; i++) {
    Buffer *buffer = &upload->ring[i];
    if (buffer->fence != NULL)
      glDeleteSync (buffer->fence);
    glDeleteBuffers (1, &buffer->id); // unmaps
    *buffer = (Buffer){ 0 };
  }
}

static void
free_storage (OdlGlUpload *upload)
{
  odl_gl_upload_drop_buffers (upload);
  glDeleteTextures (ODL_GL_PLANES, upload->textures);
  memset (upload->textures, 0, sizeof upload->textures);
  upload->format = NULL;
}

void
odl_gl_upload_free (OdlGlUpload *upload)
{
  if (upload == NULL)
    return;
  free_storage (upload);
  g_free (upload->defines);
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
    return true; // its storage is reallocated for each image
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

static const SampleFormat *
find_format (OdlSampleType type, int channels)
{
  const SampleFormat *format = sample_formats;

  while (format->type != type || format->channels != channels)
    format++;
  return format;
}

static bool
create_texture (OdlGlUpload *upload,
                int index,
                const SampleFormat *format,
                int width,
                int height)
{
  glGenTextures (1, &upload->textures[index]);
  upload->counters->textures++;
  glActiveTexture (GL_TEXTURE0);
  glBindTexture (GL_TEXTURE_2D, upload->textures[index]);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glTexImage2D (GL_TEXTURE_2D, 0, (GLint) format->internal_format, width, height, 0,
                format->format, format->data_type, NULL);
  return glGetError () == GL_NO_ERROR;
}

// One texture for an image, or one for each of its planes.
static bool
create_textures (OdlGlUpload *upload)
{
  bool ok = true;

  odl_gl_forget_errors ();
  if (!upload->in_planes)
    ok = create_texture (upload, 0, upload->format, upload->width, upload->height);
  for (int i = 0; upload->in_planes && i < upload->planes.n && ok; i++) {
    const OdlGlPlane *plane = &upload->planes.planes[i];
    ok = create_texture (upload, i, find_format (plane->type, 1), plane->samples,
                         plane->rows);
  }
  if (!ok)
    free_storage (upload);
  return ok;
}

// Copies samples whose strides GL cannot read, one by one and unconverted.
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

// Slice 0, frame 0 of `image`, interleaved in its own type without padding; of YCbCr
// images red, green and blue, rounded. Any thread.
static void
pack_pixels (const OdlImage *image, uint8_t *out)
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

static void
pack (const OdlGlUpload *upload, uint8_t *out, const OdlImage *image)
{
  if (upload->in_planes)
    odl_gl_planes_pack (&upload->planes, out);
  else
    pack_pixels (image, out);
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
    pack (upload, buffer->mapped, image);
    return true;
  }

  // Orphaning: the driver gives fresh memory while the GPU still reads the old.
  glBufferData (GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr) upload->size, NULL, GL_STREAM_DRAW);
  void *mapped = glMapBufferRange (GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr) upload->size,
                                   GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
  if (mapped == NULL)
    return false;
  pack (upload, mapped, image);
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

// How the image is uploaded: in planes if `planes` is set, else pixel by pixel. Storage
// of another shape is freed.
static void
set_shape (OdlGlUpload *upload, const OdlImageInfo *info, const OdlGlPlanes *planes)
{
  const SampleFormat *format = find_format (info->type, info->channels);
  const size_t pixel = info->channels * odl_sample_size (info->type);
  const int width = info->extent.x, height = info->extent.y;

  const bool same
      = upload->format == format && upload->width == width && upload->height == height
        && upload->in_planes == (planes != NULL)
        && (planes == NULL || odl_gl_planes_same_shape (planes, &upload->planes));
  if (!same) {
    free_storage (upload);
    const size_t bytes = planes != NULL ? planes->size : pixel * width * height;
    upload->size = (bytes + 15) / 16 * 16; // shaders read words
    upload->format = format;
    upload->width = width;
    upload->height = height;
  }
  upload->in_planes = planes != NULL;
  if (planes != NULL)
    upload->planes = *planes;
}

static char *
load_defines (const OdlGlUpload *upload, const OdlImageInfo *info, int precision)
{
  const OdlSampleType second = info->ycbcr.used && info->type == ODL_SAMPLE_F32
                                   ? info->ycbcr.chroma_type
                                   : info->type;
  g_autofree char *colour = odl_gl_planes_defines (info);
  g_autofree char *planes = g_strdup_printf ("#define PLANES\n#define SECOND %s\n%s",
                                             sampler_names[second], colour);

  return g_strdup_printf ("%s#define CHANNELS %d\n%s%s", source_defines[info->type],
                          info->channels, upload->in_planes ? planes : "",
                          precision == 16 ? "#define HALF_TARGET\n" : "");
}

static bool
ensure_program (OdlGlUpload *upload,
                const OdlImageInfo *info,
                int precision,
                GError **error)
{
  g_autofree char *defines = load_defines (upload, info, precision);

  if (upload->program != NULL && g_str_equal (defines, upload->defines))
    return true;
  upload->program
      = odl_gl_programs_get (upload->programs, ODL_GL_PASS_LOAD, false, defines, error);
  g_free (upload->defines);
  upload->defines = g_steal_pointer (&defines);
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
  return odl_error_null (error, ODL_ERROR_GPU,
                         _ ("the graphics driver lent no memory to upload the image"));
}

// Whether the samples lie in the pool's memory as commands of GL can read them. `tight`:
// without padding between rows.
static bool
is_in_pool (OdlGlUpload *upload, const OdlImage *image, bool tight, OdlGlRingPlace *place)
{
  const OdlImageInfo *info = odl_image_info (image);
  const size_t stride = info->planes[0].row_stride_bytes;
  const size_t pixel = info->channels * odl_sample_size (info->type);

  odl_gl_ring_tend (*upload->pool, &upload->counters->allocations);
  return odl_gl_ring_find (*upload->pool, image, place)
         && odl_image_is_interleaved (image) && place->offset_bytes % 4 == 0
         && (tight ? stride == pixel * info->extent.x : stride % pixel == 0);
}

// Luma and differences of videos, if compute shaders can read their type.
static bool
find_planes (const OdlImageInfo *info, OdlGlPlanes *planes)
{
  return info->ycbcr.used && info->type != ODL_SAMPLE_F32
         && odl_gl_planes_init (planes, info);
}

// Whether the planes lie in the pool's memory, one after the other as GL can read them.
static bool
planes_in_pool (OdlGlUpload *upload, const OdlImage *image, OdlGlRingPlace *place)
{
  odl_gl_ring_tend (*upload->pool, &upload->counters->allocations);
  return odl_gl_ring_find (*upload->pool, image, place)
         && odl_gl_planes_lie_at (&upload->planes, odl_image_info (image),
                                  place->offset_bytes);
}

bool
odl_gl_upload_buffer (OdlGlUpload *upload,
                      const OdlImage *image,
                      OdlGlSampleBuffer *samples,
                      GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);
  OdlGlRingPlace place = { 0 };
  OdlGlPlanes planes;
  const bool ycbcr = find_planes (info, &planes);
  const size_t row = info->extent.x * info->channels * odl_sample_size (info->type);

  set_shape (upload, info, ycbcr ? &planes : NULL);
  if (!ycbcr && is_in_pool (upload, image, true, &place)) {
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
    .row_stride_bytes = row,
    .type = info->type,
    .channels = info->channels,
    .minimum = (float) info->stored_min,
    .scale = (float) (1 / (info->stored_max - info->stored_min)),
    .size = ycbcr ? planes.size : row * info->extent.y,
    .ycbcr = ycbcr,
  };
  if (ycbcr)
    samples->planes = planes;
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

// Into a texture, from the buffer that is bound. `row_pixels` 0: as wide as the texture.
static void
fill_texture (GLuint texture,
              const SampleFormat *format,
              int width,
              int height,
              size_t offset_bytes,
              size_t row_pixels)
{
  glActiveTexture (GL_TEXTURE0);
  glBindTexture (GL_TEXTURE_2D, texture);
  glPixelStorei (GL_UNPACK_ROW_LENGTH, (GLint) row_pixels);
  glTexSubImage2D (GL_TEXTURE_2D, 0, 0, 0, width, height, format->format,
                   format->data_type, (const void *) offset_bytes);
}

static void
fill_textures (OdlGlUpload *upload, const OdlGlRingPlace *place, size_t row_pixels)
{
  if (!upload->in_planes)
    fill_texture (upload->textures[0], upload->format, upload->width, upload->height,
                  place->offset_bytes, row_pixels);
  for (int i = 0; upload->in_planes && i < upload->planes.n; i++) {
    const OdlGlPlane *plane = &upload->planes.planes[i];
    fill_texture (upload->textures[i], find_format (plane->type, 1), plane->samples,
                  plane->rows, plane->offset_bytes,
                  plane->row_bytes / odl_sample_size (plane->type));
  }
  glPixelStorei (GL_UNPACK_ROW_LENGTH, 0);
  glBindBuffer (GL_PIXEL_UNPACK_BUFFER, 0);
}

// Three channels go as rows of single samples, if such rows are not too long for a
// texture.
static bool
suits_planes (const OdlGlUpload *upload, const OdlImageInfo *info, OdlGlPlanes *planes)
{
  bool suits = odl_gl_planes_init (planes, info);

  for (int i = 0; suits && i < planes->n; i++)
    suits = planes->planes[i].samples <= upload->caps->max_side;
  return suits;
}

// The samples of `image` to the textures.
static bool
send (OdlGlUpload *upload, const OdlImage *image, GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);
  OdlGlRingPlace place = { 0 };
  size_t row_pixels = 0;
  OdlGlPlanes planes;

  if (!odl_gl_check_size (upload->caps, info->extent.x, info->extent.y, error))
    return false;
  set_shape (upload, info, suits_planes (upload, info, &planes) ? &planes : NULL);
  if (upload->textures[0] == 0 && !create_textures (upload)) {
    set_memory_error (info, error);
    return false;
  }
  if (upload->in_planes ? planes_in_pool (upload, image, &place)
                        : is_in_pool (upload, image, false, &place)) {
    upload->taken_image = image;
    row_pixels = info->planes[0].row_stride_bytes
                 / (info->channels * odl_sample_size (info->type));
    glBindBuffer (GL_PIXEL_UNPACK_BUFFER, place.buffer);
  } else {
    upload->taken = take_buffer (upload, image, error);
    if (upload->taken == NULL)
      return false;
  }
  fill_textures (upload, &place, row_pixels);
  odl_gl_upload_done (upload);
  return true;
}

bool
odl_gl_upload_has_luma (const OdlGlUpload *upload,
                        const OdlImage *image,
                        const double weights[3])
{
  const OdlYcbcr *ycbcr = &odl_image_info (image)->ycbcr;

  return upload->in_planes && ycbcr->used && ycbcr->kr == weights[0]
         && ycbcr->kb == weights[2];
}

bool
odl_gl_upload_luma (const OdlGlUpload *upload,
                    const OdlImage *image,
                    OdlGlDraw *draw,
                    GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);
  g_autofree char *defines = g_strdup_printf (
      "%s%s#define CHANNELS 1\n#define PLANES\n#define SECOND %s\n"
      "#define YCBCR\n#define SHIFT_X 0\n#define SHIFT_Y 0\n"
      "#define LUMA_ONLY\n",
      draw->program->defines, source_defines[info->type], sampler_names[info->type]);

  draw->program
      = odl_gl_programs_get (upload->programs, ODL_GL_PASS_LOAD, false, defines, error);
  for (int c = 0; c < 3; c++)
    draw->textures[c] = upload->textures[upload->planes.components[0].plane];
  odl_gl_planes_set (&upload->planes, info, false, &draw->uniforms);
  return draw->program != NULL;
}

bool
odl_gl_upload_image (OdlGlUpload *upload,
                     const OdlImage *image,
                     int precision,
                     OdlGlDraw *draw,
                     GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);

  if (!send (upload, image, error) || !ensure_program (upload, info, precision, error))
    return false;
  draw->program = upload->program;
  draw->viewport[0] = draw->viewport[1] = 0;
  draw->viewport[2] = upload->width;
  draw->viewport[3] = upload->height;
  draw->vertices = 3;
  for (int c = 0; c < 3; c++)
    draw->textures[c] = upload->in_planes
                            ? upload->textures[upload->planes.components[c].plane]
                        : c == 0 ? upload->textures[0]
                                 : 0;
  if (upload->in_planes)
    odl_gl_planes_set (&upload->planes, info, false, &draw->uniforms);
  draw->uniforms.minimum = (float) info->stored_min;
  draw->uniforms.scale = (float) (1 / (info->stored_max - info->stored_min));
  return true;
}
