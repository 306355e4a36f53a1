// SPDX-License-Identifier: MIT
#include "decoder/metaimage/data.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define INPUT_BYTES 65536
#define MAX_MARKS 128
#define MIN_MARK_DISTANCE ((uint64_t) 1 << 20)
// zlib detects zlib and gzip headers.
#define ANY_HEADER (15 + 32)

// Decompressor state at a position of the stream.
typedef struct {
  z_stream stream;
  uint64_t out; // bytes of output so far
  uint64_t in; // file offset of the next input byte
} Mark;

struct _OdlMetaData {
  OdlMetaDataParams params;
  Mark at; // current position
  bool running;
  bool failed; // invalid compressed data
  bool spoiled;
  bool ended; // no output beyond at.out
  uint64_t distance; // between marks
  Mark marks[MAX_MARKS]; // ascending; the first is the beginning
  int n_marks;
  uint8_t *numbers; // that were text
  uint64_t number_bytes;
  uint8_t input[INPUT_BYTES];
  uint8_t skipped[INPUT_BYTES];
};

static size_t
read_file (int fd, uint64_t offset, void *to, size_t size)
{
  size_t done = 0;

  while (done < size && offset + done <= INT64_MAX) {
    ssize_t n = pread (fd, (char *) to + done, size - done, (off_t) (offset + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    done += (size_t) n;
  }
  return done;
}

static void
put_mark (OdlMetaData *data)
{
  const Mark *last = data->n_marks > 0 ? &data->marks[data->n_marks - 1] : NULL;

  if (data->n_marks == MAX_MARKS
      || (last != NULL && data->at.out < last->out + data->distance))
    return;
  Mark *mark = &data->marks[data->n_marks];
  *mark = data->at;
  mark->in -= data->at.stream.avail_in;
  if (inflateCopy (&mark->stream, &data->at.stream) == Z_OK)
    data->n_marks++;
}

// ---- Text ----

static const struct {
  double least, most;
} limits[] = {
  [ODL_META_U8] = { 0, G_MAXUINT8 },
  [ODL_META_S8] = { G_MININT8, G_MAXINT8 },
  [ODL_META_U16] = { 0, G_MAXUINT16 },
  [ODL_META_S16] = { G_MININT16, G_MAXINT16 },
  [ODL_META_U32] = { 0, G_MAXUINT32 },
  [ODL_META_S32] = { G_MININT32, G_MAXINT32 },
  [ODL_META_U64] = { 0, 18446744073709549568.0 },
  [ODL_META_S64] = { -9223372036854775808.0, 9223372036854774784.0 },
};

static void
put_number (OdlMetaSample sample, double value, uint8_t *to)
{
  const float f32 = (float) value;
  uint64_t whole = 0;

  if (sample == ODL_META_F32) {
    memcpy (to, &f32, sizeof f32);
    return;
  }
  if (sample == ODL_META_F64) {
    memcpy (to, &value, sizeof value);
    return;
  }
  const double near = value >= limits[sample].least ? MIN (value, limits[sample].most)
                                                    : limits[sample].least;
  whole = near < 0 ? (uint64_t) (int64_t) near : (uint64_t) near;
  switch (sample) {
  case ODL_META_U8:
  case ODL_META_S8:
    *to = (uint8_t) whole;
    break;
  case ODL_META_U16:
  case ODL_META_S16:
    memcpy (to, &(uint16_t){ (uint16_t) whole }, sizeof (uint16_t));
    break;
  case ODL_META_U32:
  case ODL_META_S32:
    memcpy (to, &(uint32_t){ (uint32_t) whole }, sizeof (uint32_t));
    break;
  default:
    memcpy (to, &whole, sizeof whole);
  }
}

// Takes the word that begins at `*at` in a buffer that ends with a blank. False: it is no
// number.
static bool
take_number (const char **at, double *value)
{
  char *end;

  *value = g_ascii_strtod (*at, &end);
  const bool found = end != *at && (*end == '\0' || g_ascii_isspace (*end));
  *at = end;
  return found;
}

// Reads all numbers; false: not enough memory. What is no number ends them. The file
// cannot hold more than one for each two of its bytes.
static bool
read_text (OdlMetaData *data)
{
  const size_t size = data->params.text->size;
  const uint64_t most = (data->params.file_bytes - data->params.offset + 1) / 2;
  const uint64_t n = MIN (data->params.total_bytes / size, most);
  char *buffer = (char *) data->input;
  size_t kept = 0, taken = 1;
  uint64_t at = data->params.offset;
  bool good = true;

  data->numbers = g_try_malloc0_n (MAX (n, 1), size);
  if (data->numbers == NULL)
    return false;
  while (data->number_bytes < n * size && good && (taken > 0 || kept > 0)) {
    taken = read_file (data->params.fd, at, buffer + kept, INPUT_BYTES - 1 - kept);
    at += taken;
    buffer[kept + taken] = '\0';
    const char *next = buffer, *end = buffer + kept + taken;
    // The last word may go on behind what was read.
    const char *last = end;
    while (taken > 0 && last > buffer && !g_ascii_isspace (last[-1]))
      last--;
    while (good && data->number_bytes < n * size) {
      double value;
      while (next < last && g_ascii_isspace (*next))
        next++;
      if (next >= last)
        break;
      good = take_number (&next, &value);
      if (good) {
        put_number (data->params.text->sample, value, data->numbers + data->number_bytes);
        data->number_bytes += size;
      }
    }
    if (taken == 0 || last == buffer)
      break;
    kept = (size_t) (end - last);
    memmove (buffer, last, kept);
  }
  return true;
}

uint64_t
odl_meta_data_text_bytes (const OdlMetaData *data)
{
  return data->number_bytes;
}

// ---- Streams ----

OdlMetaData *
odl_meta_data_new (const OdlMetaDataParams *params)
{
  OdlMetaData *data = g_new0 (OdlMetaData, 1);

  data->params = *params;
  data->distance = MAX (params->total_bytes / MAX_MARKS + 1, MIN_MARK_DISTANCE);
  data->at.in = params->offset;
  if (params->compressed) {
    data->running = inflateInit2 (&data->at.stream, ANY_HEADER) == Z_OK;
    if (!data->running) {
      g_free (data);
      return NULL;
    }
    put_mark (data);
  }
  if (params->text != NULL && !read_text (data)) {
    g_free (data);
    return NULL;
  }
  return data;
}

void
odl_meta_data_free (OdlMetaData *data)
{
  if (data == NULL)
    return;
  for (int i = 0; i < data->n_marks; i++)
    inflateEnd (&data->marks[i].stream);
  if (data->running)
    inflateEnd (&data->at.stream);
  g_free (data->numbers);
  g_free (data);
}

// Continues from the last mark before `offset`, unless the current position is closer.
static void
seek_near (OdlMetaData *data, uint64_t offset)
{
  int nearest = data->n_marks - 1;

  while (nearest > 0 && data->marks[nearest].out > offset)
    nearest--;
  if (nearest < 0
      || (data->running && data->at.out <= offset
          && data->marks[nearest].out <= data->at.out))
    return;
  if (data->running)
    inflateEnd (&data->at.stream);
  data->at = data->marks[nearest];
  data->running = inflateCopy (&data->at.stream, &data->marks[nearest].stream) == Z_OK;
  data->at.stream.avail_in = 0;
  data->ended = false;
}

// Some programs pack blocks into a gzip stream each, one after the other.
static bool
goes_on (OdlMetaData *data)
{
  z_stream *stream = &data->at.stream;
  uint8_t begin[2];
  const uint64_t next = data->at.in - stream->avail_in;

  return read_file (data->params.fd, next, begin, sizeof begin) == sizeof begin
         && begin[0] == 0x1f && begin[1] == 0x8b && inflateReset (stream) == Z_OK;
}

static size_t
inflate_some (OdlMetaData *data, void *to, size_t size)
{
  z_stream *stream = &data->at.stream;
  const uInt room = (uInt) MIN (size, (size_t) 1 << 30);

  stream->next_out = to;
  stream->avail_out = room;
  while (stream->avail_out > 0 && !data->ended) {
    if (stream->avail_in == 0) {
      size_t n = read_file (data->params.fd, data->at.in, data->input, INPUT_BYTES);
      data->at.in += n;
      stream->next_in = data->input;
      stream->avail_in = (uInt) n;
    }
    // Z_BUF_ERROR without input; every code except Z_OK ends the stream.
    const int result = inflate (stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END && goes_on (data))
      continue;
    data->ended = result != Z_OK;
    data->failed = result == Z_DATA_ERROR;
  }
  const size_t n = room - stream->avail_out;
  data->at.out += n;
  if (!data->ended)
    put_mark (data);
  return n;
}

// The checksum follows the last sample.
static bool
checksum_is_wrong (OdlMetaData *data)
{
  z_stream *stream = &data->at.stream;
  int result = Z_OK;

  while (result == Z_OK) {
    if (stream->avail_in == 0) {
      size_t n = read_file (data->params.fd, data->at.in, data->input, INPUT_BYTES);
      data->at.in += n;
      stream->next_in = data->input;
      stream->avail_in = (uInt) n;
    }
    stream->next_out = data->skipped;
    stream->avail_out = 1;
    result = inflate (stream, Z_NO_FLUSH);
    // Surplus samples.
    if (stream->avail_out == 0)
      return false;
  }
  return result != Z_STREAM_END;
}

static size_t
read_stream (OdlMetaData *data, uint64_t offset, uint8_t *to, size_t size)
{
  size_t done = 0;

  data->spoiled = false;
  seek_near (data, offset);
  if (!data->running)
    return 0;
  while (data->at.out < offset && !data->ended)
    inflate_some (data, data->skipped,
                  (size_t) MIN (offset - data->at.out, sizeof data->skipped));
  while (data->at.out == offset + done && done < size && !data->ended)
    done += inflate_some (data, to + done, (size_t) MIN (size - done, MIN_MARK_DISTANCE));
  if (data->at.out == data->params.total_bytes) {
    data->spoiled = data->ended ? data->failed : checksum_is_wrong (data);
    data->failed = data->spoiled;
    data->ended = true;
  }
  return done;
}

bool
odl_meta_data_is_damaged (const OdlMetaData *data)
{
  return data->spoiled;
}

size_t
odl_meta_data_read (OdlMetaData *data, uint64_t offset, void *to, size_t size)
{
  if (data->params.compressed)
    return read_stream (data, offset, to, size);
  if (data->params.text != NULL) {
    size = offset < data->number_bytes ? MIN (size, data->number_bytes - offset) : 0;
    memcpy (to, data->numbers + offset, size);
    return size;
  }
  return read_file (data->params.fd, data->params.offset + offset, to, size);
}
