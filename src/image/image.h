// SPDX-License-Identifier: MIT
// OdlImage: samples with their geometry and metadata; immutable once published.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/beams.h"
#include "image/display/file_windows.h"
#include "image/display/overlay.h"
#include "image/display/value_map.h"
#include "image/regions.h"
#include "image/surface/surface.h"

G_BEGIN_DECLS

#define ODL_IMAGE_MAX_CHANNELS 4

// Limits of every image; constructors fail with ODL_ERROR_TOO_LARGE beyond them.
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

// Memory layout of one channel. Strides describe planar and interleaved storage alike,
// so foreign buffers need not be copied.
typedef struct {
  const void *data; // sample (0,0,0,0)
  size_t sample_stride_bytes;
  size_t row_stride_bytes;
  size_t slice_stride_bytes;
  size_t frame_stride_bytes;
} OdlPlane;

// YCbCr storage (ITU-R BT.601, BT.709, BT.2020), as in videos. Planes 0, 1, 2 are
// luma, blue difference and red difference. The differences have one sample per
// 2^shift pixels. Along x the first sample is sited on pixel 0, or with `centred_x` in
// the centre of its 2^shift pixels; along y always in the centre.
typedef struct {
  bool used;
  bool centred_x;
  int shift_x, shift_y; // 0 … 2
  double kr, kb; // weights of red and blue in luma
  double luma_offset, luma_range; // stored value of black; black to white
  double chroma_offset, chroma_range; // stored value of zero difference; from −0.5 to 0.5
  OdlSampleType chroma_type; // of planes 1 and 2: U8 or U16 if luma is F32; else the same
                             // as the image's type
} OdlYcbcr;

// Where the spacing of a picture holds.
typedef enum {
  ODL_SPACING_IN_OBJECT, // in what is seen
  ODL_SPACING_AT_DETECTOR, // of X-rays: what is seen is magnified there
  ODL_SPACING_ON_FILM, // that was scanned
  ODL_SPACING_BY_HAND, // in what lies as a length that somebody knows; of no file
  ODL_N_SPACING_PLACES,
} OdlSpacingPlace;

// Description of an image. Constructors replace zero fields by the defaults given
// here.
typedef struct {
  OdlExtent extent; // default of z and t: 1
  int channels; // 1 grey, 3 RGB, 4 RGBA (alpha not premultiplied)
  OdlSampleType type;
  OdlPlane planes[ODL_IMAGE_MAX_CHANNELS]; // one per channel
  OdlYcbcr ycbcr; // if used, the 3 channels are red, green and blue converted from the
                  // planes; stored values are those of odl_image_scaled_row, unscaled
  // Stored values that filters see as 0 and 1; stored_min < stored_max. Default: the
  // full range of the type, 0…1 for F32.
  double stored_min;
  double stored_max;
  OdlValueMap value_map; // default slope: 1
  OdlBeams beams; // columns are ultrasound beams, and lie so; all 0: they are pixels
  OdlBeamsShown made_of; // such beams, which the program made this picture of
  double spacing_mm[3]; // distance between sample centres in x, y, z; 0: unknown
  OdlSpacingPlace spacing_place;
  // The patient's axes that x, y and z of a volume lie nearest to
  // (image/volume/directions.h), by which its planes have their names; all 0: not known.
  int8_t patient_axes[3];
  double frame_interval_ms; // 0: unknown
  double pixel_aspect; // pixel width / pixel height; default 1
  int64_t pts_ns; // presentation time of the first frame
  const OdlFileWindows *windows; // to choose from, the value map's first; NULL: no others
  const OdlRegions *regions; // with scales of their own; NULL: none
  const OdlOverlay
      *shutter; // what it covers is shown as shutter_level; same size, or NULL
  double shutter_level; // 0 (black) … 1
  bool shutter_covers_none; // what it covers are no samples: they count in no measure
  const OdlOverlay *overlay; // drawn over the picture, same size; NULL: none
  const OdlSurface *surface; // its channels are control points of that; NULL: of none
  const char *mark; // short text shown on the picture, such as "incomplete"; may be NULL
} OdlImageInfo;

typedef struct _OdlImage OdlImage;

// Wraps samples described by `info`. `release` (may be NULL) is called once with
// `release_data` when the last reference is dropped, but not if this call fails (NULL;
// ODL_ERROR_CORRUPT, ODL_ERROR_TOO_LARGE). `info->mark` is copied; curve, windows,
// regions, shutter, overlay and surface are referenced. Any thread.
OdlImage *odl_image_wrap (const OdlImageInfo *info,
                          GDestroyNotify release,
                          void *release_data,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

// Allocates zeroed, interleaved samples without row padding; ignores `info->planes`
// and `info->ycbcr`. *samples is writable until the image is shared. Any thread.
OdlImage *odl_image_alloc (const OdlImageInfo *info, void **samples, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

// The same with undefined samples, for those who write them all.
OdlImage *odl_image_alloc_unset (const OdlImageInfo *info, void **samples, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

OdlImage *odl_image_ref (OdlImage *image);
void odl_image_unref (OdlImage *image);

// The description with defaults filled in. Valid as long as `image`. Any thread.
const OdlImageInfo *odl_image_info (const OdlImage *image);

// A new image that shares the samples. Extent, channels, type and planes come from
// `image`, everything else from `info`. Any thread.
OdlImage *odl_image_with_info (OdlImage *image, const OdlImageInfo *info);

// Bytes per sample of `type`.
size_t odl_sample_size (OdlSampleType type);

// One row of a YCbCr image as red, green and blue, 0 (black) … 1 (white), not clamped;
// chroma is interpolated linearly. Each channel has extent.x floats. Slice 0, frame 0.
// Any thread.
void odl_image_rgb_row (const OdlImage *image, int y, float *const rgb[3]);

// Likewise for `count` pixels from column `from` on.
void odl_image_rgb_span (const OdlImage *image,
                         int from,
                         int count,
                         int y,
                         float *const rgb[3]);

// Luma of one row of a YCbCr image: its stored Y′, scaled to 0 (black) … 1 (white),
// not clamped. `row` has extent.x floats. Slice 0, frame 0. Any thread.
void odl_image_luma_row (const OdlImage *image, int y, float *row);

// odl_image_rgb_row with `luma` (extent.x floats) instead of the image's own.
void odl_image_rgb_row_of_luma (const OdlImage *image,
                                int y,
                                const float *luma,
                                float *const rgb[3]);

// Coefficients of the colour differences: of Cr in red, Cb in green, Cr in green, Cb
// in blue.
void odl_ycbcr_mixing (const OdlYcbcr *ycbcr, float mixing[4]);

// Sets the ranges of stored values for `bits`-bit samples, using kr and kb. `full`:
// full range; else studio range, with black at 16 of 256 (BT.601 and successors).
void odl_ycbcr_set_range (OdlYcbcr *ycbcr, int bits, bool full);

// True if the channels are interleaved pixel by pixel, as GL uploads require.
bool odl_image_is_interleaved (const OdlImage *image);

// One row of a channel, scaled so that stored_min is 0 and stored_max is 1, in single
// precision: scaled = (stored − stored_min) · (1 / (stored_max − stored_min)). `row`
// has extent.x floats. NaN becomes 0, infinities 0 or 1. Any thread.
void odl_image_scaled_row (const OdlImage *image,
                           int channel,
                           int y,
                           int z,
                           int t,
                           float *row);

// Likewise for `count` samples from column `from` on; not for YCbCr images.
void odl_image_scaled_span (const OdlImage *image,
                            int channel,
                            int from,
                            int count,
                            int y,
                            int z,
                            int t,
                            float *row);

// Interleaves `count` samples of each channel into `out`. Any thread.
void
odl_image_interleave_row (const float *const *rows, int channels, int count, float *out);

// Slice 0, frame 0 as interleaved, scaled F32 samples. Values in the image's unit stay
// the same; stored_min and stored_max become 0 and 1. ODL_ERROR_TOO_LARGE. Any thread.
OdlImage *odl_image_to_scaled (const OdlImage *image, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

// Number of NaN and infinite samples of an F32 image; 0 for other types.
size_t odl_image_count_non_finite (const OdlImage *image);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlImage, odl_image_unref)

G_END_DECLS
