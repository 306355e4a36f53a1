// SPDX-License-Identifier: MIT
// Arrays of HDF5 files as pictures: by the layouts of ultrasound research, or by name.
// Each picture is read from the file when it is asked for.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "decoder/exchange.h"
#include "decoder/formats.h"
#include "decoder/hdf5/array.h"
#include "decoder/hdf5/layout.h"
#include "decoder/metaimage/convert.h"
#include "decoder/stamps.h"
#include "decoder/told.h"

#define MAX_NAME 4096
// Of a picture, whatever is stored of its array.
#define UNBACKED_BYTES ((uint64_t) 16 << 20)
// Deflate makes at most 1032 bytes of one.
#define MOST_DEFLATED 1032u
// For the range that all pictures share.
#define MEASURED_FRAMES 16u
#define MEASURED_BYTES ((uint64_t) 256 << 20)

// State kept between frames.
typedef struct {
  OdlH5File file;
  OdlH5Layout layout;
  char *list; // what else lies there; NULL: nothing
  uint64_t numbers; // of a picture, or places where each has two
  bool has_times; // frame times have been sent
  bool has_range;
  OdlNumberRange range;
} Image;

static void
image_free (void *data)
{
  Image *image = data;

  odl_h5_layout_clear (&image->layout);
  odl_h5_file_close (&image->file);
  g_free (image->list);
  g_free (image);
}

// ---- Samples -------------------------------------------------------------------------

// What is shown: the numbers of the array, or magnitudes.
static OdlMetaSample
shown_sample (const OdlH5Layout *layout)
{
  return layout->parts == ODL_H5_SINGLE || odl_h5_beams_split (layout)
             ? layout->array.sample
             : ODL_META_F32;
}

// Halves of a picture, which show one number of each place.
static uint32_t
shown_halves (const OdlH5Layout *layout)
{
  return odl_h5_beams_split (layout) ? 2 : 1;
}

// Numbers of the array for each that is shown.
static uint64_t
pairs_of (const OdlH5Layout *layout)
{
  return layout->parts == ODL_H5_PAIRS && !layout->array.is_complex ? 2 : 1;
}

static size_t
number_size (const OdlH5Layout *layout)
{
  return odl_number_size (odl_meta_number_type (layout->array.sample));
}

// The magnitudes of places, in the room of their numbers; `other` has the second ones if
// they are not next to the first. From the end where a magnitude takes more room.
static void
take_magnitude (const Image *image, char *block, const char *other)
{
  const OdlH5Layout *layout = &image->layout;
  const OdlNumberType type = odl_meta_number_type (layout->array.sample);
  const size_t size = odl_number_size (type), step = other != NULL ? size : 2 * size;
  float *to = (float *) (void *) block;

  for (uint64_t k = 0; k < image->numbers; k++) {
    const uint64_t i = step < sizeof *to ? image->numbers - 1 - k : k;
    const char *at = block + i * step;
    const double real = odl_number_get (type, at);
    const double imaginary
        = odl_number_get (type, other != NULL ? other + i * step : at + size);
    to[i] = (float) hypot (real, imaginary);
  }
}

// Bytes of what is read of a picture, or becomes of it.
static size_t
block_bytes (const Image *image)
{
  const OdlH5Layout *layout = &image->layout;
  const size_t each = number_size (layout) * (layout->parts != ODL_H5_SINGLE ? 2 : 1);

  return (size_t) image->numbers * MAX (each, sizeof (float));
}

// The numbers of a picture, as they lie in the file, in `block`; those of two arrays one
// behind the other. Or their magnitudes. False: damaged.
static bool
read_block (const Image *image, uint32_t frame, char *block)
{
  const OdlH5Layout *layout = &image->layout;
  uint64_t start[ODL_H5_MAX_SIDES], count[ODL_H5_MAX_SIDES];

  for (int i = layout->array.n_sides - 1; i >= 0; i--) {
    const uint64_t side = layout->array.sides[i];
    start[i] = layout->whole[i] ? 0 : frame % side;
    count[i] = layout->whole[i] ? side : 1;
    frame = layout->whole[i] ? frame : (uint32_t) (frame / side);
  }
  if (!odl_h5_array_read (&layout->array, start, count, block))
    return false;
  if (layout->parts == ODL_H5_SINGLE)
    return true;
  const bool splits = odl_h5_beams_split (layout);
  const bool two = layout->parts == ODL_H5_TWO_ARRAYS;
  g_autofree char *room = two && !splits ? g_malloc (block_bytes (image)) : NULL;
  char *other = splits ? block + image->numbers * number_size (layout) : room;
  if (two && !odl_h5_array_read (&layout->other, start, count, other))
    return false;
  if (!splits)
    take_magnitude (image, block, room);
  return true;
}

// Puts the block where pixels are, row by row.
static void
put_rows (const Image *image, const char *block, OdlPicture *picture)
{
  const OdlH5Layout *layout = &image->layout;
  const OdlMetaSample sample = shown_sample (layout);
  const size_t size = odl_number_size (odl_meta_number_type (sample));
  const bool big = G_BYTE_ORDER == G_BIG_ENDIAN;
  const uint64_t pairs = pairs_of (layout);
  const uint32_t halves = shown_halves (layout);
  // From a place to the next, and from one of its numbers to the other.
  const bool beside = halves > 1 && layout->parts == ODL_H5_PAIRS;
  const uint64_t step = beside ? 2 : 1, other = beside ? 1 : image->numbers;
  const size_t n = (size_t) layout->width * layout->channels * halves;
  g_autofree char *row = g_malloc (n * size);

  for (uint32_t y = 0; y < layout->height; y++) {
    char *to = row;
    for (uint32_t x = 0; x < halves * layout->width; x++)
      for (uint32_t c = 0; c < layout->channels; c++, to += size) {
        const uint64_t place = (x % layout->width * layout->step[0] + y * layout->step[1]
                                + c * layout->step[2])
                               / pairs;
        memcpy (to, block + (place * step + x / layout->width * other) * size, size);
      }
    odl_meta_put (sample, big, row, n, y * n, picture);
  }
}

// The common range of all pictures, from some that lie all over the file.
static void
find_range (Image *image, const OdlPicture *picture, char *block)
{
  const uint32_t n = image->layout.n_frames;
  const uint64_t most = MEASURED_BYTES / MAX (block_bytes (image), 1);
  const uint32_t looked = (uint32_t) CLAMP (most, 1, MIN (n, MEASURED_FRAMES));
  const OdlMetaSample sample = shown_sample (&image->layout);
  const size_t numbers = image->numbers * shown_halves (&image->layout);
  g_autofree float *values = g_new (float, numbers);

  image->has_range = true;
  odl_number_range_init (&image->range, picture);
  for (uint32_t i = 0; i < looked; i++)
    if (read_block (image, (uint32_t) ((uint64_t) i * n / looked), block)) {
      odl_meta_convert (sample, G_BYTE_ORDER == G_BIG_ENDIAN, block, numbers, values);
      odl_number_range_add (&image->range, values, numbers);
    }
}

// ---- Describing ----------------------------------------------------------------------

static void
describe_times (Image *image, OdlPicture *picture)
{
  const OdlH5Layout *layout = &image->layout;
  OdlDecoderReply *reply = &picture->reply;

  if (image->has_times || reply->n_frames < 2)
    return;
  image->has_times = true;
  if (layout->stamps_s != NULL && reply->n_slices > 0)
    odl_stamps_set_volumes (picture, (const double *) layout->stamps_s->data,
                            layout->stamps_s->len, "frame_times");
  else if (layout->stamps_s != NULL)
    odl_stamps_set (picture, (const double *) layout->stamps_s->data,
                    layout->stamps_s->len, "frame_times");
  else if (layout->rate > 0 && reply->n_slices == 0 && isfinite (layout->rate)) {
    reply->frame_rate = CLAMP (layout->rate, 0.01, 10000);
    picture->timing = g_strdup (layout->rate_name);
  }
}

static void
describe (Image *image, OdlPicture *picture)
{
  const OdlH5Layout *layout = &image->layout;
  OdlDecoderReply *reply = &picture->reply;
  g_autofree char *what = odl_h5_array_describe (&image->file, layout->path);
  g_autofree char *path = g_utf8_make_valid (layout->path, -1);

  odl_picture_set_format (picture, "HDF5%s%s", *layout->kind != '\0' ? ", " : "",
                          layout->kind);
  odl_picture_detail (picture, "array", "%s", path);
  odl_picture_detail (picture, "dimensions", "%s", what != NULL ? what : "");
  odl_picture_detail (picture, "header", "hdf5");
  if (layout->n_events > 0)
    odl_picture_detail (picture, "events", "%u", layout->n_events);
  if (image->list != NULL)
    odl_picture_whole_detail (picture, "arrays", image->list);
  reply->n_frames = reply->declared_frames = layout->n_frames;
  reply->n_slices = layout->n_slices;
  memcpy (reply->spacing_mm, layout->spacing_mm, sizeof reply->spacing_mm);
  if (reply->spacing_mm[0] > 0)
    reply->pixel_aspect
        = CLAMP (reply->spacing_mm[0] / reply->spacing_mm[1], 0.001, 1000);
  if (layout->unit != NULL)
    picture->unit = g_strdup (layout->unit);
  describe_times (image, picture);
  if (layout->is_raw)
    odl_picture_warn (picture,
                      _ ("these are samples × channels of each event, from before "
                         "beamforming: they are no picture yet"));
  if (layout->n_tracks > 1 && !layout->is_named)
    odl_picture_warn (picture,
                      _ ("it holds %u tracks and this is track_%u: write the name of "
                         "another one behind that of the file, as in "
                         "FILE:/tracks/track_1"),
                      layout->n_tracks, layout->track);
  if (layout->parts != ODL_H5_SINGLE && !odl_h5_beams_split (layout))
    odl_picture_warn (picture, _ ("its numbers are complex: their magnitude is shown"));
  if (layout->has_odd_places)
    odl_picture_warn (picture, _ ("its pixels lie on no even grid: it has no scale"));
}

// ---- Frames --------------------------------------------------------------------------

static bool
decode_frame (Image *image, uint32_t frame, OdlPicture *picture, GError **error)
{
  const OdlH5Layout *layout = &image->layout;
  const OdlMetaSample sample = shown_sample (layout);
  const OdlPictureShape shape
      = { layout->width * shown_halves (layout), layout->height, (int) layout->channels,
          odl_meta_picture_type (sample) };
  const size_t extra = 2 * block_bytes (image) + layout->array.chunk_bytes;

  describe (image, picture);
  if (odl_picture_allocate (picture, &shape, extra, error) == NULL)
    return false;
  g_autofree char *block = g_malloc (block_bytes (image));
  if (!read_block (image, frame, block))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("the samples of frame %u are damaged or end too early"),
                          frame + 1);
  odl_picture_set_number (picture, odl_meta_number_type (sample), false);
  if (layout->beams.array != ODL_BEAMS_NONE)
    odl_picture_set_beams (picture, &layout->beams);
  put_rows (image, block, picture);
  odl_meta_limit_range (sample, picture);
  if (layout->array.is_bool)
    picture->reply.stored_max = 1;
  if (shape.type == ODL_SAMPLE_F32) {
    if (!image->has_range)
      find_range (image, picture, block);
    odl_picture_finish_numbers (picture, NULL, &image->range);
  }
  return true;
}

// The name that the parent was given. Transfer full.
static char *
ask_name (GError **error)
{
  uint64_t size = 0;
  const int fd = odl_decoder_ask_file (ODL_DECODER_CHOICE, &size, error);
  g_autofree char *name = g_malloc0 (MAX_NAME + 1);

  if (fd < 0)
    return NULL;
  const bool done
      = size <= MAX_NAME && read (fd, name, MAX_NAME) == (ssize_t) size && name[0] == '/';
  close (fd);
  return done ? g_steal_pointer (&name)
              : odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                                _ ("names in it have at most %d bytes"), MAX_NAME);
}

// Chunks that more than one picture lies in are kept unpacked.
static bool
keep_chunks (Image *image, size_t memory)
{
  OdlH5Layout *layout = &image->layout;
  const size_t chunk = layout->array.chunk_bytes;
  const size_t wanted = MIN (memory / 4, 2 * chunk + 4 * block_bytes (image));

  return chunk == 0
         || (odl_h5_array_keep (&layout->array, &image->file, layout->path, wanted)
             && (layout->other_path == NULL
                 || odl_h5_array_keep (&layout->other, &image->file, layout->other_path,
                                       wanted)));
}

// Whether what is stored can be as much as a large picture: of chunks that nobody wrote
// libhdf5 makes numbers without end.
static bool
is_backed (const OdlH5Array *array, uint64_t numbers, GError **error)
{
  const uint64_t bytes = numbers * odl_h5_array_number_bytes (array);

  if (array->chunk_bytes == 0 || bytes <= UNBACKED_BYTES
      || H5Dget_storage_size (array->set) >= bytes / MOST_DEFLATED)
    return true;
  return odl_h5_array_refuse_size (error);
}

static bool
open_image (Image *image, const OdlDecoderInput *input, const char *name, GError **error)
{
  OdlH5Layout *layout = &image->layout;
  const size_t memory = input->memory / 4;
  unsigned n = 0;

  if (!odl_h5_file_open (&image->file, input->data, input->size, error)
      || !odl_h5_layout_find (layout, &image->file, name, memory, error))
    return false;
  image->numbers = (uint64_t) layout->width * layout->height * layout->channels;
  g_assert (odl_h5_layout_numbers (layout) == image->numbers * pairs_of (layout));
  if (!is_backed (&layout->array, image->numbers, error)
      || (layout->other_path != NULL
          && !is_backed (&layout->other, image->numbers, error)))
    return false;
  const OdlPictureShape shape = { layout->width * shown_halves (layout), layout->height,
                                  (int) layout->channels, ODL_SAMPLE_F32 };
  const OdlPicture none = { .memory = input->memory };
  if (!odl_picture_fits (&none, &shape, layout->array.chunk_bytes, error))
    return false;
  if (!keep_chunks (image, input->memory))
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its array is damaged"));
  image->list = odl_h5_list_text (&image->file, &n);
  if (n < 2)
    g_clear_pointer (&image->list, g_free);
  return true;
}

static bool
decode (const OdlDecoderInput *input, bool is_named, OdlPicture *picture, GError **error)
{
  Image *image = *input->kept;

  if (image == NULL) {
    g_autofree char *name = is_named ? ask_name (error) : NULL;
    if (is_named && name == NULL)
      return false;
    image = g_new0 (Image, 1);
    image->file.file = image->file.driver = -1;
    if (!open_image (image, input, name, error)) {
      image_free (image);
      return false;
    }
    *input->kept = image;
    *input->free_kept = image_free;
  }
  const uint32_t n = image->layout.n_frames;
  if (input->frame < n)
    return decode_frame (image, input->frame, picture, error);
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("there is no frame %u; the file holds %u"), input->frame + 1,
                        n);
}

bool
odl_decode_hdf5 (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return decode (input, false, picture, error);
}

bool
odl_decode_hdf5_array (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return decode (input, true, picture, error);
}

// The groups and arrays of an HDF5 file for people.

#define MAX_OPENED 4096
#define MAX_SHOWN 8 // numbers of an array

typedef struct {
  OdlH5File file;
  OdlTold *told;
  int n;
} Dump;

// Numbers, where they are few.
static char *
show_numbers (const Dump *dump, const char *path)
{
  double numbers[MAX_SHOWN];
  const size_t n = odl_h5_array_numbers (&dump->file, path, numbers, MAX_SHOWN);
  g_autoptr (GString) text = g_string_new (n > 0 ? ": " : "");

  for (size_t i = 0; i < n; i++) {
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            g_ascii_formatd (digits, sizeof digits, "%.9g", numbers[i]));
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static bool
tell_cb (const char *path, OdlH5Thing thing, void *data)
{
  Dump *dump = data;

  if (dump->n++ == MAX_OPENED) {
    odl_told_add (dump->told, "…", "");
    return false;
  }
  if (thing == ODL_H5_GROUP) {
    g_autofree char *class = odl_h5_file_text (&dump->file, path, "class");
    odl_told_add (dump->told, path, class != NULL ? class : "");
    return true;
  }
  g_autofree char *what = odl_h5_array_describe (&dump->file, path);
  g_autofree char *numbers = show_numbers (dump, path);
  g_autofree char *word = what == NULL ? odl_h5_file_word (&dump->file, path) : NULL;
  g_autofree char *value = g_strconcat (what != NULL   ? what
                                        : word != NULL ? word
                                                       : "",
                                        numbers, NULL);
  odl_told_add (dump->told, path, value);
  return true;
}

bool
odl_dump_hdf5 (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  Dump dump = { .file = { -1, -1 }, .told = odl_told_new () };
  bool is_cut = false;
  bool done = odl_h5_file_open (&dump.file, input->data, input->size, error);

  if (done)
    odl_h5_file_walk (&dump.file, tell_cb, &dump, &is_cut);
  if (is_cut)
    odl_told_add (dump.told, "…", "");
  done = done && odl_told_finish (dump.told, picture, error);
  odl_h5_file_close (&dump.file);
  odl_told_free (dump.told);
  return done;
}
