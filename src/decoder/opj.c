// SPDX-License-Identifier: MIT
#include "decoder/opj.h"

#include <string.h>

// Bytes that OpenJPEG hands out at a time.
#define CHUNK_BYTES 65536

typedef struct {
  const uint8_t *data;
  size_t size;
  size_t at;
} Bytes;

static OPJ_SIZE_T
read_bytes (void *buffer, OPJ_SIZE_T n, void *user_data)
{
  Bytes *bytes = user_data;
  const size_t there = MIN (n, bytes->size - bytes->at);

  if (there == 0)
    return (OPJ_SIZE_T) -1;
  memcpy (buffer, bytes->data + bytes->at, there);
  bytes->at += there;
  return there;
}

static OPJ_OFF_T
skip_bytes (OPJ_OFF_T n, void *user_data)
{
  Bytes *bytes = user_data;

  if (n < 0)
    return -1;
  const size_t there = MIN ((size_t) n, bytes->size - bytes->at);
  bytes->at += there;
  return (OPJ_OFF_T) there;
}

static OPJ_BOOL
seek_bytes (OPJ_OFF_T to, void *user_data)
{
  Bytes *bytes = user_data;

  if (to < 0 || (size_t) to > bytes->size)
    return OPJ_FALSE;
  bytes->at = (size_t) to;
  return OPJ_TRUE;
}

static opj_stream_t *
open_stream (Bytes *bytes)
{
  opj_stream_t *stream = opj_stream_create (CHUNK_BYTES, OPJ_TRUE);

  if (stream == NULL)
    return NULL;
  opj_stream_set_read_function (stream, read_bytes);
  opj_stream_set_skip_function (stream, skip_bytes);
  opj_stream_set_seek_function (stream, seek_bytes);
  opj_stream_set_user_data (stream, bytes, NULL);
  opj_stream_set_user_data_length (stream, bytes->size);
  return stream;
}

// What OpenJPEG says last, without its line break.
static void
keep_message (const char *message, void *user_data)
{
  char **kept = user_data;

  g_free (*kept);
  *kept = g_strstrip (g_utf8_make_valid (message, -1));
}

static void
ignore_message (const char *message, void *user_data)
{
}

opj_image_t *
odl_opj_decode (const uint8_t *data, size_t size, OdlOpjFlags flags, char **message)
{
  const bool strictly = (flags & ODL_OPJ_STRICT) != 0;
  Bytes bytes = { data, size, 0 };
  opj_stream_t *stream = open_stream (&bytes);
  opj_codec_t *codec = opj_create_decompress (
      (flags & ODL_OPJ_BOXES) != 0 ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K);
  opj_dparameters_t parameters;
  opj_image_t *image = NULL;

  opj_set_default_decoder_parameters (&parameters);
  bool done = stream != NULL && codec != NULL;
  if (done) {
    opj_set_error_handler (codec, keep_message, message);
    opj_set_warning_handler (codec, ignore_message, NULL);
    opj_set_info_handler (codec, ignore_message, NULL);
    done = opj_setup_decoder (codec, &parameters)
           && opj_decoder_set_strict_mode (codec, strictly)
           && opj_read_header (stream, codec, &image) && opj_decode (codec, stream, image)
           && (!strictly || opj_end_decompress (codec, stream));
  }
  if (stream != NULL)
    opj_stream_destroy (stream);
  if (codec != NULL)
    opj_destroy_codec (codec);
  if (!done)
    g_clear_pointer (&image, opj_image_destroy);
  return image;
}
