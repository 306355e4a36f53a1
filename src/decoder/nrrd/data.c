// SPDX-License-Identifier: MIT
#include "decoder/nrrd/data.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/helper.h"
#include "decoder/exchange.h"
#include "decoder/metaimage/data.h"
#include "decoder/nifti/gunzip.h"
#include "decoder/nrrd/files.h"
#include "decoder/nrrd/unpack.h"

// Deflate makes at most 1032 bytes of one.
#define MOST_DEFLATED 1032u
#define NO_FILE G_MAXUINT

typedef struct {
  bool is_open;
  bool is_damaged;
  void *mapped; // file; NULL: none, or the input
  size_t mapped_size;
  uint8_t *unpacked; // NULL: it is not packed
  const uint8_t *samples;
  uint64_t n; // bytes of samples
} File;

struct _OdlNrrdData {
  const OdlNrrdHeader *header;
  const uint8_t *input;
  size_t input_size;
  size_t limit; // of what is unpacked
  size_t kept; // bytes that are unpacked
  GPtrArray *names; // NULL: the samples follow the header
  uint32_t n_files;
  uint64_t file_bytes; // of samples of each file
  bool by_region;
  File *files;
  guint current; // the only open one, of those that are not read by region
  OdlMetaData *stream; // that unpacks it; NULL: it is not read so
  uint64_t stream_skip; // unpacked bytes before the samples
  uint64_t stream_bytes; // of the packed stream
  int stream_fd; // of it; −1: none
  bool is_damaged;
};

static void
close_file (OdlNrrdData *data, guint number)
{
  File *file = &data->files[number];

  odl_meta_data_free (g_steal_pointer (&data->stream));
  if (data->stream_fd >= 0 && data->stream_fd != ODL_HELPER_FILE_FD)
    close (data->stream_fd);
  data->stream_fd = -1;
  if (file->mapped != NULL)
    munmap (file->mapped, file->mapped_size);
  if (file->unpacked != NULL)
    data->kept -= (size_t) file->n;
  g_free (file->unpacked);
  *file = (File){ 0 };
}

void
odl_nrrd_data_free (OdlNrrdData *data)
{
  if (data == NULL)
    return;
  for (uint32_t i = 0; i < data->n_files; i++)
    close_file (data, i);
  g_free (data->files);
  if (data->names != NULL)
    g_ptr_array_unref (data->names);
  g_free (data);
}

static bool
set_no_samples (GError **error)
{
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("it contains no image: its samples are missing"));
}

// The bytes of a file, and its descriptor: −1 where it is the caller's to be closed.
typedef struct {
  const uint8_t *bytes;
  size_t size;
  int fd;
} Bytes;

static bool
map_file (OdlNrrdData *data, guint number, Bytes *bytes, GError **error)
{
  File *file = &data->files[number];
  uint64_t size = 0;

  if (data->names == NULL) {
    *bytes = (Bytes){ data->input + data->header->lines.end,
                      data->input_size - data->header->lines.end, ODL_HELPER_FILE_FD };
    return true;
  }
  bytes->fd = odl_decoder_ask_file (data->names->pdata[number], &size, error);
  if (bytes->fd < 0)
    return false;
  void *mapped = mmap (NULL, (size_t) size, PROT_READ, MAP_PRIVATE, bytes->fd, 0);
  if (mapped == MAP_FAILED) {
    close (bytes->fd);
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("decoding it needs more memory than it may take"));
  }
  file->mapped = mapped;
  file->mapped_size = (size_t) size;
  bytes->bytes = mapped;
  bytes->size = (size_t) size;
  return true;
}

static bool
skip_lines (const OdlNrrdHeader *header, Bytes *bytes, GError **error)
{
  for (uint64_t i = 0; i < header->line_skip; i++) {
    const uint8_t *end = memchr (bytes->bytes, '\n', bytes->size);
    if (end == NULL)
      return set_no_samples (error);
    bytes->size -= (size_t) (end + 1 - bytes->bytes);
    bytes->bytes = end + 1;
  }
  return true;
}

// Bytes of the file itself, before its samples. Below 0 they are counted from its end.
static bool
skip_bytes (const OdlNrrdData *data, Bytes *bytes, GError **error)
{
  const OdlNrrdHeader *header = data->header;
  const uint64_t behind = header->byte_skip < 0 ? (uint64_t) (-header->byte_skip - 1) : 0;

  if (header->byte_skip >= 0) {
    if ((uint64_t) header->byte_skip >= bytes->size)
      return set_no_samples (error);
    bytes->bytes += header->byte_skip;
    bytes->size -= (size_t) header->byte_skip;
    return true;
  }
  if (behind > bytes->size || data->file_bytes > bytes->size - behind)
    return set_no_samples (error);
  bytes->bytes += bytes->size - behind - data->file_bytes;
  bytes->size = (size_t) data->file_bytes;
  return true;
}

// Unpacks a gzip file whole.
static bool
unpack_gzip (OdlNrrdData *data, File *file, const Bytes *bytes, GError **error)
{
  const OdlNrrdHeader *header = data->header;
  const size_t limit = data->limit - MIN (data->limit, data->kept);
  const bool at_end = header->byte_skip < 0;
  const uint64_t skip = at_end ? 0 : (uint64_t) header->byte_skip;
  const uint64_t behind = at_end ? (uint64_t) (-header->byte_skip - 1) : 0;
  const uint64_t wanted = at_end ? G_MAXUINT64 : skip + data->file_bytes;
  OdlGunzip *gunzip = odl_gunzip_new (bytes->bytes, bytes->size);
  Bytes whole = { 0 };

  if (gunzip == NULL)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("decoding it needs more memory than it may take"));
  if (!odl_gunzip_fill (gunzip, wanted, limit, NULL)) {
    odl_gunzip_free (gunzip);
    return odl_nrrd_set_too_large (limit, error);
  }
  whole.bytes = odl_gunzip_data (gunzip, &whole.size);
  const bool fits
      = !at_end || (whole.size >= behind && whole.size - behind >= data->file_bytes);
  if (whole.size <= skip || !fits) {
    odl_gunzip_free (gunzip);
    return set_no_samples (error);
  }
  const uint64_t first = at_end ? whole.size - behind - data->file_bytes : skip;
  file->n = MIN (whole.size - first, data->file_bytes);
  file->is_damaged = odl_gunzip_is_damaged (gunzip);
  file->unpacked = odl_gunzip_steal (gunzip);
  file->samples = file->unpacked + first;
  data->kept += (size_t) file->n;
  odl_gunzip_free (gunzip);
  return true;
}

static bool
unpack_whole (OdlNrrdData *data, File *file, const Bytes *bytes, GError **error)
{
  const OdlNrrdHeader *header = data->header;
  const bool in_stream = header->encoding == ODL_NRRD_BZIP2;
  const uint64_t skip = in_stream ? (uint64_t) header->byte_skip : 0;
  OdlNrrdPacked packed = { bytes->bytes, bytes->size, skip + data->file_bytes,
                           data->limit - MIN (data->limit, data->kept) };
  OdlNrrdUnpacked unpacked = { 0 };

  if (!odl_nrrd_unpack (header, &packed, &unpacked, error)) {
    g_free (unpacked.bytes);
    return false;
  }
  if (unpacked.n <= skip) {
    g_free (unpacked.bytes);
    return set_no_samples (error);
  }
  file->unpacked = unpacked.bytes;
  file->samples = unpacked.bytes + skip;
  file->n = unpacked.n - skip;
  file->is_damaged = unpacked.is_damaged;
  data->kept += (size_t) file->n;
  return true;
}

// Has a gzip file unpacked from its beginning, or from the nearest mark.
static bool
open_stream (OdlNrrdData *data, guint number, const Bytes *bytes, GError **error)
{
  const OdlNrrdHeader *header = data->header;
  const File *file = &data->files[number];
  const uint8_t *begin = file->mapped != NULL ? file->mapped : data->input;

  data->stream_skip = (uint64_t) header->byte_skip;
  data->stream_bytes = bytes->size;
  const OdlMetaDataParams params
      = { .fd = bytes->fd,
          .offset = (uint64_t) (bytes->bytes - begin),
          .compressed = true,
          .file_bytes = bytes->size,
          .total_bytes = data->stream_skip + data->file_bytes };
  data->stream = odl_meta_data_new (&params);
  data->stream_fd = bytes->fd;
  return data->stream != NULL
         || odl_error_set (error, ODL_ERROR_TOO_LARGE,
                           _ ("decoding it needs more memory than it may take"));
}

static bool
fill_file (OdlNrrdData *data, guint number, Bytes *bytes, GError **error)
{
  const OdlNrrdHeader *header = data->header;
  const bool is_gzip = header->encoding == ODL_NRRD_GZIP;
  File *file = &data->files[number];

  if (!skip_lines (header, bytes, error))
    return false;
  if (is_gzip && !data->by_region)
    return open_stream (data, number, bytes, error);
  if (is_gzip)
    return unpack_gzip (data, file, bytes, error);
  if (header->encoding != ODL_NRRD_BZIP2 && !skip_bytes (data, bytes, error))
    return false;
  if (header->encoding != ODL_NRRD_RAW)
    return unpack_whole (data, file, bytes, error);
  if (bytes->size == 0)
    return set_no_samples (error);
  file->samples = bytes->bytes;
  file->n = MIN (bytes->size, data->file_bytes);
  return true;
}

static bool
open_file (OdlNrrdData *data, guint number, GError **error)
{
  File *file = &data->files[number];
  Bytes bytes = { .fd = -1 };

  if (file->is_open)
    return true;
  if (!data->by_region && data->current != NO_FILE)
    close_file (data, data->current);
  data->current = NO_FILE;
  if (!map_file (data, number, &bytes, error))
    return false;
  const bool done = fill_file (data, number, &bytes, error);
  // What is mapped or unpacked needs no descriptor.
  if (bytes.fd != ODL_HELPER_FILE_FD && bytes.fd != data->stream_fd)
    close (bytes.fd);
  if (!done) {
    close_file (data, number);
    return false;
  }
  if (file->unpacked != NULL && file->mapped != NULL) {
    munmap (file->mapped, file->mapped_size);
    file->mapped = NULL;
  }
  file->is_open = true;
  data->current = number;
  return true;
}

OdlNrrdData *
odl_nrrd_data_new (const OdlNrrdHeader *header,
                   const OdlDecoderInput *input,
                   bool by_region,
                   GError **error)
{
  GPtrArray *names = NULL;

  if (!odl_nrrd_files_find (header, &names, error))
    return NULL;
  OdlNrrdData *data = g_new0 (OdlNrrdData, 1);
  *data = (OdlNrrdData){
    .header = header,
    .input = input->data,
    .input_size = input->size,
    .limit = input->memory - input->memory / 4,
    .names = names,
    .n_files = names != NULL ? names->len : 1,
    // The end of a packed stream is only known when it was unpacked.
    .by_region
    = by_region || (header->encoding == ODL_NRRD_GZIP && header->byte_skip < 0),
    .current = NO_FILE,
    .stream_fd = -1,
  };
  data->file_bytes = header->n_samples / data->n_files * header->type->size;
  data->files = g_new0 (File, data->n_files);
  const bool from_end = header->byte_skip < 0 && header->encoding != ODL_NRRD_RAW
                        && header->encoding != ODL_NRRD_GZIP;
  if (from_end)
    odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                   _ ("its byte skip counts from the end, which samples that are packed "
                      "so do not allow"));
  if (!from_end && open_file (data, 0, error))
    return data;
  odl_nrrd_data_free (data);
  return NULL;
}

uint64_t
odl_nrrd_data_most (const OdlNrrdData *data)
{
  const File *first = &data->files[0];

  if (data->n_files > 1)
    return data->file_bytes * data->n_files;
  if (data->stream != NULL)
    return MIN (data->file_bytes, data->stream_bytes * MOST_DEFLATED);
  return first->n;
}

size_t
odl_nrrd_data_kept (const OdlNrrdData *data)
{
  return data->kept;
}

bool
odl_nrrd_data_open (OdlNrrdData *data, uint64_t offset, uint64_t end, GError **error)
{
  const uint64_t last = MIN ((MAX (end, 1) - 1) / data->file_bytes, data->n_files - 1);

  for (uint64_t i = offset / data->file_bytes; i <= last; i++) {
    if (!open_file (data, (guint) i, error))
      return false;
    if (!data->by_region)
      break;
  }
  return true;
}

const uint8_t *
odl_nrrd_data_at (OdlNrrdData *data, uint64_t offset, size_t *n)
{
  const uint64_t number = offset / data->file_bytes;
  const File *file = number < data->n_files ? &data->files[number] : NULL;
  const uint64_t at = offset % data->file_bytes;

  *n = 0;
  if (file == NULL || !file->is_open || file->samples == NULL || at >= file->n)
    return NULL;
  *n = (size_t) (file->n - at);
  return file->samples + at;
}

size_t
odl_nrrd_data_read (OdlNrrdData *data, uint64_t offset, void *to, size_t size)
{
  size_t done = 0;

  data->is_damaged = false;
  while (done < size) {
    const uint64_t number = (offset + done) / data->file_bytes;
    const uint64_t at = (offset + done) % data->file_bytes;
    if (number >= data->n_files || !open_file (data, (guint) number, NULL))
      break;
    const size_t wanted = (size_t) MIN (size - done, data->file_bytes - at);
    size_t n = 0;
    if (data->stream != NULL) {
      n = odl_meta_data_read (data->stream, data->stream_skip + at, (char *) to + done,
                              wanted);
      data->is_damaged |= odl_meta_data_is_damaged (data->stream);
    } else {
      const uint8_t *from = odl_nrrd_data_at (data, offset + done, &n);
      n = MIN (n, wanted);
      if (n > 0)
        memcpy ((char *) to + done, from, n);
      data->is_damaged |= data->files[number].is_damaged;
    }
    done += n;
    if (n < wanted)
      break;
  }
  return done;
}

bool
odl_nrrd_data_is_damaged (const OdlNrrdData *data)
{
  return data->is_damaged;
}
