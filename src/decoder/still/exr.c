// SPDX-License-Identifier: MIT
// OpenEXR: one of the pictures that a file holds, in its display window.
#include <glib.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <openexr.h>

#include "base/error.h"
#include "decoder/formats.h"
#include "decoder/half.h"
#include "decoder/opacity.h"

// Luminance and chroma of OpenEXR to colours.

typedef struct {
  int width, height; // of luminance
  int step[2]; // of chroma, along x and y: 1 or 2; then both sides are even
  const float *y, *ry, *by; // RY = (R − Y) / Y, BY = (B − Y) / Y
  double weights[3]; // of red, green and blue in Y; their sum is 1
} OdlExrChroma;

#define HALF_TAPS 7

// Of the samples at both sides of a place between two of them, the nearest first: a
// windowed sinc.
static const float taps[HALF_TAPS]
    = { 0.627123f, -0.186077f, 0.087929f, -0.043159f, 0.019597f, -0.007540f, 0.002128f };

// The weights by the file's primaries and white, or those of ITU-R BT.709.
static void
odl_exr_weights (exr_const_context_t exr, int part, double weights[3])
{
  exr_attr_chromaticities_t c;
  static const double usual[3] = { 0.2126, 0.7152, 0.0722 };

  for (int i = 0; i < 3; i++)
    weights[i] = usual[i];
  if (exr_attr_get_chromaticities (exr, part, "chromaticities", &c) != EXR_ERR_SUCCESS)
    return;
  // Cramer's rule for S in white / y = Σ S (x, y, 1 − x − y) of red, green and blue.
  const double x[4] = { c.red_x, c.green_x, c.blue_x, c.white_x / c.white_y };
  const double y[4] = { c.red_y, c.green_y, c.blue_y, 1 };
  const double sum[4] = { 1, 1, 1, 1 / c.white_y };
  double own[3], total = 0;
  for (int i = 0; i < 3; i++) {
    int at[3] = { 0, 1, 2 };
    at[i] = 3;
    const double determinant
        = x[at[0]] * (y[at[1]] * sum[at[2]] - y[at[2]] * sum[at[1]])
          - x[at[1]] * (y[at[0]] * sum[at[2]] - y[at[2]] * sum[at[0]])
          + x[at[2]] * (y[at[0]] * sum[at[1]] - y[at[1]] * sum[at[0]]);
    own[i] = determinant * y[i];
    total += own[i];
  }
  for (int i = 0; i < 3; i++)
    if (!(own[i] / total > 0.001 && own[i] / total < 0.999))
      return;
  for (int i = 0; i < 3; i++)
    weights[i] = own[i] / total;
}

// Sample `at` of a line of twice as many places as it has samples, `count`, which are
// `stride` apart.
static float
between (const float *line, int count, size_t stride, int at)
{
  float sum = 0;

  if (at % 2 == 0)
    return line[(size_t) (at / 2) * stride];
  for (int i = 0; i < HALF_TAPS; i++) {
    const int left = MAX (at / 2 - i, 0), right = MIN (at / 2 + 1 + i, count - 1);
    sum += taps[i] * (line[(size_t) left * stride] + line[(size_t) right * stride]);
  }
  return sum;
}

// Chroma of full size, `to`; `wide` has room for the rows that are there.
static void
interpolate (const OdlExrChroma *chroma, const float *from, float *wide, float *to)
{
  const int columns = chroma->width / chroma->step[0];
  const int rows = chroma->height / chroma->step[1];
  const size_t width = (size_t) chroma->width;

  for (int y = 0; y < rows; y++)
    for (int x = 0; x < chroma->width; x++) {
      const float *row = from + (size_t) y * (size_t) columns;
      wide[(size_t) y * width + (size_t) x]
          = chroma->step[0] == 2 ? between (row, columns, 1, x) : row[x];
    }
  for (int y = 0; y < chroma->height; y++)
    for (size_t x = 0; x < width; x++)
      to[(size_t) y * width + x] = chroma->step[1] == 2
                                       ? between (wide + x, rows, width, y)
                                       : wide[(size_t) y * width + x];
}

static float
saturation (const float *const rgb[3], size_t at)
{
  const float most = MAX (MAX (rgb[0][at], rgb[1][at]), rgb[2][at]);
  const float least = MIN (MIN (rgb[0][at], rgb[1][at]), rgb[2][at]);

  return most > 0 ? 1 - least / most : 0;
}

// Chroma that was rounded makes single pixels in the dark far too colourful: saturation
// is limited by that of the four diagonal neighbours. The luminance stays.
static void
limit_saturation (const OdlExrChroma *chroma,
                  const float *const from[3],
                  size_t at,
                  float mean,
                  float *const to[3])
{
  const float own = saturation (from, at);
  const float most = MIN (1, 1 - (1 - MIN (mean, 1)) * 0.25f);
  const float greatest = MAX (MAX (from[0][at], from[1][at]), from[2][at]);
  double before = 0, after = 0;

  for (int c = 0; c < 3; c++)
    to[c][at] = from[c][at];
  if (own <= mean || own <= most)
    return;
  for (int c = 0; c < 3; c++) {
    to[c][at] = MAX (greatest - (greatest - from[c][at]) * most / own, 0);
    before += chroma->weights[c] * (double) from[c][at];
    after += chroma->weights[c] * (double) to[c][at];
  }
  for (int c = 0; c < 3 && after > 0; c++)
    to[c][at] = (float) (to[c][at] * before / after);
}

static void
limit_all (const OdlExrChroma *chroma, const float *const from[3], float *const to[3])
{
  const int width = chroma->width, height = chroma->height;

  for (int y = 0; y < height; y++) {
    const size_t above = (size_t) MAX (y - 1, 0) * (size_t) width;
    const size_t below = (size_t) MIN (y + 1, height - 1) * (size_t) width;
    for (int x = 0; x < width; x++) {
      const size_t left = (size_t) MAX (x - 1, 0),
                   right = (size_t) MIN (x + 1, width - 1);
      const float mean
          = 0.25f
            * (saturation (from, above + left) + saturation (from, above + right)
               + saturation (from, below + left) + saturation (from, below + right));
      limit_saturation (chroma, from, (size_t) y * (size_t) width + (size_t) x, mean, to);
    }
  }
}

// Interpolates chroma as OpenEXR's RgbaInputFile does (the filter of 27 taps and the
// limit of saturation in ImfRgbaYca.h) and writes three planes one after the other.
// False: not enough memory.
static bool
odl_exr_chroma_to_rgb (const OdlExrChroma *chroma, float *rgb)
{
  const size_t n = (size_t) chroma->width * (size_t) chroma->height;
  g_autofree float *wide = g_try_new (float, n);
  g_autofree float *raw = g_try_new (float, 3 * n);
  float *const to[3] = { rgb, rgb + n, rgb + 2 * n };

  if (wide == NULL || raw == NULL)
    return false;
  const float *const from[3] = { raw, raw + n, raw + 2 * n };
  interpolate (chroma, chroma->ry, wide, raw);
  interpolate (chroma, chroma->by, wide, raw + 2 * n);
  for (size_t i = 0; i < n; i++) {
    const double y = chroma->y[i], ry = raw[i], by = raw[2 * n + i];
    const double red = (ry + 1) * y, blue = (by + 1) * y;
    const bool grey = ry == 0 && by == 0;
    const double green
        = (y - red * chroma->weights[0] - blue * chroma->weights[2]) / chroma->weights[1];
    raw[i] = (float) (grey ? y : red);
    raw[n + i] = (float) (grey ? y : green);
    raw[2 * n + i] = (float) (grey ? y : blue);
  }
  limit_all (chroma, from, to);
  return true;
}

// The pictures that an OpenEXR file holds: channels of one layer that belong together
// (OpenEXR Technical Introduction, “Channel names” and “Layers”), and single channels.

#define ODL_EXR_MOST_CHANNELS 4
#define ODL_EXR_MOST_LAYERS 256 // further ones are left out

typedef enum {
  ODL_EXR_COLOURS, // red, green, blue
  ODL_EXR_LUMINANCE,
  ODL_EXR_CHROMA, // luminance Y, RY = (R − Y) / Y, BY = (B − Y) / Y
  ODL_EXR_VECTOR, // x, y, z, shown as colours
  ODL_EXR_CHANNEL, // any other, by itself
} OdlExrKind;

typedef struct {
  int part;
  OdlExrKind kind;
  char *name; // of the layer or the channel; "": the layer without a name
  const exr_attr_chlist_entry_t
      *channels[ODL_EXR_MOST_CHANNELS]; // borrowed; opacity last
  int n_channels;
  bool has_opacity; // which colours and luminance are multiplied by
} OdlExrLayer;

typedef const exr_attr_chlist_entry_t Channel;

// Kinds of pictures by the last words of their channels' names, the better ones first.
// Nuke writes whole words.
static const struct {
  OdlExrKind kind;
  bool may_have_opacity;
  int n;
  const char *words[3][2];
} kinds[] = {
  { ODL_EXR_COLOURS, true, 3, { { "R", "red" }, { "G", "green" }, { "B", "blue" } } },
  { ODL_EXR_VECTOR, false, 3, { { "X", NULL }, { "Y", NULL }, { "Z", NULL } } },
  { ODL_EXR_CHROMA, true, 3, { { "Y", NULL }, { "RY", NULL }, { "BY", NULL } } },
  { ODL_EXR_LUMINANCE, true, 1, { { "Y", NULL } } },
};

static const char *const opacity_words[2] = { "A", "alpha" };

static size_t
layer_length (const char *name)
{
  const char *dot = strrchr (name, '.');

  return dot != NULL ? (size_t) (dot - name) : 0;
}

static const char *
last_word (const char *name)
{
  const char *dot = strrchr (name, '.');

  return dot != NULL ? dot + 1 : name;
}

static bool
is_in_layer (const char *name, const char *layer, size_t length)
{
  return layer_length (name) == length && memcmp (name, layer, length) == 0
         && (strchr (name, '.') != NULL) == (layer[length] == '.');
}

// The channel with one of both words in the layer that `layer`, a channel's name, is in.
static Channel *
find (const exr_attr_chlist_t *list, const char *layer, const char *const words[2])
{
  const size_t length = layer_length (layer);

  for (int i = 0; i < list->num_channels; i++) {
    const char *name = list->entries[i].name.str, *word = last_word (name);
    if (is_in_layer (name, layer, length)
        && (g_ascii_strcasecmp (word, words[0]) == 0
            || (words[1] != NULL && g_ascii_strcasecmp (word, words[1]) == 0)))
      return &list->entries[i];
  }
  return NULL;
}

// What the layer of channel `first` is a picture of; false: of nothing as a whole.
static bool
find_picture (const exr_attr_chlist_t *list, Channel *first, OdlExrLayer *found)
{
  static const char *const across[2] = { "X", NULL };
  const char *layer = first->name.str;
  const size_t length = layer_length (layer);

  for (size_t k = 0; k < G_N_ELEMENTS (kinds); k++) {
    int n = 0;
    for (; n < kinds[k].n; n++)
      if ((found->channels[n] = find (list, layer, kinds[k].words[n])) == NULL)
        break;
    if (n < kinds[k].n)
      continue;
    // Two of a vector's numbers are no luminance.
    if (kinds[k].kind == ODL_EXR_LUMINANCE && find (list, layer, across) != NULL)
      continue;
    found->kind = kinds[k].kind;
    found->channels[n]
        = kinds[k].may_have_opacity ? find (list, layer, opacity_words) : NULL;
    found->has_opacity = found->channels[n] != NULL;
    found->n_channels = n + (found->has_opacity ? 1 : 0);
    found->name = g_strndup (layer, length);
    return true;
  }
  return false;
}

static bool
holds (const OdlExrLayer *layer, Channel *channel)
{
  for (int c = 0; c < layer->n_channels; c++)
    if (layer->channels[c] == channel)
      return true;
  return false;
}

// Names of further parts begin with the part's, unless they do so anyway.
static void
name_part (exr_const_context_t exr, int n_parts, OdlExrLayer *layer)
{
  g_autofree char *own = layer->name;
  const char *part = NULL;

  layer->name = NULL;
  if (n_parts < 2 || exr_get_name (exr, layer->part, &part) != EXR_ERR_SUCCESS)
    part = NULL;
  if (part == NULL || *part == '\0' || g_str_has_prefix (own, part))
    layer->name = g_steal_pointer (&own);
  else
    layer->name = *own == '\0' ? g_strdup (part) : g_strdup_printf ("%s.%s", part, own);
}

static void
add_part (exr_const_context_t exr, int n_parts, int part, GArray *layers)
{
  const exr_attr_chlist_t *list = NULL;
  exr_storage_t storage;

  if (exr_get_storage (exr, part, &storage) != EXR_ERR_SUCCESS
      || (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED)
      || exr_get_channels (exr, part, &list) != EXR_ERR_SUCCESS || list == NULL)
    return;
  for (int i = 0; i < list->num_channels && layers->len < ODL_EXR_MOST_LAYERS; i++) {
    OdlExrLayer layer = { .part = part };
    Channel *channel = &list->entries[i];
    const bool is_picture = find_picture (list, channel, &layer);
    // A layer stands where its first channel does.
    if (is_picture && holds (&layer, channel)) {
      bool first = true;
      for (int j = 0; j < i; j++)
        first = first && !holds (&layer, &list->entries[j]);
      if (!first) {
        g_free (layer.name);
        continue;
      }
    } else {
      g_free (layer.name);
      layer = (OdlExrLayer){ .part = part,
                             .kind = ODL_EXR_CHANNEL,
                             .name = g_strdup (channel->name.str),
                             .channels = { channel },
                             .n_channels = 1 };
    }
    name_part (exr, n_parts, &layer);
    g_array_append_vals (layers, &layer, 1);
  }
}

static int
rank (const OdlExrLayer *layer)
{
  const bool unnamed = strchr (layer->channels[0]->name.str, '.') == NULL;
  const bool colours = layer->kind == ODL_EXR_COLOURS || layer->kind == ODL_EXR_CHROMA;

  if (colours || layer->kind == ODL_EXR_LUMINANCE)
    return unnamed ? 4 : colours ? 3 : 2;
  return layer->kind == ODL_EXR_VECTOR ? 1 : 0;
}

static void
clear_cb (void *data)
{
  g_free (((OdlExrLayer *) data)->name);
}

// All of them but those of deep samples. The first one is shown unless another one is
// asked for: the layer without a name, if it has colours or luminance, else the first one
// with colours, else with luminance, else what comes first. The others have the file's
// order. Empty: there is none.
static GArray *
odl_exr_layers (exr_const_context_t exr)
{
  GArray *layers = g_array_new (FALSE, TRUE, sizeof (OdlExrLayer));
  int n_parts = 1, best = 0;

  g_array_set_clear_func (layers, clear_cb);
  if (exr_get_count (exr, &n_parts) != EXR_ERR_SUCCESS)
    n_parts = 1;
  for (int part = 0; part < n_parts && layers->len < ODL_EXR_MOST_LAYERS; part++)
    add_part (exr, n_parts, part, layers);
  for (int i = 1; i < (int) layers->len; i++)
    if (rank (&g_array_index (layers, OdlExrLayer, i))
        > rank (&g_array_index (layers, OdlExrLayer, best)))
      best = i;
  // The best one moves to the front, those before it back by one place.
  for (int i = best; i > 0; i--) {
    OdlExrLayer *at = &g_array_index (layers, OdlExrLayer, i);
    const OdlExrLayer before = at[-1];
    at[-1] = *at;
    *at = before;
  }
  return layers;
}

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
