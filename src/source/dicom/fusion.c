// SPDX-License-Identifier: MIT
#include "source/dicom/fusion.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vector.h"
#include "image/display/display.h"
#include "source/source_file.h"
#include "source/volume.h"

// Of the values that are held.
#define MOST_BYTES ((uint64_t) 512 << 20)
#define MOST_STEP 65535.0
#define FULL_FROM 0.5 // level from which on colours are as bright as they can be

struct _OdlFusion {
  gatomicrefcount ref_count;
  char *location;
  char *frame_of_reference;
  char *unit;
  double suv_factor; // 0: unknown
  OdlFusionLevels own; // as its file says
  double least, most; // values
  int n[3]; // voxels
  double corner[3]; // outer corner of the first voxel, mm, LPS
  double inverse[3][3]; // mm → voxels
  uint16_t *values; // in steps from the smallest to the largest, n[0] × n[1] × n[2]
};

OdlFusion *
odl_fusion_ref (OdlFusion *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
odl_fusion_unref (OdlFusion *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->location);
  g_free (self->frame_of_reference);
  g_free (self->unit);
  g_free (self->values);
  g_free (self);
}

const char *
odl_fusion_location (const OdlFusion *self)
{
  return self->location;
}

const char *
odl_fusion_unit (const OdlFusion *self)
{
  return self->unit;
}

double
odl_fusion_suv_factor (const OdlFusion *self)
{
  return self->suv_factor;
}

OdlFusionLevels
odl_fusion_levels (const OdlFusion *self, OdlFusionLevels levels)
{
  return levels.width > 0 ? levels : self->own;
}

void
odl_fusion_range (const OdlFusion *self, double *least, double *most)
{
  *least = self->least;
  *most = self->most;
}

// ---- reading -------------------------------------------------------------------------

// Rows of the inverse of the matrix whose columns are `axes`. False: it has none.
static bool
invert (const double axes[3][3], double inverse[3][3])
{
  double normals[3][3];

  for (int i = 0; i < 3; i++)
    odl_cross (axes[(i + 1) % 3], axes[(i + 2) % 3], normals[i]);
  const double volume = odl_dot (axes[0], normals[0]);
  if (!(fabs (volume) > 1e-12))
    return false;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      inverse[i][k] = normals[i][k] / volume;
  return true;
}

// Where the first slice lies, and the step to the next one.
static bool
find_place (OdlFusion *self, const OdlSource *source, const OdlImageInfo *info)
{
  OdlSegmentsPlane first, second;
  double axes[3][3];

  odl_segments_plane_of (source, 0, info, &first);
  odl_segments_plane_of (source, 1, info, &second);
  if (!first.is_placed || !second.is_placed || first.frame_of_reference == NULL)
    return false;
  self->frame_of_reference = g_strdup (first.frame_of_reference);
  for (int i = 0; i < 3; i++) {
    axes[0][i] = first.across[i];
    axes[1][i] = first.down[i];
    axes[2][i] = second.corner[i] - first.corner[i];
    // A slice lies in the middle of its voxels.
    self->corner[i] = first.corner[i] - axes[2][i] / 2;
  }
  return invert (axes, self->inverse);
}

// Shares of the stored range are what the image gives.
static void
find_range (OdlFusion *self, const OdlImage *volume, double ends[2])
{
  const OdlImageInfo *info = odl_image_info (volume);
  g_autofree float *row = g_new (float, self->n[0]);

  ends[0] = 1;
  ends[1] = 0;
  for (int z = 0; z < self->n[2]; z++)
    for (int y = 0; y < self->n[1]; y++) {
      odl_image_scaled_row (volume, 0, y, z, 0, row);
      for (int x = 0; x < self->n[0]; x++) {
        ends[0] = fmin (ends[0], (double) row[x]);
        ends[1] = fmax (ends[1], (double) row[x]);
      }
    }
  const OdlValueMap *map = &info->value_map;
  for (int i = 0; i < 2; i++) {
    const double stored
        = info->stored_min + ends[i] * (info->stored_max - info->stored_min);
    *(i == 0 ? &self->least : &self->most)
        = map->slope * (info->type == ODL_SAMPLE_F32 ? stored : round (stored))
          + map->intercept;
  }
}

static void
take_values (OdlFusion *self, const OdlImage *volume)
{
  const OdlImageInfo *info = odl_image_info (volume);
  g_autofree float *row = g_new (float, self->n[0]);
  uint16_t *to = self->values;
  double ends[2];

  find_range (self, volume, ends);
  odl_display_window (info, &(OdlWindow){ .mode = ODL_WINDOW_FILE }, &self->own.centre,
                      &self->own.width);
  // A file without a window has the full range of its type, which is no window.
  if (!info->value_map.has_window && info->value_map.curve == NULL)
    self->own = (OdlFusionLevels){ (self->least + self->most) / 2,
                                   fabs (self->most - self->least) };
  if (!(self->own.width > 0))
    self->own.width = 1;
  const double scale = ends[1] > ends[0] ? MOST_STEP / (ends[1] - ends[0]) : 0;
  for (int z = 0; z < self->n[2]; z++)
    for (int y = 0; y < self->n[1]; y++) {
      odl_image_scaled_row (volume, 0, y, z, 0, row);
      for (int x = 0; x < self->n[0]; x++)
        *to++ = (uint16_t) lround (((double) row[x] - ends[0]) * scale);
    }
}

static bool
refuse (GError **error)
{
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("it is no volume of grey levels whose slices say where they "
                           "lie and in which frame of reference, so that it cannot be "
                           "laid over another one"));
}

static bool
fill (OdlFusion *self, OdlSource *source, GCancellable *cancellable, GError **error)
{
  if (source->info.n_slices < 2)
    return refuse (error);
  g_autoptr (OdlImage) slice = odl_source_read_first (source, cancellable, error);
  if (slice == NULL)
    return false;
  const OdlExtent *extent = &odl_image_info (slice)->extent;
  const uint64_t bytes = (uint64_t) extent->x * (uint64_t) extent->y
                         * (uint64_t) source->info.n_slices * sizeof (uint16_t);
  if (bytes > MOST_BYTES)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("its %.0f MB of voxels are more than can be laid over "
                             "another volume (%.0f MB)"),
                          (double) bytes / 1e6, (double) MOST_BYTES / 1e6);
  g_autoptr (OdlImage) volume = odl_source_read_volume (source, 0, 0, cancellable, error);
  if (volume == NULL)
    return false;
  const OdlImageInfo *image = odl_image_info (volume);
  const char *unit = image->value_map.unit;
  if (image->channels != 1 || !find_place (self, source, image))
    return refuse (error);
  self->n[0] = image->extent.x;
  self->n[1] = image->extent.y;
  self->n[2] = image->extent.z;
  self->unit = g_strdup (unit);
  const char *factor = odl_source_detail (source, "suv-factor");
  self->suv_factor = factor != NULL ? g_ascii_strtod (factor, NULL) : 0;
  self->values = g_try_malloc_n (
      (gsize) self->n[0] * (gsize) self->n[1] * (gsize) self->n[2], sizeof *self->values);
  if (self->values == NULL)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE, _ ("there is no memory for it"));
  take_values (self, volume);
  return true;
}

OdlFusion *
odl_fusion_read (const char *location, GCancellable *cancellable, GError **error)
{
  g_autoptr (OdlFusion) self = g_new0 (OdlFusion, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->location = g_strdup (location);
  g_autoptr (OdlSource) source = odl_source_open (location, cancellable, error);
  if (source == NULL)
    return NULL;
  if (fill (self, source, cancellable, error))
    return g_steal_pointer (&self);
  odl_source_file_name_error (location, error);
  return NULL;
}

// ---- drawing -------------------------------------------------------------------------

bool
odl_fusion_fits (const OdlFusion *self, const OdlSegmentsPlane *plane, char **why)
{
  if (plane->is_placed && plane->frame_of_reference != NULL
      && strcmp (plane->frame_of_reference, self->frame_of_reference) == 0)
    return true;
  if (why != NULL)
    *why = g_strdup (
        plane->is_placed && plane->frame_of_reference != NULL
            ? _ ("Both volumes are in different frames of reference: nobody knows how "
                 "their places belong together, so that one is not laid over the other.")
            : _ (
                "The picture does not say where it lies and in which frame of reference, "
                "so that nothing can be laid over it."));
  return false;
}

// Between the eight nearest voxels; those at the edge reach as far as they are large.
// NaN: outside.
static double
step_at (const OdlFusion *self, const double at[3])
{
  int low[3], high[3];
  double part[3], step = 0;

  for (int i = 0; i < 3; i++) {
    if (!(at[i] >= 0 && at[i] < self->n[i]))
      return NAN;
    const double middle = CLAMP (at[i] - 0.5, 0, self->n[i] - 1);
    low[i] = (int) middle;
    high[i] = MIN (low[i] + 1, self->n[i] - 1);
    part[i] = middle - low[i];
  }
  for (int k = 0; k < 8; k++) {
    const int x = k & 1 ? high[0] : low[0], y = k & 2 ? high[1] : low[1];
    const int z = k & 4 ? high[2] : low[2];
    const double weight = (k & 1 ? part[0] : 1 - part[0])
                          * (k & 2 ? part[1] : 1 - part[1])
                          * (k & 4 ? part[2] : 1 - part[2]);
    if (weight > 0)
      step += weight
              * self->values[((gsize) z * (gsize) self->n[1] + (gsize) y)
                                 * (gsize) self->n[0]
                             + (gsize) x];
  }
  return step;
}

static uint32_t
colour_of (double level, const OdlColourMap *map, double share)
{
  const double alpha = share * fmin (level / FULL_FROM, 1);
  uint32_t argb = (uint32_t) lround (255 * alpha) << 24;
  float colour[3] = { (float) level, (float) level, (float) level };

  if (map != odl_colour_map_at (0)) // grey, which has no table
    odl_colour_map_show (map, (float) level, colour);
  for (int c = 0; c < 3; c++)
    argb |= (uint32_t) lround (255 * alpha * (double) colour[c]) << (16 - 8 * c);
  return argb;
}

// Turns steps into levels: level = gain · step + offset.
static void
find_gain (const OdlFusion *self, OdlFusionLevels levels, double *gain, double *offset)
{
  const OdlFusionLevels of = odl_fusion_levels (self, levels);

  *gain = (self->most - self->least) / MOST_STEP / of.width;
  *offset = (self->least - of.centre) / of.width + 0.5;
}

void
odl_fusion_draw (const OdlFusion *self,
                 const OdlSegmentsPlane *plane,
                 const OdlFusionLook *look,
                 OdlPoint shift,
                 OdlOutlines *outlines)
{
  const gsize width = (gsize) plane->width, height = (gsize) plane->height;
  uint32_t *argb = g_new0 (uint32_t, width * height);
  double across[3], down[3], corner[3], from[3], gain, offset;

  find_gain (self, look->levels, &gain, &offset);
  for (int i = 0; i < 3; i++)
    from[i] = plane->corner[i] - self->corner[i];
  for (int i = 0; i < 3; i++) {
    across[i] = odl_dot (self->inverse[i], plane->across);
    down[i] = odl_dot (self->inverse[i], plane->down);
    corner[i] = odl_dot (self->inverse[i], from);
  }
  for (gsize y = 0; y < height; y++)
    for (gsize x = 0; x < width; x++) {
      double at[3];
      for (int i = 0; i < 3; i++)
        at[i] = corner[i] + across[i] * ((double) x + 0.5) + down[i] * ((double) y + 0.5);
      const double level = step_at (self, at) * gain + offset;
      if (level > 0) // not outside, which is NaN
        argb[y * width + x] = colour_of (fmin (level, 1), look->map, look->share);
    }
  odl_outlines_take_picture (outlines, argb, plane->width, plane->height, shift);
}
