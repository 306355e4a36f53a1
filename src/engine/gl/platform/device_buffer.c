// SPDX-License-Identifier: MIT
#include "engine/gl/platform/device_buffer.h"

// No call of the CPU may write or map it where GL can say so. That a buffer lies on the
// card because of it was not seen: on NVIDIA all kinds are copied equally fast.
static void
allocate_ordinary (const OdlGlCaps *caps, size_t bytes)
{
  if (!caps->is_es && caps->buffer_storage)
    glBufferStorage (GL_COPY_WRITE_BUFFER, (GLsizeiptr) bytes, NULL, 0);
  else
    glBufferData (GL_COPY_WRITE_BUFFER, (GLsizeiptr) bytes, NULL, GL_DYNAMIC_COPY);
}

// Buffers of up to 128 MiB are as fast however they are made: a hundred of them are
// copied at 4.0 TB/s on an H200.
#define LEAST_SPARSE ((size_t) 128 << 20)

// NVIDIA's driver uses larger pages for sparse buffers than for others. Access to more
// than 512 MB of ordinary buffers is limited by address translation to half the memory's
// speed: a copy of 256 MB takes 252 µs on an H200, and 137 in sparse buffers. But these
// take 1 ms for 2 MB to make, and where others were freed before, or several GB are
// there, they are copied at 1.6 TB/s, 2.0 in ordinary ones.
static void
allocate (const OdlGlCaps *caps, size_t bytes)
{
  const size_t page = bytes > LEAST_SPARSE ? (size_t) caps->sparse_page : 0;
  const size_t pages = page > 0 ? (bytes + page - 1) / page : 0;

  if (page == 0) {
    allocate_ordinary (caps, bytes);
    return;
  }
  glBufferStorage (GL_COPY_WRITE_BUFFER, (GLsizeiptr) (pages * page), NULL,
                   GL_SPARSE_STORAGE_BIT_ARB);
  glBufferPageCommitmentARB (GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr) (pages * page),
                             GL_TRUE);
}

GLuint
odl_gl_device_buffer_new (const OdlGlCaps *caps, size_t bytes)
{
  GLuint buffer = 0;

  glGenBuffers (1, &buffer);
  glBindBuffer (GL_COPY_WRITE_BUFFER, buffer);
  allocate (caps, bytes);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  return buffer;
}

GLuint
odl_gl_volume_buffer_new (const OdlGlCaps *caps, size_t bytes)
{
  GLuint buffer = 0;

  glGenBuffers (1, &buffer);
  glBindBuffer (GL_COPY_WRITE_BUFFER, buffer);
  allocate_ordinary (caps, bytes);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  return buffer;
}
