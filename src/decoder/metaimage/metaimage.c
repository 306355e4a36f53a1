// SPDX-License-Identifier: MIT
// MetaImage: grey and colour samples of all types, in one or several files; all axes
// beyond the second are frames. Volumes whose header says how they lie are turned as
// those of NIfTI files are.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "decoder/exchange.h"
#include "decoder/formats.h"
#include "decoder/metaimage/convert.h"
#include "decoder/metaimage/data.h"
#include "decoder/metaimage/header.h"
#include "decoder/stamps.h"
#include "decoder/told.h"

#define NO_FILE G_MAXUINT
#define CHUNK_BYTES ((size_t) 256 << 10)
#define MEASURED_BYTES ((uint64_t) 64 << 20)
#define MEASURED_FILES 32u
// Deflate makes at most 1032 bytes of one.
#define MOST_DEFLATED 1032u

// State kept between frames.
typedef struct {
  OdlMetaHeader header;
  guint file; // file that `data` reads; NO_FILE: none
  int fd; // of it
  uint64_t stored_bytes; // size of the samples in it
  OdlMetaData *data;
  uint8_t *volume; // stored samples of a volume whose axes are exchanged; NULL: none
  size_t volume_there; // bytes of them
  uint32_t volume_number;
  bool timed; // frame times have been sent
  bool has_range; // see odl_picture_wants_range
  OdlNumberRange range;
} Image;

static void
close_file (Image *image)
{
  odl_meta_data_free (g_steal_pointer (&image->data));
  if (image->file != NO_FILE && image->fd != ODL_HELPER_FILE_FD)
    close (image->fd);
  image->file = NO_FILE;
}

static void
image_free (void *data)
{
  Image *image = data;

  close_file (image);
  g_free (image->volume);
  odl_meta_header_clear (&image->header);
  g_free (image);
}

static bool
is_exchanged (const OdlMetaHeader *header)
{
  const int *axis = header->place.axis;

  return (header->is_placed || header->is_turned)
         && (axis[0] != 0 || axis[1] != 1 || axis[2] != 2);
}

// Slices of a volume as they are shown; 0: no volume.
static uint32_t
shown_slices (const OdlMetaHeader *header)
{
  return header->n_slices > 0 ? header->place.extent[header->place.axis[2]] : 0;
}

// Frames that are shown of so many stored ones.
static uint32_t
shown_frames (const OdlMetaHeader *header, uint32_t stored)
{
  return is_exchanged (header) && header->n_slices > 0
             ? stored / header->n_slices * shown_slices (header)
             : stored;
}

// The frame of the file that is shown as `frame`, where axes are not exchanged.
static uint32_t
stored_frame (const OdlMetaHeader *header, uint32_t frame)
{
  const uint32_t n = header->n_slices;

  return n > 0 && header->place.mirrored[2] ? frame / n * n + (n - 1 - frame % n) : frame;
}

static bool
find_samples (const OdlMetaHeader *header,
              uint64_t size,
              uint64_t total,
              uint64_t *offset,
              GError **error)
{
  *offset = header->skip_bytes > 0 ? header->skip_bytes : header->local_offset;
  const bool at_end = header->at_end && !header->is_text;
  if (at_end && size >= total)
    *offset = size - total;
  if (*offset < size && !(at_end && size < total))
    return true;
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("it contains no image: its samples are missing"));
}

static bool
open_file (Image *image, guint file, GError **error)
{
  const OdlMetaHeader *header = &image->header;
  const uint64_t total = header->frame_bytes * (uint64_t) header->frames_per_file;
  uint64_t size = 0;

  if (image->file == file)
    return true;
  close_file (image);
  if (header->local_offset > 0) {
    image->fd = ODL_HELPER_FILE_FD;
    odl_decoder_file_size (image->fd, &size);
  } else {
    image->fd = odl_decoder_ask_file (header->files->pdata[file], &size, error);
    if (image->fd < 0)
      return false;
  }
  image->file = file;
  OdlMetaDataParams params = { .fd = image->fd,
                               .compressed = header->compressed,
                               .text = header->is_text ? header->type : NULL,
                               .file_bytes = size,
                               .total_bytes = total };
  if (find_samples (header, size, total, &params.offset, error)) {
    image->stored_bytes = size - params.offset;
    image->data = odl_meta_data_new (&params);
    if (image->data != NULL && header->is_text)
      image->stored_bytes = odl_meta_data_text_bytes (image->data);
    if (image->data != NULL)
      return true;
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                         _ ("decoding it needs more memory than it may take"));
  }
  close_file (image);
  return false;
}

// Number of available frames, as far as known without inflating.
static uint32_t
count_frames (const Image *image)
{
  const OdlMetaHeader *header = &image->header;
  uint64_t frames = header->n_frames;

  if (header->local_offset == 0)
    frames = MIN (frames, (uint64_t) header->files->len * header->frames_per_file);
  if (frames <= header->frames_per_file) {
    const uint64_t most
        = header->compressed ? image->stored_bytes * MOST_DEFLATED : image->stored_bytes;
    frames = MIN (frames, most / header->frame_bytes);
  }
  return (uint32_t) MAX (frames, 1);
}

// PlusLib writes a spacing of 1 regardless of the scale.
static bool
spacing_is_known (const OdlMetaHeader *header)
{
  const bool unit = header->spacing_mm[0] == 1 && header->spacing_mm[1] == 1;

  return header->spacing_mm[0] > 0
         && !(unit && (header->orientation[0] != '\0' || header->stamps_s->len > 0));
}

static void
describe_spacing (const OdlMetaHeader *header, OdlPicture *picture)
{
  OdlDecoderReply *reply = &picture->reply;

  if (header->spacing_is_nonsense)
    odl_picture_warn (picture, _ ("its %s is invalid and is ignored"),
                      header->spacing_field);
  else if (header->spacing_was_negative)
    odl_picture_warn (picture, _ ("its %s is negative; the amount is taken"),
                      header->spacing_field);
  if (!spacing_is_known (header))
    return;
  for (int shown = 0; shown < 3; shown++) {
    const bool turned = header->is_placed || header->is_turned;
    const int axis = turned ? header->place.axis[shown] : shown;
    reply->spacing_mm[shown] = header->spacing_mm[axis];
    if (header->is_placed && header->spacing_mm[axis] > 0)
      reply->spacing_mm[shown] = odl_place_step (header->place.lps, axis);
  }
  if (header->n_slices == 0)
    reply->spacing_mm[2] = 0;
  if (reply->spacing_mm[0] > 0 && reply->spacing_mm[1] > 0)
    reply->pixel_aspect
        = CLAMP (reply->spacing_mm[0] / reply->spacing_mm[1], 0.001, 1000);
}

static void
describe_place (const OdlMetaHeader *header, OdlPicture *picture)
{
  if (header->is_placed)
    odl_place_describe (&header->place, picture);
  if (header->orientation_is_odd)
    odl_picture_warn (picture, _ ("its %s is invalid and is ignored"),
                      "UltrasoundImageOrientation");
  if (header->beams_are_odd)
    odl_picture_warn (picture, _ ("its %s is invalid and is ignored"), "Beams");
  if (header->ignored != NULL)
    odl_picture_warn (
        picture, _ ("its %s is invalid and is ignored: left and right may be exchanged"),
        header->ignored);
  if (header->place_differs)
    odl_picture_warn (picture, _ ("its TransformMatrix and its AnatomicalOrientation "
                                  "place it differently; its TransformMatrix is taken"));
}

static void
describe (Image *image, OdlPicture *picture)
{
  const OdlMetaHeader *header = &image->header;
  OdlDecoderReply *reply = &picture->reply;

  odl_picture_set_format (picture, "MetaImage, %s%s", header->type->name,
                          header->compressed ? ", zlib" : "");
  odl_picture_detail (picture, "element-type", "%s", header->type->name);
  odl_picture_detail (picture, "dimensions", "%s", header->dimensions);
  odl_picture_detail (picture, "byte-order", "%s", header->big_endian ? "big" : "little");
  odl_picture_detail (picture, "header", "metaimage");
  if (header->orientation[0] != '\0')
    odl_picture_detail (picture, "orientation", "%s", header->orientation);
  if (header->flip_x || header->flip_y)
    odl_picture_detail (picture, "mirrored", "%s%s", header->flip_x ? "x" : "",
                        header->flip_y ? "y" : "");
  const uint32_t there = count_frames (image);
  const uint32_t n_slices = shown_slices (header);
  reply->declared_frames = shown_frames (header, header->n_frames);
  reply->n_frames = shown_frames (header, there);
  // Of a time step that is there in part, the slices that are not are refused by number.
  if (n_slices > 1) {
    reply->n_slices = n_slices;
    reply->n_frames = (reply->n_frames + n_slices - 1) / n_slices * n_slices;
  }
  describe_spacing (header, picture);
  describe_place (header, picture);
  if (n_slices > 1 && reply->n_frames > n_slices && header->interval_s > 0)
    odl_picture_detail (picture, "volume-interval-s", "%.9g", header->interval_s);
  if (there < header->n_frames)
    odl_picture_warn_first (picture, _ ("the file declares %u frames but holds %u"),
                            header->n_frames, there);
  if (!image->timed)
    (reply->n_slices > 0 ? odl_stamps_set_volumes : odl_stamps_set) (
        picture, (const double *) header->stamps_s->data, header->stamps_s->len,
        "Timestamp");
  image->timed = true;
}

// Reads and converts samples; returns the number of available bytes.
static size_t
read_samples (Image *image, uint64_t offset, OdlPicture *picture)
{
  const OdlMetaHeader *header = &image->header;
  const size_t size = header->type->size;
  const bool kept = odl_meta_is_kept (header->type->sample, header->big_endian, picture);
  g_autofree uint8_t *chunk = g_malloc (CHUNK_BYTES);
  size_t done = 0;

  while (done < header->frame_bytes) {
    const size_t wanted = MIN (header->frame_bytes - done, CHUNK_BYTES);
    const size_t n = odl_meta_data_read (image->data, offset + done, chunk, wanted);
    if (kept && !odl_picture_write (picture, done, chunk, n))
      break;
    if (!kept)
      odl_meta_put (header->type->sample, header->big_endian, chunk, n / size,
                    done / size, picture);
    done += n;
    if (n < wanted)
      break;
  }
  return done;
}

// Reads the samples of all slices of a volume as they are stored.
static bool
read_volume (Image *image, uint32_t number, GError **error)
{
  const OdlMetaHeader *header = &image->header;
  const uint32_t n = header->place.extent[2];

  if (image->volume != NULL && image->volume_number == number)
    return true;
  if (image->volume == NULL)
    image->volume = g_try_malloc (header->frame_bytes * n);
  if (image->volume == NULL)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("decoding it needs more memory than it may take"));
  image->volume_there = 0;
  image->volume_number = number;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t frame = number * n + i;
    if (!open_file (image, frame / header->frames_per_file, error)) {
      g_clear_pointer (&image->volume, g_free);
      return false;
    }
    const size_t read = odl_meta_data_read (
        image->data, (uint64_t) (frame % header->frames_per_file) * header->frame_bytes,
        image->volume + i * header->frame_bytes, header->frame_bytes);
    image->volume_there += read;
    if (read < header->frame_bytes)
      break;
  }
  return true;
}

// Fills the picture with a slice across the stored ones; returns the number of available
// bytes. What is missing is as dark as the darkest.
static size_t
gather (const Image *image, uint32_t frame, OdlPicture *picture)
{
  const OdlMetaHeader *header = &image->header;
  const size_t pixel = header->type->size * header->channels;
  const uint32_t width = picture->reply.width, height = picture->reply.height;
  g_autofree uint8_t *row = g_malloc0 (width * pixel);
  g_autofree uint8_t *missing = g_malloc0 ((size_t) width * height);
  int64_t step[3];
  const int64_t start = odl_place_origin (&header->place, step) + frame * step[2];
  size_t n = 0;

  for (uint32_t y = 0; y < height; y++) {
    for (uint32_t x = 0; x < width; x++) {
      const size_t at = (size_t) (start + y * step[1] + x * step[0]) * pixel;
      missing[(size_t) y * width + x] = at + pixel > image->volume_there;
      if (at + pixel > image->volume_there)
        continue;
      memcpy (row + x * pixel, image->volume + at, pixel);
      n += pixel;
    }
    odl_meta_put (header->type->sample, header->big_endian, row,
                  (size_t) width * header->channels,
                  (size_t) y * width * header->channels, picture);
  }
  if (n < header->channels * (size_t) width * height * header->type->size
      && header->channels == 1)
    odl_picture_fill_places (picture, missing);
  return n;
}

static size_t
read_frame (Image *image, uint32_t frame, OdlPicture *picture)
{
  const OdlMetaHeader *header = &image->header;
  size_t there = 0;

  if (is_exchanged (header))
    return gather (image, frame % MAX (shown_slices (header), 1), picture);
  const uint32_t stored = stored_frame (header, frame);
  there = read_samples (
      image, (uint64_t) (stored % header->frames_per_file) * header->frame_bytes,
      picture);
  if (header->channels == 1)
    odl_picture_fill_missing (picture, there / header->type->size, false);
  odl_meta_mirror (header, picture);
  return there;
}

// Refuses what is not there at all; marks what is there in part.
static bool
judge (Image *image, uint32_t frame, size_t there, OdlPicture *picture, GError **error)
{
  const OdlMetaHeader *header = &image->header;
  const size_t wanted = (size_t) picture->reply.width * picture->reply.height
                        * header->channels * header->type->size;
  const bool spoiled = there < wanted || odl_meta_data_is_damaged (image->data);

  if (spoiled && frame > 0 && (there == 0 || !is_exchanged (header)))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("the samples of frame %u are damaged or end too early"),
                          frame + 1);
  // The last slice of a volume that ends too early may be the first one shown.
  if (there == 0 && stored_frame (header, frame) == 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it contains no image: its samples are missing"));
  if (spoiled)
    odl_picture_incomplete (picture, _ ("the samples are damaged or end too early"));
  return true;
}

static bool
decode_frame (Image *image, uint32_t frame, OdlPicture *picture, GError **error)
{
  const OdlMetaHeader *header = &image->header;
  const int *axis = header->place.axis;
  const bool exchanged = is_exchanged (header);
  const OdlPictureShape shape
      = { exchanged ? header->place.extent[axis[0]] : header->width,
          exchanged ? header->place.extent[axis[1]] : header->height,
          (int) header->channels, odl_meta_picture_type (header->type->sample) };
  const size_t kept = exchanged ? header->frame_bytes * header->place.extent[2] : 0;

  if (exchanged ? !read_volume (image, frame / MAX (shown_slices (header), 1), error)
                : !open_file (
                    image, stored_frame (header, frame) / header->frames_per_file, error))
    return false;
  describe (image, picture);
  const uint32_t item = frame / MAX (shown_slices (header), 1);
  const bool invalid = g_hash_table_contains (header->invalid, GUINT_TO_POINTER (item));
  if (frame > 0 && invalid)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("frame %u was marked as invalid by the recording program"),
                          frame + 1);
  if (odl_picture_allocate (picture, &shape, CHUNK_BYTES + kept, error) == NULL)
    return false;
  odl_picture_set_number (picture, odl_meta_number_type (header->type->sample), false);
  if (header->beams.array != ODL_BEAMS_NONE)
    odl_picture_set_beams (picture, &header->beams);
  if (!judge (image, frame, read_frame (image, frame, picture), picture, error))
    return false;
  if (invalid)
    odl_picture_incomplete (picture,
                            _ ("frame %u was marked as invalid by the recording program"),
                            frame + 1);
  if (shape.type != ODL_SAMPLE_F32)
    odl_meta_limit_range (header->type->sample, picture);
  return true;
}

// Extends the range by the values of a frame.
static void
measure_frame (Image *image, uint32_t frame)
{
  const OdlMetaHeader *header = &image->header;
  const size_t size = header->type->size;
  g_autofree uint8_t *chunk = g_malloc (CHUNK_BYTES);
  g_autofree float *values = g_new (float, CHUNK_BYTES / size);
  const uint64_t offset = frame % header->frames_per_file * header->frame_bytes;
  size_t n = CHUNK_BYTES;

  if (!open_file (image, frame / header->frames_per_file, NULL))
    return;
  for (size_t done = 0; done < header->frame_bytes && n == CHUNK_BYTES; done += n) {
    n = odl_meta_data_read (image->data, offset + done, chunk,
                            MIN (header->frame_bytes - done, CHUNK_BYTES));
    odl_meta_measure (header->type->sample, header->big_endian, chunk, n / size, values,
                      &image->range);
  }
}

// Finds the common range of all frames: of floats from the header, or from a number of
// frames (evenly spaced if random access is cheap), so that the first picture does not
// have to wait for gigabytes.
static void
find_range (Image *image, const OdlPicture *picture)
{
  const OdlMetaHeader *header = &image->header;
  const uint32_t frames = count_frames (image);
  uint64_t n = CLAMP (MEASURED_BYTES / header->frame_bytes, 1, frames);

  image->has_range = true;
  odl_number_range_init (&image->range, picture);
  if (picture->reply.sample_type == ODL_SAMPLE_F32 && header->has_range
      && odl_picture_is_range (header->range))
    return;
  if (frames > header->frames_per_file)
    n = MIN (n, MEASURED_FILES);
  const bool spread = !header->compressed || frames > header->frames_per_file;
  for (uint64_t i = 0; i < n; i++)
    measure_frame (image, (uint32_t) (spread ? i * frames / n : i));
}

// Of a single volume the slices that are there. Axes are exchanged where a volume fits
// into half of the memory; else it stays as it is stored.
static void
settle_place (Image *image, const OdlDecoderInput *input)
{
  OdlMetaHeader *header = &image->header;
  OdlPlace *place = &header->place;

  if (header->n_slices > 0 && open_file (image, 0, NULL)
      && count_frames (image) < header->n_slices) {
    header->n_slices = count_frames (image);
    place->extent[2] = header->n_slices;
    if (header->is_placed)
      odl_place_turn (place);
    else if (header->is_turned)
      odl_place_turn_to_transducer (place, header->orientation);
  }
  if (is_exchanged (header) && header->frame_bytes > input->memory / 2 / place->extent[2])
    odl_place_keep (place);
  if (!header->is_placed && !header->is_turned)
    return;
  header->flip_x = place->mirrored[0];
  header->flip_y = place->mirrored[1];
}

bool
odl_decode_metaimage (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  Image *image = *input->kept;

  if (image == NULL) {
    image = g_new0 (Image, 1);
    image->file = NO_FILE;
    *input->kept = image;
    *input->free_kept = image_free;
    if (!odl_meta_header_read (&image->header, input->data, input->size, error))
      return false;
    settle_place (image, input);
  }
  const OdlMetaHeader *header = &image->header;
  const uint32_t n = header->type != NULL ? shown_frames (header, header->n_frames) : 0;
  const bool exists = input->frame < n
                      && (header->local_offset > 0 || is_exchanged (header)
                          || stored_frame (header, input->frame) / header->frames_per_file
                                 < header->files->len);
  if (!exists)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("there is no frame %u; the file holds %u"), input->frame + 1,
                          n);
  if (!decode_frame (image, input->frame, picture, error))
    return false;
  if (!odl_picture_wants_range (picture, input->frame))
    return true;
  if (!image->has_range)
    find_range (image, picture);
  if (picture->reply.sample_type == ODL_SAMPLE_F32)
    odl_picture_finish_numbers (picture, header->has_range ? header->range : NULL,
                                &image->range);
  else
    odl_picture_set_found (picture, &image->range);
  return true;
}

// The header of a MetaImage for people.

#define PLUS "Seq_Frame"

static void
tell (const char *key, const char *value, void *data)
{
  OdlTold *told = data;
  char *end = NULL;
  const bool of_frame = g_str_has_prefix (key, PLUS);
  const uint64_t frame = of_frame ? g_ascii_strtoull (key + strlen (PLUS), &end, 10) : 0;

  if (of_frame && *end == '_' && frame < ODL_DECODER_MAX_FRAMES)
    odl_told_add_item (told, (uint32_t) frame, end + 1, value);
  else
    odl_told_add (told, key, value);
}

bool
odl_dump_metaimage (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  OdlTold *told = odl_told_new ();

  odl_meta_header_walk (input->data, input->size, tell, told);
  const bool done = odl_told_finish (told, picture, error);
  odl_told_free (told);
  return done;
}
