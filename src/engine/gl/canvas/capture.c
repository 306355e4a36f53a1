// SPDX-License-Identifier: MIT
#include "engine/gl/canvas/capture.h"

#include <epoxy/gl.h>
#include <string.h>

// Pictures being read back at a time: enough for a GPU that is two frames behind.
#define PLACES 3

#define WAIT_NS ((GLuint64) 1000000000)

typedef struct {
  GLuint buffer;
  size_t size; // of the buffer
  GLsync fence;
  int width, height;
  int64_t time_ns;
  int tag[2];
} Place;

struct _OdlGlCapture {
  Place places[PLACES];
  int first; // the oldest being read back
  int n; // being read back
};

OdlGlCapture *
odl_gl_capture_new (void)
{
  return g_new0 (OdlGlCapture, 1);
}

void
odl_gl_capture_free (OdlGlCapture *capture)
{
  if (capture == NULL)
    return;
  for (int i = 0; i < PLACES; i++) {
    Place *place = &capture->places[i];
    if (place->fence != NULL)
      glDeleteSync (place->fence);
    if (place->buffer != 0)
      glDeleteBuffers (1, &place->buffer);
  }
  g_free (capture);
}

bool
odl_gl_capture_begin (OdlGlCapture *capture,
                      int width,
                      int height,
                      int64_t time_ns,
                      const int tag[2])
{
  const size_t size = (size_t) width * height * 4;

  if (capture->n == PLACES)
    return false;
  Place *place = &capture->places[(capture->first + capture->n++) % PLACES];
  if (place->buffer == 0)
    glGenBuffers (1, &place->buffer);
  glBindBuffer (GL_PIXEL_PACK_BUFFER, place->buffer);
  if (place->size != size)
    glBufferData (GL_PIXEL_PACK_BUFFER, (GLsizeiptr) size, NULL, GL_STREAM_READ);
  glPixelStorei (GL_PACK_ALIGNMENT, 4);
  glReadPixels (0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  glBindBuffer (GL_PIXEL_PACK_BUFFER, 0);
  place->fence = glFenceSync (GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  place->size = size;
  place->width = width;
  place->height = height;
  place->time_ns = time_ns;
  memcpy (place->tag, tag, sizeof place->tag);
  return true;
}

// NULL when memory is short; the picture is lost then.
static OdlImage *
copy (const Place *place)
{
  const OdlImageInfo info = { .extent = { place->width, place->height, 1, 1 },
                              .channels = 4,
                              .pts_ns = place->time_ns };
  const size_t stride = (size_t) place->width * 4;
  void *samples = NULL;
  OdlImage *image = odl_image_alloc (&info, &samples, NULL);

  if (image == NULL)
    return NULL;
  glBindBuffer (GL_PIXEL_PACK_BUFFER, place->buffer);
  const uint8_t *data = glMapBufferRange (GL_PIXEL_PACK_BUFFER, 0,
                                          (GLsizeiptr) place->size, GL_MAP_READ_BIT);
  // GL's first row is the lowest.
  for (int y = 0; data != NULL && y < place->height; y++)
    memcpy ((uint8_t *) samples + stride * y, data + stride * (place->height - 1 - y),
            stride);
  if (data != NULL)
    glUnmapBuffer (GL_PIXEL_PACK_BUFFER);
  glBindBuffer (GL_PIXEL_PACK_BUFFER, 0);
  if (data == NULL)
    g_clear_pointer (&image, odl_image_unref);
  return image;
}

OdlImage *
odl_gl_capture_take (OdlGlCapture *capture, bool wait, int tag[2])
{
  if (capture->n == 0)
    return NULL;
  Place *place = &capture->places[capture->first];
  const GLenum state
      = glClientWaitSync (place->fence, GL_SYNC_FLUSH_COMMANDS_BIT, wait ? WAIT_NS : 0);
  if (state == GL_TIMEOUT_EXPIRED && !wait)
    return NULL;
  OdlImage *image = copy (place);
  memcpy (tag, place->tag, sizeof place->tag);
  glDeleteSync (place->fence);
  place->fence = NULL;
  capture->first = (capture->first + 1) % PLACES;
  capture->n--;
  return image;
}
