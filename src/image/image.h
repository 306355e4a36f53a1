// SPDX-License-Identifier: MIT
// OdlImage: samples with their geometry and meaning; immutable once published.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/display/overlay.h"
#include "image/display/value_map.h"

G_BEGIN_DECLS

#define ODL_IMAGE_MAX_CHANNELS 4

// Limits that every image obeys; beyond them creation fails with ODL_ERROR_TOO_LARGE.
#define ODL_IMAGE_MAX_SIDE 1048576
#define ODL_IMAGE_MAX_SAMPLES ((size_t) 1 << 31)

typedef enum {
  ODL_SAMPLE_U8,
  ODL_SAMPLE_U16,
  ODL_SAMPLE_S16,
  ODL_SAMPLE_F32,
} OdlSampleType;

// Number of samples along width, height, depth and time; each at least 1.
typedef struct {
  int x, y, z, t;
} OdlExtent;

// Where the samples of one channel lie. Planar and interleaved storage are both described
// by strides, so a foreign buffer is wrapped and not copied.
typedef struct {
  const void *data; // sample (0,0,0,0)
  size_t sample_stride_bytes;
  size_t row_stride_bytes;
  size_t slice_stride_bytes;
  size_t frame_stride_bytes;
} OdlPlane;

// Luma and two colour differences in place of red, green and blue (ITU-R BT.601, BT.709,
// BT.2020), as videos have them. Planes 0, 1, 2 are luma, blue and red difference; the
// latter have one sample for 2^shift pixels, the first of which lies on pixel 0 (along x
// with `centred_x`, and always along y, amid its pixels).
typedef struct {
  bool used;
  bool centred_x;
  int shift_x, shift_y; // 0 … 2
  double kr, kb; // weights of red and blue in luma
  double luma_offset, luma_range; // stored values of black, and from black to white
  double chroma_offset, chroma_range; // of no difference, and from −0.5 to 0.5
  OdlSampleType chroma_type; // of planes 1 and 2, U8 or U16, where luma is F32; else
                             // theirs is that of the image
} OdlYcbcr;

// Everything about an image. As an argument of the constructors, fields left zero mean
// the default that stands beside them.
typedef struct {
  OdlExtent extent; // z and t: 1
  int channels; // 1 grey, 3 RGB, 4 RGBA (alpha not premultiplied)
  OdlSampleType type;
  OdlPlane planes[ODL_IMAGE_MAX_CHANNELS]; // one per channel
  OdlYcbcr ycbcr; // if used, the 3 channels are red, green and blue made from the planes,
                  // and stored values those of odl_image_scaled_row, scaled back
  // Stored values that mean 0 and 1 for the filters; both zero: the full range of the
  // type, 0…1 for F32. stored_min < stored_max.
  double stored_min;
  double stored_max;
  OdlValueMap value_map; // zero slope: 1
  double spacing_mm[3]; // distance of sample centres in x, y, z; 0: unknown
  double frame_interval_ms; // 0: unknown
  double pixel_aspect; // width of a pixel / its height; 0: 1
  int64_t pts_ns; // presentation time of the first frame
  const OdlOverlay *overlay; // drawn over the picture; of its size; NULL: none
  const char
      *mark; // short text to show on the picture, such as "incomplete"; may be NULL
} OdlImageInfo;

typedef struct _OdlImage OdlImage;

// Wraps samples described by `info`. `release` (may be NULL) gets `release_data` once
// when the last reference goes. On failure (ODL_ERROR_CORRUPT, ODL_ERROR_TOO_LARGE)
// returns NULL and does not call `release`. `info->mark` is copied, of curve and overlay
// the image takes references of its own. Any thread.
OdlImage *odl_image_wrap (const OdlImageInfo *info,
                          GDestroyNotify release,
                          void *release_data,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

// Allocates zeroed, interleaved storage without padding between rows, ignoring
// `info->planes` and `info->ycbcr`. *samples is writable until the image is handed to
// somebody else. Any thread.
OdlImage *odl_image_alloc (const OdlImageInfo *info, void **samples, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

OdlImage *odl_image_ref (OdlImage *image);
void odl_image_unref (OdlImage *image);

// The complete description, with defaults filled in. Valid as long as `image`. Any
// thread.
const OdlImageInfo *odl_image_info (const OdlImage *image);

// A new image on the same samples with another description: `info` may change everything
// but extent, channels, type and planes, which are taken from `image`. Any thread.
OdlImage *odl_image_with_info (OdlImage *image, const OdlImageInfo *info);

// Bytes per sample of `type`.
size_t odl_sample_size (OdlSampleType type);

// Red, green and blue of one row of a YCbCr image, scaled to 0 (black) … 1 (white), not
// clamped; missing colour samples are interpolated linearly. Each has extent.x floats.
// Slice 0, frame 0. Any thread.
void odl_image_rgb_row (const OdlImage *image, int y, float *const rgb[3]);

// The same of `count` pixels from column `from` on.
void odl_image_rgb_span (const OdlImage *image,
                         int from,
                         int count,
                         int y,
                         float *const rgb[3]);

// Luma of one row of a YCbCr image: its stored Y′ scaled by its range, 0 (black) … 1
// (white), not clamped. `row` has extent.x floats. Slice 0, frame 0. Any thread.
void odl_image_luma_row (const OdlImage *image, int y, float *row);

// odl_image_rgb_row with another luma of extent.x floats in the place of the image's own.
void odl_image_rgb_row_of_luma (const OdlImage *image,
                                int y,
                                const float *luma,
                                float *const rgb[3]);

// Shares of the differences in the colours: of the red one in red, of the blue and the
// red one in green, of the blue one in blue.
void odl_ycbcr_mixing (const OdlYcbcr *ycbcr, float mixing[4]);

// The weights of kr and kb, and ranges of stored values, filled in for samples of `bits`
// bits. `full`: 0 is black, else 16 of 256 (BT.601 and its successors).
void odl_ycbcr_set_range (OdlYcbcr *ycbcr, int bits, bool full);

// True when the channels lie beside each other, pixel by pixel, as GL uploads want it.
bool odl_image_is_interleaved (const OdlImage *image);

// One row of one channel as values scaled so that stored_min is 0 and stored_max is 1, in
// single precision: scaled = (stored − stored_min) · (1 / (stored_max − stored_min)).
// `row` has extent.x floats. NaN gives 0, infinities give 0 or 1. Slice z, frame t. Any
// thread.
void odl_image_scaled_row (const OdlImage *image,
                           int channel,
                           int y,
                           int z,
                           int t,
                           float *row);

// The same of `count` samples from column `from` on; not of YCbCr images.
void odl_image_scaled_span (const OdlImage *image,
                            int channel,
                            int from,
                            int count,
                            int y,
                            int z,
                            int t,
                            float *row);

// `count` samples of each channel, row by row, into one row pixel by pixel. Any thread.
void odl_image_weave_row (const float *const *rows, int channels, int count, float *out);

// Slice 0, frame 0 of `image` as interleaved scaled F32 samples with the meaning kept:
// values stay the same, stored_min and stored_max become 0 and 1. ODL_ERROR_TOO_LARGE.
// Any thread.
OdlImage *odl_image_to_scaled (const OdlImage *image, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

// Number of samples of an F32 image that are NaN or infinite; 0 for the other types.
size_t odl_image_count_non_finite (const OdlImage *image);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlImage, odl_image_unref)

G_END_DECLS
