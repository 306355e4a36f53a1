// SPDX-License-Identifier: MIT
#include "session/arrays/file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/machine.h"
#include "base/memory.h"

#define PIECE ((size_t) 1 << 20)

bool
odl_array_file_check (int fd, size_t bytes, GError **error)
{
  const int seals = fd >= 0 ? fcntl (fd, F_GET_SEALS) : -1;
  struct stat status;

  if (fd < 0)
    return odl_usage_error (error, "%s",
                            _ ("the samples are missing: a file comes "
                               "beside the message"));
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || fstat (fd, &status) != 0)
    return odl_usage_error (error, "%s",
                            _ ("the samples have to lie in a file of memfd_create that "
                               "is sealed against shrinking"));
  if (status.st_size < 0 || (size_t) status.st_size < bytes)
    return odl_usage_error (
        error, _ ("the file beside the message has %zu bytes, and %zu are needed"),
        (size_t) status.st_size, bytes);
  return true;
}

static bool
read_all (int fd, void *samples, size_t bytes)
{
  for (size_t at = 0; at < bytes;) {
    const ssize_t n = pread (fd, (char *) samples + at, bytes - at, (off_t) at);
    if (n > 0)
      at += (size_t) n;
    else if (n == 0 || errno != EINTR)
      return false;
  }
  return true;
}

OdlArray *
odl_array_file_read (int fd, const OdlArrayShape *shape, GError **error)
{
  const double room = odl_machine_free_memory ("");
  size_t bytes;

  if (!odl_array_shape_bytes (shape, &bytes, error)
      || !odl_array_file_check (fd, bytes, error))
    return NULL;
  void *samples = room > 0 && (double) bytes > room / 2
                      ? NULL
                      : odl_aligned_alloc_unset (bytes, true);
  if (samples == NULL)
    return odl_error_null (error, ODL_ERROR_TOO_LARGE,
                           _ ("an array of %zu MB takes more than half of the memory "
                              "that is free"),
                           bytes / 1000000);
  if (!read_all (fd, samples, bytes)) {
    odl_aligned_free (samples);
    return odl_error_null (error, ODL_ERROR_IO, "%s",
                           _ ("the samples cannot be read from their file"));
  }
  return odl_array_new (shape, samples);
}

static bool
write_all (int fd, const void *samples, size_t bytes, off_t offset)
{
  for (size_t at = 0; at < bytes;) {
    const ssize_t n
        = pwrite (fd, (const char *) samples + at, bytes - at, offset + (off_t) at);
    if (n > 0)
      at += (size_t) n;
    else if (n == 0 || errno != EINTR)
      return false;
  }
  return true;
}

typedef struct {
  const OdlImage *image;
  float *channel; // room for a row of one
  float low, span;
} Rows;

static void
make_row (const Rows *rows, size_t row, float *to)
{
  const OdlImageInfo *info = odl_image_info (rows->image);
  const int height = info->extent.y, width = info->extent.x, n = info->channels;
  const int y = (int) (row % (size_t) height), z = (int) (row / (size_t) height);

  for (int c = 0; c < n; c++) {
    float *scaled = n == 1 ? to : rows->channel;
    odl_image_scaled_row (rows->image, c, y, z, 0, scaled);
    for (int x = 0; x < width; x++)
      to[x * n + c] = rows->low + rows->span * scaled[x];
  }
}

// Whether the samples are those of the file, one after the other.
static bool
is_plain (const OdlImage *image, double minimum, double maximum)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlPlane *plane = &info->planes[0];
  const size_t row = sizeof (float) * (size_t) info->extent.x * (size_t) info->channels;

  return info->type == ODL_SAMPLE_F32 && !info->ycbcr.used && info->stored_min == minimum
         && info->stored_max == maximum && odl_image_is_interleaved (image)
         && plane->sample_stride_bytes == sizeof (float) * (size_t) info->channels
         && plane->row_stride_bytes == row
         && (info->extent.z == 1
             || plane->slice_stride_bytes == row * (size_t) info->extent.y);
}

static bool
set_no_room (GError **error)
{
  return odl_error_set (error, ODL_ERROR_IO, "%s",
                        _ ("the result cannot be written to its file"));
}

bool
odl_array_file_write (int fd,
                      const OdlImage *image,
                      double minimum,
                      double maximum,
                      GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);
  const size_t samples = (size_t) info->extent.x * (size_t) info->channels;
  const size_t n_rows = (size_t) info->extent.y * (size_t) info->extent.z;
  const size_t step = MAX (PIECE / (samples * sizeof (float)), 1);
  if (is_plain (image, minimum, maximum))
    return write_all (fd, info->planes[0].data, n_rows * samples * sizeof (float), 0)
           || set_no_room (error);
  g_autofree float *piece = g_new (float, samples *step);
  g_autofree float *channel = g_new (float, (size_t) info->extent.x);
  const Rows rows = { image, channel, (float) minimum, (float) (maximum - minimum) };

  for (size_t row = 0; row < n_rows; row += step) {
    const size_t n = MIN (step, n_rows - row);
    for (size_t i = 0; i < n; i++)
      make_row (&rows, row + i, piece + i * samples);
    if (!write_all (fd, piece, n * samples * sizeof (float),
                    (off_t) (row * samples * sizeof (float))))
      return set_no_room (error);
  }
  return true;
}
