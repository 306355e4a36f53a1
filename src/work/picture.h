// SPDX-License-Identifier: MIT
// What single pictures and slices are written as: the formats, one row each.
#pragma once

#include "image/arrange.h"
#include "image/display/display.h"
#include "image/display/outlines.h"
#include "image/rows.h"
#include "output/movie/codec.h"
#include "output/picture/jpeg2000.h"
#include "output/picture/lossy.h"
#include "output/output.h"
#include "output/volume_file.h"
#include "plan/plan.h"

// Of the samples of a file. Whole numbers are rounded to the nearest one.
typedef enum {
  ODL_DEPTH_USUAL,
  ODL_DEPTH_8,
  ODL_DEPTH_16,
  ODL_DEPTH_FLOAT,
  ODL_N_DEPTHS,
} OdlDepth;

// What is done to a result when it is written.
typedef struct {
  OdlArrangement arrangement; // after `wipe`
  int level; // of coefficients one band alone, in the place of a part; 0: all
  int directions; // of the dual tree, as OdlDetails has them; 0: of any transform
  int band; // as in odl_plan_find_band
  bool of_volume; // it was given by the name of an octant
  double wipe; // columns of the original, at the left; 0: none
  bool wipe_is_share; // `wipe` is a share of the width
  OdlLossy lossy; // of JPEG and WebP
} OdlShape;

typedef struct {
  const OdlImage *source; // the unfiltered picture, whose value map and range apply to
                          // the result, too: odl_picture_source
  OdlRows *rows; // rows of the result as scaled samples; read once, from first to last
  const OdlPlan *plan;
  OdlWindow window;
  const char *description; // recipe and engine, ASCII
  OdlJpeg2000Quality quality; // of JPEG 2000
  OdlEngine *engine; // that may transform for it; NULL: the engine cpu
  OdlShape shape;
  int slice; // of the plan's volume
  bool altered; // by more than the plan: noise was added, or a volume was filtered
  OdlDepth depth; // that the format has
  const OdlOutlines *outlines; // over the picture as it is shown; NULL: none
} OdlPicture;

// The picture as it came; of samples that are no values of it the result, which has a
// size, a spacing and a range of its own.
static inline const OdlImage *
odl_picture_source (const OdlPlan *plan, const OdlImage *came, const OdlImage *result)
{
  return plan->restated ? result : came;
}

// Which samples of it are details.
static inline OdlDetails
odl_picture_details (const OdlPicture *picture)
{
  return odl_plan_details_at (picture->plan, picture->slice);
}

typedef struct {
  const char *name; // "png", for --format
  const char *const *extensions; // the first one is given to new names
  OdlContainer container; // of a video
  // NULL: a volume, DICOM or a video, see output/volume_file.h and output/movie/movie.h.
  bool (*write) (OdlOutput *output, const OdlPicture *picture, GError **error);
  OdlVolumeFormat volume;
  bool shows; // holds the picture as it is shown, instead of its values
  bool is_dicom; // see output/dicom/dicom.h; `write` is NULL then, too
  unsigned depths; // 1 << OdlDepth of those that can be asked for
} OdlFormat;

extern const OdlFormat odl_formats[];

// "16" for the format. ODL_ERROR_USAGE, which names those that it has; NULL is the usual.
bool odl_format_depth (const OdlFormat *format,
                       const char *word,
                       OdlDepth *depth,
                       GError **error);

// Bits of a picture that is shown, where the format has these and 16.
int odl_depth_bits (OdlDepth depth, const OdlPlan *plan);

// By name (`name` not NULL), else by the extension of `path`. ODL_ERROR_USAGE, which
// lists the formats.
const OdlFormat *odl_format_find (const char *name, const char *path, GError **error);

// Writes the complete picture or no file; `replace`: it may replace an existing one.
// Errors: ODL_ERROR_IO, ODL_ERROR_TOO_LARGE, those of the rows.
bool odl_picture_save (OdlOutputGuard *guard,
                       const OdlPicture *picture,
                       const OdlFormat *format,
                       const char *path,
                       bool replace,
                       GError **error);

// The result as it is shown, with the shape of `picture`, 8 or 16 bits a sample. Consumes
// the rows. ODL_ERROR_USAGE: the shape does not suit it; ODL_ERROR_TOO_LARGE; errors of
// the rows.
OdlImage *odl_picture_render (const OdlPicture *picture, int bits, GError **error);

// The values of the result, with the shape of `picture`. Consumes the rows. Errors as
// above.
OdlImage *odl_picture_arranged (const OdlPicture *picture, GError **error);

// Where nothing is done to its samples, but that a part is cut out or turned: takes
// `own`, the rows of the source, in the place of scaled ones. Whether it did.
bool odl_picture_take_source (OdlPicture *picture, OdlRows *own);

// Appends it to the file of its volume; `damaged`: it stands for one that cannot be read.
// `as_stored`: the source's samples may be written as the file has them, where nothing is
// done to them. Errors of odl_volume_file_write and odl_picture_arranged.
bool odl_picture_write_slice (OdlVolumeFile *file,
                              const OdlPicture *picture,
                              bool damaged,
                              bool as_stored,
                              GError **error);

// How many samples of the picture lie between two of the band that it is written as,
// along an axis: 1 for bands of the stationary transform.
int odl_picture_band_step (const OdlPicture *picture, int axis);

// Likewise of what is written of it, which is a band alone where the shape has one.
OdlDetails odl_picture_details_of_part (const OdlPicture *picture);

// Where the band is that the picture's shape has, and whether the picture is a slice of
// it, as all pictures that are no slices are. False: there is no such band,
// ODL_ERROR_USAGE.
bool odl_picture_has_band (const OdlPicture *picture,
                           OdlBandPlace *band,
                           bool *has,
                           GError **error);

// PNG: the picture as it is displayed, 8 bits a sample where the source has no more, else
// 16.
bool odl_png_write (OdlOutput *output, const OdlPicture *picture, GError **error);

// TIFF: the values, as described in output/picture/tiff.h.
bool odl_tiff_write (OdlOutput *output, const OdlPicture *picture, GError **error);

// The numbers that the input stores, as described there.
bool odl_tiff16_write (OdlOutput *output, const OdlPicture *picture, GError **error);

// JPEG and WebP: the picture as it is displayed, 8 bits a sample.
bool odl_jpeg_write (OdlOutput *output, const OdlPicture *picture, GError **error);
bool odl_webp_write (OdlOutput *output, const OdlPicture *picture, GError **error);

// EXR: the values, as described in output/picture/exr.h.
bool odl_exr_write (OdlOutput *output, const OdlPicture *picture, GError **error);

// NPY: the values, as described in output/picture/npy.h.
bool odl_npy_write (OdlOutput *output, const OdlPicture *picture, GError **error);

// OBJ: the control points, of pictures that odl_picture_has_surface.
bool odl_obj_write (OdlOutput *output, const OdlPicture *picture, GError **error);

// Whether the result of `plan` is a grid of control points. ODL_ERROR_UNSUPPORTED, for
// the output `shown`.
bool odl_picture_has_surface (const OdlImage *source,
                              const OdlPlan *plan,
                              const char *shown,
                              GError **error);

// JPEG 2000: the stored values, as output/picture/jpeg2000.h has them; a JP2 file, or its
// bare codestream.
bool odl_jp2_write (OdlOutput *output, const OdlPicture *picture, GError **error);
bool odl_j2k_write (OdlOutput *output, const OdlPicture *picture, GError **error);
