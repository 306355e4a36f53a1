// SPDX-License-Identifier: MIT
// OpenEXR: one of the pictures that a file holds (exr_layers.h), in its display window.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include <openexr.h>

#include "base/error.h"
#include "decoder/formats.h"
#include "decoder/half.h"
#include "decoder/opacity.h"
#include "decoder/still/exr_chroma.h"
#include "decoder/still/exr_layers.h"

typedef struct {
  const OdlDecoderInput *input;
  exr_context_t exr;
  const OdlExrLayer *layer; // that is shown
  exr_storage_t storage;
  exr_attr_box2i_t window; // of the data
  exr_attr_box2i_t display; // of the picture
  int width, height; // of the data
  int step[2]; // of chroma, along x and y; else 1
  int at[2]; // column and row of the chunk that is being read
  OdlPicture *picture;
  float *planes; // of each channel, one after the other
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

static bool
sides_of (const exr_attr_box2i_t *box, int sides[2])
{
  const int64_t width = (int64_t) box->max.x - box->min.x + 1;
  const int64_t height = (int64_t) box->max.y - box->min.y + 1;

  sides[0] = (int) width;
  sides[1] = (int) height;
  return width >= 1 && height >= 1 && width <= ODL_IMAGE_MAX_SIDE
         && height <= ODL_IMAGE_MAX_SIDE;
}

// Only chroma may have fewer samples.
static bool
check_sampling (Exr *e, GError **error)
{
  const OdlExrLayer *layer = e->layer;
  const bool chroma = layer->kind == ODL_EXR_CHROMA;

  for (int c = 0; c < layer->n_channels; c++) {
    const int step[2]
        = { layer->channels[c]->x_sampling, layer->channels[c]->y_sampling };
    const int most = chroma && (c == 1 || c == 2) ? 2 : 1;
    const int *first = c == 2 ? e->step : step;
    if (step[0] < 1 || step[1] < 1 || step[0] > most || step[1] > most
        || (chroma && (step[0] != first[0] || step[1] != first[1]))
        || e->width % step[0] != 0 || e->height % step[1] != 0)
      return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                            _ ("its channels have fewer samples than the picture has "
                               "pixels, which this program does not read"));
    if (c < 2)
      memcpy (e->step, step, sizeof step);
  }
  return true;
}

static bool
read_header (Exr *e, GError **error)
{
  const int part = e->layer->part;
  int data[2], shown[2];

  if (exr_get_storage (e->exr, part, &e->storage) != EXR_ERR_SUCCESS
      || exr_get_data_window (e->exr, part, &e->window) != EXR_ERR_SUCCESS
      || exr_get_display_window (e->exr, part, &e->display) != EXR_ERR_SUCCESS)
    return damaged (error);
  if (!sides_of (&e->window, data) || !sides_of (&e->display, shown))
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("its data or display window has no size, or is larger than "
                             "%d pixels"),
                          ODL_IMAGE_MAX_SIDE);
  e->width = data[0];
  e->height = data[1];
  return check_sampling (e, error);
}

// Whether channel `c` is of chroma with fewer samples, whose plane has their size.
static bool
is_stepped (const Exr *e, int c)
{
  return e->layer->kind == ODL_EXR_CHROMA && (c == 1 || c == 2);
}

// Samples of a line as floats.
static void
convert (const uint8_t *from, int n, int type, float *to)
{
  for (int i = 0; i < n; i++, from += type == EXR_PIXEL_HALF ? 2 : 4) {
    uint32_t bits = 0;
    if (type == EXR_PIXEL_HALF) {
      to[i] = odl_half_to_float ((uint16_t) (from[0] | from[1] << 8));
      continue;
    }
    memcpy (&bits, from, sizeof bits);
    bits = GUINT32_FROM_LE (bits);
    if (type == EXR_PIXEL_FLOAT)
      memcpy (&to[i], &bits, sizeof bits);
    else
      to[i] = (float) bits;
  }
}

static float *
plane_of (const Exr *e, const char *name, int step[2])
{
  for (int c = 0; c < e->layer->n_channels; c++)
    if (g_str_equal (name, e->layer->channels[c]->name.str)) {
      step[0] = is_stepped (e, c) ? e->step[0] : 1;
      step[1] = is_stepped (e, c) ? e->step[1] : 1;
      return e->planes + (size_t) c * (size_t) e->width * (size_t) e->height;
    }
  return NULL;
}

// Copies the channels that are shown from a chunk, whose lines hold one channel after the
// other, to their planes. The library's own routines do that wrong where channels differ
// in their number of samples.
static exr_result_t
unpack_cb (exr_decode_pipeline_t *decoder)
{
  const Exr *e = decoder->decoding_user_data;
  const exr_chunk_info_t *chunk = &decoder->chunk;
  const bool plain = chunk->compression == EXR_COMPRESSION_NONE;
  const uint8_t *at = decoder->unpacked_buffer;
  uint64_t left
      = plain ? MIN (chunk->packed_size, chunk->unpacked_size) : chunk->unpacked_size;

  for (int line = 0; line < chunk->height && at != NULL; line++)
    for (int c = 0; c < decoder->channel_count; c++) {
      const exr_coding_channel_info_t *channel = &decoder->channels[c];
      const int y = e->at[1] + line, n = channel->width;
      const size_t bytes = (size_t) MAX (n, 0) * (size_t) channel->bytes_per_element;
      int step[2];
      if ((e->window.min.y + y) % MAX (channel->y_samples, 1) != 0)
        continue;
      if (bytes > left)
        return EXR_ERR_CORRUPT_CHUNK;
      float *to = plane_of (e, channel->channel_name, step);
      if (to != NULL && n <= (e->width - e->at[0]) / step[0] && y < e->height)
        convert (at, n, channel->data_type,
                 to + (size_t) (y / step[1]) * (size_t) (e->width / step[0])
                     + (size_t) (e->at[0] / step[0]));
      at += bytes;
      left -= bytes;
    }
  return at != NULL ? EXR_ERR_SUCCESS : EXR_ERR_CORRUPT_CHUNK;
}

// The chunk at column `x` and row `y` of the data.
static bool
decode_chunk (Exr *e,
              const exr_chunk_info_t *chunk,
              exr_decode_pipeline_t *decoder,
              bool *begun,
              int x,
              int y)
{
  const int part = e->layer->part;
  const bool first = !*begun;

  if ((first ? exr_decoding_initialize (e->exr, part, chunk, decoder)
             : exr_decoding_update (e->exr, part, chunk, decoder))
      != EXR_ERR_SUCCESS)
    return false;
  *begun = true;
  if (first
      && exr_decoding_choose_default_routines (e->exr, part, decoder) != EXR_ERR_SUCCESS)
    return false;
  e->at[0] = x;
  e->at[1] = y;
  decoder->decoding_user_data = e;
  decoder->unpack_and_convert_fn = unpack_cb;
  return exr_decoding_run (e->exr, part, decoder) == EXR_ERR_SUCCESS;
}

// Each returns the number of rows that are there from the top on.

static int
read_lines (Exr *e)
{
  exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
  exr_chunk_info_t chunk;
  int32_t rows = 1;
  bool begun = false;
  int y = 0;

  if (exr_get_scanlines_per_chunk (e->exr, e->layer->part, &rows) != EXR_ERR_SUCCESS
      || rows < 1)
    return 0;
  for (; y < e->height; y += rows)
    if (exr_read_scanline_chunk_info (e->exr, e->layer->part, e->window.min.y + y, &chunk)
            != EXR_ERR_SUCCESS
        || !decode_chunk (e, &chunk, &decoder, &begun, 0, y))
      break;
  if (begun)
    exr_decoding_destroy (e->exr, &decoder);
  return MIN (y, e->height);
}

static int
read_tiles (Exr *e)
{
  exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
  exr_chunk_info_t chunk;
  int32_t width = 0, height = 0;
  bool begun = false, good = true;
  int y = 0;

  if (exr_get_tile_sizes (e->exr, e->layer->part, 0, 0, &width, &height)
          != EXR_ERR_SUCCESS
      || width < 1 || height < 1)
    return 0;
  for (; y < e->height && good; y += good ? height : 0)
    for (int x = 0; x < e->width && good; x += width)
      good = exr_read_tile_chunk_info (e->exr, e->layer->part, x / width, y / height, 0,
                                       0, &chunk)
                 == EXR_ERR_SUCCESS
             && decode_chunk (e, &chunk, &decoder, &begun, x, y);
  if (begun)
    exr_decoding_destroy (e->exr, &decoder);
  return MIN (y, e->height);
}

// Luminance and chroma become colours, in the same planes.
static bool
convert_chroma (const Exr *e)
{
  const size_t n = (size_t) e->width * (size_t) e->height;
  OdlExrChroma chroma = {
    .width = e->width,
    .height = e->height,
    .step = { e->step[0], e->step[1] },
    .y = e->planes,
    .ry = e->planes + n,
    .by = e->planes + 2 * n,
  };
  g_autofree float *rgb = g_try_new (float, 3 * n);

  odl_exr_weights (e->exr, e->layer->part, chroma.weights);
  if (rgb == NULL || !odl_exr_chroma_to_rgb (&chroma, rgb))
    return false;
  memcpy (e->planes, rgb, 3 * n * sizeof *rgb);
  return true;
}

// Copies what lies in the display window, divides colours by opacity, and sets the range
// by these pixels: others are 0 and transparent, and count in no range.
static void
place (const Exr *e)
{
  OdlPicture *picture = e->picture;
  const size_t n = (size_t) e->width * (size_t) e->height;
  const size_t channels = picture->reply.channels;
  const size_t across = picture->reply.width;
  const bool spread = channels == 4 && e->layer->n_channels == 2;
  const int left = MAX (e->window.min.x, e->display.min.x);
  const int right = MIN (e->window.max.x, e->display.max.x);
  const int top = MAX (e->window.min.y, e->display.min.y);
  const int bottom = MIN (e->window.max.y, e->display.max.y);
  double range[2] = { INFINITY, -INFINITY };
  float *pixels = picture->pixels;

  for (int y = top; y <= bottom; y++)
    for (int x = left; x <= right; x++) {
      const size_t from = (size_t) (y - e->window.min.y) * (size_t) e->width
                          + (size_t) (x - e->window.min.x);
      float *to
          = pixels
            + ((size_t) (y - e->display.min.y) * across + (size_t) (x - e->display.min.x))
                  * channels;
      for (size_t c = 0; c < channels; c++)
        to[c] = e->planes[(spread ? c / 3 : c) * n + from];
    }
  // Filters leave a little more than 1.
  for (size_t i = 3; i < across * picture->reply.height * channels && channels == 4;
       i += 4)
    pixels[i] = CLAMP (pixels[i], 0, 1);
  if (channels == 4)
    odl_picture_divide_by_opacity (picture);
  for (int y = top; y <= bottom && left <= right && channels < 4; y++)
    odl_picture_extend_range (range,
                              pixels
                                  + ((size_t) (y - e->display.min.y) * across
                                     + (size_t) (left - e->display.min.x))
                                        * channels,
                              ((size_t) right - (size_t) left + 1) * channels);
  odl_picture_settle_range (range);
  if (channels == 4)
    odl_picture_finish_rgba (picture, NULL);
  else
    odl_picture_finish_floats (picture, range);
  if (left > right || top > bottom)
    odl_picture_warn (picture, "%s", _ ("nothing of it lies in its display window"));
}

// The names of the other pictures, by which one can ask for them.
static void
describe (const Exr *e, const GArray *layers)
{
  g_autoptr (GString) others = g_string_new (NULL);
  int parts = 1;

  odl_picture_set_format (e->picture, "OpenEXR");
  odl_picture_detail (e->picture, "channel", "%s", e->layer->channels[0]->name.str);
  if (*e->layer->name != '\0')
    odl_picture_detail (e->picture, "layer", "%s", e->layer->name);
  for (guint i = 1; i < layers->len && others->len < ODL_DECODER_MAX_TEXT / 2; i++) {
    g_autofree char *name = g_strdup (g_array_index (layers, OdlExrLayer, i).name);
    g_strdelimit (name, ",", ';');
    g_string_append_printf (others, "%s%s", i > 1 ? ", " : "", name);
  }
  if (others->len > 0)
    odl_picture_whole_detail (e->picture, "other-layers", others->str);
  if (exr_get_count (e->exr, &parts) == EXR_ERR_SUCCESS && parts > 1
      && e->input->frame == 0)
    odl_picture_warn_of_others (e->picture);
}

// Room for the planes, and as much again for chroma while it is converted.
static bool
fits (const Exr *e, size_t *extra, GError **error)
{
  const OdlPictureShape data
      = { (uint32_t) e->width, (uint32_t) e->height, 4, ODL_SAMPLE_F32 };
  const size_t plane = (size_t) e->width * (size_t) e->height * sizeof (float);
  const int n = e->layer->n_channels + (e->layer->kind == ODL_EXR_CHROMA ? 7 : 0);

  *extra = (size_t) n * plane;
  return odl_picture_fits (e->picture, &data, *extra, error);
}

static bool
out_of_memory (const OdlPictureShape *shape, GError **error)
{
  return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                        _ ("there is not enough memory for %u×%u pixels"), shape->width,
                        shape->height);
}

static bool
decode (Exr *e, const GArray *layers, GError **error)
{
  size_t extra = 0;

  if (!read_header (e, error) || !fits (e, &extra, error))
    return false;
  const int n_channels = e->layer->n_channels;
  const OdlPictureShape shape = {
    (uint32_t) ((int64_t) e->display.max.x - e->display.min.x + 1),
    (uint32_t) ((int64_t) e->display.max.y - e->display.min.y + 1),
    e->layer->has_opacity ? 4 : n_channels,
    ODL_SAMPLE_F32,
  };
  const size_t n = (size_t) e->width * (size_t) e->height;
  if (odl_picture_allocate (e->picture, &shape, extra, error) == NULL)
    return false;
  g_autofree float *planes = e->planes = g_try_new0 (float, n *(size_t) n_channels);
  if (planes == NULL)
    return out_of_memory (&shape, error);
  const int rows = e->storage == EXR_STORAGE_TILED ? read_tiles (e) : read_lines (e);
  if (rows == 0)
    return damaged (error);
  if (rows < e->height)
    odl_picture_incomplete (e->picture, _ ("only %d of %d rows are there"), rows,
                            e->height);
  if (e->layer->kind == ODL_EXR_CHROMA && !convert_chroma (e))
    return out_of_memory (&shape, error);
  place (e);
  describe (e, layers);
  return true;
}

static bool
decode_layer (Exr *e, GError **error)
{
  g_autoptr (GArray) layers = odl_exr_layers (e->exr);

  if (layers->len == 0)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it holds deep samples, which are no picture"));
  if (e->input->frame >= layers->len)
    return odl_error_set (error, ODL_ERROR_END, _ ("it has no such layer"));
  e->layer = &g_array_index (layers, OdlExrLayer, e->input->frame);
  return decode (e, layers, error);
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
  const bool done = decode_layer (&e, error);
  exr_finish (&e.exr);
  return done;
}
