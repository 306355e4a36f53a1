// SPDX-License-Identifier: MIT
#include "decoder/nrrd/data.h"

#include <bzlib.h>
#include <errno.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/helper.h"
#include "decoder/exchange.h"
#include "decoder/metaimage/data.h"
#include "decoder/metaimage/files.h"
#include "decoder/nifti/gunzip.h"
#include "decoder/nrrd/header.h"
#include "decoder/room.h"

// The files beside an NRRD header that hold its samples.

#define MAX_FILES (1 << 16)

static bool
fill (const OdlNrrdHeader *header, const char *value, GPtrArray *names, GError **error)
{
  if (odl_meta_files_is_pattern (value))
    return odl_meta_files_expand (names, value, 1, MAX_FILES, error);
  const char *rest = value + (g_str_has_prefix (value, "SKIPLIST") ? strlen ("SKIP") : 0);
  if (g_str_has_prefix (rest, "LIST") && (rest[4] == '\0' || g_ascii_isspace (rest[4]))) {
    for (guint i = 0; i < header->lines.names->len; i++)
      g_ptr_array_add (names, g_strdup (header->lines.names->pdata[i]));
    return names->len > 0
           || odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its list of files is empty"));
  }
  g_ptr_array_add (names, g_strdup (value));
  return true;
}

// Their plain names, which each hold as many samples. NULL: the samples follow the
// header. Names with folders are rejected. ODL_ERROR_CORRUPT, _UNSUPPORTED.
static bool
odl_nrrd_files_find (const OdlNrrdHeader *header, GPtrArray **names, GError **error)
{
  g_autofree char *value = odl_nrrd_field (&header->lines, "data file");
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);

  *names = NULL;
  if (value == NULL)
    return header->lines.end > 0
           || odl_error_set (error, ODL_ERROR_CORRUPT,
                             _ ("its header ends without saying where the samples are "
                                "(an empty line, or data file)"));
  if (!fill (header, value, found, error))
    return false;
  for (guint i = 0; i < found->len; i++)
    if (!odl_meta_files_check (found->pdata[i], error))
      return false;
  if (header->n_samples % found->len != 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its samples cannot lie in %u files of one size"),
                          found->len);
  *names = g_steal_pointer (&found);
  return true;
}

// Unpacks the samples of an NRRD file whole: bzip2, text, hexadecimal digits. Untrusted.

// What was packed, and what is wanted of it.
typedef struct {
  const uint8_t *from;
  size_t size;
  uint64_t wanted; // bytes
  size_t limit; // of memory
} OdlNrrdPacked;

typedef struct {
  uint8_t *bytes; // owned; NULL: none
  size_t n;
  bool is_damaged;
} OdlNrrdUnpacked;

#define FIRST_BYTES ((size_t) 1 << 20)
#define MAX_WORD 64

// ODL_ERROR_TOO_LARGE: unpacked samples would be more than `limit`.
static bool
odl_nrrd_set_too_large (size_t limit, GError **error)
{
  g_autofree char *most = g_format_size (limit);

  return odl_error_set (
      error, ODL_ERROR_TOO_LARGE,
      _ ("it unpacks to more than %s, which is more memory than a file of this size may "
         "take; write it with “encoding: raw” and open the result"),
      most);
}

static bool
grow (OdlNrrdUnpacked *unpacked, size_t *room, const OdlNrrdPacked *packed)
{
  const uint64_t most = MIN (packed->wanted, packed->limit);
  const size_t wider = (size_t) MIN (MAX (2 * (uint64_t) *room, FIRST_BYTES), most);
  uint8_t *bytes = wider > *room ? g_try_realloc (unpacked->bytes, wider) : NULL;

  if (bytes == NULL)
    return false;
  unpacked->bytes = bytes;
  *room = wider;
  return true;
}

// ---- bzip2 ---------------------------------------------------------------------------

static bool
begins_stream (const bz_stream *stream)
{
  return stream->avail_in > 4 && memcmp (stream->next_in, "BZh", 3) == 0;
}

// Some programs pack blocks into a stream each, one after the other.
static bool
unpack_bzip2 (const OdlNrrdPacked *packed, OdlNrrdUnpacked *unpacked, GError **error)
{
  bz_stream stream = { .next_in = (char *) packed->from };
  size_t room = 0, taken = 0;
  bool too_large = false;
  int result = BZ2_bzDecompressInit (&stream, 0, 0);

  while (result == BZ_OK && unpacked->n < packed->wanted) {
    if (unpacked->n == room && !grow (unpacked, &room, packed)) {
      too_large = true;
      break;
    }
    if (stream.avail_in == 0) {
      stream.avail_in = (unsigned) MIN (packed->size - taken, (size_t) 1 << 30);
      taken += stream.avail_in;
    }
    const unsigned free = (unsigned) MIN (room - unpacked->n, (size_t) 1 << 30);
    const unsigned before = stream.avail_in;
    stream.next_out = (char *) unpacked->bytes + unpacked->n;
    stream.avail_out = free;
    result = BZ2_bzDecompress (&stream);
    unpacked->n += free - stream.avail_out;
    if (result == BZ_STREAM_END && begins_stream (&stream)) {
      bz_stream next = { .next_in = stream.next_in, .avail_in = stream.avail_in };
      BZ2_bzDecompressEnd (&stream);
      stream = next;
      result = BZ2_bzDecompressInit (&stream, 0, 0);
    } else if (result == BZ_OK && before == stream.avail_in && stream.avail_out == free) {
      result = BZ_UNEXPECTED_EOF;
    }
  }
  BZ2_bzDecompressEnd (&stream);
  unpacked->is_damaged = result != BZ_OK && result != BZ_STREAM_END;
  return !too_large || odl_nrrd_set_too_large (packed->limit, error);
}

// ---- text ----------------------------------------------------------------------------

static const struct {
  int64_t least;
  uint64_t most;
} limits[] = {
  [ODL_META_U8] = { 0, G_MAXUINT8 },   [ODL_META_S8] = { G_MININT8, G_MAXINT8 },
  [ODL_META_U16] = { 0, G_MAXUINT16 }, [ODL_META_S16] = { G_MININT16, G_MAXINT16 },
  [ODL_META_U32] = { 0, G_MAXUINT32 }, [ODL_META_S32] = { G_MININT32, G_MAXINT32 },
  [ODL_META_U64] = { 0, G_MAXUINT64 }, [ODL_META_S64] = { G_MININT64, G_MAXINT64 },
};

// A whole number that does not fit is the nearest that does. False: it is no number.
static bool
read_whole (const char *word, OdlMetaSample sample, uint64_t *bits)
{
  char *end = NULL;
  const bool is_negative = word[0] == '-';

  if (is_negative) {
    const int64_t number = g_ascii_strtoll (word, &end, 10);
    *bits = (uint64_t) MAX (number, limits[sample].least);
  } else {
    const uint64_t number = g_ascii_strtoull (word, &end, 10);
    *bits = MIN (number, limits[sample].most);
  }
  if (end != word && *end == '\0')
    return true;
  // As floats: "7.9", "1e3", "nan".
  const double number = g_ascii_strtod (word, &end);
  if (end == word || *end != '\0')
    return false;
  const double least = (double) limits[sample].least;
  *bits = isnan (number)                           ? 0
          : number <= least                        ? (uint64_t) limits[sample].least
          : number >= (double) limits[sample].most ? limits[sample].most
          : number < 0                             ? (uint64_t) (int64_t) number
                                                   : (uint64_t) number;
  return true;
}

static bool
put_word (const char *word, const OdlMetaType *type, uint8_t *to)
{
  char *end = NULL;
  uint64_t bits = 0;

  if (type->sample == ODL_META_F32 || type->sample == ODL_META_F64) {
    const double number = g_ascii_strtod (word, &end);
    const float rounded = (float) number;
    if (end == word || *end != '\0')
      return false;
    if (type->sample == ODL_META_F32)
      memcpy (to, &rounded, sizeof rounded);
    else
      memcpy (to, &number, sizeof number);
    return true;
  }
  if (!read_whole (word, type->sample, &bits))
    return false;
  // The lowest bytes, in the order of this machine.
  const uint8_t *from = (const uint8_t *) &bits;
  memcpy (to, G_BYTE_ORDER == G_BIG_ENDIAN ? from + 8 - type->size : from, type->size);
  return true;
}

static bool
is_between (char c)
{
  return g_ascii_isspace (c) || c == ',';
}

// Numbers between blanks or commas; what is none ends them. Each takes two bytes of the
// file at least.
static bool
unpack_text (const OdlMetaType *type,
             const OdlNrrdPacked *packed,
             OdlNrrdUnpacked *unpacked,
             GError **error)
{
  const char *text = (const char *) packed->from;
  size_t room = 0, at = 0;

  while (unpacked->n < packed->wanted) {
    char word[MAX_WORD];
    size_t n = 0;
    while (at < packed->size && is_between (text[at]))
      at++;
    while (at < packed->size && n < MAX_WORD - 1 && !is_between (text[at]))
      word[n++] = text[at++];
    word[n] = '\0';
    if (n == 0)
      return true;
    if (unpacked->n + type->size > room
        && (!grow (unpacked, &room, packed) || unpacked->n + type->size > room))
      return odl_nrrd_set_too_large (packed->limit, error);
    unpacked->is_damaged = !put_word (word, type, unpacked->bytes + unpacked->n);
    if (unpacked->is_damaged)
      return true;
    unpacked->n += type->size;
  }
  return true;
}

// ---- hexadecimal digits --------------------------------------------------------------

static bool
unpack_hex (const OdlNrrdPacked *packed, OdlNrrdUnpacked *unpacked, GError **error)
{
  const char *text = (const char *) packed->from;
  size_t room = 0;
  int high = -1;

  for (size_t at = 0; at < packed->size && unpacked->n < packed->wanted; at++) {
    if (g_ascii_isspace (text[at]))
      continue;
    const int digit = g_ascii_xdigit_value (text[at]);
    unpacked->is_damaged = digit < 0;
    if (digit < 0)
      return true;
    if (high < 0) {
      high = digit;
      continue;
    }
    if (unpacked->n == room && !grow (unpacked, &room, packed))
      return odl_nrrd_set_too_large (packed->limit, error);
    unpacked->bytes[unpacked->n++] = (uint8_t) (high << 4 | digit);
    high = -1;
  }
  return true;
}

// Memory grows with what comes out. ODL_ERROR_TOO_LARGE.
static bool
odl_nrrd_unpack (const OdlNrrdHeader *header,
                 const OdlNrrdPacked *packed,
                 OdlNrrdUnpacked *unpacked,
                 GError **error)
{
  switch (header->encoding) {
  case ODL_NRRD_BZIP2:
    return unpack_bzip2 (packed, unpacked, error);
  case ODL_NRRD_TEXT:
    return unpack_text (header->type, packed, unpacked, error);
  default:
    return unpack_hex (packed, unpacked, error);
  }
}

// What is unpacked by region and takes more goes into a file that the parent lends.
#define ROOM_FROM ((uint64_t) 64 << 20)
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
  int stream_fd; // of what is read in order, packed or raw; −1: none
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

// Bytes of a file itself, before its samples. Below 0 they are counted from its end.
static bool
skip_bytes (const OdlNrrdData *data, guint number, Bytes *bytes, GError **error)
{
  const GArray *skips = data->header->lines.skips;
  const int64_t skip = number < skips->len ? g_array_index (skips, int64_t, number)
                                           : data->header->byte_skip;
  const uint64_t behind = skip < 0 ? (uint64_t) (-skip - 1) : 0;

  if (skip >= 0) {
    if ((uint64_t) skip >= bytes->size)
      return set_no_samples (error);
    bytes->bytes += skip;
    bytes->size -= (size_t) skip;
    return true;
  }
  if (behind > bytes->size || data->file_bytes > bytes->size - behind)
    return set_no_samples (error);
  bytes->bytes += bytes->size - behind - data->file_bytes;
  bytes->size = (size_t) data->file_bytes;
  return true;
}

static bool
add_to_room_cb (void *room, const void *block, size_t n, GError **error)
{
  return odl_room_add (room, block, n, error);
}

// Unpacks into the file that was lent, and maps it in the place of the packed one.
static bool
unpack_into_room (File *file,
                  OdlRoom *room,
                  OdlGunzip *gunzip,
                  const OdlGunzipPass *pass,
                  GError **error)
{
  g_autoptr (GError) problem = NULL;
  size_t n = 0;
  const bool done = odl_gunzip_pass (gunzip, pass, &problem);
  file->is_damaged = odl_gunzip_is_damaged (gunzip); // looks at what is packed
  void *mapped = odl_room_take (room, &n);

  if (!done && !g_error_matches (problem, ODL_ERROR, ODL_ERROR_TOO_LARGE))
    g_propagate_error (error, g_steal_pointer (&problem));
  else if (!done)
    odl_nrrd_set_too_large ((size_t) pass->limit, error);
  else if (mapped == NULL && n > 0)
    odl_error_set (error, ODL_ERROR_TOO_LARGE,
                   _ ("decoding it needs more memory than it may take"));
  if (!done || mapped == NULL) {
    if (mapped != NULL)
      munmap (mapped, n);
    return done && (n == 0 ? set_no_samples (error) : false);
  }
  if (file->mapped != NULL)
    munmap (file->mapped, file->mapped_size);
  file->mapped = mapped;
  file->mapped_size = n;
  return true;
}

// Where the samples lie in what was unpacked, behind `skip` bytes; below 0 these are
// counted from its end, as in skip_bytes.
static bool
find_samples (const OdlNrrdData *data,
              File *file,
              const Bytes *whole,
              int64_t skip,
              GError **error)
{
  const uint64_t behind = skip < 0 ? (uint64_t) (-skip - 1) : 0;
  const bool fits
      = skip >= 0 || (whole->size >= behind && whole->size - behind >= data->file_bytes);

  if (!fits || whole->size <= (uint64_t) MAX (skip, 0))
    return set_no_samples (error);
  const uint64_t first
      = skip < 0 ? whole->size - behind - data->file_bytes : (uint64_t) skip;
  file->n = MIN (whole->size - first, data->file_bytes);
  file->samples = whole->bytes + first;
  return true;
}

// Unpacks a gzip file whole.
static bool
unpack_gzip (OdlNrrdData *data, File *file, const Bytes *bytes, GError **error)
{
  const int64_t skip = data->header->byte_skip;
  const size_t limit = data->limit - MIN (data->limit, data->kept);
  const uint64_t wanted = skip < 0 ? G_MAXUINT64 : (uint64_t) skip + data->file_bytes;
  OdlGunzip *gunzip = odl_gunzip_new (bytes->bytes, bytes->size);
  OdlRoom room = { .fd = -1 };
  const OdlGunzipPass pass
      = { .wanted = wanted, .limit = limit, .take = add_to_room_cb, .data = &room };
  const bool borrows = data->n_files == 1 && data->file_bytes >= ROOM_FROM
                       && data->file_bytes <= bytes->size * MOST_DEFLATED;
  bool done = gunzip != NULL;

  if (!done)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("decoding it needs more memory than it may take"));
  if (borrows && odl_room_borrow (&room, skip < 0 ? data->file_bytes : wanted)) {
    done = unpack_into_room (file, &room, gunzip, &pass, error)
           && find_samples (data, file, &(Bytes){ file->mapped, file->mapped_size, -1 },
                            skip, error);
  } else if (odl_gunzip_fill (gunzip, wanted, limit, NULL)) {
    Bytes whole = { .fd = -1 };
    whole.bytes = odl_gunzip_data (gunzip, &whole.size);
    done = find_samples (data, file, &whole, skip, error);
    if (done)
      file->unpacked = odl_gunzip_steal (gunzip);
    data->kept += (size_t) file->n;
  } else {
    done = odl_nrrd_set_too_large (limit, error);
  }
  file->is_damaged = odl_gunzip_is_damaged (gunzip);
  odl_gunzip_free (gunzip);
  return done;
}

static bool
unpack_whole (OdlNrrdData *data, File *file, const Bytes *bytes, GError **error)
{
  const OdlNrrdHeader *header = data->header;
  // Text has its bytes skipped in the file.
  const bool in_stream = header->encoding == ODL_NRRD_BZIP2;
  const int64_t skip = in_stream ? header->byte_skip : 0;
  OdlNrrdPacked packed = { bytes->bytes, bytes->size,
                           skip < 0 ? G_MAXUINT64 : (uint64_t) skip + data->file_bytes,
                           data->limit - MIN (data->limit, data->kept) };
  OdlNrrdUnpacked unpacked = { 0 };

  if (!odl_nrrd_unpack (header, &packed, &unpacked, error)
      || !find_samples (data, file, &(Bytes){ unpacked.bytes, unpacked.n, -1 }, skip,
                        error)) {
    g_free (unpacked.bytes);
    return false;
  }
  file->unpacked = unpacked.bytes;
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
  if (header->encoding != ODL_NRRD_BZIP2 && !skip_bytes (data, number, bytes, error))
    return false;
  if (header->encoding != ODL_NRRD_RAW)
    return unpack_whole (data, file, bytes, error);
  if (bytes->size == 0)
    return set_no_samples (error);
  file->samples = bytes->bytes;
  file->n = MIN (bytes->size, data->file_bytes);
  if (!data->by_region)
    data->stream_fd = bytes->fd;
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

// What is packed otherwise than raw has no end to count from, and where a number of its
// own for each file would lead in what is packed by gzip or bzip2, nobody has said: unu
// ignores it there.
static bool
check_skips (const OdlNrrdHeader *header, GError **error)
{
  const GArray *skips = header->lines.skips;
  const bool is_stream
      = header->encoding == ODL_NRRD_GZIP || header->encoding == ODL_NRRD_BZIP2;
  bool has_skip = false, from_end = header->byte_skip < 0;

  for (guint i = 0; i < skips->len; i++) {
    const int64_t skip = g_array_index (skips, int64_t, i);
    has_skip |= skip != 0;
    from_end |= skip < 0;
  }
  if (skips->len > 0 && header->byte_skip != 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its header says twice where the samples of a file begin "
                             "(byte skip, SKIPLIST)"));
  if (is_stream && has_skip)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its list of files (SKIPLIST) skips bytes of what is packed "
                             "by gzip or bzip2, where it is not clear which are meant"));
  if (from_end && (header->encoding == ODL_NRRD_TEXT || header->encoding == ODL_NRRD_HEX))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its byte skip counts from the end, which samples that are "
                             "packed so do not allow"));
  return true;
}

OdlNrrdData *
odl_nrrd_data_new (const OdlNrrdHeader *header,
                   const OdlDecoderInput *input,
                   bool by_region,
                   GError **error)
{
  GPtrArray *names = NULL;

  if (!check_skips (header, error) || !odl_nrrd_files_find (header, &names, error))
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
  if (open_file (data, 0, error))
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

// Reads what is mapped: through a buffer that stays in the processor's cache, which takes
// less of it than to have each page mapped.
static size_t
read_mapped (const OdlNrrdData *data, const uint8_t *from, void *room, size_t wanted)
{
  const File *file = &data->files[data->current];
  const uint8_t *begin = file->mapped != NULL ? file->mapped : data->input;
  size_t n = 0;

  while (n < wanted) {
    const ssize_t read = pread (data->stream_fd, (char *) room + n, wanted - n,
                                (off_t) (from - begin) + (off_t) n);
    if (read <= 0)
      break;
    n += (size_t) read;
  }
  return n;
}

const uint8_t *
odl_nrrd_data_piece (OdlNrrdData *data, uint64_t offset, void *room, size_t *n)
{
  const uint64_t number = offset / data->file_bytes, at = offset % data->file_bytes;
  const size_t wanted = (size_t) MIN (*n, data->file_bytes - at);
  const uint8_t *from = room;

  *n = 0;
  data->is_damaged = false;
  if (number >= data->n_files || !open_file (data, (guint) number, NULL))
    return NULL;
  if (data->stream != NULL) {
    *n = odl_meta_data_read (data->stream, data->stream_skip + at, room, wanted);
    data->is_damaged = odl_meta_data_is_damaged (data->stream);
  } else {
    from = odl_nrrd_data_at (data, offset, n);
    *n = MIN (*n, wanted);
    if (from != NULL && data->stream_fd >= 0) {
      *n = read_mapped (data, from, room, *n);
      from = room;
    }
    data->is_damaged = data->files[number].is_damaged;
  }
  return *n > 0 ? from : NULL;
}

bool
odl_nrrd_data_is_damaged (const OdlNrrdData *data)
{
  return data->is_damaged;
}
