// SPDX-License-Identifier: MIT
// OpenEXR: the first part, its colours, its luminance, or its first channel.
#include <glib/gi18n-lib.h>
#include <string.h>

#include <openexr.h>

#include "base/error.h"
#include "decoder/formats.h"

#define MOST_CHANNELS 4

typedef struct {
  const OdlDecoderInput *input;
  exr_context_t exr;
  exr_attr_box2i_t window;
  const char *names[MOST_CHANNELS]; // of the file
  int channels;
  int width, height;
  OdlPicture *picture;
  float *planes; // of each channel, one after the other; then a row that nobody reads
} Exr;

static int64_t
read_cb (exr_const_context_t context,
         void *data,
         void *buffer,
         uint64_t size,
         uint64_t offset,
         exr_stream_error_func_ptr_t error_cb)
{
  const OdlDecoderInput *input = data;

  if (offset >= input->size)
    return 0;
  size = MIN (size, input->size - offset);
  memcpy (buffer, input->data + offset, size);
  return (int64_t) size;
}

static int64_t
size_cb (exr_const_context_t context, void *data)
{
  return (int64_t) ((const OdlDecoderInput *) data)->size;
}

static void
silent_cb (exr_const_context_t context, exr_result_t code, const char *message)
{
}

static bool
damaged (GError **error)
{
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("the image data is damaged or ends too early (%s)"),
                        "OpenEXR");
}

// The channel of that name, without a layer or in the first layer that has one.
static const exr_attr_chlist_entry_t *
find_channel (const exr_attr_chlist_t *list, const char *name, const char *layer)
{
  for (int i = 0; i < list->num_channels; i++) {
    const char *own = list->entries[i].name.str, *dot = strrchr (own, '.');
    const size_t length = dot != NULL ? (size_t) (dot - own) : 0;
    if (g_str_equal (dot != NULL ? dot + 1 : own, name)
        && (layer == NULL || strncmp (own, layer, length) == 0))
      return &list->entries[i];
  }
  return NULL;
}

// Colours with alpha, if it is there; else luminance; else what comes first.
static bool
choose_channels (Exr *e, GError **error)
{
  static const char *const colours[MOST_CHANNELS] = { "R", "G", "B", "A" };
  const exr_attr_chlist_t *list = NULL;
  const exr_attr_chlist_entry_t *found[MOST_CHANNELS];

  if (exr_get_channels (e->exr, 0, &list) != EXR_ERR_SUCCESS || list == NULL
      || list->num_channels < 1)
    return damaged (error);
  found[0] = find_channel (list, colours[0], NULL);
  const char *layer = found[0] != NULL ? found[0]->name.str : NULL;
  for (int c = 1; c < MOST_CHANNELS && layer != NULL; c++)
    found[c] = find_channel (list, colours[c], layer);
  if (layer != NULL && found[1] != NULL && found[2] != NULL) {
    e->channels = found[3] != NULL ? 4 : 3;
  } else {
    found[0] = find_channel (list, "Y", NULL);
    found[0] = found[0] != NULL ? found[0] : &list->entries[0];
    e->channels = 1;
  }
  for (int c = 0; c < e->channels; c++) {
    if (found[c]->x_sampling != 1 || found[c]->y_sampling != 1)
      return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                            _ ("its channels have fewer samples than the picture has "
                               "pixels, which this program does not read"));
    e->names[c] = found[c]->name.str;
  }
  return true;
}

static bool
read_header (Exr *e, exr_storage_t *storage, GError **error)
{
  if (exr_get_storage (e->exr, 0, storage) != EXR_ERR_SUCCESS
      || exr_get_data_window (e->exr, 0, &e->window) != EXR_ERR_SUCCESS)
    return damaged (error);
  if (*storage != EXR_STORAGE_SCANLINE && *storage != EXR_STORAGE_TILED)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it holds deep samples, which are no picture"));
  const int64_t width = (int64_t) e->window.max.x - e->window.min.x + 1;
  const int64_t height = (int64_t) e->window.max.y - e->window.min.y + 1;
  if (width < 1 || height < 1 || width > G_MAXINT32 || height > G_MAXINT32)
    return damaged (error);
  e->width = (int) width;
  e->height = (int) height;
  return choose_channels (e, error);
}

// Where in the picture the decoded channels of a chunk at column `x` and row `y` go.
// Others go into the last row, each line over the one before: the library's routines for
// three and four channels of halves write all of them, without asking for a pointer.
// False: the chunk is not inside of the picture.
static bool
aim (const Exr *e, exr_decode_pipeline_t *decoder, int x, int y)
{
  const size_t plane = (size_t) e->width * (size_t) e->height;

  for (int i = 0; i < decoder->channel_count; i++) {
    exr_coding_channel_info_t *channel = &decoder->channels[i];
    float *to = e->planes + (size_t) e->channels * plane;
    int stride = 0;
    if (x < 0 || y < 0 || channel->width > e->width - x
        || channel->height > e->height - y)
      return false;
    for (int c = 0; c < e->channels; c++)
      if (g_str_equal (channel->channel_name, e->names[c])) {
        to = e->planes + (size_t) c * plane + (size_t) y * (size_t) e->width + (size_t) x;
        stride = e->width;
      }
    channel->user_data_type = EXR_PIXEL_FLOAT;
    channel->user_bytes_per_element = sizeof (float);
    channel->user_pixel_stride = sizeof (float);
    channel->user_line_stride = (int32_t) sizeof (float) * stride;
    channel->decode_to_ptr = (uint8_t *) to;
  }
  return true;
}

static bool
decode_chunk (const Exr *e,
              const exr_chunk_info_t *chunk,
              exr_decode_pipeline_t *decoder,
              bool *begun,
              int x,
              int y)
{
  const bool first = !*begun;

  if ((first ? exr_decoding_initialize (e->exr, 0, chunk, decoder)
             : exr_decoding_update (e->exr, 0, chunk, decoder))
      != EXR_ERR_SUCCESS)
    return false;
  *begun = true;
  if (!aim (e, decoder, x, y))
    return false;
  return (!first
          || exr_decoding_choose_default_routines (e->exr, 0, decoder) == EXR_ERR_SUCCESS)
         && exr_decoding_run (e->exr, 0, decoder) == EXR_ERR_SUCCESS;
}

// Each returns the number of rows that are there from the top on.

static int
read_lines (const Exr *e)
{
  exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
  exr_chunk_info_t chunk;
  int32_t rows = 1;
  bool begun = false;
  int y = 0;

  if (exr_get_scanlines_per_chunk (e->exr, 0, &rows) != EXR_ERR_SUCCESS || rows < 1)
    return 0;
  for (; y < e->height; y += rows)
    if (exr_read_scanline_chunk_info (e->exr, 0, e->window.min.y + y, &chunk)
            != EXR_ERR_SUCCESS
        || !decode_chunk (e, &chunk, &decoder, &begun, 0, y))
      break;
  if (begun)
    exr_decoding_destroy (e->exr, &decoder);
  return MIN (y, e->height);
}

static int
read_tiles (const Exr *e)
{
  exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
  exr_chunk_info_t chunk;
  int32_t width = 0, height = 0;
  bool begun = false, good = true;
  int y = 0;

  if (exr_get_tile_sizes (e->exr, 0, 0, 0, &width, &height) != EXR_ERR_SUCCESS
      || width < 1 || height < 1)
    return 0;
  for (; y < e->height && good; y += good ? height : 0)
    for (int x = 0; x < e->width && good; x += width)
      good = exr_read_tile_chunk_info (e->exr, 0, x / width, y / height, 0, 0, &chunk)
                 == EXR_ERR_SUCCESS
             && decode_chunk (e, &chunk, &decoder, &begun, x, y);
  if (begun)
    exr_decoding_destroy (e->exr, &decoder);
  return MIN (y, e->height);
}

static bool
decode (Exr *e, GError **error)
{
  exr_storage_t storage;
  int parts = 1;

  if (!read_header (e, &storage, error))
    return false;
  const OdlPictureShape shape
      = { (uint32_t) e->width, (uint32_t) e->height, e->channels, ODL_SAMPLE_F32 };
  // The library takes interleaved halves for another order of channels: it gets planes.
  const size_t n = (size_t) e->width * (size_t) e->height;
  if (odl_picture_allocate (e->picture, &shape, n * (size_t) e->channels * sizeof (float),
                            error)
      == NULL)
    return false;
  g_autofree float *planes = e->planes
      = g_new0 (float, n *(size_t) e->channels + (size_t) e->width);
  const int rows = storage == EXR_STORAGE_TILED ? read_tiles (e) : read_lines (e);
  if (rows == 0)
    return damaged (error);
  if (rows < e->height)
    odl_picture_incomplete (e->picture, _ ("only %d of %d rows are there"), rows,
                            e->height);
  for (size_t i = 0; i < n; i++)
    for (int c = 0; c < e->channels; c++)
      ((float *) e->picture->pixels)[i * (size_t) e->channels + (size_t) c]
          = planes[(size_t) c * n + i];
  odl_picture_finish_floats (e->picture, NULL);
  odl_picture_set_format (e->picture, "OpenEXR");
  odl_picture_detail (e->picture, "channel", "%s", e->names[0]);
  if (exr_get_count (e->exr, &parts) == EXR_ERR_SUCCESS && parts > 1)
    odl_picture_warn_of_others (e->picture);
  return true;
}

bool
odl_decode_exr (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  Exr e = { .input = input, .picture = picture };
  exr_context_initializer_t settings = EXR_DEFAULT_CONTEXT_INITIALIZER;

  settings.error_handler_fn = silent_cb;
  settings.user_data = (void *) input;
  settings.read_fn = read_cb;
  settings.size_fn = size_cb;
  settings.flags = EXR_CONTEXT_FLAG_SILENT_HEADER_PARSE
                   | EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
  if (exr_start_read (&e.exr, "picture", &settings) != EXR_ERR_SUCCESS) {
    exr_finish (&e.exr);
    return damaged (error);
  }
  const bool done = decode (&e, error);
  exr_finish (&e.exr);
  return done;
}
