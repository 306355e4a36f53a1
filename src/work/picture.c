// SPDX-License-Identifier: MIT
#include "work/picture.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "output/picture/exr.h"
#include "output/picture/npy.h"
#include "output/outlines.h"
#include "output/picture/png.h"
#include "output/surface.h"
#include "output/picture/tiff.h"

static const char *const png_extensions[] = { ".png", NULL };
static const char *const matroska_extensions[] = { ".mkv", NULL };
static const char *const mp4_extensions[] = { ".mp4", NULL };
static const char *const tiff_extensions[] = { ".tif", ".tiff", NULL };
static const char *const stored_extensions[] = { ".16.tif", ".16.tiff", NULL };
static const char *const stack_extensions[] = { ".stack.tif", ".stack.tiff", NULL };
static const char *const ome_extensions[] = { ".ome.tif", ".ome.tiff", NULL };
static const char *const jpeg_extensions[] = { ".jpg", ".jpeg", NULL };
static const char *const webp_extensions[] = { ".webp", NULL };
static const char *const exr_extensions[] = { ".exr", NULL };
static const char *const npy_extensions[] = { ".npy", NULL };
static const char *const npy_stack_extensions[] = { ".stack.npy", NULL };
static const char *const jp2_extensions[] = { ".jp2", NULL };
static const char *const mha_extensions[] = { ".mha", NULL };
static const char *const nii_extensions[] = { ".nii", ".nii.gz", NULL };
static const char *const nrrd_extensions[] = { ".nrrd", NULL };
static const char *const hdf5_extensions[] = { ".h5", ".hdf5", NULL };
static const char *const dicom_extensions[] = { ".dcm", ".dicom", ".dic", NULL };
static const char *const obj_extensions[] = { ".obj", NULL };
static const char *const j2k_extensions[] = { ".j2k", ".j2c", ".jpc", NULL };

#define BITS_8 (1U << ODL_DEPTH_8)
#define BITS_16 (1U << ODL_DEPTH_16)
#define FLOATS (1U << ODL_DEPTH_FLOAT)

const OdlFormat odl_formats[] = {
  { "png", png_extensions, 0, odl_png_write, .shows = true, .depths = BITS_8 | BITS_16 },
  { "jpeg", jpeg_extensions, 0, odl_jpeg_write, .shows = true, .depths = BITS_8 },
  { "webp", webp_extensions, 0, odl_webp_write, .shows = true, .depths = BITS_8 },
  // Before .tif:
  { "tiff-stack", stack_extensions, 0, NULL, ODL_VOLUME_TIFF, .depths = FLOATS },
  { "ome-tiff", ome_extensions, 0, NULL, ODL_VOLUME_OME, .depths = FLOATS },
  { "tiff16", stored_extensions, 0, odl_tiff16_write, .depths = BITS_16 },
  { "tiff", tiff_extensions, 0, odl_tiff_write, .depths = BITS_8 | BITS_16 | FLOATS },
  { "exr", exr_extensions, 0, odl_exr_write, .depths = FLOATS },
  { "npy-stack", npy_stack_extensions, 0, NULL, ODL_VOLUME_NPY, .depths = FLOATS },
  { "npy", npy_extensions, 0, odl_npy_write, .depths = FLOATS },
  { "jp2", jp2_extensions, 0, odl_jp2_write },
  { "j2k", j2k_extensions, 0, odl_j2k_write },
  { "obj", obj_extensions, 0, odl_obj_write },
  { "mkv", matroska_extensions, ODL_CONTAINER_MATROSKA, NULL, .shows = true,
    .depths = BITS_8 | BITS_16 },
  { "mp4", mp4_extensions, ODL_CONTAINER_MP4, NULL, .shows = true,
    .depths = BITS_8 | BITS_16 },
  { "mha", mha_extensions, 0, NULL, ODL_VOLUME_METAIMAGE, .depths = FLOATS },
  { "nii", nii_extensions, 0, NULL, ODL_VOLUME_NIFTI, .depths = FLOATS },
  { "nrrd", nrrd_extensions, 0, NULL, ODL_VOLUME_NRRD, .depths = FLOATS },
  { "hdf5", hdf5_extensions, 0, NULL, ODL_VOLUME_HDF5, .depths = FLOATS },
  { "dicom", dicom_extensions, .is_dicom = true },
};

static const char *const depth_names[ODL_N_DEPTHS]
    = { [ODL_DEPTH_8] = "8", [ODL_DEPTH_16] = "16", [ODL_DEPTH_FLOAT] = "float" };

bool
odl_format_depth (const OdlFormat *format,
                  const char *word,
                  OdlDepth *depth,
                  GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  *depth = ODL_DEPTH_USUAL;
  for (int i = ODL_DEPTH_8; i < ODL_N_DEPTHS; i++) {
    if ((format->depths & 1U << i) == 0)
      continue;
    g_string_append_printf (known, "%s%s", known->len > 0 ? ", " : "", depth_names[i]);
    if (g_strcmp0 (word, depth_names[i]) == 0)
      *depth = (OdlDepth) i;
  }
  if (word == NULL || *depth != ODL_DEPTH_USUAL)
    return true;
  return known->len > 0
             ? odl_error_set (error, ODL_ERROR_USAGE,
                              // Translators: what was typed, a format, what it has.
                              _ ("--depth %s: files of the format %s have %s. Choose one "
                                 "of these, or another format."),
                              word, format->name, known->str)
             : odl_error_set (error, ODL_ERROR_USAGE,
                              _ ("--depth %s: files of the format %s have the depth of "
                                 "the input. Leave it out, or choose another format."),
                              word, format->name);
}

int
odl_depth_bits (OdlDepth depth, const OdlPlan *plan)
{
  if (depth == ODL_DEPTH_USUAL)
    return plan->geometry.bits <= 8 ? 8 : 16;
  return depth == ODL_DEPTH_8 ? 8 : 16;
}

static bool
has_extension (const char *path, const OdlFormat *format)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (gsize i = 0; format->extensions[i] != NULL; i++)
    if (g_str_has_suffix (lower, format->extensions[i]))
      return true;
  return false;
}

// By its own name, or by an ending without its dot.
static bool
is_named (const OdlFormat *format, const char *name)
{
  bool found = g_str_equal (name, format->name);

  for (gsize i = 0; !found && format->extensions[i] != NULL; i++)
    found = g_str_equal (name, format->extensions[i] + 1);
  return found;
}

static char *
list_formats (bool names)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (odl_formats); i++) {
    if (names)
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "",
                              odl_formats[i].name);
    for (gsize k = 0; !names && odl_formats[i].extensions[k] != NULL; k++)
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "",
                              odl_formats[i].extensions[k]);
  }
  return g_string_free (g_steal_pointer (&list), FALSE);
}

const OdlFormat *
odl_format_find (const char *name, const char *path, GError **error)
{
  g_autofree char *known = list_formats (name != NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (odl_formats); i++)
    if (name != NULL ? is_named (&odl_formats[i], name)
                     : has_extension (path, &odl_formats[i]))
      return &odl_formats[i];

  if (name != NULL) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("“%s” is no format for --format. There are: %s."), name, known);
  } else {
    g_autofree char *shown = g_str_equal (path, "/dev/stdout")
                                 ? g_strdup (_ ("standard output"))
                                 : g_filename_display_name (path);
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("%s: the extension says no format. Use one of %s, or --format."),
                 shown, known);
  }
  return NULL;
}

bool
odl_picture_save (OdlOutputGuard *guard,
                  const OdlPicture *picture,
                  const OdlFormat *format,
                  const char *path,
                  bool replace,
                  GError **error)
{
  OdlOutput output;
  bool opened = replace ? odl_output_open (guard, path, &output, error)
                        : odl_output_open_new (guard, path, &output, error);

  if (!opened)
    return false;
  return odl_output_end (&output, format->write (&output, picture, error), error);
}

// Whether the file offers the window that was asked for.
static bool
offers_window (const OdlPicture *picture, GError **error)
{
  const OdlFileWindows *windows = odl_image_info (picture->source)->windows;
  const int choice = picture->window.choice;

  if (choice == 0 || (windows != NULL && choice < windows->n))
    return true;
  return odl_usage_error (
      error, _ ("it offers no window number %d; “info” lists those that it offers"),
      choice + 1);
}

static bool
is_plain (const OdlShape *shape)
{
  return odl_arrangement_is_plain (&shape->arrangement) && shape->wipe == 0
         && shape->level == 0;
}

static bool
find_band (const OdlPlan *plan, const OdlShape *shape, OdlBandPlace *band, GError **error)
{
  const bool octants = odl_plan_has_octants (plan);

  if (shape->directions != 0 && plan->details.directions != shape->directions)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--view band: there are directions in the dual tree "
                             "alone; give the filter transform=dual-tree."));
  if (shape->of_volume == octants
      && odl_plan_find_band (plan, shape->level, shape->band, band))
    return true;
  return odl_usage_error (
      error,
      octants ? _ ("--view band: there is no such band. There are HLL, LHL, HHL, LLH, "
                   "HLH, LHH and HHH of %d levels, and LLL of the last one.")
              : _ ("--view band: there is no such band. There are HL, LH and HH of %d "
                   "levels, and LL of the last one."),
      plan->details.levels);
}

static bool
lies_in (const OdlPicture *picture, const OdlBandPlace *band)
{
  return !picture->shape.of_volume
         || (picture->slice >= band->from[2] && picture->slice < band->to[2]);
}

bool
odl_picture_has_band (const OdlPicture *picture,
                      OdlBandPlace *band,
                      bool *has,
                      GError **error)
{
  if (!find_band (picture->plan, &picture->shape, band, error))
    return false;
  *has = lies_in (picture, band);
  return true;
}

// The part of `image`, which has all bands, that the band asked for has; else the part
// asked for.
static OdlImage *
arrange (const OdlPicture *picture, const OdlImage *image, GError **error)
{
  const OdlShape *shape = &picture->shape;
  OdlArrangement part = shape->arrangement;
  OdlBandPlace band;

  if (shape->level == 0)
    return odl_arrange (image, &part, error);
  if (!find_band (picture->plan, shape, &band, error))
    return NULL;
  if (!lies_in (picture, &band))
    return odl_error_null (
        error, ODL_ERROR_USAGE,
        _ ("--view band: %s of level %d lies in frames %d to %d. Choose one of them with "
           "--frame, or write them all to one file, such as out.nii or out.npy, or to "
           "numbered files, such as out-%%03d.tif."),
        band.name, shape->level, band.from[2] + 1, band.to[2]);
  part.x = band.from[0];
  part.y = band.from[1];
  part.width = band.to[0] - band.from[0];
  part.height = band.to[1] - band.from[1];
  return odl_arrange (image, &part, error);
}

static void
copy_columns (float *to, const OdlImageInfo *own, const OdlImage *from, int columns)
{
  const OdlImageInfo *info = odl_image_info (from);
  const float *samples = info->planes[0].data;

  for (int y = 0; y < own->extent.y; y++)
    for (int x = 0; x < MIN (columns, info->extent.x); x++)
      for (int c = 0; c < own->channels; c++)
        to[((gsize) y * (gsize) own->extent.x + (gsize) x) * (gsize) own->channels
           + (gsize) c]
            = samples[((gsize) y * (gsize) info->extent.x + (gsize) x)
                          * (gsize) info->channels
                      + (gsize) MIN (c, info->channels - 1)];
}

// All of the result, scaled, with the original in the columns at its left.
static OdlImage *
wiped (const OdlPicture *picture, OdlImage *result, GError **error)
{
  const OdlImageInfo *info = odl_image_info (result);
  const OdlShape *shape = &picture->shape;
  const double columns
      = shape->wipe_is_share ? floor (shape->wipe * info->extent.x + 0.5) : shape->wipe;
  OdlImageInfo own = *info;
  void *samples = NULL;

  if (picture->plan->details.levels > 0)
    return odl_error_null (
        error, ODL_ERROR_USAGE,
        _ ("--wipe puts the original beside the result; leave out --view"));
  if (picture->plan->restated)
    return odl_error_null (
        error, ODL_ERROR_USAGE,
        _ ("--wipe puts the original beside the result, and “envelope”, “log-compress” "
           "or "
           "“scan-convert” makes something else of it; leave them out, or --wipe"));
  g_autoptr (OdlImage) original = odl_image_to_scaled (picture->source, error);
  g_autoptr (OdlImage) scaled
      = original != NULL ? odl_image_to_scaled (result, error) : NULL;
  if (scaled == NULL)
    return NULL;
  own.type = ODL_SAMPLE_F32;
  own.stored_min = 0;
  own.stored_max = 1;
  OdlImage *both = odl_image_alloc (&own, &samples, error);
  if (both == NULL)
    return NULL;
  copy_columns (samples, &own, scaled, own.extent.x);
  copy_columns (samples, &own, original, (int) MIN (columns, own.extent.x));
  return both;
}

// The result, with the original beside it if that is wanted. Consumes the rows.
static OdlImage *
gather (const OdlPicture *picture, GError **error)
{
  g_autoptr (OdlImage) result = odl_rows_gather (picture->rows, error);

  if (result == NULL || picture->shape.wipe == 0)
    return g_steal_pointer (&result);
  return wiped (picture, result, error);
}

// With the outlines over it, whose words can be read when it was turned.
static OdlImage *
lay_over (const OdlPicture *picture, OdlImage *shown, GError **error)
{
  const OdlOrientation *turn = &picture->shape.arrangement.orientation;
  const int quarter_turns
      = turn->swap ? (turn->from_right ? 3 : 1) : (turn->from_bottom ? 2 : 0);
  const bool flip = turn->swap ? turn->from_right == turn->from_bottom
                               : turn->from_right != turn->from_bottom;

  if (shown == NULL || picture->outlines == NULL)
    return shown != NULL ? odl_image_ref (shown) : NULL;
  return odl_outlines_lay_over (picture->outlines, shown, quarter_turns, flip, error);
}

OdlImage *
odl_picture_render (const OdlPicture *picture, int bits, GError **error)
{
  if (!offers_window (picture, error))
    return NULL;
  const OdlDisplay display = odl_display_make (
      odl_image_info (picture->source), &picture->window, odl_picture_details (picture));
  g_autoptr (OdlImage) result = gather (picture, error);
  g_autoptr (OdlImage) plain
      = result != NULL ? odl_display_render (result, &display, bits, error) : NULL;
  g_autoptr (OdlImage) shown = lay_over (picture, plain, error);

  if (shown == NULL
      || (odl_arrangement_is_plain (&picture->shape.arrangement)
          && picture->shape.level == 0))
    return g_steal_pointer (&shown);
  return arrange (picture, shown, error);
}

bool
odl_png_write (OdlOutput *output, const OdlPicture *picture, GError **error)
{
  const OdlImageInfo *source = odl_image_info (picture->source);
  const int bits = odl_depth_bits (picture->depth, picture->plan);

  if (!offers_window (picture, error))
    return false;
  if (is_plain (&picture->shape) && picture->outlines == NULL) {
    const OdlDisplay display
        = odl_display_make (source, &picture->window, odl_picture_details (picture));
    return odl_png_encode_display (output, picture->rows, &display, bits,
                                   picture->description, source->mark, error);
  }
  g_autoptr (OdlImage) shown = odl_picture_render (picture, bits, error);
  return shown != NULL
         && odl_png_encode (output, shown, picture->description, source->mark, error);
}

bool
odl_jpeg_write (OdlOutput *output, const OdlPicture *picture, GError **error)
{
  g_autoptr (OdlImage) shown = odl_picture_render (picture, 8, error);

  return shown != NULL
         && odl_jpeg_encode (output, shown, picture->shape.lossy, picture->description,
                             odl_image_info (picture->source)->mark, error);
}

bool
odl_webp_write (OdlOutput *output, const OdlPicture *picture, GError **error)
{
  g_autoptr (OdlImage) shown = odl_picture_render (picture, 8, error);

  return shown != NULL && odl_webp_encode (output, shown, picture->shape.lossy, error);
}

OdlImage *
odl_picture_arranged (const OdlPicture *picture, GError **error)
{
  g_autoptr (OdlImage) result = gather (picture, error);

  return result != NULL ? arrange (picture, result, error) : NULL;
}

bool
odl_picture_take_source (OdlPicture *picture, OdlRows *own)
{
  if (picture->plan->result != picture->plan->source || picture->shape.wipe != 0
      || picture->altered || odl_image_info (picture->source)->ycbcr.used)
    return false;
  *own = odl_rows_of_image ((OdlImage *) picture->source);
  picture->rows = own;
  return true;
}

OdlDetails
odl_picture_details_of_part (const OdlPicture *picture)
{
  return picture->shape.level == 0
             ? odl_picture_details (picture)
             : (OdlDetails){ picture->shape.band > 0 ? 1 : 0, 0, 0 };
}

typedef bool (*ValuesWriter) (OdlOutput *output, const OdlValues *values, GError **error);

// Coefficients that were cut out or turned lie no longer where their bands are.
static bool
write_values (OdlOutput *output,
              const OdlPicture *result,
              ValuesWriter write,
              GError **error)
{
  OdlPicture picture = *result;
  OdlRows own, rows;
  const bool untouched = odl_picture_take_source (&picture, &own);
  OdlValues values = { .source = picture.source,
                       .rows = picture.rows,
                       .details = odl_picture_details (&picture),
                       .description = picture.description,
                       .untouched = untouched,
                       .floats = picture.depth == ODL_DEPTH_FLOAT };

  if (is_plain (&picture.shape))
    return write (output, &values, error);
  if (picture.plan->details.levels > 0 && picture.shape.level == 0)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--crop, --orient and --wipe are for pictures, not for "
                             "values of coefficients; leave out --view, or write PNG"));
  g_autoptr (OdlImage) arranged = odl_picture_arranged (&picture, error);
  if (arranged == NULL)
    return false;
  rows = odl_rows_of_image (arranged);
  values.rows = &rows;
  values.details = odl_picture_details_of_part (&picture);
  return write (output, &values, error);
}

bool
odl_tiff_write (OdlOutput *output, const OdlPicture *picture, GError **error)
{
  return write_values (output, picture,
                       picture->depth == ODL_DEPTH_8    ? odl_tiff_encode_stored_8
                       : picture->depth == ODL_DEPTH_16 ? odl_tiff_encode_stored
                                                        : odl_tiff_encode,
                       error);
}

bool
odl_tiff16_write (OdlOutput *output, const OdlPicture *picture, GError **error)
{
  return write_values (output, picture, odl_tiff_encode_stored, error);
}

bool
odl_npy_write (OdlOutput *output, const OdlPicture *picture, GError **error)
{
  return write_values (output, picture, odl_npy_encode, error);
}

bool
odl_exr_write (OdlOutput *output, const OdlPicture *picture, GError **error)
{
  return write_values (output, picture, odl_exr_encode, error);
}

static bool
write_jpeg2000 (OdlOutput *output, const OdlPicture *picture, bool boxes, GError **error)
{
  const OdlJpeg2000Picture file = {
    .source = picture->source,
    .rows = picture->rows,
    .coefficients = picture->plan->details.levels > 0,
    .description = picture->description,
    .quality = picture->quality,
    .boxes = boxes,
    .engine = picture->engine,
  };

  return odl_jpeg2000_write (output, &file, error);
}

bool
odl_jp2_write (OdlOutput *output, const OdlPicture *picture, GError **error)
{
  return write_jpeg2000 (output, picture, true, error);
}

bool
odl_j2k_write (OdlOutput *output, const OdlPicture *picture, GError **error)
{
  return write_jpeg2000 (output, picture, false, error);
}

bool
odl_picture_has_surface (const OdlImage *source,
                         const OdlPlan *plan,
                         const char *shown,
                         GError **error)
{
  if (odl_image_info (source)->surface == NULL)
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("%s: such a file holds control points of a surface, and this input "
                    "has none. Grids are OBJ files and phantom:face."),
                 shown);
  else if (plan->details.levels > 0)
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("%s: coefficients are no control points. Leave out --view."), shown);
  else
    return true;
  return false;
}

bool
odl_obj_write (OdlOutput *output, const OdlPicture *picture, GError **error)
{
  const OdlImageInfo *info = odl_image_info (picture->source);

  if (!odl_picture_has_surface (picture->source, picture->plan, output->shown, error))
    return false;
  g_autoptr (OdlImage) grid = odl_rows_gather (picture->rows, error);
  if (grid == NULL)
    return false;
  g_autofree float *points = odl_surface_points (grid, info);
  return odl_surface_write (output, info->surface, points, picture->description, error);
}

int
odl_picture_band_step (const OdlPicture *picture, int axis)
{
  const OdlShape *shape = &picture->shape;
  const bool along = axis < 2 || shape->of_volume;

  return along && picture->plan->band == 0 ? 1 << shape->level : 1;
}

// The picture as it came, with the distances of the coefficients of a band.
static OdlImage *
farther_apart (const OdlPicture *picture)
{
  OdlImageInfo info = *odl_image_info (picture->source);

  for (int axis = 0; axis < 3; axis++)
    info.spacing_mm[axis] *= odl_picture_band_step (picture, axis);
  return odl_image_with_info ((OdlImage *) picture->source, &info);
}

// Crosses would be values among others.
bool
odl_picture_write_slice (OdlVolumeFile *file,
                         const OdlPicture *slice,
                         bool damaged,
                         bool as_stored,
                         GError **error)
{
  OdlPicture picture = *slice;
  OdlRows own, rows;
  const bool untouched
      = !damaged && as_stored && odl_picture_take_source (&picture, &own);
  OdlValues values = { .source = picture.source,
                       .rows = picture.rows,
                       .details = odl_picture_details (&picture),
                       .description = picture.description,
                       .damaged = damaged,
                       .untouched = untouched,
                       .floats = picture.depth == ODL_DEPTH_FLOAT };

  const int level = picture.shape.level;
  if (odl_arrangement_is_plain (&picture.shape.arrangement) && level == 0)
    return odl_volume_file_write (file, &values, error);
  g_autoptr (OdlImage) arranged = odl_picture_arranged (&picture, error);
  g_autoptr (OdlImage) apart = level > 0 ? farther_apart (&picture) : NULL;
  if (arranged == NULL)
    return false;
  rows = odl_rows_of_image (arranged);
  values.rows = &rows;
  values.details = odl_picture_details_of_part (&picture);
  values.source = apart != NULL ? apart : values.source;
  return odl_volume_file_write (file, &values, error);
}
