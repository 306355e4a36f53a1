// SPDX-License-Identifier: MIT
// NIfTI-1 and NIfTI-2: grey and colour samples in one or two files, packed by gzip or
// not. Volumes are turned so that slices lie across the body, the lowest first, with
// rows to the left and columns to the back; all axes beyond the third are volumes, one
// after the other.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "decoder/exchange.h"
#include "decoder/formats.h"
#include "decoder/metaimage/convert.h"
#include "decoder/nifti/gunzip.h"
#include "decoder/nifti/header.h"
#include "decoder/nifti/place.h"

#define MEASURED_VOXELS 65536u
#define MEASURED_PLACES 256u

// State kept between frames.
typedef struct {
  OdlNiftiHeader header;
  const uint8_t *samples;
  uint64_t n_there; // voxels, with all of their colours
  uint64_t n_numbers; // voxels of the file, which has one colour after the other
  OdlGunzip *gunzip; // NULL: not packed
  void *mapped; // file of the samples, if it is not the input
  size_t mapped_size;
  bool damaged; // the packed file
  bool has_range; // for floats and types wider than 16 bits
  OdlNumberRange range;
} Image;

static void
image_free (void *data)
{
  Image *image = data;

  odl_gunzip_free (image->gunzip);
  if (image->mapped != NULL)
    munmap (image->mapped, image->mapped_size);
  g_free (image);
}

// ---- Opening ----

// A file, and what is unpacked of it.
typedef struct {
  const uint8_t *data;
  size_t size;
  size_t limit; // of what is unpacked
} Bytes;

// Unpacks `wanted` bytes if the file is packed; `bytes` then refers to these.
static bool
unpack (Image *image, Bytes *bytes, uint64_t wanted, GError **error)
{
  if (image->gunzip == NULL && odl_gunzip_begins (bytes->data, bytes->size)) {
    image->gunzip = odl_gunzip_new (bytes->data, bytes->size);
    if (image->gunzip == NULL)
      return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                            _ ("decoding it needs more memory than it may take"));
  }
  if (image->gunzip == NULL)
    return true;
  if (!odl_gunzip_fill (image->gunzip, wanted, bytes->limit, error))
    return false;
  bytes->data = odl_gunzip_data (image->gunzip, &bytes->size);
  return true;
}

// Replaces `bytes`, the header, by the file of the samples.
static bool
take_samples_file (Image *image, Bytes *bytes, GError **error)
{
  const bool packed = image->gunzip != NULL;
  uint64_t size = 0;
  const int fd = odl_decoder_ask_file (packed ? "*.img.gz" : "*.img", &size, error);

  if (fd < 0)
    return false;
  g_clear_pointer (&image->gunzip, odl_gunzip_free);
  void *mapped = mmap (NULL, (size_t) size, PROT_READ, MAP_PRIVATE, fd, 0);
  close (fd);
  if (mapped == MAP_FAILED)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("decoding it needs more memory than it may take"));
  image->mapped = mapped;
  image->mapped_size = bytes->size = (size_t) size;
  bytes->data = mapped;
  return true;
}

static uint64_t
voxels_of_volume (const OdlNiftiHeader *header)
{
  return (uint64_t) header->place.extent[0] * header->place.extent[1]
         * header->place.extent[2];
}

static bool
open_image (Image *image, const OdlDecoderInput *input, GError **error)
{
  OdlNiftiHeader *header = &image->header;
  Bytes bytes = { input->data, input->size, input->memory - input->memory / 4 };

  if (!unpack (image, &bytes, ODL_NIFTI_HEADER_BYTES, error)
      || !odl_nifti_header_read (header, bytes.data, bytes.size, error)
      || (header->is_pair && !take_samples_file (image, &bytes, error)))
    return false;
  const uint64_t each = voxels_of_volume (header) * header->n_volumes;
  const uint64_t n = each * header->n_colours;
  if (!unpack (image, &bytes, header->offset + n * header->type->size, error))
    return false;
  if (bytes.size < header->offset || bytes.size - header->offset < header->type->size)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it contains no image: its samples are missing"));
  image->samples = bytes.data + header->offset;
  image->n_numbers = MIN (n, (bytes.size - header->offset) / header->type->size);
  image->n_there = image->n_numbers - MIN (image->n_numbers, n - each);
  image->damaged = image->gunzip != NULL && odl_gunzip_is_damaged (image->gunzip);
  return true;
}

// ---- Describing ----

// Number of frames of which something is there.
static uint32_t
count_frames (const Image *image)
{
  const OdlNiftiHeader *header = &image->header;
  const uint64_t volume = voxels_of_volume (header);
  const uint32_t slices = header->place.extent[header->place.axis[2]];
  const uint64_t volumes = MAX ((image->n_there + volume - 1) / volume, 1);

  // A single one ends with a slice where slices are stored in the order shown.
  if (volumes > 1 || header->place.axis[2] != 2 || header->place.mirrored[2])
    return (uint32_t) volumes * slices;
  const uint64_t slice = volume / slices;
  return (uint32_t) ((image->n_there + slice - 1) / slice);
}

static void
describe_spacing (const OdlNiftiHeader *header, OdlPicture *picture)
{
  OdlDecoderReply *reply = &picture->reply;

  for (int shown = 0; shown < 3; shown++)
    reply->spacing_mm[shown] = header->spacing_mm[header->place.axis[shown]];
  if (reply->n_slices == 0)
    reply->spacing_mm[2] = 0;
  if (reply->spacing_mm[1] > 0)
    reply->pixel_aspect
        = CLAMP (reply->spacing_mm[0] / reply->spacing_mm[1], 0.001, 1000);
}

static void
describe (const Image *image, OdlPicture *picture)
{
  const OdlNiftiHeader *header = &image->header;
  OdlDecoderReply *reply = &picture->reply;
  const uint32_t slices = header->place.extent[header->place.axis[2]];

  odl_picture_set_format (picture, "NIfTI-%d, %s%s", header->version, header->type->name,
                          image->gunzip != NULL ? ", gzip" : "");
  odl_picture_detail (picture, "byte-order", "%s", header->big_endian ? "big" : "little");
  odl_picture_detail (picture, "dimensions", "%u %u %u %u", header->place.extent[0],
                      header->place.extent[1], header->place.extent[2],
                      header->n_volumes);
  if (header->n_components > 1)
    odl_picture_detail (picture, "components", "%u", header->n_components);
  if (header->n_components > header->n_colours)
    odl_picture_warn (picture,
                      _ ("each place has %u numbers (dim[5]): they are shown one "
                         "after the other"),
                      header->n_components);
  reply->declared_frames = slices * header->n_volumes;
  reply->n_frames = count_frames (image);
  reply->n_slices = MIN (slices, reply->n_frames) > 1 ? MIN (slices, reply->n_frames) : 0;
  describe_spacing (header, picture);
  if (header->is_placed)
    odl_place_describe (&header->place, picture);
  else
    odl_picture_warn (picture, _ ("its header does not say how it lies in the body "
                                  "(sform, qform): left and right may be exchanged"));
  if (header->n_volumes > 1 && header->interval_s > 0) {
    odl_picture_detail (picture, "volume-interval-s", "%.9g", header->interval_s);
    if (slices == 1) {
      reply->frame_rate = CLAMP (1 / header->interval_s, 0.01, 10000);
      picture->timing = g_strdup ("pixdim");
    }
  }
  if (header->forms_differ)
    odl_picture_warn (
        picture, _ ("its sform and its qform place it differently; its sform is taken"));
  if (header->was_negative)
    odl_picture_warn (picture, _ ("its %s is negative; the amount is taken"), "pixdim");
  for (int i = 0; i < header->n_ignored; i++)
    odl_picture_warn (picture, _ ("its %s is invalid and is ignored"),
                      header->ignored[i]);
  if (reply->n_frames < reply->declared_frames)
    odl_picture_warn_first (picture, _ ("the file declares %u frames but holds %u"),
                            reply->declared_frames, reply->n_frames);
  else if (image->n_there < voxels_of_volume (header) * header->n_volumes)
    odl_picture_warn_first (picture, _ ("its last samples are missing"));
}

static void
describe_values (const OdlNiftiHeader *header, OdlPicture *picture)
{
  OdlDecoderReply *reply = &picture->reply;

  odl_meta_limit_range (header->type->sample, picture);
  reply->slope = header->slope;
  reply->intercept = header->intercept;
  reply->has_window = header->window[0] < header->window[1];
  reply->window_centre = 0.5 * (header->window[0] + header->window[1]);
  reply->window_width = header->window[1] - header->window[0];
}

// ---- Samples ----

// Copies the voxels of one shown row, of which `missing` tells those that are not there.
// Returns the number of the others.
static size_t
gather_row (const Image *image, int64_t at, int64_t step, uint8_t *row, uint8_t *missing)
{
  const OdlNiftiHeader *header = &image->header;
  const size_t size = header->type->size;
  const uint32_t width = header->place.extent[header->place.axis[0]];
  const uint64_t colour = voxels_of_volume (header) * header->n_volumes;
  size_t n = 0;

  for (uint32_t x = 0; x < width; x++, at += step) {
    missing[x] = (uint64_t) at >= image->n_there;
    if (missing[x] != 0)
      continue;
    for (uint32_t c = 0; c < header->n_colours; c++)
      memcpy (row + (x * header->n_colours + c) * size,
              image->samples + ((uint64_t) at + c * colour) * size, size);
    n++;
  }
  return n;
}

// Fills the picture; returns the number of voxels that are there.
static size_t
gather (const Image *image, uint32_t frame, OdlPicture *picture)
{
  const OdlNiftiHeader *header = &image->header;
  const uint32_t width = picture->reply.width, height = picture->reply.height;
  const uint32_t channels = picture->reply.channels;
  const uint32_t slices = header->place.extent[header->place.axis[2]];
  g_autofree uint8_t *row
      = g_malloc0 ((size_t) width * header->type->size * header->n_colours);
  g_autofree uint8_t *missing = g_malloc ((size_t) width * height);
  int64_t step[3];
  const int64_t start = odl_place_origin (&header->place, step)
                        + (int64_t) (frame / slices * voxels_of_volume (header))
                        + frame % slices * step[2];
  size_t n = 0;

  for (uint32_t y = 0; y < height; y++) {
    n += gather_row (image, start + y * step[1], step[0], row,
                     missing + (size_t) y * width);
    odl_meta_put (header->type->sample, header->big_endian, row, width * channels,
                  (size_t) y * width * channels, picture);
  }
  if (n < (size_t) width * height && channels == 1)
    odl_picture_fill_places (picture, missing);
  return n;
}

// The range of all values, or of many places in a large file.
static void
find_range (Image *image, const OdlPicture *picture)
{
  const OdlNiftiHeader *header = &image->header;
  const uint64_t n_parts = (image->n_numbers + MEASURED_VOXELS - 1) / MEASURED_VOXELS;
  const uint64_t n = MIN (n_parts, MEASURED_PLACES);
  g_autofree float *values = g_new (float, MEASURED_VOXELS);

  image->has_range = true;
  odl_number_range_init (&image->range, picture);
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t at = i * n_parts / n * MEASURED_VOXELS;
    const size_t size = (size_t) MIN (image->n_numbers - at, MEASURED_VOXELS);
    odl_meta_convert (header->type->sample, header->big_endian,
                      image->samples + at * header->type->size, size, values);
    odl_number_range_add (&image->range, values, size);
  }
}

static bool
decode_frame (Image *image, uint32_t frame, OdlPicture *picture, GError **error)
{
  const OdlNiftiHeader *header = &image->header;
  const OdlPictureShape shape = { header->place.extent[header->place.axis[0]],
                                  header->place.extent[header->place.axis[1]],
                                  (int) (header->type->channels * header->n_colours),
                                  odl_meta_picture_type (header->type->sample) };
  size_t unpacked = 0;

  if (image->gunzip != NULL)
    odl_gunzip_data (image->gunzip, &unpacked);
  describe (image, picture);
  const uint64_t pixels = (uint64_t) shape.width * shape.height;
  if (odl_picture_allocate (picture, &shape, unpacked + (size_t) pixels, error) == NULL)
    return false;
  odl_picture_set_number (picture, odl_meta_number_type (header->type->sample), false);
  const size_t n = gather (image, frame, picture);
  if (n == 0 && frame > 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("the samples of frame %u are damaged or end too early"),
                          frame + 1);
  if (n < pixels)
    odl_picture_incomplete (picture, _ ("the samples are damaged or end too early"));
  else if (image->damaged)
    odl_picture_warn (picture, _ ("its packed samples are damaged or end too early"));
  describe_values (header, picture);
  if (shape.type == ODL_SAMPLE_F32) {
    if (!image->has_range)
      find_range (image, picture);
    odl_picture_finish_numbers (picture, NULL, &image->range);
  }
  return true;
}

bool
odl_decode_nifti (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  Image *image = *input->kept;

  if (image == NULL) {
    image = g_new0 (Image, 1);
    if (!open_image (image, input, error)) {
      image_free (image);
      return false;
    }
    *input->kept = image;
    *input->free_kept = image_free;
  }
  const uint32_t n = count_frames (image);
  if (input->frame < n)
    return decode_frame (image, input->frame, picture, error);
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("there is no frame %u; the file holds %u"), input->frame + 1,
                        n);
}
